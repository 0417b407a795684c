"""What a draft has in several places: its rows are counted where known cells lead, and hardly where only
empty cells do."""

from __future__ import annotations

from dataclasses import replace

from clearwood.counting.question import Takes
from clearwood.importing.draft_trees import LEAST, DraftLeaf, DraftNode


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
            made[id(draft), is_copy] = _light(draft, is_numeric) if light else draft
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


def _light(leaf: DraftLeaf, is_numeric: bool) -> DraftLeaf:
    if is_numeric:
        return DraftLeaf((LEAST, *leaf.counts[1:]))
    return DraftLeaf(tuple(each * LEAST for each in leaf.counts))
