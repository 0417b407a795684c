"""Stable rules: the short paths that recur in many trees of an ensemble, with how often they do.

After SIRUS (Bénard et al. 2021): a tree's cuts move with its rows, so each is first moved to the nearest of
a few quantiles of its column. A path of few conditions that is then found in many trees is no accident of
one of them. A rule that says nothing beyond more frequent ones (x > 3 beside x ≤ 3) is left out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from clearwood.bounds import whole
from clearwood.errors import SettingError
from clearwood.explain.recurring_rules import (
    Conditions,
    paths_of_tree,
    quantile_limits,
    recurring_rules,
)
from clearwood.models.conditions import Condition, all_of
from clearwood.models.ensemble import Ensemble
from clearwood.models.kinds import check_kind
from clearwood.models.tree import Tree
from clearwood.predict.columns import columns_used
from clearwood.table.table import Table
from clearwood.words.numbers import figure, many, percent_to


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
        return {
            "trees": self.trees,
            "rules": [
                {
                    "when": [str(each) for each in rule.when],
                    "trees": rule.trees,
                    "part": rule.part,
                    "inside": list(rule.inside),
                    "outside": list(rule.outside),
                }
                for rule in self.rules
            ],
        }


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
