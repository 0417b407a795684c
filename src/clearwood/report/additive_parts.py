"""An additive model in a page: its curves, its pairs, and its terms by how much they move."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from clearwood.draw import charts
from clearwood.draw.pictures import commonest_two
from clearwood.errors import ClearwoodError
from clearwood.explain.curve_groups import brief_points, mean_points, terms_by_points
from clearwood.explain.nomogram import nomogram
from clearwood.models.additive_model import AdditiveModel
from clearwood.report.markup import details, isolated, picture_html, table

_PANELS: Final = 12
_PAIRS: Final = 6
_TERMS: Final = 30


def curves_of(model: AdditiveModel) -> str:
    """The weightiest curves, and details the pairs."""
    parts = []
    with suppress(ClearwoodError):  # a model without curves, or no renderer for charts
        parts.append(picture_html(charts.curves(model, columns=_PANELS)))
        ranked = sorted(model.pairs, key=lambda pair: -mean_points(pair))[:_PAIRS]
        shown = "\n".join(picture_html(charts.pair(model, *pair.names)) for pair in ranked)
        if shown:
            parts.append(details("What pairs of columns add together", shown))
    return "\n".join(parts)


def importances_of_curves(model: AdditiveModel) -> str:
    """The terms by their mean absolute points, and a nomogram of classes."""
    ranked = terms_by_points(model)
    if not ranked:
        return ""
    most = ranked[0][1] or 1.0
    lines = [
        (
            isolated(name),
            f"{brief_points(model, points)} "
            f'<span class="bar part" style="--share:{points / most:.4f}"></span>',
        )
        for name, points in ranked[:_TERMS]
    ]
    caption = "How far each moves the score, on average over the training rows."
    parts = [table(("column or pair", "mean |points|"), lines, numbers=(1,), caption=caption)]
    if not model.is_numeric and model.shapes:
        with suppress(ClearwoodError):  # no renderer for charts
            parts.append(_nomogram_of(model))
    return "\n".join(parts)


def _nomogram_of(model: AdditiveModel) -> str:
    caption = "Read off the points of each cell, add them up, and find the probability under the total."
    if len(model.schema.classes) > 2:
        caption += " Of the classes, the two most common are set against each other."
    drawn = picture_html(charts.nomogram(nomogram(model, *commonest_two(model))), caption)
    return details("The model as a nomogram, to predict by hand", drawn)
