"""A tree in DOT, the language of Graphviz, for those who want to lay it out or style it themselves."""

from __future__ import annotations

from typing import Final

from clearwood.draw.escaping import visible
from clearwood.draw.folding import Fold, folded
from clearwood.draw.palette import class_colours
from clearwood.draw.tree_words import branch_words, node_words
from clearwood.models.kinds import check_kind
from clearwood.models.tree import Tree

_MARKS: Final = str.maketrans({'"': '\\"', "\\": "\\\\", "&": "&amp;"})


def to_dot(tree: Tree, *, fold: Fold = None) -> str:
    """The text of the graph, `fold` levels deep.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(to_dot(cw.ID3().learn(table), fold=0))
    digraph tree {
      node [shape=box, fontname="Helvetica", fontsize=11];
      edge [fontname="Helvetica", fontsize=10];
      n0 [label="Outlook\\nYes: 64 % · 14 rows\\n… 5 leaves below"];
    }
    """
    check_kind("to_dot", tree, Tree)
    drawn = folded(tree, fold)
    colours = tuple(class_colours(tree.schema.classes).values())
    lines = [
        "digraph tree {",
        '  node [shape=box, fontname="Helvetica", fontsize=11];',
        '  edge [fontname="Helvetica", fontsize=10];',
    ]
    for place, (node, words) in enumerate(zip(drawn.nodes, node_words(tree, drawn.nodes), strict=True)):
        hidden = drawn.hidden.get(node)
        lines_in_box = (words.head, words.detail, *((f"… {hidden:,} leaves below",) if hidden else ()))
        label = "\\n".join(map(_escaped, lines_in_box))
        style = ', style="rounded"' if words.is_leaf else ""
        colour = f', color="{colours[words.code]}", penwidth=2' if words.is_leaf and words.code >= 0 else ""
        lines.append(f'  n{node} [label="{label}"{style}{colour}];')
        if place:
            branch = branch_words(tree, node)
            edge_label = _escaped(f"{', '.join(branch.parts)} {branch.tail}".rstrip())
            dashes = ", style=dashed" if branch.only_missing else ""
            above = drawn.nodes[drawn.parents[place]]
            lines.append(f'  n{above} -> n{node} [label="{edge_label}\\n{branch.rows}"{dashes}];')
    return "\n".join([*lines, "}"])


def _escaped(text: str) -> str:
    return visible(text).translate(_MARKS)
