"""How right a model of classes is on a table: the evaluation that tests ask of classes, never of numbers."""

from __future__ import annotations

import clearwood as cw


def judged(model: cw.Model, table: cw.Table) -> cw.ClassEvaluation:
    found = cw.evaluate(model, table)
    assert isinstance(found, cw.ClassEvaluation)
    return found
