"""DOT: a tree in the language of Graphviz."""

from clearwood.draw.diagrams import to_dot
from clearwood.exporting.exported import Exported, ExportFormat
from clearwood.exporting.pictures.only_trees import refused_but_trees
from clearwood.models.kinds.tree.tree import Tree


def export_to_dot(tree: Tree) -> Exported:
    """The whole tree as a graph."""
    return Exported("dot", f"{to_dot(tree)}\n", ".dot", tree)


FORMAT = ExportFormat(
    "dot", "a tree in the language of Graphviz", (".dot", ".gv"), export_to_dot, refused_but_trees
)
