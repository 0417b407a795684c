"""Where the parts of a tree stand: numbers in, numbers out, nothing drawn.

Glossary. A node takes a *block*: its box, and before the box the label of the branch that leads into it.
*Along* is the way from the root to the leaves, *across* the way from the first sibling to the last: down and
right for a tree that grows "down", right and down for one that grows "right". Nodes are numbered in preorder;
a node's *level* is the number of questions above it.

A parent stands, across, in the middle of its children. For the rest there are two ways:

- "down": along, every level has a lane for labels and one for boxes, each as long as the longest in it.
  Across, siblings stand as near as their outlines allow, level by level, once pushed to the first sibling
  and once to the last; the mean of both is as tight and leans to no side (a mean of two places without
  overlap is one, too).
- "right": across, each subtree keeps a band of its own, so that each leaf has a line to itself.
  Along, children follow their parent's box: first a lane for the siblings' labels, then their boxes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Direction: TypeAlias = Literal["down", "right"]


@dataclass(frozen=True, slots=True)
class NodeSize:
    """What a node needs: the size of its box, and of the label before it (0 × 0: none)."""

    width: float
    height: float
    label_width: float = 0.0
    label_height: float = 0.0


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle: its left upper corner and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each node's box and label stand, and how much room all of them take.

    `bends` are by node the stretch along in which the edge into it may bend and meet no box or label.
    """

    direction: Direction
    boxes: tuple[Frame, ...]
    labels: tuple[Frame, ...]
    bends: tuple[tuple[float, float], ...]
    width: float
    height: float


def lay_out(
    parents: Sequence[int],
    blocks: Sequence[NodeSize],
    direction: Direction,
    *,
    gap_across: float,
    gap_along: float,
    gap_label: float,
) -> Layout:
    """Places for every node: `gap_across` between siblings, `gap_along` for the edges between two levels,
    `gap_label` between a label and its box.

    >>> tree = [-1, 0, 0]
    >>> laid = lay_out(tree, [NodeSize(30, 10)] * 3, "down", gap_across=10, gap_along=20, gap_label=0)
    >>> [(box.x, box.y) for box in laid.boxes], laid.width, laid.height
    ([(20.0, 0.0), (0.0, 30.0), (40.0, 30.0)], 70.0, 40.0)
    """
    if direction == "down":
        return _down(parents, blocks, gap_across, gap_along, gap_label)
    return _right(parents, blocks, gap_across, gap_along, gap_label)


def _down(
    parents: Sequence[int], blocks: Sequence[NodeSize], gap_across: float, gap_along: float, gap_label: float
) -> Layout:
    extents = [max(block.width, block.label_width) for block in blocks]
    centres = _nested(parents, extents, gap_across)
    levels = levels_of(parents)
    label_lane, box_lane, height = _lanes(levels, blocks, gap_along, gap_label)
    boxes, labels = [], []
    for block, level, centre in zip(blocks, levels, centres, strict=True):
        top = box_lane[level]
        boxes.append(Frame(centre - block.width / 2, top, block.width, block.height))
        top -= (gap_label if block.label_height else 0.0) + block.label_height
        labels.append(Frame(centre - block.label_width / 2, top, block.label_width, block.label_height))
    bends = tuple((label_lane[level] - gap_along, label_lane[level]) for level in levels)
    width = max(centre + extent / 2 for centre, extent in zip(centres, extents, strict=True))
    return Layout("down", tuple(boxes), tuple(labels), bends, width, height)


def _right(
    parents: Sequence[int], blocks: Sequence[NodeSize], gap_across: float, gap_along: float, gap_label: float
) -> Layout:
    extents = [max(block.height, block.label_height) for block in blocks]
    centres = _banded(parents, extents, gap_across)
    lane = [0.0] * len(blocks)  # by parent, the widest label among its children
    for block, parent in zip(blocks[1:], parents[1:], strict=True):
        lane[parent] = max(lane[parent], block.label_width)
    boxes: list[Frame] = []
    labels: list[Frame] = []
    bends = []
    for block, parent, centre in zip(blocks, parents, centres, strict=True):
        left = 0.0 if parent < 0 else boxes[parent].x + boxes[parent].width + gap_along
        wide = block.label_width if parent < 0 else lane[parent]
        wide += gap_label if wide else 0.0
        labels.append(Frame(left, centre - block.label_height / 2, block.label_width, block.label_height))
        boxes.append(Frame(left + wide, centre - block.height / 2, block.width, block.height))
        bends.append((left - gap_along, left))
    width = max(box.x + box.width for box in boxes)
    height = max(centre + extent / 2 for centre, extent in zip(centres, extents, strict=True))
    return Layout("right", tuple(boxes), tuple(labels), tuple(bends), width, height)


def levels_of(parents: Sequence[int]) -> list[int]:
    """[node] How many questions stand above it."""
    levels: list[int] = []
    for parent in parents:
        levels.append(0 if parent < 0 else levels[parent] + 1)
    return levels


def _children(parents: Sequence[int]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(node)
    return children


def _lanes(
    levels: Sequence[int], blocks: Sequence[NodeSize], gap_along: float, gap_label: float
) -> tuple[list[float], list[float], float]:
    """By level, where its labels and its boxes begin; and where the last level ends."""
    deepest = max(levels)
    labels = [0.0] * (deepest + 1)
    boxes = [0.0] * (deepest + 1)
    for level, block in zip(levels, blocks, strict=True):
        labels[level] = max(labels[level], block.label_height)
        boxes[level] = max(boxes[level], block.height)
    label_lane, box_lane, at = [], [], 0.0
    for level in range(deepest + 1):
        label_lane.append(at)
        at += labels[level] + (gap_label if labels[level] else 0.0)
        box_lane.append(at)
        at += boxes[level] + gap_along
    return label_lane, box_lane, at - gap_along


def _banded(parents: Sequence[int], extents: Sequence[float], gap: float) -> list[float]:
    """Centres across, each subtree in a band of its own."""
    children = _children(parents)
    bands = list(extents)
    inner = [0.0] * len(parents)  # what the children's bands take together
    for node in range(len(parents) - 1, -1, -1):
        below = children[node]
        if below:
            inner[node] = sum(bands[child] for child in below) + gap * (len(below) - 1)
            bands[node] = max(bands[node], inner[node])
    starts = [0.0] * len(parents)
    for node, below in enumerate(children):
        at = starts[node] + (bands[node] - inner[node]) / 2
        for child in below:
            starts[child] = at
            at += bands[child] + gap
    centres = [start + band / 2 for start, band in zip(starts, bands, strict=True)]
    for node in range(len(parents) - 1, -1, -1):
        if children[node]:
            middle = (centres[children[node][0]] + centres[children[node][-1]]) / 2
            room = (bands[node] - extents[node]) / 2
            own = starts[node] + bands[node] / 2
            centres[node] = min(max(middle, own - room), own + room)
    return centres


def _nested(parents: Sequence[int], extents: Sequence[float], gap: float) -> list[float]:
    """Centres across, siblings as near as their outlines allow, pushed to neither side."""
    children = _children(parents)
    shift = [0.0] * len(parents)  # from the parent's centre
    # A subtree's outline: by level below its root, how far it reaches before and after its root's centre.
    outlines: list[tuple[list[float], list[float]]] = [([], [])] * len(parents)
    for node in range(len(parents) - 1, -1, -1):
        half = extents[node] / 2
        below = children[node]
        if not below:
            outlines[node] = ([-half], [half])
            continue
        kept = [outlines[child] for child in below]
        first = _pushed(kept, gap)
        mirrored = _pushed([([-x for x in after], [-x for x in before]) for before, after in kept[::-1]], gap)
        last = [first[-1] - x for x in mirrored[::-1]]
        places = [(a + b) / 2 for a, b in zip(first, last, strict=True)]
        middle = (places[0] + places[-1]) / 2
        for child, place in zip(below, places, strict=True):
            shift[child] = place - middle
        outlines[node] = _around(half, kept, [shift[child] for child in below])
        for child in below:
            outlines[child] = ([], [])
    before, _ = outlines[0]
    centres = [0.0] * len(parents)
    for node, parent in enumerate(parents):
        centres[node] = -min(before) if parent < 0 else centres[parent] + shift[node]
    return centres


def _pushed(outlines: Sequence[tuple[list[float], list[float]]], gap: float) -> list[float]:
    """Where each outline's root stands if each is pushed as far towards the first as it goes."""
    places = [0.0]
    reach = list(outlines[0][1])
    for before, after in outlines[1:]:
        place = max(a - b for a, b in zip(reach, before, strict=False)) + gap
        places.append(place)
        reach[: len(after)] = [place + x for x in after]
    return places


def _around(
    half: float, outlines: Sequence[tuple[list[float], list[float]]], shifts: Sequence[float]
) -> tuple[list[float], list[float]]:
    """The outline of a parent over its children's."""
    before: list[float] = []
    after: list[float] = []
    for (low, high), shift in zip(outlines, shifts, strict=True):
        after[: len(high)] = [shift + x for x in high]
        before += [shift + x for x in low[len(before) :]]
    return [-half, *before], [half, *after]
