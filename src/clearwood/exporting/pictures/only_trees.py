"""A picture in text is of a tree; what else there is has pictures of its own."""

from clearwood.exporting.exportable import Exportable, export_in_words
from clearwood.models.kinds.tree.tree import Tree


def refused_but_trees(model: Exportable) -> str | None:
    """Why a model is not drawn as a graph; None: it is a tree."""
    if isinstance(model, Tree):
        return None
    return (
        f"This format holds a tree, not {export_in_words(model)}. "
        "Draw it instead: clearwood draw MODEL -o model.svg, or picture(model)."
    )
