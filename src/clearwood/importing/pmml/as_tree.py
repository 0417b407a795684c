"""A PMML tree as a tree of ours: each node's children ask one column, and every row gets an answer."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from clearwood.counting.question import Takes
from clearwood.importing.draft_trees import (
    DraftNode,
    DraftSplit,
    DraftSurrogate,
    draft_parts,
    light_leaf,
    nodes_of,
    with_light_copies,
)
from clearwood.importing.pmml.cascade import EnsemblePart, NotATreeError, SplitWriter, cascade, leaf_draft
from clearwood.importing.pmml.cells import CellSet, every_cell, same_empty
from clearwood.importing.pmml.predicates import Always, AskedColumn, FirstKnown, Predicate
from clearwood.importing.pmml.tree_nodes import PmmlNode, PmmlTree, node_weights
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import Origin
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema

Goes: TypeAlias = int | Literal["last", "divided", "nowhere"]


def as_tree(tree: PmmlTree, schema: Schema, origin: Origin) -> Tree:
    """The tree, or NotATreeError with the reason."""
    return Tree(schema, nodes_of(tree_draft(tree, schema)[0], schema), origin=origin)


def tree_draft(tree: PmmlTree, schema: Schema, part: EnsemblePart = "none") -> tuple[DraftNode, bool]:
    """The tree as a draft, by itself or as a `part` of an ensemble, which answers every row: an empty cell
    for which the document has no prediction then follows the heavier branch. Also: are there such cells?"""
    writer = SplitWriter(schema, answers_all=part != "none")
    made: dict[int, DraftNode] = {}
    order: list[PmmlNode] = []
    waiting = [tree.root]
    while waiting:
        order.append(node := waiting.pop())
        waiting.extend(node.below)
    for node in reversed(order):
        made[id(node)] = _draft(tree, node, [made[id(each)] for each in node.below], writer, part)
        writer.count(made[id(node)])
    root = made[id(tree.root)]
    is_silent = any(id(each) in writer.silent for each in draft_parts(root))
    return with_light_copies(root, is_numeric=isinstance(schema.target, Numeric)), is_silent


def _draft(
    tree: PmmlTree, node: PmmlNode, below: list[DraftNode], writer: SplitWriter, part: EnsemblePart
) -> DraftNode:
    if not node.below:
        return leaf_draft(node.answer, writer.schema, part)
    try:
        return _one_split(tree, node, below, writer, part)
    except NotATreeError:
        return cascade(tree, node, below, writer, part)


def _one_split(
    tree: PmmlTree, node: PmmlNode, below: list[DraftNode], writer: SplitWriter, part: EnsemblePart
) -> DraftNode:
    schema = writer.schema
    predicates = [each.predicate for each in node.below]
    if Always(True) in predicates:  # children after one that takes every row are never reached
        last = predicates.index(Always(True))
        predicates, below = predicates[: last + 1], below[: last + 1]
        if last == 0:
            return below[0]
    if all(isinstance(each, FirstKnown) for each in predicates):
        return _with_surrogates(tree, node, predicates, below, schema)
    columns = {each.column for each in predicates if isinstance(each, AskedColumn)}
    if len(columns) != 1 or any(not isinstance(each, AskedColumn | Always) for each in predicates):
        raise NotATreeError("a node's children ask several columns")
    split = _Split(tree, node, columns.pop(), predicates, below, schema, part)
    draft = split.draft()
    if split.is_silent:
        writer.silent[id(draft)] = draft
    return draft


@dataclass
class _Split:
    """A split as it is put together: pieces of cells, each with what stands below."""

    tree: PmmlTree
    node: PmmlNode
    column: str
    predicates: Sequence[Predicate]
    below: list[DraftNode]
    schema: Schema
    part: EnsemblePart
    is_silent: bool = False  # has some cell no prediction?

    def draft(self) -> DraftNode:
        cells = [_cells(each, self.schema, self.column) for each in self.predicates]
        missing = self._goes([each.missing for each in cells])
        unseen = self._goes([each.unseen for each in cells]) if not self._is_numeric else missing
        pieces: list[tuple[Takes, int]] = []
        empty = same_empty(*(each.cells for each in self.predicates if isinstance(each, AskedColumn)))
        taken = empty
        for child, each in enumerate(cells):
            own = each.but_not(taken)
            taken = taken.also(own)
            pieces += [(piece, child) for piece in own.pieces]
        rest = every_cell(self.schema[self.column]).but_not(taken)
        below = list(self.below)
        if rest.pieces or "last" in (missing, unseen):
            if rest.pieces and not self.tree.returns_last:
                raise NotATreeError("some cells satisfy no child's predicate")
            last_leaf = leaf_draft(self.node.answer, self.schema, self.part)
            below.append(light_leaf(last_leaf, is_numeric=isinstance(self.schema.target, Numeric)))
            last = len(below) - 1
            pieces += [(piece, last) for piece in rest.pieces]
            missing = last if missing == "last" else missing
            unseen = last if unseen == "last" else unseen
        if "nowhere" in (missing, unseen):
            if self.part == "none" or missing != "nowhere" or unseen != "nowhere":
                raise NotATreeError("an empty cell, or a value never met, gets no prediction")
            self.is_silent = True
        if empty:
            if not isinstance(missing, int):
                raise NotATreeError("cells that count as empty are divided among the children")
            pieces += [(piece, missing) for piece in empty.pieces]
        return self._split(pieces, below, missing, unseen)

    def _split(
        self, pieces: list[tuple[Takes, int]], below: list[DraftNode], missing: Goes, unseen: Goes
    ) -> DraftNode:
        shares: tuple[float, ...] = ()
        otherwise = -1
        if missing == "divided":
            if unseen != "divided":
                raise NotATreeError("a value never met goes another way than an empty cell")
            shares = self._shares(pieces)
        elif self.is_silent:
            weights = node_weights(self.node.below)
            heaviest = max(pieces, key=lambda each: weights[each[1]] if each[1] < len(weights) else 0.0)
            otherwise = pieces.index(heaviest)
        else:
            assert isinstance(missing, int)
            pieces = _with_missing(pieces, missing)
            if not self._is_numeric:
                assert isinstance(unseen, int)
                places = [place for place, (_, child) in enumerate(pieces) if child == unseen]
                if not places:
                    raise NotATreeError("only a value never met goes to one of the children")
                otherwise = places[0]
        if len(pieces) == 1 and missing != "divided":
            self.is_silent = False
            return below[pieces[0][1]]
        return DraftSplit(
            _counts(self.node, self.below, self.schema),
            self.schema.positions[self.column],
            tuple(takes for takes, _ in pieces),
            tuple(below[child] for _, child in pieces),
            otherwise,
            shares=shares,
            copies=tuple(len([1 for _, other in pieces if other == child]) for _, child in pieces),
        )

    def _shares(self, pieces: list[tuple[Takes, int]]) -> tuple[float, ...]:
        """The part of a divided row that each piece gets: a child's part once, at its first piece."""
        weights = node_weights(self.node.below)
        seen: set[int] = set()
        parts = []
        for _, child in pieces:
            parts.append(weights[child] if child not in seen and child < len(weights) else 0.0)
            seen.add(child)
        if seen != set(range(len(self.predicates))) or not sum(parts) > 0:
            raise NotATreeError("an empty cell is divided among children that nothing else reaches")
        return tuple(part / sum(parts) for part in parts)

    @property
    def _is_numeric(self) -> bool:
        return isinstance(self.schema[self.column], Numeric)

    def _goes(self, truths: Sequence[bool | None]) -> Goes:
        """Where a cell goes of which the children's predicates say this."""
        for child, truth in enumerate(truths):
            if truth:
                return child
            if truth is None:
                match self.tree.missing:
                    case "none":
                        continue
                    case "defaultChild":
                        return "nowhere" if self.node.default is None else self.node.default
                    case "lastPrediction":
                        return "last"
                    case "nullPrediction":
                        return "nowhere"
                    case "weightedConfidence":
                        if any(each is not None for each in truths):
                            raise NotATreeError("an empty cell is divided among some of the children only")
                        return "divided"
                    case "aggregateNodes":
                        raise NotATreeError("the rows of all leaves that may be reached are added up")
        return "last" if self.tree.returns_last else "nowhere"


def _cells(predicate: Predicate, schema: Schema, column: str) -> CellSet:
    match predicate:
        case AskedColumn(_, cells):
            return cells
        case Always(True):
            every = every_cell(schema[column])
            return CellSet(every.intervals, every.codes, missing=True, unseen=True)
        case _:
            return CellSet(missing=False, unseen=False)


def _with_missing(pieces: list[tuple[Takes, int]], child: int) -> list[tuple[Takes, int]]:
    for place, (takes, own) in enumerate(pieces):
        if own == child:
            return [*pieces[:place], (replace(takes, or_missing=True), own), *pieces[place + 1 :]]
    return [*pieces, (Takes(or_missing=True), child)]


def _counts(node: PmmlNode, below: Sequence[DraftNode], schema: Schema) -> tuple[float, ...]:
    """The counts of a node, its own or those below it together; of numbers the weight, and the mean."""
    if node.answer is not None:
        return node.answer.counts
    counts = [draft.counts for draft in below]
    if not isinstance(schema.target, Numeric):
        return tuple(map(sum, zip(*counts, strict=True)))
    weight = sum(each[0] for each in counts)
    mean = sum(each[0] * each[1] for each in counts) / weight if weight > 0 else counts[0][1]
    return (weight, mean, 0.0)


def _with_surrogates(
    tree: PmmlTree, node: PmmlNode, predicates: Sequence[Predicate], below: list[DraftNode], schema: Schema
) -> DraftNode:
    """Two children whose predicates have stand-ins, pair by pair about the same column."""
    chains = [each.parts for each in predicates if isinstance(each, FirstKnown)]
    if len(chains) != 2 or len(chains[0]) != len(chains[1]):
        raise NotATreeError("surrogates are for two children with as many of them")
    pairs = list(zip(*chains, strict=True))
    otherwise = -1
    if isinstance(pairs[-1][0], Always) and isinstance(pairs[-1][1], Always):
        otherwise = 0 if pairs[-1][0].holds else 1
        if pairs[-1] == (Always(False), Always(False)):
            raise NotATreeError("rows whose surrogates are all unknown get no prediction")
        pairs = pairs[:-1]
    elif tree.missing == "defaultChild" and node.default is not None:
        otherwise = node.default
    else:
        raise NotATreeError("rows whose surrogates are all unknown get no prediction")
    asked = [_pair(one, other, schema) for one, other in pairs]
    column, left, right = asked[0]
    surrogates = tuple(_surrogate(schema, *each) for each in asked[1:])
    counts = _counts(node, below, schema)
    return DraftSplit(
        counts, schema.positions[column], (left, right), tuple(below), otherwise, surrogates=surrogates
    )


def _pair(one: Predicate, other: Predicate, schema: Schema) -> tuple[str, Takes, Takes]:
    if not isinstance(one, AskedColumn) or not isinstance(other, AskedColumn) or one.column != other.column:
        raise NotATreeError("a surrogate of the two children asks different columns")
    if one.cells.empty or other.cells.empty:
        raise NotATreeError("cells of a surrogate count as empty")
    sides = [one.cells.pieces, other.cells.pieces]
    if len(sides[0]) != 1 or len(sides[1]) != 1 or one.cells.missing is not None:
        raise NotATreeError("a surrogate is not one interval or one set for each child")
    left, right = sides[0][0], sides[1][0]
    if isinstance(schema[one.column], Numeric):
        opposite = {(left.low, left.high), (right.low, right.high)}
        cut = left.high if left.low == -math.inf else left.low
        if opposite != {(-math.inf, cut), (cut, math.inf)}:
            raise NotATreeError("a surrogate does not part the numbers in two")
    elif sorted((*left.codes, *right.codes)) != list(range(len(schema.codes(one.column)))):
        # A value that is known and goes nowhere would follow the next surrogate here, but not in PMML.
        raise NotATreeError("a surrogate does not part the values in two")
    elif one.cells.unseen is not None or other.cells.unseen is not None:
        raise NotATreeError("a value never met is known not to go one way")
    return one.column, left, right


def _surrogate(schema: Schema, column: str, left: Takes, right: Takes) -> DraftSurrogate:
    position = schema.positions[column]
    if left.low == -math.inf or left.codes:
        return DraftSurrogate(position, left, 0, right)
    return DraftSurrogate(position, right, 1, left)
