"""Rules that recur: conditions with their thresholds at a few quantiles, counted over many models.

A model's cuts move with its rows. Moved to the nearest of a few quantiles of their columns, two that mean
the same are the same, and can be counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.bounds import whole
from clearwood.errors import SettingError
from clearwood.formulas.conditions import (
    Condition,
    Equals,
    IsMissing,
    OneOf,
    all_of,
    interval,
    limits_of,
    never_holds,
    one_of,
)
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.tree.tree import Tree, path_to
from clearwood.models.model import check_kind
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.columns import column_for
from clearwood.predicting.through import satisfying
from clearwood.records import json_of
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from clearwood.words.numbers import figure, many, percent_to

Conditions: TypeAlias = tuple[Condition, ...]
QuantileLimits: TypeAlias = Mapping[str, Floats]  # by numeric column

_MOST_ROWS: Final = 2000  # by which it is seen what a rule says beyond others
_LEAST_NEWS: Final = 1e-6


@dataclass(frozen=True, slots=True)
class RecurringRule:
    """Conditions, how many models have them, and the table's rows where they hold and elsewhere.

    `inside` and `outside` are the rows' weights by class, or of numbers weight and mean.
    """

    when: Conditions
    count: int
    inside: tuple[float, ...]
    outside: tuple[float, ...]


def quantile_limits(schema: Schema, names: Iterable[str], table: Table, cuts: int) -> dict[str, Floats]:
    """By numeric column the numbers that cut its known cells into so many parts."""
    limits: dict[str, Floats] = {}
    for name in names:
        if not isinstance(schema[name], Numeric):
            continue
        cells = column_for(schema[name], table)
        weights = np.ones(len(table)) if table.weights is None else table.weights
        known = np.isfinite(cells) & (weights > 0)
        order = np.argsort(cells[known], kind="stable")
        numbers, upto = cells[known][order].astype(np.float64), np.cumsum(weights[known][order])
        if not len(numbers):
            limits[name] = np.empty(0)
            continue
        parts = np.arange(1, cuts) / cuts * upto[-1] * (1 - 1e-12)
        limits[name] = np.unique(numbers[np.minimum(np.searchsorted(upto, parts), len(numbers) - 1)])
    return limits


def paths_of_tree(tree: Tree, depth: int, limits: QuantileLimits) -> set[Conditions]:
    """The ways to all nodes down to this depth, with their thresholds at quantiles; each once."""
    level = np.zeros(len(tree.nodes), dtype=np.int64)
    paths = set()
    for node, parent in enumerate(tree.nodes.parent.tolist()):
        if parent < 0:
            continue
        level[node] = level[parent] + 1
        if level[node] <= depth:
            moved = at_quantiles(path_to(tree, node), tree.schema, limits)
            if moved is not None:
                paths.add(moved)
    return paths


def at_quantiles(
    conditions: Iterable[Condition], schema: Schema, limits: QuantileLimits
) -> Conditions | None:
    """The conditions with their thresholds at quantiles, in the schema's order; None where no row is left."""
    moved = [_moved(each, limits) for each in conditions]
    if any(never_holds(each) for each in moved):
        return None
    return tuple(sorted(moved, key=lambda each: schema.positions[each.name]))


def recurring_rules(
    counted: Counter[Conditions], schema: Schema, table: Table, *, least: float, most: int
) -> list[RecurringRule]:
    """Those that at least so many models have, the most frequent first, and of these at most so many that
    each tell rows apart that the ones before do not."""
    common = [(when, count) for when, count in counted.items() if count >= least]
    # Of equally frequent ones the shortest, then the schema's order of columns, then the text.
    places = schema.positions
    common.sort(key=lambda each: (-each[1], len(each[0]), [places[c.name] for c in each[0]], str(each[0])))
    return _independent(schema, table, common, most)


def _moved(condition: Condition, limits: QuantileLimits) -> Condition:
    """The condition with its thresholds at the nearest quantiles; where empty cells go is left aside."""
    if isinstance(condition, IsMissing):
        return condition
    if isinstance(condition, Equals | OneOf):
        values = (condition.value,) if isinstance(condition, Equals) else condition.values
        return one_of(condition.name, tuple(sorted(values)))
    low, high = (each.number for each in limits_of(condition))
    near = limits[condition.name]
    return interval(condition.name, _nearest(low, near), _nearest(high, near))


def _nearest(limit: float, quantiles: Floats) -> float:
    """The nearest quantile to a limit; an end that has none stays."""
    if not np.isfinite(limit) or not len(quantiles):
        return limit
    after = int(np.searchsorted(quantiles, limit))
    near = [quantiles[place] for place in (after - 1, after) if 0 <= place < len(quantiles)]
    return float(min(near, key=lambda each: abs(each - limit)))


def _independent(
    schema: Schema, table: Table, common: Sequence[tuple[Conditions, int]], most: int
) -> list[RecurringRule]:
    """The first rules of which each tells rows apart that the ones before, weighed and added up, do not."""
    step = max(1, -(-len(table) // _MOST_ROWS))
    basis = [np.ones(len(range(0, len(table), step)))]
    basis[0] /= np.sqrt(len(basis[0]))
    rules: list[RecurringRule] = []
    known: dict[Condition, Bools] = {}
    for when, count in common:
        for each in when:
            if each not in known:
                known[each] = satisfying(schema, table, each)
        held = np.logical_and.reduce([known[each] for each in when])
        news = held[::step].astype(np.float64)
        size = float(np.sqrt(news @ news))
        for one in basis:
            news = news - (one @ news) * one
        left = float(np.sqrt(news @ news))
        if not left > _LEAST_NEWS * max(size, 1.0):
            continue
        basis.append(news / left)
        inside, outside = _counted(schema, table, held), _counted(schema, table, ~held)
        rules.append(RecurringRule(when, count, inside, outside))
        if len(rules) == most:
            break
    return rules


def _counted(schema: Schema, table: Table, rows: Bools) -> tuple[float, ...]:
    """Weight by class, or weight and mean, of these rows with a known target."""
    target = column_for(schema.predicted, table)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    if isinstance(schema.predicted, Numeric):
        kept = rows & np.isfinite(target)
        total = float(weights[kept].sum())
        return (total, float(np.average(target[kept], weights=weights[kept])) if total > 0 else float("nan"))
    kept = rows & (target >= 0)
    counts = np.bincount(target[kept], weights[kept], minlength=len(schema.classes))
    return tuple(counts.tolist())


# Stable rules: the short paths that recur in many trees of an ensemble, with how often they do.
#
# After SIRUS (Bénard et al. 2021): a tree's cuts move with its rows, so each is first moved to the nearest of
# a few quantiles of its column. A path of few conditions that is then found in many trees is no accident of
# one of them. A rule that says nothing beyond more frequent ones (x > 3 beside x ≤ 3) is left out.


@dataclass(frozen=True, slots=True)
class StableRule:
    """Conditions, the trees that have them on a path, and the training rows where they hold and elsewhere.

    `inside` and `outside` are the rows' weights by class, or of numbers weight and mean.
    """

    when: tuple[Condition, ...]
    trees: int
    part: float
    inside: tuple[float, ...]
    outside: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class StableRules:
    """The rules that recur, the most frequent first, out of so many trees."""

    trees: int
    classes: tuple[str, ...]
    rules: tuple[StableRule, ...]

    def __len__(self) -> int:
        return len(self.rules)

    def __str__(self) -> str:
        lines = [f"{many(len(self.rules), 'rule')} of {many(self.trees, 'tree')}"]
        for rule in self.rules:
            what = all_of(rule.when)
            inside, outside = self._answer(rule.inside), self._answer(rule.outside)
            lines.append(f"in {percent_to(rule.part, 0)}: IF {what} THEN {inside}, else {outside}")
        return "\n".join(lines)

    def _answer(self, counts: tuple[float, ...]) -> str:
        if not self.classes:
            return figure(counts[1]) if counts[0] > 0 else "no rows"
        total = sum(counts)
        if not total > 0:
            return "no rows"
        best = max(range(len(counts)), key=counts.__getitem__)
        return f"{self.classes[best]} {percent_to(counts[best] / total)}"

    def to_json(self) -> dict[str, Any]:
        return json_of(self, "classes")


def stable_rules(
    model: Ensemble, table: Table, *, depth: int = 2, cuts: int = 10, least: float = 0.05, most: int = 20
) -> StableRules:
    """The paths of at most `depth` conditions that at least this part of the trees have.

    Thresholds are moved to the nearest of the quantiles that cut the table's column into `cuts` parts.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> bagged = cw.Bagging(of=cw.ID3(), trees=30).learn(days)
    >>> rule = stable_rules(bagged, days, most=5).rules[0]
    >>> str(rule.when[0]), rule.inside, rule.outside
    ('Outlook = Overcast', (0.0, 4.0), (5.0, 5.0))
    """
    check_kind("stable_rules", model, Ensemble)
    whole("depth", depth, 1)
    whole("cuts", cuts, 2)
    whole("most", most, 1)
    if not 0 <= least <= 1:
        raise SettingError(f"least is a part of the trees, from 0 to 1, not {least!r}.")
    members = [each for each in model.members if isinstance(each, Tree)]
    if len(members) < model.size:
        raise SettingError("stable_rules reads the paths of trees; a member of this ensemble is no tree.")
    limits = quantile_limits(model.schema, columns_used(model), table, cuts)
    counted: Counter[Conditions] = Counter()
    for tree in members:
        counted.update(paths_of_tree(tree, depth, limits))
    trees = len(members)
    recurring = recurring_rules(counted, model.schema, table, least=least * trees, most=most)
    rules = [
        StableRule(each.when, each.count, each.count / trees, each.inside, each.outside) for each in recurring
    ]
    classes = () if model.is_numeric else model.schema.classes
    return StableRules(trees, classes, tuple(rules))
