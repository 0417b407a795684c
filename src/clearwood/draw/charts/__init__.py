"""Charts: one function per chart; each takes another function's result and returns a Picture with its spec.

import clearwood as cw

cw.charts.confusion(cw.evaluate(model, table)).save("confusion.png")
"""

from clearwood.draw.charts.additive import curve, curves, pair
from clearwood.draw.charts.choice import choice
from clearwood.draw.charts.class_curves import gains, kolmogorov_smirnov, lift, precision_recall, roc
from clearwood.draw.charts.columns import class_shares, distribution, mosaic
from clearwood.draw.charts.comparison import bias_variance, critical_difference, differences
from clearwood.draw.charts.components import components, explained
from clearwood.draw.charts.effects import dependence, shap
from clearwood.draw.charts.evaluation import confusion, groups, true_and_predicted
from clearwood.draw.charts.learning_curves import learning, learning_curve, overfitting, overfitting_by_noise
from clearwood.draw.charts.log_odds import evidence, weights
from clearwood.draw.charts.nomogram import nomogram
from clearwood.draw.charts.probabilities import calibration, coverage, cutoffs, recalibration
from clearwood.draw.charts.rankings import ranking, selection_stability, stability
from clearwood.draw.charts.settings import tuning, validation_curve
from clearwood.draw.charts.tree_growth import cost_complexity, cuts

__all__ = [
    "bias_variance",
    "calibration",
    "choice",
    "class_shares",
    "components",
    "confusion",
    "cost_complexity",
    "coverage",
    "critical_difference",
    "curve",
    "curves",
    "cutoffs",
    "cuts",
    "dependence",
    "differences",
    "distribution",
    "evidence",
    "explained",
    "gains",
    "groups",
    "kolmogorov_smirnov",
    "learning",
    "learning_curve",
    "lift",
    "mosaic",
    "nomogram",
    "overfitting",
    "overfitting_by_noise",
    "pair",
    "precision_recall",
    "ranking",
    "recalibration",
    "roc",
    "selection_stability",
    "shap",
    "stability",
    "true_and_predicted",
    "tuning",
    "validation_curve",
    "weights",
]
