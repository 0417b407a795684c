"""Charts: one function per chart; each takes another function's result and returns a Picture with its spec.

import clearwood as cw

cw.charts.confusion(cw.evaluate(model, table)).save("confusion.png")
"""

from clearwood.draw.charts.calibration import calibration
from clearwood.draw.charts.class_shares import class_shares
from clearwood.draw.charts.confusion import confusion
from clearwood.draw.charts.cost_complexity import cost_complexity
from clearwood.draw.charts.coverage import coverage
from clearwood.draw.charts.critical_difference import critical_difference
from clearwood.draw.charts.curve import curve, curves
from clearwood.draw.charts.cutoffs import cutoffs
from clearwood.draw.charts.cuts import cuts
from clearwood.draw.charts.dependence import dependence
from clearwood.draw.charts.differences import differences
from clearwood.draw.charts.distribution import distribution
from clearwood.draw.charts.evidence import evidence
from clearwood.draw.charts.gains import gains, lift
from clearwood.draw.charts.groups import groups
from clearwood.draw.charts.kolmogorov_smirnov import kolmogorov_smirnov
from clearwood.draw.charts.learning import learning
from clearwood.draw.charts.mosaic import mosaic
from clearwood.draw.charts.nomogram import nomogram
from clearwood.draw.charts.overfitting import overfitting
from clearwood.draw.charts.pair import pair
from clearwood.draw.charts.recalibration import recalibration
from clearwood.draw.charts.roc import precision_recall, roc
from clearwood.draw.charts.shap import shap
from clearwood.draw.charts.true_and_predicted import true_and_predicted
from clearwood.draw.charts.weights import weights

__all__ = [
    "calibration",
    "class_shares",
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
    "gains",
    "groups",
    "kolmogorov_smirnov",
    "learning",
    "lift",
    "mosaic",
    "nomogram",
    "overfitting",
    "pair",
    "precision_recall",
    "recalibration",
    "roc",
    "shap",
    "true_and_predicted",
    "weights",
]
