"""The target of an additive model in whole numbers: classes with their base scores, or numbers in units."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from clearwood.learners.ensembles.gam_curves import UNIT
from clearwood.learners.ensembles.gam_task import GamLoss, GamRows
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

SURELY: Final = 40.0  # by so much the score of a class that no row has is below: its share is 0, nearly


def gam_target(rows: Table) -> tuple[GamRows, float, float]:
    """The target in whole numbers, and the scale and centre by which scores become the user's numbers."""
    weights = rows.weights
    equal = weights is None or bool((weights == weights[0]).all())
    cumulative = None if equal or weights is None else np.cumsum(weights)
    no_classes, no_numbers = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64)
    if isinstance(rows.schema.target, Numeric):
        y = rows.target.astype(np.float64)
        w = np.ones(len(y)) if weights is None else weights
        whole = math.fsum(w.tolist())
        centre = math.fsum((w * (y / whole)).tolist())
        off = y - centre
        largest = float(np.abs(off).max())
        scale = largest and largest * math.sqrt(math.fsum((w * (off / largest) ** 2).tolist()) / whole)
        scale = scale or 1.0
        numbers = np.rint(off / scale * UNIT).astype(np.int64)
        base = np.zeros(1, dtype=np.int64)
        return GamRows("squared", no_classes, numbers, weights, cumulative, base), scale, centre
    names = rows.schema.classes
    by_class = np.bincount(rows.target, weights, len(names))
    classes = np.ascontiguousarray(rows.target, dtype=np.int32)
    if len(names) == 2:
        odds = [math.log(float(by_class[1]) / float(by_class[0]))]
        loss: GamLoss = "logistic"
    else:
        odds = [math.log(float(each / by_class.sum())) if each > 0 else -SURELY for each in by_class]
        loss = "softmax"
    base = np.array([round(each * UNIT) for each in odds], dtype=np.int64)
    return GamRows(loss, classes, no_numbers, weights, cumulative, base), 1.0, 0.0
