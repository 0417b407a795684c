"""A tree as a picture: the words of its nodes set on cards, laid out, joined by edges, with a legend."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from clearwood.draw.folding import Case, Drawn, Fold, case_in, folded
from clearwood.draw.layout import Direction, Frame, Layout, NodeSize, lay_out
from clearwood.draw.lettering import isolated_line, text_width, widest, wrapped_text
from clearwood.draw.marks import (
    BAR,
    LEADING,
    ColourScale,
    Curve,
    Group,
    Mark,
    Rectangle,
    TextLine,
    bar_marks,
    caption_marks,
    legend_marks,
    set_lines,
    written_as_svg,
)
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture, framed
from clearwood.draw.text import tree_summary
from clearwood.draw.tree_words import LABEL, Shown, branch_words, label_lines, node_words
from clearwood.errors import check_known
from clearwood.explaining.one_row import cell_text
from clearwood.models.kinds.tree.tree import Tree, node_values
from clearwood.words.numbers import figure, many, percent

_MARGIN: Final = 20.0
_NARROWEST: Final = 420.0
_MOST_DOWN: Final = 12  # leaves, and …
_WIDEST_DOWN: Final = 1100.0  # … the width of a tree drawn from the top down, as in books
_GAPS: Final[dict[Direction, dict[str, float]]] = {
    "down": {"gap_across": 18, "gap_along": 30, "gap_label": 3},
    "right": {"gap_across": 4, "gap_along": 30, "gap_label": 10},
}
_THICKEST: Final = 5.0
_SET_BACK: Final = 0.45  # what the case does not pass


def tree_picture(
    tree: Tree,
    *,
    row: Mapping[str, Any] | None = None,
    direction: Literal["auto", "down", "right"] = "auto",
    fold: Fold = "auto",
    theme: ThemeName = "auto",
) -> Picture:
    """The tree by our own layout: small ones from the top down, large ones from left to right."""
    check_known("direction called", direction, ("auto", "down", "right"))
    case = None if row is None else case_in(tree, row)
    drawn = folded(tree, fold, case)
    shown = _shown(tree, drawn, case)
    layout = _laid_out(shown, drawn.parents, direction)
    scale = _scale(tree)
    title = tree.schema.target.name if tree.schema.target else ""
    remarks = [] if case is None else [_case_sentence(case)]
    if tree.is_numeric:
        ends = f"from {figure(scale.low)} at the left to {figure(scale.high)} at the right"
        remarks.append(f"The mark in each node shows its value, {ends}.")
    width = max(layout.width, _NARROWEST)
    colours = class_colours(tree.schema.classes)
    above, top = legend_marks(title, colours, remarks, _MARGIN, _MARGIN, width)
    across = _MARGIN + max(0.0, (width - layout.width) / 2 if layout.direction == "down" else 0.0)
    marks = _tree_marks(drawn, shown, layout, scale, fading=case is not None)
    notes, bottom = caption_marks(tree_summary(tree), _MARGIN, top + layout.height + 26, width)
    body = (
        written_as_svg(above)
        + f'<g transform="translate({across:g} {top:g})">{written_as_svg(marks)}</g>'
        + written_as_svg(notes)
    )
    return framed(
        body,
        round(width + 2 * _MARGIN),
        round(bottom + _MARGIN),
        title=f"Decision tree for {title}",
        alt=_alt(tree, drawn, case),
        theme=theme,
    )


def _laid_out(
    shown: Sequence[Shown], parents: Sequence[int], direction: Literal["auto", "down", "right"]
) -> Layout:
    few = len(shown) - len(set(parents)) < _MOST_DOWN
    if direction == "down" or (direction == "auto" and few):
        down = lay_out(parents, list(map(card_block, shown)), "down", **_GAPS["down"])
        if direction == "down" or down.width <= _WIDEST_DOWN:
            return down
    return lay_out(parents, list(map(line_block, shown)), "right", **_GAPS["right"])


def _shown(tree: Tree, drawn: Drawn, case: Case | None) -> list[Shown]:
    shown = []
    for node, words in zip(drawn.nodes, node_words(tree, drawn.nodes), strict=True):
        branch = branch_words(tree, node) if node else None
        leaves = drawn.hidden.get(node, 0)
        hidden = f"… {leaves:,} leaves below" if leaves else ""
        part = 1.0 if case is None else case.parts.get(node, 1.0)
        of_case = f"{percent(part)} % of the case" if part < 1 - 1e-9 else ""
        shown.append(Shown(words, branch, hidden, of_case, case is not None and node in case.parts))
    return shown


def _tree_marks(
    drawn: Drawn, shown: Sequence[Shown], layout: Layout, scale: ColourScale, fading: bool
) -> list[Mark]:
    """Edges first, those of a case over the others; then nodes with the labels of their branches."""
    whole = shown[0].node.weight
    marks_of = card_marks if layout.direction == "down" else node_marks
    edges: list[Mark] = []
    passed: list[Mark] = []
    nodes: list[Mark] = []
    for place, (node, each) in enumerate(zip(drawn.nodes, shown, strict=True)):
        opacity = _SET_BACK if fading and not each.chosen else 1.0
        if each.branch is not None:
            share = each.node.weight / whole if whole > 0 else 0.0
            edge = _edge(layout, drawn.parents[place], place, each.branch.only_missing, share, each.chosen)
            (passed if each.chosen else edges).append(Group(edge, kind="edge", number=node, opacity=opacity))
        marks = marks_of(each, layout.boxes[place], layout.labels[place], scale)
        above = (each.branch.full,) if each.branch else ()
        full = (*above, *each.node.full, *((each.hidden,) if each.hidden else ()))
        nodes.append(Group(marks, full, "node", node, opacity))
    return [*edges, *passed, *nodes]


def _edge(layout: Layout, parent: int, child: int, missing: bool, share: float, chosen: bool) -> list[Mark]:
    """From the parent's box to the label, and from the label to the child's box where there is room."""
    above, box, label = layout.boxes[parent], layout.boxes[child], layout.labels[child]
    colour = LIGHT.accent if chosen else LIGHT.muted
    thickness = 1.0 + (_THICKEST - 1.0) * share
    first, last = layout.bends[child]
    if layout.direction == "down":
        start = (above.x + above.width / 2, above.y + above.height)
        end = (label.x + label.width / 2, label.y)
        return [Curve(start, end, "y", (first, last), colour, thickness, missing)]
    middle = label.y + label.height / 2
    start = (above.x + above.width, above.y + above.height / 2)
    bend = Curve(start, (label.x, middle), "x", (first, last), colour, thickness, missing)
    begin, stop = label.x + label.width, box.x - 4
    if stop - begin < 4:
        return [bend]
    return [bend, Curve((begin, middle), (stop, middle), "x", (begin, stop), colour, thickness, missing)]


def _scale(tree: Tree) -> ColourScale:
    if not tree.is_numeric:
        return ColourScale(tuple(class_colours(tree.schema.classes).values()))
    values = node_values(tree)
    return ColourScale((), float(values.min()), float(values.max()))


def _case_sentence(case: Case) -> str:
    cells = [f"{isolated_line(name)} = {isolated_line(cell_text(cell))}" for name, cell in case.row.items()]
    answer = isolated_line(case.answer) if isinstance(case.answer, str) else figure(case.answer)
    which = f"The case {', '.join(cells)}" if cells else "A case of missing cells"
    return f"{which} is predicted as {answer}."


def _alt(tree: Tree, drawn: Drawn, case: Case | None) -> str:
    target = tree.schema.target.name if tree.schema.target else ""
    first_question = "" if tree.size == 1 else f"; its first split is on {tree.condition(1).name}"
    folds = f", {many(len(drawn.hidden), 'part', 'parts')} of it folded" if drawn.hidden else ""
    size = many(tree.leaves, "leaf", "leaves")
    case_sentence = "" if case is None else f" {_case_sentence(case)}"
    return f"A decision tree for {target} with {size}{folds}{first_question}.{case_sentence}"


# The nodes of a tree in a picture: cards if it grows from the top down, lines if it grows to the right.


_HEAD: Final = 13.0  # sizes of letters
_SMALL: Final = 11.0
_PAD: Final = 9.0
_WIDEST: Final = 170.0
_NARROWEST_NODE: Final = 60.0


def card_block(shown: Shown) -> NodeSize:
    """The room that a card and its label need."""
    head = wrapped_text(shown.node.head, _WIDEST, _HEAD, True)
    small = [*_detail(shown), *((shown.hidden,) if shown.hidden else ())]
    width = max(widest(head, _HEAD, bold=True), widest(small, _SMALL), _NARROWEST_NODE) + 2 * _PAD
    height = 2 * _PAD + len(head) * _HEAD * LEADING + BAR + 4 + len(small) * _SMALL * LEADING
    if shown.branch is None:
        return NodeSize(width, height)
    label = label_lines(shown.branch)
    beside = [line for line in (shown.branch.rows, shown.part) if line]
    label_width = max(widest(label, LABEL), widest(beside, _SMALL, bold=True)) + 6
    return NodeSize(width, height, label_width, (len(label) * LABEL + len(beside) * _SMALL) * LEADING)


def card_marks(shown: Shown, box: Frame, label: Frame, scale: ColourScale) -> list[Mark]:
    """The card and its label."""
    marks = _label(shown, label)
    words = shown.node
    if shown.hidden:
        marks += _behind(box, (6.0, 3.0), 5.0)
    stroke = scale.colours[words.code] if words.is_leaf and scale.colours else LIGHT.muted
    fill, thickness, radius = (LIGHT.panel, 1.5, 12.0) if words.is_leaf else (LIGHT.paper, 1.0, 5.0)
    if shown.chosen:
        stroke, thickness = LIGHT.accent, 3.0
    marks.append(Rectangle(box.x, box.y, box.width, box.height, fill, stroke, thickness, radius))
    x = box.x + box.width / 2
    lines = wrapped_text(words.head, _WIDEST, _HEAD, True)
    head, y = set_lines(lines, x, box.y + _PAD - 2, _HEAD, 4, bold=True, anchor="middle")
    bar = bar_marks(words.counts, box.x + _PAD, y + 2, box.width - 2 * _PAD, scale)
    small, y = set_lines(_detail(shown), x, y + BAR + 6, _SMALL, 3, fill=LIGHT.muted, anchor="middle")
    below, _ = set_lines([shown.hidden] if shown.hidden else [], x, y, _SMALL, 3, anchor="middle")
    return [*marks, *head, *bar, *small, *below]


def _behind(box: Frame, away: tuple[float, float], radius: float) -> list[Mark]:
    """The edges of boxes behind that of a folded node."""
    return [
        Rectangle(box.x + by, box.y + by, box.width, box.height, LIGHT.panel, LIGHT.muted, 1.0, radius)
        for by in away
    ]


def _detail(shown: Shown) -> tuple[str, ...]:
    """Share and rows in lines, with a number and its % in the same one."""
    lines = wrapped_text(shown.node.detail.replace(" %", "\u00a0%"), _WIDEST, _SMALL)
    return tuple(line.replace("\u00a0", " ") for line in lines)


def _label(shown: Shown, place: Frame) -> list[Mark]:
    if shown.branch is None:
        return []
    x = place.x + place.width / 2
    label, y = set_lines(label_lines(shown.branch), x, place.y, LABEL, 4, anchor="middle")
    rows, y = set_lines([shown.branch.rows], x, y, _SMALL, 4, fill=LIGHT.muted, anchor="middle")
    of_case = [shown.part] if shown.part else []
    part, _ = set_lines(of_case, x, y, _SMALL, 4, fill=LIGHT.accent, bold=True, anchor="middle")
    return [*label, *rows, *part]


# A node as a line, for trees drawn from left to right: leaves stand below each other as in a table, and a
# split is a small box that names its question.


_LINE_HEAD: Final = 12.0  # sizes of letters
_LINE_PAD: Final = 6.0
_BAR_WIDTH: Final = 56.0
_LINE_WIDEST: Final = 150.0
_WIDEST_ANSWER: Final = 320.0


def line_block(shown: Shown) -> NodeSize:
    """The room that a line or a small box and its label need."""
    words = shown.node
    beside = text_width(_beside(shown), _SMALL)
    if words.is_leaf:
        head = wrapped_text(words.head, _WIDEST_ANSWER, _LINE_HEAD, True)
        width = _BAR_WIDTH + 8 + widest(head, _LINE_HEAD, bold=True) + 8 + beside
        height = len(head) * _LINE_HEAD * LEADING + 3
    else:
        head = wrapped_text(words.head, _LINE_WIDEST, _LINE_HEAD, True)
        width = _box_width(head) + (beside + 16 if shown.hidden else 0.0)
        height = len(head) * _LINE_HEAD * LEADING + BAR + 2 * _LINE_PAD + (6 if shown.hidden else 0)
    if shown.branch is None:
        return NodeSize(width, height)
    lines = label_lines(shown.branch)
    extra = text_width(shown.branch.short_rows, _SMALL) + 6
    extra += text_width(shown.part, _SMALL, bold=True) + 6 if shown.part else 0.0
    label_width = max(widest(lines, LABEL), text_width(lines[-1], LABEL) + extra) + 6
    return NodeSize(width, height, label_width, len(lines) * LABEL * LEADING)


def node_marks(shown: Shown, box: Frame, label: Frame, scale: ColourScale) -> list[Mark]:
    """The node and its label."""
    return [*_line_label(shown, label), *(_leaf if shown.node.is_leaf else _split)(shown, box, scale)]


def _leaf(shown: Shown, box: Frame, scale: ColourScale) -> list[Mark]:
    words, middle = shown.node, box.y + box.height / 2
    frame = (LIGHT.panel, LIGHT.accent, 2.0, 5.0)
    around = Rectangle(box.x - 4, box.y - 1, box.width + 8, box.height + 2, *frame)
    marks: list[Mark] = [around] if shown.chosen else []
    marks += bar_marks(words.counts, box.x, middle - BAR / 2, _BAR_WIDTH, scale)
    lines = wrapped_text(words.head, _WIDEST_ANSWER, _LINE_HEAD, True)
    x = box.x + _BAR_WIDTH + 8
    head, _ = set_lines(lines, x, middle - len(lines) * _LINE_HEAD * LEADING / 2, _LINE_HEAD, 3.5, bold=True)
    x += widest(lines, _LINE_HEAD, bold=True) + 8
    return [*marks, *head, TextLine(x, middle + 4, _beside(shown), _SMALL, LIGHT.muted)]


def _split(shown: Shown, box: Frame, scale: ColourScale) -> list[Mark]:
    head = wrapped_text(shown.node.head, _LINE_WIDEST, _LINE_HEAD, True)
    width, marks = _box_width(head), list[Mark]()
    height = len(head) * _LINE_HEAD * LEADING + BAR + 2 * _LINE_PAD
    frame = (LIGHT.accent, 2.5, 4.0) if shown.chosen else (LIGHT.muted, 1.0, 4.0)
    if shown.hidden:
        marks += _behind(replace(box, width=width, height=height), (5.0, 2.5), 4.0)
        x, y = box.x + width + 12, box.y + height / 2 + 4
        marks.append(TextLine(x, y, _beside(shown), _SMALL, LIGHT.muted))
    marks.append(Rectangle(box.x, box.y, width, height, LIGHT.paper, *frame))
    x, y = box.x + width / 2, box.y + _LINE_PAD - 2
    lines, y = set_lines(head, x, y, _LINE_HEAD, 3, bold=True, anchor="middle")
    bar = bar_marks(shown.node.counts, box.x + _LINE_PAD, y + 1, width - 2 * _LINE_PAD, scale)
    return [*marks, *lines, *bar]


def _line_label(shown: Shown, place: Frame) -> list[Mark]:
    if shown.branch is None:
        return []
    lines = label_lines(shown.branch)
    x = place.x + 3
    marks, y = set_lines(lines, x, place.y, LABEL, 3.5)
    x += text_width(lines[-1], LABEL) + 6
    marks.append(TextLine(x, y - 3.5, shown.branch.short_rows, _SMALL, LIGHT.muted))
    if shown.part:
        x += text_width(shown.branch.short_rows, _SMALL) + 6
        marks.append(TextLine(x, y - 3.5, shown.part, _SMALL, LIGHT.accent, bold=True))
    return marks


def _beside(shown: Shown) -> str:
    """The text beside a node: nothing for a split that is not folded."""
    if shown.node.is_leaf:
        return shown.node.detail
    return f"{shown.hidden} · {shown.node.detail}" if shown.hidden else ""


def _box_width(head: tuple[str, ...]) -> float:
    return max(widest(head, _LINE_HEAD, bold=True), _BAR_WIDTH) + 2 * _LINE_PAD
