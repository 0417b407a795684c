"""The way to the native ILA and back: codes and settings out, descriptions in."""

from __future__ import annotations

import numpy as np

from clearwood import _native
from clearwood.arrays import Longs
from clearwood.learners.rules.ila_task import MOST_COMBINATIONS, MOST_WORK, Description, Descriptions, IlaTask


def describe_classes(
    task: IlaTask, marked: Longs | None = None, *, most_candidates: int = 0, threads: int = 0
) -> Descriptions:
    """What `ila_definition` defines, fast; `most_candidates` bounds the memory, 0 is the usual bound."""
    penalty = task.penalty
    try:
        arrays = _native.ila(
            [np.ascontiguousarray(column) for column in task.columns],
            list(task.values),
            np.ascontiguousarray(task.target),
            task.units,
            order=list(task.order),
            relevant=[list(task.relevant[cls]) for cls in task.order],
            marked=marked,
            penalty_over=0 if penalty is None else penalty.numerator,
            penalty_under=0 if penalty is None else penalty.denominator,
            fast=task.fast,
            cautious=task.cautious,
            max_conditions=task.max_conditions or 0,
            most_combinations=MOST_COMBINATIONS,
            most_work=MOST_WORK if task.max_conditions is None else 0,
            most_candidates=most_candidates,
            threads=threads,
        )
    except _native.TooManyCombinationsError as error:
        task.check_combinations(error.cls, error.size, error.left)
        raise
    start, columns, codes = (arrays[name].tolist() for name in ("start", "column", "code"))
    parts = zip(
        start, start[1:], *(arrays[name].tolist() for name in ("cls", "covers", "wrong")), strict=False
    )
    descriptions = [
        Description(cls, tuple(columns[begin:end]), tuple(codes[begin:end]), covers, wrong)
        for begin, end, cls, covers, wrong in parts
    ]
    return Descriptions(tuple(descriptions), arrays["left"])
