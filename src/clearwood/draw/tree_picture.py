"""A tree as a picture: the words of its nodes set on cards, laid out, joined by edges, with a legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from clearwood.draw.folding import Case, Drawn, Fold, case_in, folded
from clearwood.draw.layout import Direction, Layout, lay_out
from clearwood.draw.lettering import isolated_line
from clearwood.draw.marks import ColourScale, Curve, Group, Mark, caption_marks, legend_marks, written_as_svg
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture, framed
from clearwood.draw.tree_nodes import card_block, card_marks, line_block, node_marks
from clearwood.draw.tree_words import Shown, branch_words, node_words, tree_summary
from clearwood.errors import SettingError, no_such
from clearwood.models.tree import Tree
from clearwood.predict.answers import node_values
from clearwood.words.numbers import figure, many, number, percent

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
    if direction not in ("auto", "down", "right"):
        raise SettingError(no_such("direction called", str(direction), ("auto", "down", "right")))
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
    if direction == "auto":
        few = len(shown) - len(set(parents)) < _MOST_DOWN
        if few:
            down = lay_out(parents, [card_block(each) for each in shown], "down", **_GAPS["down"])
            if down.width <= _WIDEST_DOWN:
                return down
        direction = "right"
    block = card_block if direction == "down" else line_block
    return lay_out(parents, [block(each) for each in shown], direction, **_GAPS[direction])


def _shown(tree: Tree, drawn: Drawn, case: Case | None) -> list[Shown]:
    words = node_words(tree, drawn.nodes)
    shown = []
    for node, node_text in zip(drawn.nodes, words, strict=True):
        leaves = drawn.hidden.get(node, 0)
        shown.append(
            Shown(
                node_text,
                branch_words(tree, node) if node else None,
                f"… {leaves:,} leaves below" if leaves else "",
                _part(case, node),
                case is not None and node in case.parts,
            )
        )
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


def _part(case: Case | None, node: int) -> str:
    """What part of a case comes to a node, where it goes several ways."""
    part = 1.0 if case is None else case.parts.get(node, 1.0)
    return f"{percent(part)} % of the case" if part < 1 - 1e-9 else ""


def _case_sentence(case: Case) -> str:
    cells = ", ".join(
        f"{isolated_line(name)} = {isolated_line(_cell(cell))}" for name, cell in case.row.items()
    )
    answer = isolated_line(case.answer) if isinstance(case.answer, str) else figure(case.answer)
    return (
        f"The case {cells} is predicted as {answer}."
        if cells
        else f"A case of missing cells is predicted as {answer}."
    )


def _cell(cell: str | float | None) -> str:
    return "missing" if cell is None else cell if isinstance(cell, str) else number(cell)


def _alt(tree: Tree, drawn: Drawn, case: Case | None) -> str:
    target = tree.schema.target.name if tree.schema.target else ""
    first_question = "" if tree.size == 1 else f"; its first split is on {tree.condition(1).name}"
    folds = f", {many(len(drawn.hidden), 'part', 'parts')} of it folded" if drawn.hidden else ""
    size = many(tree.leaves, "leaf", "leaves")
    case_sentence = "" if case is None else f" {_case_sentence(case)}"
    return f"A decision tree for {target} with {size}{folds}{first_question}.{case_sentence}"
