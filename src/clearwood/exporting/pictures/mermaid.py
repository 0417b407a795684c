"""Mermaid: a tree as a flowchart that pages and notes draw themselves."""

from clearwood.draw.diagrams import to_mermaid
from clearwood.exporting.exported import Exported, ExportFormat
from clearwood.exporting.pictures.only_trees import refused_but_trees
from clearwood.models.kinds.tree.tree import Tree


def export_to_mermaid(tree: Tree) -> Exported:
    """The whole tree as a flowchart."""
    return Exported("mermaid", f"{to_mermaid(tree)}\n", ".mmd", tree)


FORMAT = ExportFormat(
    "mermaid", "a tree as a flowchart for Markdown and wikis", (".mmd",), export_to_mermaid, refused_but_trees
)
