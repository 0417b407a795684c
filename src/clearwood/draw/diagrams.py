"""A tree in other people's languages: DOT for Graphviz, and Mermaid for pages that draw its flowcharts."""

from collections.abc import Iterator
from typing import Final

from clearwood.draw.escaping import visible
from clearwood.draw.folding import Fold, folded
from clearwood.draw.palette import class_colours, ink_on
from clearwood.draw.tree_words import BranchWords, NodeWords, branch_words, node_words
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import check_kind

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
    colours = tuple(class_colours(tree.schema.classes).values())
    lines = [
        "digraph tree {",
        '  node [shape=box, fontname="Helvetica", fontsize=11];',
        '  edge [fontname="Helvetica", fontsize=10];',
    ]
    for node, words, text, above, branch in _boxes(tree, fold):
        label = "\\n".join(map(_escaped, text))
        style = ', style="rounded"' if words.is_leaf else ""
        colour = f', color="{colours[words.code]}", penwidth=2' if words.is_leaf and words.code >= 0 else ""
        lines.append(f'  n{node} [label="{label}"{style}{colour}];')
        if branch is not None:
            dashes = ", style=dashed" if branch.only_missing else ""
            edge_label = _escaped(branch.in_line)
            lines.append(f'  n{above} -> n{node} [label="{edge_label}\\n{branch.rows}"{dashes}];')
    return "\n".join([*lines, "}"])


def _boxes(
    tree: Tree, fold: Fold
) -> Iterator[tuple[int, NodeWords, tuple[str, ...], int, BranchWords | None]]:
    """Each node drawn: its number, its words, the lines in its box, the node above, the branch to it."""
    drawn = folded(tree, fold)
    for node, parent, words in zip(drawn.nodes, drawn.parents, node_words(tree, drawn.nodes), strict=True):
        hidden = drawn.hidden.get(node)
        text = (words.head, words.detail, *((f"… {hidden:,} leaves below",) if hidden else ()))
        yield node, words, text, drawn.nodes[parent], branch_words(tree, node) if node else None


def _escaped(text: str) -> str:
    return visible(text).translate(_MARKS)


# A tree as a Mermaid flowchart, for pages that draw those themselves: Markdown on the web, wikis, notes.


# What Mermaid would take for its own, or for HTML or Markdown; its entities are numbers between # and ;.
_MERMAID_MARKS: Final = str.maketrans({mark: f"#{ord(mark)};" for mark in '"#&<>`*_~\\'})


def to_mermaid(tree: Tree, *, fold: Fold = None) -> str:
    """The text of the flowchart, `fold` levels deep.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(to_mermaid(cw.ID3().learn(table), fold=1))
    flowchart TD
      n0["Outlook<br/>Yes: 64 % · 14 rows"]
      n0 -->|"Overcast"| n1(["Yes<br/>100 % · 4 rows"])
      n0 -->|"Rainy"| n2["Wind<br/>Yes: 60 % · 5 rows<br/>… 2 leaves below"]
      n0 -->|"Sunny"| n5["Humidity<br/>No: 60 % · 5 rows<br/>… 2 leaves below"]
      classDef class1 fill:#e69f00,color:black
      class n1 class1
    """
    check_kind("to_mermaid", tree, Tree)
    lines = ["flowchart TD"]
    leaves: dict[int, list[str]] = {}
    for node, words, text, above, branch in _boxes(tree, fold):
        box = f'"{"<br/>".join(map(_mermaid_escaped, text))}"'
        shape = f"n{node}([{box}])" if words.is_leaf else f"n{node}[{box}]"
        if branch is not None:
            arrow = "-.->" if branch.only_missing else "-->"
            shape = f'n{above} {arrow}|"{_mermaid_escaped(branch.in_line)}"| {shape}'
        lines.append(f"  {shape}")
        if words.is_leaf and words.code >= 0:
            leaves.setdefault(words.code, []).append(f"n{node}")
    colours = tuple(class_colours(tree.schema.classes).values())
    for code, names in sorted(leaves.items()):
        lines.append(f"  classDef class{code} fill:{colours[code]},color:{ink_on(colours[code])}")
        lines.append(f"  class {','.join(names)} class{code}")
    return "\n".join(lines)


def _mermaid_escaped(text: str) -> str:
    return visible(text).translate(_MERMAID_MARKS)
