"""Pictures of trees as text, for those who lay them out themselves; no program runs them."""

from typing import Final

from clearwood.draw.diagrams import to_dot, to_mermaid
from clearwood.exporting.exportable import Exportable, export_in_words
from clearwood.exporting.exported import Exported, ExportFormat
from clearwood.models.kinds.tree.tree import Tree


def export_to_dot(tree: Tree) -> Exported:
    """The whole tree as a graph."""
    return Exported("dot", f"{to_dot(tree)}\n", ".dot", tree)


def export_to_mermaid(tree: Tree) -> Exported:
    """The whole tree as a flowchart."""
    return Exported("mermaid", f"{to_mermaid(tree)}\n", ".mmd", tree)


def refused_but_trees(model: Exportable) -> str | None:
    """Why a model is not drawn as a graph; None: it is a tree."""
    if isinstance(model, Tree):
        return None
    return (
        f"This format holds a tree, not {export_in_words(model)}. "
        "Draw it instead: clearwood draw MODEL -o model.svg, or picture(model)."
    )


DOT: Final = ExportFormat(
    "dot", "a tree in the language of Graphviz", (".dot", ".gv"), export_to_dot, refused_but_trees
)
MERMAID: Final = ExportFormat(
    "mermaid", "a tree as a flowchart for Markdown and wikis", (".mmd",), export_to_mermaid, refused_but_trees
)
