"""Rows to regions to class shares."""

from clearwood.predict.batch import leaf_of, predict, predict_codes, shares
from clearwood.predict.intervals import intervals
from clearwood.predict.row import RowPredictor, row_predictor
from clearwood.predict.through import count_through

__all__ = [
    "RowPredictor",
    "count_through",
    "intervals",
    "leaf_of",
    "predict",
    "predict_codes",
    "row_predictor",
    "shares",
]
