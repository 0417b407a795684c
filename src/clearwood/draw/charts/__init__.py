"""Charts: one function per chart; each takes another function's result and returns a Picture with its spec.

import clearwood as cw

cw.charts.confusion(cw.evaluate(model, table)).save("confusion.png")
"""

from clearwood.draw.charts.calibration import calibration
from clearwood.draw.charts.class_shares import class_shares
from clearwood.draw.charts.components import components
from clearwood.draw.charts.confusion import confusion
from clearwood.draw.charts.cost_complexity import cost_complexity
from clearwood.draw.charts.curve import curve, curves
from clearwood.draw.charts.cuts import cuts
from clearwood.draw.charts.dependence import dependence
from clearwood.draw.charts.distribution import distribution
from clearwood.draw.charts.evidence import evidence
from clearwood.draw.charts.explained import explained
from clearwood.draw.charts.learning import learning
from clearwood.draw.charts.mosaic import mosaic
from clearwood.draw.charts.nomogram import nomogram
from clearwood.draw.charts.overfitting import overfitting
from clearwood.draw.charts.pair import pair
from clearwood.draw.charts.ranking import ranking
from clearwood.draw.charts.roc import precision_recall, roc
from clearwood.draw.charts.selection_stability import selection_stability
from clearwood.draw.charts.shap import shap
from clearwood.draw.charts.true_and_predicted import true_and_predicted
from clearwood.draw.charts.weights import weights

__all__ = [
    "calibration",
    "class_shares",
    "components",
    "confusion",
    "cost_complexity",
    "curve",
    "curves",
    "cuts",
    "dependence",
    "distribution",
    "evidence",
    "explained",
    "learning",
    "mosaic",
    "nomogram",
    "overfitting",
    "pair",
    "precision_recall",
    "ranking",
    "roc",
    "selection_stability",
    "shap",
    "true_and_predicted",
    "weights",
]
