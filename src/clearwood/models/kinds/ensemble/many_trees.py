"""Trees: many trees as the columns of one: their nodes one after another, a root where each begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

import numpy as np

from clearwood.arrays import Ints, Longs
from clearwood.errors import SchemaError
from clearwood.models.decision import Answers
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """The nodes of many trees, each in preorder, one tree after another.

    `nodes` has the columns of `tree/nodes.py`; `parent` and `end` count from the first node of all, and
    each root's `parent` is −1. Tree t is the slice `start[t] : start[t + 1]`. `adds_to` [tree] is the score
    that the tree's numbers are added to: 0, or with many classes the class's place. `answers` is what the
    numbers of a node mean, for all trees alike: of steps `counts` is weight, step, error, as for numbers.
    """

    nodes: Nodes
    start: Longs  # [tree + 1]
    adds_to: Ints  # [tree]
    answers: Answers
    score_names: tuple[str, ...] = ()
    measure: str = ""

    def __post_init__(self) -> None:
        start = np.ascontiguousarray(self.start, dtype=np.int64)
        adds_to = np.ascontiguousarray(self.adds_to, dtype=np.int32)
        for array in (start, adds_to):
            array.flags.writeable = False
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "adds_to", adds_to)
        if len(start) < 2 or start[0] != 0 or start[-1] != len(self.nodes) or (np.diff(start) < 1).any():
            raise SchemaError(
                "Trees begin at 0, each has at least one node, and the last ends with the nodes."
            )
        if len(adds_to) != len(start) - 1 or (adds_to < 0).any():
            raise SchemaError("Each tree adds to one score, counted from 0.")
        if not np.array_equal(np.flatnonzero(self.nodes.parent < 0), start[:-1]):
            raise SchemaError("Each tree has one root, and it is its first node.")

    def __len__(self) -> int:
        return len(self.adds_to)

    def __iter__(self) -> Iterator[Nodes]:
        return (self[tree] for tree in range(len(self)))

    def __getitem__(self, tree: int) -> Nodes:
        """The nodes of one tree, by themselves."""
        if not 0 <= tree < len(self):
            raise IndexError(f"There are {len(self)} trees.")
        return _slice(self.nodes, int(self.start[tree]), int(self.start[tree + 1]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trees) and (
            np.array_equal(self.start, other.start)
            and np.array_equal(self.adds_to, other.adds_to)
            and (self.answers, self.score_names, self.measure)
            == (other.answers, other.score_names, other.measure)
            and self.nodes == other.nodes
        )


# Columns that hold where the slices of another column begin.
_STARTS = {"set_start": "set_codes", "s_start": "s_attribute"}
_S_STARTS = {"s_set_start": "s_set_codes"}


def joined_trees(
    trees: Sequence[Nodes],
    answers: Answers,
    *,
    adds_to: Sequence[int] | None = None,
    score_names: tuple[str, ...] = (),
    measure: str = "",
) -> Trees:
    """Many trees as one set of columns, in this order.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> nodes = cw.ID3().learn(table).nodes
    >>> trees = joined_trees([nodes, nodes], "shares")
    >>> len(trees), trees.start.tolist(), trees[1] == nodes
    (2, [0, 8, 16], True)
    """
    sizes = [len(each) for each in trees]
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    columns = {f.name: [getattr(each, f.name) for each in trees] for f in fields(Nodes)}
    parents = [
        np.where(p < 0, -1, p + first) for p, first in zip(columns["parent"], start.tolist(), strict=False)
    ]
    ends = [end + first for end, first in zip(columns["end"], start.tolist(), strict=False)]
    joined = {name: np.concatenate(parts) for name, parts in columns.items()}
    joined["parent"], joined["end"] = np.concatenate(parents), np.concatenate(ends)
    for name, of in (*_STARTS.items(), *_S_STARTS.items()):
        firsts = np.concatenate([[0], np.cumsum([len(getattr(each, of)) for each in trees])]).tolist()
        parts = [part[:-1] + first for part, first in zip(columns[name], firsts, strict=False)]
        joined[name] = np.concatenate([*parts, firsts[-1:]])
        if name == "s_set_start":
            splits = [part + first for part, first in zip(columns["s_set_split"], firsts, strict=False)]
            joined["s_set_split"] = np.concatenate(splits)
    places = np.zeros(len(trees)) if adds_to is None else np.asarray(adds_to)
    return Trees(Nodes(**joined), start, places.astype(np.int32), answers, score_names, measure)


def _slice(nodes: Nodes, first: int, stop: int) -> Nodes:
    columns = {
        f.name: getattr(nodes, f.name)[first:stop]
        for f in fields(Nodes)
        if f.name not in _STARTS and f.name not in _S_STARTS and not f.name.startswith(("s_", "set_"))
    }
    columns["parent"] = np.where(columns["parent"] < 0, -1, columns["parent"] - first)
    columns["end"] = columns["end"] - first
    sets = nodes.set_start[first : stop + 1]
    columns["set_start"], columns["set_codes"] = sets - sets[0], nodes.set_codes[sets[0] : sets[-1]]
    stands = nodes.s_start[first : stop + 1]
    low, high = int(stands[0]), int(stands[-1])
    columns["s_start"] = stands - low
    for name in ("s_attribute", "s_limit", "s_branch", "s_agreement"):
        columns[name] = getattr(nodes, name)[low:high]
    codes = nodes.s_set_start[low : high + 1]
    columns["s_set_start"] = codes - codes[0]
    columns["s_set_split"] = nodes.s_set_split[low:high] - codes[0]
    columns["s_set_codes"] = nodes.s_set_codes[codes[0] : codes[-1]]
    return Nodes(**columns)
