"""Noise on purpose: targets disturbed by seed, to see what a learner makes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from clearwood.advice import Advice
from clearwood.arrays import Floats
from clearwood.bounds import at_least
from clearwood.counting.chance import below_all, chance_key, draws, parts
from clearwood.errors import LearningError, SchemaError, SettingError
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

_ROWS, _CLASSES, _LENGTH, _ANGLE = range(4)  # what is drawn by a seed
_NOISE: Final = 0x0015E


def with_noise(table: Table, share: float, seed: int = 0) -> Table:
    """The table with noise in its target: this share of the rows gets another class, each other one being as
    likely; numbers are moved by a normal error, whose standard deviation is this share of their own.

    Rows without a target keep none. Give it the rows that are learned from, never those that judge.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> int((with_noise(days, 0.25).target != days.target).sum())  # of 14 rows, rounded
    4
    """
    share = at_least("noise", share, 0.0)
    target = table.schema.target
    if target is None:
        raise SchemaError("Which column is predicted? Name it: ", Advice("target"), ".")
    if not share:
        return table
    if isinstance(target, Numeric):
        changed = table.target + share * _spread(table) * _normal(len(table), seed)
        changed = changed.astype(table.target.dtype)
    else:
        changed = _other_classes(table, share, seed)
    return replace(table, columns={**table.columns, target.name: changed}, checked=True)


def _other_classes(table: Table, share: float, seed: int) -> Floats:
    """Exactly the share, rounded to whole rows, of those with a class; only classes that occur are given."""
    if share > 1:
        raise SettingError(f"noise is a share of the rows, from 0 to 1, not {share!r}.")
    codes = table.target.copy()
    occur = np.unique(codes[codes >= 0])
    if len(occur) < 2:
        raise LearningError("Noise gives rows another class, and only one occurs here. Leave noise out.")
    known = np.flatnonzero(codes >= 0)
    order = np.argsort(draws(chance_key(seed, _NOISE, _ROWS), len(known)), kind="stable")
    rows = np.sort(known[order[: round(share * len(known))]])
    step = 1 + below_all(chance_key(seed, _NOISE, _CLASSES), len(rows), len(occur) - 1)
    place = np.searchsorted(occur, codes[rows])
    codes[rows] = occur[(place + step) % len(occur)]
    return codes


def _spread(table: Table) -> float:
    """The target's standard deviation."""
    known = ~np.isnan(table.target)
    if not known.any():
        return 0.0
    numbers = table.target[known].astype(np.float64)
    weights = None if table.weights is None or not table.weights[known].any() else table.weights[known]
    mean = np.average(numbers, weights=weights)
    return float(np.sqrt(np.average((numbers - mean) ** 2, weights=weights)))


def _normal(count: int, seed: int) -> Floats:
    """Standard normal numbers, by Box and Muller (1958)."""
    length = np.sqrt(-2.0 * np.log1p(-parts(chance_key(seed, _NOISE, _LENGTH), count)))
    return np.asarray(length * np.cos(2.0 * np.pi * parts(chance_key(seed, _NOISE, _ANGLE), count)))
