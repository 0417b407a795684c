"""An additive model in words: how many curves and pairs; its cells: intervals, values, missing, unseen."""

from __future__ import annotations

from clearwood.models.additive_model import AdditiveModel, PairShape, Shape, cells_of_shape
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.words.numbers import many


def curves_in_words(model: AdditiveModel) -> str:
    """How many curves, and pairs where there are some: `20 curves and 10 pairs`."""
    pairs = f" and {many(len(model.pairs), 'pair')}" if model.pairs else ""
    return f"{many(len(model.shapes), 'curve')}{pairs}"


def cell_in_words(model: AdditiveModel, term: Shape | PairShape, cell: int) -> str:
    """A cell's interval or value, of a pair both."""
    if isinstance(term, Shape):
        return side_in_words(model, term.name, term.cuts, cell)
    wide = cells_of_shape(model.schema, term.names[1], term.cuts[1])
    first = side_in_words(model, term.names[0], term.cuts[0], cell // wide)
    return f"{first}, {side_in_words(model, term.names[1], term.cuts[1], cell % wide)}"


def side_in_words(model: AdditiveModel, name: str, cuts: tuple[float, ...], cell: int) -> str:
    """A column's interval (low to high, the high end in it) or value; missing; unseen."""
    attribute = model.schema[name]
    known = len(attribute.values) if isinstance(attribute, Nominal | Ordinal) else len(cuts) + 1
    if cell >= known:
        return "missing" if cell == known else "unseen"
    if isinstance(attribute, Nominal | Ordinal):
        return attribute.values[cell]
    if not cuts:
        return "any number"
    if cell == 0:
        return f"≤ {cuts[0]:g}"
    return f"> {cuts[-1]:g}" if cell == len(cuts) else f"{cuts[cell - 1]:g} to {cuts[cell]:g}"
