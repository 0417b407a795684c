"""Drafts of trees: splits and leaves as they are read from elsewhere, and the columns of nodes made of
them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.question import Takes
from clearwood.errors import ModelFileError
from clearwood.importing.features import LookupFeature, NumberFeature
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema

LEAST: Final = 1e-9  # the weight of a leaf that no training row is known to have reached
MOST_NODES: Final = 20_000_000  # of all trees of a model


@dataclass(frozen=True, slots=True)
class DraftSurrogate:
    """An attribute whose cells choose the branch: `when` goes to `then`, `other` to the other one."""

    attribute: int
    when: Takes
    then: int
    other: Takes


@dataclass(frozen=True, slots=True)
class DraftSplit:
    """A split on an attribute; `otherwise` is the branch of rows that none takes, −1: every one by its share.

    `shares` are the branches' parts; empty: by the weights of the nodes below. `copies` is of how many
    branches what stands below each is shared, so that its rows are divided among them; empty: it is not.
    """

    counts: tuple[float, ...]
    attribute: int
    branches: tuple[Takes, ...]
    below: tuple[DraftNode, ...]
    otherwise: int = -1
    scores: tuple[float, ...] = ()
    surrogates: tuple[DraftSurrogate, ...] = ()
    shares: tuple[float, ...] = ()
    copies: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftLeaf:
    """Counts by class, or weight, value and error of a number. The weight is above 0: a leaf without rows
    would answer as the split above it."""

    counts: tuple[float, ...]


DraftNode: TypeAlias = DraftSplit | DraftLeaf

_ROOT: Final = Takes(-math.inf, math.inf)


def nodes_of(root: DraftNode, schema: Schema, *, is_step: bool = False, scores: int = 0) -> Nodes:
    """The columns of a tree, from its root; `is_step`: its leaves are steps of a sum, whatever the target."""
    is_numeric = is_step or isinstance(schema.target, Numeric)
    of_numbers = [isinstance(each, Numeric) for each in schema.attributes]
    columns: dict[str, list[Any]] = {
        name: [] for name in ("parent", "share", "otherwise", "attribute", "low", "high", "or_missing")
    }
    counts: list[tuple[float, ...]] = []
    scored: list[tuple[float, ...]] = []
    sets: list[int] = []
    set_start = [0]
    surrogates = _Surrogates()
    waiting: list[tuple[int, int, Takes, float, DraftNode, int]] = [(-1, -1, _ROOT, 1.0, root, 1)]
    add = {name: column.append for name, column in columns.items()}
    while waiting:
        parent, attribute, takes, share, draft, copies = waiting.pop()
        node = len(counts)
        if node >= MOST_NODES:
            raise ModelFileError(
                f"A tree has more than {MOST_NODES:,} nodes; that is too big to be read here."
            )
        add["parent"](parent)
        add["share"](share)
        add["attribute"](attribute)
        is_set = attribute >= 0 and not of_numbers[attribute]
        add["low"](-math.inf if is_set else takes.low)
        add["high"](math.inf if is_set else takes.high)
        add["or_missing"](takes.or_missing)
        sets.extend(takes.codes)
        set_start.append(len(sets))
        counts.append(_divided(draft.counts, copies, is_numeric))
        if isinstance(draft, DraftSplit):
            add["otherwise"](draft.otherwise)
            scored.append(draft.scores or (math.nan,) * scores)
            for surrogate in draft.surrogates:
                surrogates.add(surrogate)
            shares = draft.shares or _shares(draft.below, is_numeric)
            times = [copies * each for each in draft.copies or (1,) * len(draft.below)]
            branches = zip(draft.branches, shares, draft.below, times, strict=True)
            waiting.extend(reversed([(node, draft.attribute, *each) for each in branches]))
        else:
            add["otherwise"](-1)
            scored.append((math.nan,) * scores)
        surrogates.end_of_node()
    end = np.arange(1, len(counts) + 1, dtype=np.int32)
    for node in range(len(counts) - 1, 0, -1):
        above = int(columns["parent"][node])
        end[above] = max(end[above], end[node])
    filled = _added_up(
        np.array(counts, dtype=np.float64).reshape(len(counts), -1), columns["parent"], is_numeric
    )
    arrays: dict[str, Any] = {name: np.array(column) for name, column in columns.items()}
    return Nodes(
        end=end,
        counts=filled,
        scores=np.array(scored, dtype=np.float64).reshape(len(counts), scores),
        set_start=np.array(set_start),
        set_codes=np.array(sets, dtype=np.int32),
        **arrays,
        **surrogates.columns(),
    )


def _divided(counts: tuple[float, ...], copies: int, is_numeric: bool) -> tuple[float, ...]:
    """The counts of one of so many copies, each of which has as many rows as the others."""
    if is_numeric:
        return (max(counts[0], LEAST) / copies, counts[1], counts[2] / copies)
    return counts if copies == 1 else tuple(each / copies for each in counts)


def _added_up(counts: Floats, parents: list[int], is_numeric: bool) -> Floats:
    """The counts, those of splits the sums of what is below them; of numbers the weights alone add up."""
    width = 1 if is_numeric else counts.shape[1]
    is_split = np.zeros(len(counts), dtype=bool)
    is_split[parents[1:]] = True
    counts[is_split, :width] = 0.0
    for node in range(len(counts) - 1, 0, -1):
        counts[parents[node], :width] += counts[node, :width]
    return counts


def bottom_up(root: int, below: Callable[[int], Sequence[int]], most: int) -> list[int]:
    """The nodes under a root, each after those below it; a node that hangs twice is refused.

    >>> bottom_up(0, lambda node: {0: (1, 2)}.get(node, ()), 3)
    [1, 2, 0]
    """
    order, waiting = [], [root]
    while waiting:
        order.append(node := waiting.pop())
        if len(order) > most:
            raise ModelFileError("A node of a tree hangs below itself or in two places: this is no tree.")
        waiting.extend(below(node))
    return order[::-1]


def _shares(below: Sequence[DraftNode], is_numeric: bool) -> list[float]:
    weights = [draft.counts[0] if is_numeric else sum(draft.counts) for draft in below]
    total = sum(weights)
    return [each / total for each in weights] if total > 0 else [1 / len(weights)] * len(weights)


class _Surrogates:
    """The columns of surrogates as they grow."""

    def __init__(self) -> None:
        self.start: list[int] = [0]
        self.attribute: list[int] = []
        self.limit: list[float] = []
        self.branch: list[int] = []
        self.set_start: list[int] = [0]
        self.set_split: list[int] = []
        self.set_codes: list[int] = []

    def add(self, surrogate: DraftSurrogate) -> None:
        self.attribute.append(surrogate.attribute)
        self.branch.append(surrogate.then)
        self.limit.append(0.0 if surrogate.when.codes else surrogate.when.high)
        self.set_codes.extend(surrogate.when.codes)
        self.set_split.append(len(self.set_codes))
        self.set_codes.extend(surrogate.other.codes)
        self.set_start.append(len(self.set_codes))

    def end_of_node(self) -> None:
        self.start.append(len(self.attribute))

    def columns(self) -> dict[str, Any]:
        return {
            "s_start": np.array(self.start),
            "s_attribute": np.array(self.attribute),
            "s_limit": np.array(self.limit),
            "s_branch": np.array(self.branch),
            "s_agreement": np.ones(len(self.attribute)),  # nobody has counted it
            "s_set_start": np.array(self.set_start),
            "s_set_split": np.array(self.set_split),
            "s_set_codes": np.array(self.set_codes),
        }


@dataclass(frozen=True, slots=True)
class TwoSides:
    """Which cells go left and which right. `unseen_left` is where a cell goes that neither takes; None: the
    origin has no branch for it, and it follows the heavier one."""

    left: Takes
    right: Takes
    unseen_left: bool | None = None


def number_sides(limit: float, missing_left: bool | None, *, explicit: bool = True) -> TwoSides:
    """Numbers up to a limit left, the others right, empty cells where they are said to go; if not `explicit`,
    the branch itself does not say so."""
    everything, empty = Takes(-math.inf, math.inf), Takes(math.inf, math.inf)
    left = Takes(-math.inf, limit) if limit > -math.inf else empty
    right = Takes(limit, math.inf) if math.inf > limit > -math.inf else empty
    if limit == -math.inf:
        right = everything
    if not explicit:
        return TwoSides(left, right, missing_left)
    return TwoSides(_or_missing(left, missing_left is True), _or_missing(right, missing_left is False))


def set_sides(
    left: Sequence[int], right: Sequence[int], missing_left: bool | None, unseen_left: bool | None
) -> TwoSides:
    """Values by their codes left or right, empty cells and values never met where they are said to go."""
    return TwoSides(
        Takes(codes=tuple(left), or_missing=missing_left is True),
        Takes(codes=tuple(right), or_missing=missing_left is False),
        unseen_left,
    )


def _or_missing(takes: Takes, or_missing: bool) -> Takes:
    return Takes(takes.low, takes.high, takes.codes, or_missing)


def two_branches(
    counts: tuple[float, ...],
    attribute: int,
    sides: TwoSides,
    left: DraftNode,
    right: DraftNode,
    *,
    is_numeric: bool,
    scores: tuple[float, ...] = (),
) -> DraftNode:
    """A split in two; where all rows go to one side, what stands there."""
    takes_some = [_takes_some(sides.left), _takes_some(sides.right)]
    if not all(takes_some):
        goes_left = takes_some[0]
        if sides.unseen_left is (not goes_left):
            raise ModelFileError(
                "A split sends only values that were never met to one side, which a branch here cannot say."
            )
        return left if goes_left else right
    if sides.unseen_left is None:
        shares = _shares((left, right), is_numeric)
        otherwise = 0 if shares[0] > shares[1] else 1
    else:
        otherwise = 0 if sides.unseen_left else 1
    return DraftSplit(counts, attribute, (sides.left, sides.right), (left, right), otherwise, scores)


@dataclass(frozen=True, slots=True)
class TwoBranches:
    """A split in two of an attribute: its sides, the numbers of the nodes left and right, and its score."""

    attribute: int
    sides: TwoSides
    left: int
    right: int
    score: float


def draft_in_order(splits: Mapping[int, TwoBranches], counts: Floats, *, is_numeric: bool) -> DraftNode:
    """The draft of nodes that are numbered from the root down; those without a split are leaves."""
    drafts: dict[int, DraftNode] = {}
    for node, own in reversed(list(enumerate(map(tuple, counts.tolist())))):
        split = splits.get(node)
        if split is None:
            drafts[node] = DraftLeaf(own)
        else:
            below = drafts[split.left], drafts[split.right]
            scores = (split.score,)
            drafts[node] = two_branches(
                own, split.attribute, split.sides, *below, is_numeric=is_numeric, scores=scores
            )
    return drafts[0]


def _takes_some(takes: Takes) -> bool:
    return bool(takes.codes) or takes.or_missing or takes.low < takes.high


def lookup_sides(feature: LookupFeature, goes_left: list[bool], nan_left: bool | None) -> TwoSides:
    """The sides of a split on such a feature; `goes_left` is of each value's number, then those of an empty
    cell and of a value never met, which count only where they are numbers. `nan_left` is where NaN goes."""
    missing = nan_left if math.isnan(feature.missing) else goes_left[-2]
    unseen = feature.unseen
    unseen_left = (nan_left if math.isnan(unseen) else goes_left[-1]) if unseen is not None else None
    codes = range(len(feature.values))
    left = [code for code in codes if _left(feature.numbers[code], goes_left[code], nan_left)]
    right = [code for code in codes if not _left(feature.numbers[code], goes_left[code], nan_left)]
    return set_sides(left, right, missing, unseen_left)


def _left(number: float, goes_left: bool, nan_left: bool | None) -> bool:
    return bool(nan_left) if math.isnan(number) else goes_left


def missing_side(feature: NumberFeature, goes_left: bool, nan_left: bool | None) -> bool | None:
    """Where an empty cell goes: as the number that is put into it, or as NaN does."""
    return nan_left if math.isnan(feature.missing) else goes_left


# What a draft has in several places: its rows are counted where known cells lead, and hardly where only
# empty cells do.


def with_light_copies(root: DraftNode, *, is_numeric: bool) -> DraftNode:
    """The draft with the least weight in copies that only empty cells reach, of nodes that others reach
    too."""
    known = {id(each) for each in draft_parts(root, by_empty=False)}
    made: dict[tuple[int, bool], DraftNode] = {}
    asked: list[tuple[DraftNode, bool]] = [(root, False)]
    while asked:
        draft, is_copy = asked[-1]
        light = is_copy and id(draft) in known
        if (id(draft), is_copy) in made:
            asked.pop()
            continue
        if isinstance(draft, DraftLeaf):
            made[id(draft), is_copy] = light_leaf(draft, is_numeric=is_numeric) if light else draft
            continue
        flags = [is_copy or _only_empty(takes) for takes in draft.branches]
        pairs = list(zip(draft.below, flags, strict=True))
        open_pairs = [(below, flag) for below, flag in pairs if (id(below), flag) not in made]
        if open_pairs:
            asked += open_pairs
            continue
        below = tuple(made[id(each), flag] for each, flag in pairs)
        same = all(one is other for one, other in zip(below, draft.below, strict=True))
        made[id(draft), is_copy] = (
            draft if same else replace(draft, counts=_sum(below, draft, is_numeric), below=below)
        )
    return made[id(root), False]


def draft_parts(root: DraftNode, *, by_empty: bool = True) -> list[DraftNode]:
    """The nodes of a draft, each once; without `by_empty` those that known cells reach."""
    seen: dict[int, DraftNode] = {}
    waiting = [root]
    while waiting:
        draft = waiting.pop()
        if id(draft) in seen:
            continue
        seen[id(draft)] = draft
        if not isinstance(draft, DraftLeaf):
            pairs = zip(draft.branches, draft.below, strict=True)
            waiting += [below for takes, below in pairs if by_empty or not _only_empty(takes)]
    return list(seen.values())


def _only_empty(takes: Takes) -> bool:
    return takes.or_missing and not takes.codes and not takes.low < takes.high


def _sum(below: tuple[DraftNode, ...], draft: DraftNode, is_numeric: bool) -> tuple[float, ...]:
    counts = [each.counts for each in below]
    if is_numeric:
        return (sum(each[0] for each in counts), *draft.counts[1:])
    return tuple(map(sum, zip(*counts, strict=True)))


def light_leaf(leaf: DraftLeaf, *, is_numeric: bool) -> DraftLeaf:
    """A leaf that answers alike, and has hardly any rows: only so much that it has an answer."""
    if is_numeric:
        return DraftLeaf((LEAST, *leaf.counts[1:]))
    return DraftLeaf(tuple(each * LEAST for each in leaf.counts))
