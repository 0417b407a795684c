"""The ledger of a pruning: what was cut, with the numbers that decided, in the order of deciding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.learners.training import fingerprint
from clearwood.models import lineage
from clearwood.models.kinds.tree.cutting import cut_below
from clearwood.models.kinds.tree.tree import Tree
from clearwood.records import dataclass, json_of
from clearwood.table.table import Table
from clearwood.words.columns import in_columns
from clearwood.words.numbers import many

Action: TypeAlias = Literal["leaf", "raised"]
NamedNumbers: TypeAlias = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Cut:
    """One decision: the split at `node` (of the tree as it was) became a leaf, or a branch took its place."""

    node: int
    condition: str
    action: Action
    before: NamedNumbers
    after: NamedNumbers
    because: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """The cuts of one pruning, bottom up; a cut below another was made first. `settings` are the pruner's."""

    pruner: str
    cuts: tuple[Cut, ...]
    size_before: int
    size_after: int
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.cuts)

    def __iter__(self) -> Iterator[Cut]:
        return iter(self.cuts)

    def __str__(self) -> str:
        cuts = "1 cut" if len(self.cuts) == 1 else f"{len(self.cuts)} cuts"
        heading = f"{self.pruner}: {cuts}, {many(self.size_before, 'node')} → {self.size_after}"
        if not self.cuts:
            return heading
        names = list(dict.fromkeys(name for cut in self.cuts for name in (*cut.before, *cut.after)))
        rows = [["node", "under", "becomes", *names, "because"]]
        for cut in self.cuts:
            changes = [_change(cut.before.get(name), cut.after.get(name)) for name in names]
            rows.append([str(cut.node), cut.condition, cut.action, *changes, cut.because])
        return "\n".join([heading, *in_columns(rows)])

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        own = json_of(self, "pruner", "settings", "cuts", cuts=self.cuts)
        return {"pruner": self.pruner, "settings": dict(self.settings), **own}


@dataclass(frozen=True, slots=True)
class PrunedTree:
    """The smaller tree, and how it became so."""

    tree: Tree
    ledger: Ledger


def cut_to_leaves(
    pruner: str,
    tree: Tree,
    cut: Bools,
    before: Mapping[str, Floats],
    after: Mapping[str, Floats],
    because: str,
    settings: Mapping[str, Any] | None = None,
    rows: Table | None = None,
) -> PrunedTree:
    """Turn the marked splits to leaves and write it down: numbers are [node], `because` formats them by name.

    Names in `because` are those of the numbers, with `before_` and `after_` put first. `rows` are those that
    decided, if any did.
    """
    at = np.flatnonzero(cut)[::-1]
    smaller = replace(tree, nodes=cut_below(tree.nodes, cut))
    columns = {f"before_{name}": column[at].tolist() for name, column in before.items()}
    columns |= {f"after_{name}": column[at].tolist() for name, column in after.items()}
    cuts = []
    for node, *numbers in zip(at.tolist(), *columns.values(), strict=True):
        cuts.append(
            Cut(
                node,
                condition_text(tree, node),
                "leaf",
                dict(zip(before, numbers, strict=False)),
                dict(zip(after, numbers[len(before) :], strict=True)),
                because.format_map(dict(zip(columns, numbers, strict=True))),
            )
        )
    ledger = Ledger(pruner, tuple(cuts), tree.size, smaller.size, settings or {})
    return PrunedTree(with_entry(smaller, ledger, rows), ledger)


def with_entry(smaller: Tree, ledger: Ledger, rows: Table | None) -> Tree:
    """The smaller tree with the pruning in its lineage; `rows` are those that decided, if any did."""
    origin, mark, cuts = smaller.origin, "", tuple[int, ...]()
    used: lineage.RowsUsed = "none" if rows is None else "training"
    if rows is not None and (digest := fingerprint(rows)) != origin.fingerprint:
        mark, used = digest, "fresh"
        if all(cut.action == "leaf" for cut in ledger):
            cuts = tuple(cut.node for cut in ledger)
    done = lineage.Pruned(
        ledger.pruner, ledger.settings, ledger.size_before, ledger.size_after, used, mark, cuts
    )
    return replace(smaller, origin=origin.then(done))


def condition_text(tree: Tree, node: int) -> str:
    """What leads to a node, in its own words."""
    return str(tree.condition(node)) if node else "(root)"


def _change(before: float | None, after: float | None) -> str:
    if before is None or after is None:
        only = before if after is None else after
        return "" if only is None else f"{only:.4g}"
    return f"{before:.4g} → {after:.4g}"
