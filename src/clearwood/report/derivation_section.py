"""How the model came about, as much of it as a page holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood.catalogue import entry_of
from clearwood.derive.deriving import derive
from clearwood.derive.given import given_of
from clearwood.derive.trees.deriving import derive_tree
from clearwood.errors import ClearwoodError
from clearwood.models.lineage import ReadAsRules
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.report.markup import paragraph
from clearwood.report.page import live
from clearwood.study.study import Study
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import many
from clearwood.working.derivation import Derivation

_BRANCHES: Final = 20_000  # of all columns looked at, node by node: about two megabytes of page
_OF_A_NUMBER: Final = 6  # branches that take as much of a page as a number with its best cut
_NODES: Final = 20  # that are shown however many columns there are
_STEPS: Final = 1_500  # of what is not a tree, or of one pruning after learning

_CELLS: Final = 250_000  # of a table whose search for rules is shown
_LONG: Final = (
    "The table is large, and the search for these rules too long for a page. clearwood derive shows it."
)


@dataclass(frozen=True, slots=True)
class DerivationPart:
    """The steps, and the HTML around the place where they will stand; without steps why there are none."""

    derivation: Derivation | None
    html: str


def derivation_part(study: Study) -> DerivationPart:
    """The derivation of the model that is shown; of a tree only of nodes that pruning left."""
    if study.learned_from is None:
        why = "The model was learned from other rows than these, so that its numbers cannot be counted again."
        return DerivationPart(None, paragraph(why))
    model, rows = study.model, study.grown_on or study.learned_from
    try:
        if isinstance(model, RuleList) and _looks_long(model, rows):
            return DerivationPart(None, paragraph(_LONG))
        if not isinstance(model, Tree):
            return _short(derive(model, rows))
        nodes = _heaviest_nodes(model)
        fresh = [each.rows for each in study.rounds]
        derivation = replace(derive_tree(model, rows, None, nodes, fresh, _STEPS), given=given_of(model))
    except ClearwoodError as error:
        return DerivationPart(None, paragraph(f"How this model came about cannot be shown here. {error}"))
    lead = "Every question of the tree, and how it was pruned, counted again from the rows."
    if len(nodes) < model.size:
        lead = (
            f"The tree has {many(model.size, 'node', 'nodes')}. This page shows the "
            f"{len(nodes):,} with the "
            "most rows; clearwood derive shows all."
        )
    return DerivationPart(derivation, paragraph(lead) + live("steps"))


def _looks_long(model: RuleList, rows: Table) -> bool:
    """Is it a search that, shown cell by cell, takes longer than one waits for a page?"""
    from_tree = any(isinstance(each, ReadAsRules) for each in model.origin.after)
    entry = entry_of(model.origin.learner)
    searched = not from_tree and (entry is None or not entry.from_tree)
    return searched and len(rows) * len(rows.schema.inputs) > _CELLS


def _heaviest_nodes(tree: Tree) -> list[int]:
    """As many nodes as a page holds, those with the most rows, in their order."""
    values = [
        len(each.values) if isinstance(each, Nominal | Ordinal) else _OF_A_NUMBER
        for each in tree.schema.inputs
    ]
    order = np.argsort(-tree.weights, kind="stable")
    # The fewer the rows of a node, the fewer values are left there, and steps that stop at once become many.
    left = np.cbrt(np.maximum(tree.weights[order], 1.0))
    branches = sum((np.minimum(left, each) for each in values), np.zeros(len(order)))
    most = max(_NODES, int(np.searchsorted(branches.cumsum(), _BRANCHES, side="right")))
    heaviest: list[int] = np.sort(order[:most]).tolist()
    return heaviest


def _short(derivation: Derivation) -> DerivationPart:
    if len(derivation) <= _STEPS:
        return DerivationPart(derivation, live("steps"))
    shown = Derivation(derivation.title, derivation.steps[:_STEPS])
    lead = f"The first {_STEPS:,} of {len(derivation):,} steps; clearwood derive shows all."
    return DerivationPart(shown, paragraph(lead) + live("steps"))
