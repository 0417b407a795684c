"""Rows to regions to class shares."""

from clearwood.predicting.batch import leaf_of, predict, predict_codes, shares
from clearwood.predicting.intervals import intervals
from clearwood.predicting.through import count_through

__all__ = [
    "count_through",
    "intervals",
    "leaf_of",
    "predict",
    "predict_codes",
    "shares",
]
