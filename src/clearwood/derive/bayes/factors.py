"""Factors of a row: one for each cell of it, by what the model keeps of the column."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial
from typing import assert_never

from clearwood.derive.bayes.bagged import Bagged, bagged_of, thing_figure
from clearwood.derive.bayes.bells import density_figure
from clearwood.derive.bayes.counted import counted_of, unseen_figure, value_figure
from clearwood.derive.bayes.factor import Factor, each_its_own, in_powers, raw
from clearwood.derive.bayes.hills import hill_figure
from clearwood.derive.bayes.texts import factors_of_text
from clearwood.explain.evidence import Evidence, Piece
from clearwood.formulas.expressions import Exp
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Bag, Categorical, Cuts, Gaussian, Kernel, Words
from clearwood.models.words import written
from clearwood.predict.bayes_terms import bell_of, widths_of
from clearwood.working.figures import Figure, plain


def factors_of(
    model: BayesTables, evidence: Evidence, texts: dict[str, str | None], *, in_logs: bool
) -> Iterator[Factor]:
    """The factors of a row in the order of the model, from the evidence of that row."""
    pieces = {piece.name: piece for piece in evidence.pieces}
    for distribution in model.distributions:
        match distribution:
            case Categorical() | Cuts():
                yield _of_value(model, distribution, pieces[distribution.name])
            case Gaussian() | Kernel():
                yield _of_number(model, distribution, pieces, in_logs=in_logs)
            case Bag():
                bagged = bagged_of(distribution)
                for j, name in enumerate(distribution.names):
                    yield _of_count(model, bagged, j, pieces[name])
            case Words():
                yield from factors_of_text(model, distribution, texts[distribution.name])
            case _:
                assert_never(distribution)


def _of_value(model: BayesTables, distribution: Categorical | Cuts, piece: Piece) -> Factor:
    if piece.standing == "missing":
        return _missing(piece)
    counted, classes = counted_of(model, distribution), range(len(model.classes))
    if piece.standing == "unseen":
        figures = tuple(unseen_figure(model, counted, str(piece.value), c) for c in classes)
    else:
        if isinstance(distribution, Cuts):
            assert isinstance(piece.value, float)
            v = bisect_left(distribution.cuts, piece.value)
        else:
            v = model.schema.codes(distribution.name)[str(piece.value)]
        figures = tuple(value_figure(model, counted, v, c) for c in classes)
    return each_its_own(_title(piece), piece.name, figures, piece.logs)


def _of_number(
    model: BayesTables, distribution: Gaussian | Kernel, pieces: dict[str, Piece], *, in_logs: bool
) -> Factor:
    height = _height_of(model, distribution)
    if height is None:
        name = written(distribution.name)
        return Factor(name, distribution.name, because=f"{name} never varied in training, and says nothing.")
    piece = pieces[distribution.name]
    if piece.standing == "missing":
        return _missing(piece)
    assert isinstance(piece.value, float)
    figures = tuple(height(piece.value, c, log, in_logs=in_logs) for c, log in enumerate(piece.logs))
    if not in_logs:
        return each_its_own(_title(piece), piece.name, figures, piece.logs)
    names = tuple(map(raw, figures))
    return Factor(_title(piece), piece.name, figures, tuple(map(Exp, names)), names, piece.logs)


def _height_of(model: BayesTables, distribution: Gaussian | Kernel) -> Callable[..., Figure] | None:
    """The figure of a class's density at a number; None where the column has but one number."""
    if isinstance(distribution, Gaussian):
        bells = bell_of(distribution)
        return None if bells is None else partial(density_figure, model, distribution, bells)
    widths = widths_of(distribution)
    return None if widths is None else partial(hill_figure, model, distribution, widths)


def _of_count(model: BayesTables, bagged: Bagged, j: int, piece: Piece) -> Factor:
    if piece.standing == "missing":
        return _missing(piece)
    assert isinstance(piece.value, float)
    classes = range(len(model.classes))
    if bagged.event == "bernoulli":
        absent = not piece.value > 0
        figures = tuple(thing_figure(model, bagged, j, c, absent=absent) for c in classes)
        return each_its_own(_title(piece), piece.name, figures, piece.logs)
    if not piece.value > 0:
        because = f"{written(piece.name)} is {plain(piece.value).value}: it adds nothing to any class."
        return Factor(_title(piece), piece.name, because=because)
    figures = tuple(thing_figure(model, bagged, j, c) for c in classes)
    inverted = bagged.event == "complement"
    return in_powers(_title(piece), piece.name, figures, piece.value, piece.logs, inverted=inverted)


def _title(piece: Piece) -> str:
    value = plain(piece.value).value if isinstance(piece.value, float) else written(str(piece.value))
    return f"{written(piece.name)} = {value}"


def _missing(piece: Piece) -> Factor:
    because = f"{written(piece.name)} is missing: it is skipped, and says nothing."
    return Factor(written(piece.name), piece.name, because=because)
