"""Which conditions imply which, by bounds and values, and so which rules are special cases of others."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from clearwood.arrays import Ints
from clearwood.models.conditions import Condition, Equals, OneOf, bounds_of, takes_missing, values_of
from clearwood.predict.satisfied import Satisfied


def implied_by(conditions: Sequence[Condition]) -> list[Ints]:
    """[condition] the conditions that hold wherever this one does, itself among them.

    >>> from clearwood.models.conditions import AtMost, Between
    >>> [each.tolist() for each in implied_by([AtMost("Age", 50.0), Between("Age", 30.0, 40.0)])]
    [[0], [0, 1]]
    """
    by_name: dict[str, list[int]] = {}
    for i, condition in enumerate(conditions):
        by_name.setdefault(condition.name, []).append(i)
    implied: list[Ints] = [np.empty(0, dtype=np.int32)] * len(conditions)
    for numbers in by_name.values():
        group = [conditions[i] for i in numbers]
        at = np.array(numbers, dtype=np.int32)
        missing = np.array([takes_missing(each) for each in group])
        lows, highs = np.array([bounds_of(each) for each in group]).T
        values = [values_of(each) for each in group]
        of_values = any(isinstance(each, Equals | OneOf) for each in group)
        for i, each in enumerate(group):
            if of_values:
                within = np.array([values[i] <= other for other in values])
            else:
                low, high = bounds_of(each)
                within = (lows <= low) & (high <= highs)
            implied[numbers[i]] = at[within & (missing | (not missing[i]))]
    return implied


def general_cases(rules: Satisfied, special: Sequence[int]) -> Iterator[tuple[int, Ints]]:
    """For each of these rules: the rules that hold wherever it does, itself among them.

    A rule is looked up under one of its conditions: the one that the fewest rules imply.
    """
    implied = implied_by(rules.conditions)
    starts, members = rules.starts.tolist(), rules.members
    uses = np.bincount(members, minlength=len(implied))
    implying = np.zeros(len(implied), dtype=np.int64)  # [condition] how many rules imply it
    for condition, held in enumerate(implied):
        implying[held] += uses[condition]
    under: list[list[int]] = [[] for _ in implied]
    always = []
    for rule, (start, end) in enumerate(itertools.pairwise(starts)):
        if start == end:
            always.append(rule)
        else:
            under[members[start + int(np.argmin(implying[members[start:end]]))]].append(rule)
    for rule in special:
        holds = np.zeros(len(implied), dtype=np.bool_)
        for condition in members[starts[rule] : starts[rule + 1]].tolist():
            holds[implied[condition]] = True
        tried = [other for condition in np.flatnonzero(holds).tolist() for other in under[condition]]
        general = [other for other in tried if holds[members[starts[other] : starts[other + 1]]].all()]
        yield rule, np.array(sorted(always + general), dtype=np.int32)
