"""Reasons compared: the leaf or rule that an export names for a row, beside the one of the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from clearwood.export.exportable import Exportable
from clearwood.models.conditions import holds
from clearwood.models.paths import path_to
from clearwood.models.rule_list import Rule, RuleList, answer_text
from clearwood.models.tree import Tree
from clearwood.predict.batch import leaf_of
from clearwood.predict.of_rules import first_rule
from clearwood.table.row import Row
from clearwood.table.table import Table

GivenAnswer: TypeAlias = str | float | None  # None: no answer


@dataclass(frozen=True, slots=True)
class ExpectedReason:
    """The text of the leaf or rule; `certain`: the row goes to it whole, and it must be named."""

    text: str
    certain: bool

    def allows(self, given: str | None) -> bool:
        """Is this what the target may say? It says nothing where several leaves have parts of a row."""
        return given == self.text or (given is None and not self.certain)


def expected_reasons(
    model: Exportable, rows: Sequence[Row], table: Table, answers: Sequence[GivenAnswer]
) -> tuple[ExpectedReason, ...] | None:
    """What each row is answered by; None where a model names neither leaf nor rule. `table` has the rows."""
    if isinstance(model, Tree):
        return _by_leaves(model, rows, table, answers)
    if isinstance(model, RuleList) and model.matching == "first":
        texts = [*map(str, model.rules), f"OTHERWISE {answer_text(model.otherwise.then)}"]
        places = first_rule(model, table).tolist()
        return tuple(ExpectedReason(texts[place], True) for place in places)  # −1: the last
    return None


def _by_leaves(
    tree: Tree, rows: Sequence[Row], table: Table, answers: Sequence[GivenAnswer]
) -> tuple[ExpectedReason, ...]:
    leaves = leaf_of(tree, table).tolist()
    paths = {leaf: path_to(tree, leaf) for leaf in set(leaves)}
    return tuple(
        ExpectedReason(
            str(Rule(paths[leaf], answer)), all(holds(each, row.get(each.name)) for each in paths[leaf])
        )
        for row, leaf, answer in zip(rows, leaves, answers, strict=True)
    )
