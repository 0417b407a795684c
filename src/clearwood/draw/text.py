"""A tree as text: the branches on the left, the nodes' answers and figures in columns on the right.

PlayTennis                  predicted  probability  95 % interval  rows  No  Yes
────────────────────────────────────────────────────────────────────────────────
all rows                    Yes               64 %      39 – 84 %    14   5    9
├─ Outlook = Sunny          No                60 %      23 – 88 %     5   3    2
│  ├─ Humidity = High     → No               100 %     44 – 100 %     3   3    0
"""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import numpy as np

from clearwood.learners.directions import directions_in_words
from clearwood.measures.inference import wilson
from clearwood.models.in_words import decision_words, lineage_lines, shortened, with_weights
from clearwood.models.kinds.tree.tree import Tree, node_codes, node_values, shown_shares
from clearwood.models.predicted import predicted_quantile
from clearwood.predicting.of_trees import node_reach
from clearwood.records import dataclass
from clearwood.words.columns import display_width, padded, printable, wrapped
from clearwood.words.numbers import figure, figures, many, percent, rows

# The rails of a chain of 5,000 questions make 260 MB of text; `draw_tree` draws to any depth on request.
_DEEPEST_PRINTED: Final = 100
_WIDEST_LABEL: Final = 72
_NARROWEST_LABEL: Final = 24
_MOST_VALUES: Final = 12  # named in one condition; the rest are counted
_MOST_CLASSES: Final = 6  # with a column each; more are listed in one
_PALETTE: Final = ("36", "33", "35", "32", "34", "31")  # ANSI colours, class by class
_DIM, _BOLD = "2", "1"

Side: TypeAlias = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of figures: title, side, one text per node, and how soon it is left out on a narrow page."""

    title: str
    side: Side
    cells: list[str]
    gives_way: int = 0  # 0: never; the largest first


@dataclass(frozen=True, slots=True)
class _Line:
    """A node's place in the picture; `node` is −1 where `label` stands for a part not drawn."""

    rails: str
    below: str
    label: str
    node: int


def draw_tree(
    tree: Tree, *, colour: bool = False, width: int | None = None, max_depth: int | None = None
) -> str:
    """The tree for a terminal: `width` characters wide where given, `max_depth` questions deep.

    Each node shows its answer (after an arrow where it is final), the answer's share with Wilson's
    interval, and the weight of its rows by class; a numeric tree its value and the mean's interval.
    """
    lines = list(_lines(tree, max_depth))
    columns = _number_columns(tree) if tree.is_numeric else _class_columns(tree)
    drawn = [line.node for line in lines if line.node >= 0]
    title = printable(tree.schema.target.name) if tree.schema.target else ""
    label_room = max(display_width(title), *(len(line.rails) + display_width(line.label) for line in lines))
    columns, widths, room = _fitted(columns, drawn, min(label_room, _WIDEST_LABEL), width)
    pen = _Pen(colour)

    bodies = [(line, wrapped(line.label, room - len(line.rails))) for line in lines]
    widest = max(len(line.rails) + max(map(display_width, body)) for line, body in bodies)
    label_width = max(display_width(title), widest)

    head = [
        padded(title, label_width),
        *(padded(c.title, w, c.side) for c, w in zip(columns, widths, strict=True)),
    ]
    written = [
        pen("  ".join(head).rstrip(), _BOLD),
        pen("─" * (label_width + sum(widths) + 2 * len(widths)), _DIM),
    ]
    leaf = tree.nodes.is_leaf.tolist()
    codes = [0] * len(tree.nodes) if tree.is_numeric else node_codes(tree).tolist()
    for line, body in bodies:
        text = pen(line.rails, _DIM) + padded(body[0], label_width - len(line.rails))
        if line.node >= 0:
            for k, (column, size) in enumerate(zip(columns, widths, strict=True)):
                cell = padded(column.cells[line.node], size, column.side)
                if k == 0:
                    cell = pen(cell, f"{_BOLD};{_PALETTE[codes[line.node] % 6]}" if leaf[line.node] else _DIM)
                text += "  " + cell
        written.append(text.rstrip())
        written.extend(pen(line.below, _DIM) + rest for rest in body[1:])
    return "\n".join([*written, "", *tree_summary(tree)])


def printed_tree(tree: Tree) -> str:
    """The tree as `print` shows it: a very deep one to a depth that a terminal can show."""
    return draw_tree(tree, max_depth=_DEEPEST_PRINTED)


def _fitted(
    columns: list[_Column], drawn: list[int], label_room: int, width: int | None
) -> tuple[list[_Column], list[int], int]:
    """The columns a page of this width has room for, their widths, and the room left for the branches."""
    while True:
        widths = [max(map(display_width, (c.title, *(c.cells[node] for node in drawn)))) for c in columns]
        if width is None:
            return columns, widths, label_room
        room = width - sum(widths) - 2 * len(widths)
        first = max(column.gives_way for column in columns)
        if room >= label_room or first == 0:
            return columns, widths, max(_NARROWEST_LABEL, min(room, label_room))
        columns = [column for column in columns if column.gives_way < first]


def _lines(tree: Tree, max_depth: int | None) -> Iterator[_Line]:
    """Every node to be drawn, from the top, with the rails that lead to it."""
    n = tree.nodes
    leaf = n.is_leaf
    waiting: list[tuple[int, str, str, int]] = [(0, "", "", 0)]
    while waiting:
        node, rails, below, depth = waiting.pop()
        if node < 0:
            yield _Line(rails, below, f"… {-node} leaves below", -1)
            continue
        children = n.children(node)
        if depth == max_depth and children:
            hidden = int(leaf[node : int(n.end[node])].sum())
            waiting.append((-hidden, below + "└─ ", below + "   ", depth + 1))
            children = []
        for child in reversed(children):
            own, further = ("└─ ", "   ") if child == children[-1] else ("├─ ", "│  ")
            waiting.append((child, below + own, below + further, depth + 1))
        rest = below + ("│  " if children else "   ")
        label = "all rows"
        if node:
            label = printable(str(shortened(tree.condition(node), _MOST_VALUES)))
            label += " *" if takes_the_rest(tree, node) else ""
        yield _Line(rails, rest, label, node)


def _class_columns(tree: Tree) -> list[_Column]:
    counts, weight = tree.nodes.counts, tree.nodes.counts.sum(axis=1)
    codes = node_codes(tree)
    share = shown_shares(tree)[np.arange(len(codes)), codes]
    names = [printable(name) for name in tree.schema.classes]
    shares, spans = [], []
    by_node = (each.tolist() for each in (share, *wilson(share * weight, weight), weight))
    for middle, low, high, rows_there in zip(*by_node, strict=True):
        shares.append(f"{percent(middle)} %" if rows_there > 0 else "")
        spans.append(f"{percent(low)} – {percent(high)} %" if rows_there > 0 else "")
    columns = [
        _Column("  predicted", "left", _answers(tree, [names[code] for code in codes.tolist()])),
        _Column("probability", "right", shares),
        _Column("95 % interval", "right", spans, 1),
        _Column("rows", "right", list(map(rows, weight.tolist()))),
    ]
    if len(names) <= _MOST_CLASSES and sum(map(display_width, names)) <= 8 * _MOST_CLASSES:
        by_class = zip(names, counts.T.tolist(), strict=True)
        return columns + [_Column(name, "right", list(map(rows, column)), 2) for name, column in by_class]
    return [*columns, _Column("most of them", "left", [_most(names, each) for each in counts.tolist()], 2)]


def _answers(tree: Tree, texts: list[str]) -> list[str]:
    """With an arrow where they are final."""
    return [
        ("→ " if end else "  ") + text for end, text in zip(tree.nodes.is_leaf.tolist(), texts, strict=True)
    ]


def _number_columns(tree: Tree) -> list[_Column]:
    weight = tree.nodes.counts[:, 0].tolist()
    answers = _answers(tree, figures(node_values(tree).tolist()))
    counted = _Column("rows", "right", list(map(rows, weight)))
    quantile = predicted_quantile(tree)
    if quantile is not None:
        name = "median" if quantile == 0.5 else f"{quantile:g} quantile"
        return [_Column(f"  {name}", "left", answers), counted]
    reach = node_reach(tree).tolist()
    spans = ["± " + figure(r) if w > 0 and r > 0 else "" for r, w in zip(reach, weight, strict=True)]
    return [_Column("  value", "left", answers), _Column("95 %", "left", spans, 1), counted]


def _most(names: list[str], counts: list[float]) -> str:
    """The three commonest classes; the first of equals first."""
    present = sorted((k for k, count in enumerate(counts) if count > 0), key=lambda k: -counts[k])
    more = f", {len(present) - 3} more" if len(present) > 3 else ""
    return ", ".join(f"{names[k]} {rows(counts[k])}" for k in present[:3]) + more


@dataclass(frozen=True, slots=True)
class _Pen:
    """Writes in colour, or leaves the text alone."""

    colour: bool

    def __call__(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text.strip() else text


def tree_summary(tree: Tree, mark: str = "marked *") -> list[str]:
    """One line on its size and origin, one on its directions and one on what was done to it since it was
    learned, if there are any, one for each part of its decision and, if it asks anything, one on
    values that no branch takes.

    `mark` is how the drawing shows the branch that such cells follow.
    """
    rows = f" from {many(tree.origin.rows, 'row')}" if tree.origin.rows else ""
    shape = f"{many(tree.leaves, 'leaf', 'leaves')}, {many(tree.size, 'node')}, depth {tree.depth}"
    summary = [f"{shape} · {tree.origin.title}{rows}{with_weights(tree.origin)}"]
    summary += map(printable, directions_in_words(tree.origin.settings))
    summary += lineage_lines(tree.origin.after)
    summary += map(printable, decision_words(tree))
    n = tree.nodes
    if tree.size > 1:
        chosen = n.otherwise[~n.is_leaf] >= 0
        ways = ["a surrogate column"] if len(n.s_attribute) else []
        ways += [f"the branch {mark}"] if chosen.any() else []
        ways += [] if chosen.all() else ["every branch, weighted by its share"]
        # No branch takes missing values either, unless every split has a branch for them.
        takes_missing = np.isin(np.flatnonzero(~n.is_leaf), n.parent[1:][n.or_missing[1:]])
        some = "Unknown and some missing" if takes_missing.any() else "Missing and unknown"
        values = "Unknown" if takes_missing.all() else some
        summary.append(f"{values} values follow {', else '.join(ways)}.")
    return summary


def takes_the_rest(tree: Tree, node: int) -> bool:
    """Do the values that no branch takes go to this node?"""
    above = int(tree.nodes.parent[node])
    chosen = int(tree.nodes.otherwise[above])
    return chosen >= 0 and tree.nodes.children(above)[chosen] == node
