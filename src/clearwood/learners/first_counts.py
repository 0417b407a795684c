"""What each rule of a list answers: the class weights of the rows that it takes and no earlier rule does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from clearwood.models.rule_list import Rule
from clearwood.predict.satisfied import all_rows, satisfied, weights_by_class
from clearwood.table.table import Table

_MOST_BITS: Final = 2**29  # rows times conditions at a time: 64 MB


def first_counts(rules: Sequence[Rule], rows: Table) -> list[tuple[float, ...]]:
    """[rule] Weights by class; the rows all have a class.

    >>> import numpy as np
    >>> from clearwood.models.conditions import Equals
    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> schema = Schema((Nominal("a", ("x", "z")),), Nominal("y", ("no", "yes")))
    >>> columns = {"a": np.array([0, 0, 1], np.int32), "y": np.array([0, 1, 1], np.int32)}
    >>> first_counts([Rule((Equals("a", "x"),), "no"), Rule((), "yes")], Table(schema, columns))
    [(1.0, 1.0), (0.0, 1.0)]
    """
    left = all_rows(len(rows))
    counts: list[tuple[float, ...]] = []
    for some in _parts(rules, len(rows)):
        own = satisfied(rows.schema, some, rows).covered()
        for bits in own:
            bits &= left
            left &= ~bits
        weights = weights_by_class(own, rows.target, rows.weights, len(rows.schema.classes))
        counts += [tuple(each) for each in weights.tolist()]
    return counts


def _parts(rules: Sequence[Rule], rows: int) -> Iterator[Sequence[Rule]]:
    """The rules a part at a time, so that their conditions' bits are few enough."""
    begin = bits = 0
    for end, rule in enumerate(rules):
        bits += rows * (len(rule.when) + 1)
        if bits > _MOST_BITS and end > begin:
            yield rules[begin:end]
            begin, bits = end, rows * (len(rule.when) + 1)
    yield rules[begin:]
