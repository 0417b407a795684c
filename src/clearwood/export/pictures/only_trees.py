"""A picture in text is of a tree; what else there is has pictures of its own."""

from __future__ import annotations

from clearwood.models.kinds import with_article
from clearwood.models.model import Model
from clearwood.models.tree import Tree


def refused_but_trees(model: Model) -> str | None:
    """Why a model is not drawn as a graph; None: it is a tree."""
    if isinstance(model, Tree):
        return None
    kind = with_article(type(model).__name__)
    return f"This format holds a tree, not {kind}. Draw it as .svg: picture(model)."
