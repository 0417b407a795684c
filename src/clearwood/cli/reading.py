"""What predict, prune and show read: a model that fit saved, and rows coded as it codes them."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path

from clearwood.errors import ModelFileError, SchemaError
from clearwood.models.files import load
from clearwood.models.model import Model
from clearwood.models.tree import Tree
from clearwood.table import encode
from clearwood.table.raw import Raw
from clearwood.table.table import Table


def load_model(place: Path) -> Model:
    """The model in a file; where there is none, the file that may be meant."""
    if place.is_dir():
        raise ModelFileError(f"{place} is a folder. Name a model file in it.")
    if not place.exists():
        folder = place.parent
        names = [each.name for each in folder.iterdir()] if folder.is_dir() else []
        near = get_close_matches(place.name, names, n=1)
        hint = f"Did you mean {folder / near[0]}?" if near else "Make one: clearwood fit DATA --save MODEL."
        raise ModelFileError(f"No file {place}. {hint}")
    return load(place)


def load_tree(place: Path) -> Tree:
    """The tree in a file; another model is refused."""
    model = load_model(place)
    if not isinstance(model, Tree):
        raise ModelFileError(f"{place} holds no tree but {model!r}; only trees are pruned.")
    return model


def coded_for(model: Model, raw: Raw, *, only: Collection[str] | None = None) -> Table:
    """The rows as the model codes them. What its columns are is settled: no advice to declare them anew."""
    try:
        return encode(raw, model.schema, only=only)
    except SchemaError as error:
        raise SchemaError(re.sub(r", (count [^,]*), or take kinds=.*", r", or \1.", str(error))) from None
