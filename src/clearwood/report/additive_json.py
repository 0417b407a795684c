"""What the page needs of an additive model: its points as plain lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clearwood.models.additive_model import AdditiveModel
from clearwood.models.model import Model
from clearwood.predict.of_additive import curves_in, name_of, sides_of


def additive_for_page(model: AdditiveModel, fields_of: Callable[[Model], dict[str, Any]]) -> dict[str, Any]:
    """Heading and body, with `terms` instead of packed columns."""
    fields = fields_of(model)
    for name in ("curves", "pairs", "learning", "spread"):
        fields.pop(name)
    fields["terms"] = [
        {
            "name": name_of(term),
            "sides": [{"column": name, "cuts": list(cuts)} for name, cuts in sides_of(term)],
            "points": [list(row) for row in term.points],
        }
        for term in curves_in(model)
    ]
    return fields
