"""A node of PMML whose children use several columns, as splits one after another.

The first child whose predicate holds is followed. A predicate is true, false or unknown; each of the three
has what stands below it, and a predicate of several columns is asked column by column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias, assert_never

from clearwood.counting.question import Takes
from clearwood.importing.draft_trees import LEAST, DraftLeaf, DraftNode, DraftSplit
from clearwood.importing.pmml.cells import NO_CELLS, SomeCells, ThreeValued, every_cell
from clearwood.importing.pmml.predicates import Always, AskedColumn, FirstKnown, Predicate, Together
from clearwood.importing.pmml.tree_nodes import PmmlAnswer, PmmlNode, PmmlTree
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema

EnsemblePart: TypeAlias = Literal["none", "mean", "votes"]  # how a tree counts in an ensemble, if in one
DraftBelow: TypeAlias = DraftNode | None  # None: no prediction
_MOST_NODES: Final = 200_000  # of one tree, what is copied counted as often


class NotATreeError(Exception):
    """What a tree here cannot say, though rules may."""


def leaf_draft(answer: PmmlAnswer | None, schema: Schema, part: EnsemblePart) -> DraftLeaf:
    """What a node answers, as a leaf. Where trees vote only its class counts, where they are averaged only
    its shares; a tree by itself answers the class of most rows."""
    if answer is None:
        raise NotATreeError("a leaf has no prediction")
    counts = answer.counts
    if not isinstance(schema.target, Numeric) and schema.classes[counts.index(max(counts))] != answer.then:
        if part == "none":
            raise NotATreeError("a leaf predicts another class than that of most of its rows")
        if part == "votes":
            return DraftLeaf(tuple(sum(counts) * (each == answer.then) for each in schema.classes))
    return DraftLeaf(counts)


def cascade(
    tree: PmmlTree, node: PmmlNode, below: Sequence[DraftNode], writer: SplitWriter, part: EnsemblePart
) -> DraftNode:
    """The node's children in order, and what happens where none of them holds, or one is unknown."""
    schema = writer.schema
    rest: DraftBelow = None
    if tree.returns_last:
        rest = _what_is_left(node, leaf_draft(node.answer, schema, part), schema)
    for child, own in reversed(list(zip(node.below, below, strict=True))):
        match tree.missing:
            case "none":
                unknown = rest
            case "nullPrediction":
                unknown = None
            case "lastPrediction":
                unknown = None if node.answer is None else leaf_draft(node.answer, schema, part)
            case "defaultChild":
                unknown = None if node.default is None else below[node.default]
            case _:
                raise NotATreeError(f"missingValueStrategy '{tree.missing}' of several columns")
        rest = writer.split(child.predicate, own, rest, unknown)
    if rest is None:
        raise NotATreeError("no row gets a prediction")
    return rest


def _what_is_left(node: PmmlNode, leaf: DraftLeaf, schema: Schema) -> DraftLeaf:
    """The leaf of the rows that no child takes; how many they are is known where the document counts."""
    if node.weight is None or any(each.weight is None for each in node.below):
        return leaf
    weight = max(node.weight - sum(each.weight or 0.0 for each in node.below), LEAST)
    if isinstance(schema.target, Numeric):
        return DraftLeaf((weight, *leaf.counts[1:]))
    return DraftLeaf(tuple(each * weight / sum(leaf.counts) for each in leaf.counts))


@dataclass
class SplitWriter:
    """Writes predicates as splits; `answers_all`: a cell without a prediction follows the heavier branch."""

    schema: Schema
    answers_all: bool
    sizes: dict[int, tuple[int, DraftNode]] = field(default_factory=dict)
    silent: dict[int, DraftNode] = field(default_factory=dict)  # where a cell follows the heavier branch

    def split(self, predicate: Predicate, yes: DraftBelow, no: DraftBelow, unknown: DraftBelow) -> DraftBelow:
        """What stands below where the predicate holds, does not, or is unknown."""
        match predicate:
            case Always(holds):
                return yes if holds else no
            case AskedColumn():
                return self._column(predicate, yes, no, unknown)
            case Together(parts, all_of):
                first, others = parts[0], parts[1:]
                if not others:
                    return self.split(first, yes, no, unknown)
                rest = Together(others, all_of)
                # Where the first part decides nothing: it holds of all, or does not hold of one of them.
                open_rest, unknown_rest = self._after(first, all_of, rest), self._after(first, None, rest)
                known = self.split(open_rest, yes, no, unknown)
                if all_of:
                    return self.split(first, known, no, self.split(unknown_rest, unknown, no, unknown))
                # What is unknown does not hold: then an empty cell goes where others go, to no copy of it.
                same = unknown is no and unknown_rest == open_rest
                otherwise = known if same else self.split(unknown_rest, yes, unknown, unknown)
                return self.split(first, yes, known, otherwise)
            case FirstKnown(parts):
                for part in reversed(parts):
                    unknown = self.split(part, yes, no, unknown)
                return unknown
            case _:
                assert_never(predicate)

    def _after(self, first: Predicate, truth: ThreeValued, rest: Predicate) -> Predicate:
        """What is left of the rest where the first is so: its column is not asked twice."""
        if not isinstance(first, AskedColumn):
            return rest
        return restricted(rest, known_cells(first, truth, self.schema))

    def _column(self, asked: AskedColumn, yes: DraftBelow, no: DraftBelow, unknown: DraftBelow) -> DraftBelow:
        column, cells = asked.column, asked.cells
        if yes is no is unknown:
            return yes
        others = every_cell(self.schema[column]).but_not(cells).but_not(cells.empty)

        def goes(truth: ThreeValued) -> DraftBelow:
            return unknown if truth is None else yes if truth else no

        missing, unseen = goes(cells.missing), goes(cells.unseen)
        pieces = [(each, yes) for each in cells.pieces] + [(each, no) for each in others.pieces]
        pieces += [(each, missing) for each in cells.empty.pieces]
        if not self.answers_all and (missing is None or (unseen is None and not self._is_numeric(column))):
            raise NotATreeError("an empty cell, or a value never met, gets no prediction")
        known = [(takes, below) for takes, below in pieces if below is not None]
        if len(known) != len(pieces):
            raise NotATreeError("some cells satisfy no child's predicate")
        written = self._written(column, known, missing, unseen)
        is_new = asked.knows_unseen and not self._is_numeric(column)
        if missing is None or (unseen is None and is_new):
            self.silent[id(written)] = written
        return written

    def _written(
        self, column: str, pieces: list[tuple[Takes, DraftNode]], missing: DraftBelow, unseen: DraftBelow
    ) -> DraftNode:
        if missing is not None:
            place = next((at for at, (_, below) in enumerate(pieces) if below is missing), None)
            if place is None:
                pieces = [*pieces, (Takes(or_missing=True), missing)]
            else:
                pieces[place] = (replace(pieces[place][0], or_missing=True), missing)
        if len(pieces) == 1:
            return pieces[0][1]
        weights = [self._weight(below) for _, below in pieces]
        otherwise = weights.index(max(weights))
        if unseen is not None and not self._is_numeric(column):
            at = [place for place, (_, below) in enumerate(pieces) if below is unseen]
            if not at:
                raise NotATreeError("only a value never met goes to one of the children")
            otherwise = at[0]
        below = tuple(each for _, each in pieces)
        counts = [each.counts for each in below]
        draft = DraftSplit(
            (sum(weights), *counts[0][1:])
            if self._of_numbers
            else tuple(map(sum, zip(*counts, strict=True))),
            self.schema.positions[column],
            tuple(takes for takes, _ in pieces),
            below,
            otherwise,
            copies=tuple(len([1 for other in below if other is each]) for each in below),
        )
        self.count(draft)
        return draft

    def count(self, draft: DraftNode) -> None:
        """Know how many nodes a draft has; refuse one of too many."""
        if isinstance(draft, DraftLeaf):
            return
        size = 1 + sum(self.sizes.get(id(each), (1, each))[0] for each in draft.below)
        if size > _MOST_NODES:
            raise NotATreeError(f"as a tree it would have more than {_MOST_NODES:,} nodes")
        self.sizes[id(draft)] = (size, draft)  # kept, so that no other draft gets its number

    def _is_numeric(self, column: str) -> bool:
        return isinstance(self.schema[column], Numeric)

    @property
    def _of_numbers(self) -> bool:
        return isinstance(self.schema.target, Numeric)

    def _weight(self, draft: DraftNode) -> float:
        return draft.counts[0] if self._of_numbers else sum(draft.counts)


# A predicate where something is known already of one column: what is left of it to be asked.


@dataclass(frozen=True, slots=True)
class KnownCells:
    """The cells that a column can still have: some that are not empty, an empty one, one never met."""

    column: str
    usual: SomeCells
    missing: bool
    unseen: bool


def known_cells(asked: AskedColumn, truth: ThreeValued, schema: Schema) -> KnownCells:
    """The cells of which a predicate is true, false or unknown."""
    attribute, cells = schema[asked.column], asked.cells
    usual: SomeCells = cells if truth else NO_CELLS
    if truth is False:
        usual = every_cell(attribute).but_not(cells).but_not(cells.empty)
    if cells.missing is truth:
        usual = usual.also(cells.empty)
    unseen = isinstance(attribute, Nominal | Ordinal) and cells.unseen is truth
    return KnownCells(asked.column, usual, cells.missing is truth, unseen)


def restricted(predicate: Predicate, known: KnownCells) -> Predicate:
    """What is left to be asked of rows whose cell is one of these."""
    match predicate:
        case Always():
            return predicate
        case AskedColumn(column):
            return _answered(predicate, known) if column == known.column else predicate
        case Together(parts, all_of):
            left = [each for each in (restricted(part, known) for part in parts) if each != Always(all_of)]
            if Always(not all_of) in left:
                return Always(not all_of)
            if len(left) < 2:
                return left[0] if left else Always(all_of)
            return Together(tuple(left), all_of)
        case FirstKnown(parts):
            asked: list[Predicate] = []
            for part in parts:
                asked.append(restricted(part, known))
                if isinstance(asked[-1], Always):
                    break
            return asked[0] if isinstance(asked[0], Always) else FirstKnown(tuple(asked))
        case _:
            assert_never(predicate)


def _answered(asked: AskedColumn, known: KnownCells) -> Predicate:
    cells = asked.cells
    truths: set[ThreeValued] = set()
    usual = known.usual.but_not(cells.empty)
    outside = usual.but_not(cells)
    if usual.but_not(outside):
        truths.add(True)
    if outside:
        truths.add(False)
    if known.missing or known.usual.but_not(usual):
        truths.add(cells.missing)
    if known.unseen:
        truths.add(cells.unseen)
    if truths == {True}:
        return Always(True)
    return Always(False) if truths == {False} else asked
