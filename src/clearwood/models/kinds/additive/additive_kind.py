"""What an additive model answers about itself."""

from itertools import pairwise
from typing import Final

from clearwood.models.kinds.additive.additive_file import AdditiveForm, additive_from_form, additive_to_form
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    cells_of_shape,
    curves_about,
    curves_in_words,
)
from clearwood.models.kinds.additive.additive_program import account_of_additive, program_of_additive
from clearwood.models.kinds.additive.additive_space import AdditiveSpace
from clearwood.models.kinds.kind import Kind, no_members, no_quantile
from clearwood.table.attributes import Numeric


def _reading_size(model: AdditiveModel) -> int:
    curves = sum(_steps(model, shape) for shape in model.shapes)
    return curves + sum(_steps_of_pair(model, pair) for pair in model.pairs)


def _steps(model: AdditiveModel, shape: Shape) -> int:
    """Neighbouring intervals of equal points are one step; missing cells are one where they have points."""
    return sum(_runs(model, shape.name, [(each,) for each in row]) for row in shape.points)


def _steps_of_pair(model: AdditiveModel, pair: PairShape) -> int:
    """Rows by columns of the table, neighbouring equal ones taken as one."""
    first, second = pair.names
    across = cells_of_shape(model.schema, second, pair.cuts[1])
    cells = 0
    for points in pair.points:
        table = [points[start : start + across] for start in range(0, len(points), across)]
        down = _runs(model, first, table)
        cells += down * _runs(model, second, list(zip(*table, strict=True)))
    return cells


def _runs(model: AdditiveModel, name: str, lines: list[tuple[float, ...]]) -> int:
    """How many different neighbours there are among a column's cells, the last two of which are missing and
    unseen."""
    known, missing = lines[:-2], lines[-2]
    told = any(missing)
    if not isinstance(model.schema[name], Numeric):
        return len(known) + told
    return 1 + sum(one != other for one, other in pairwise(known)) + told


ADDITIVE: Final = Kind(
    model=AdditiveModel,
    called="an additive model",
    phrase="an additive model",
    title="An additive model",
    counts="Curves and their spread are",
    unit="curves and pairs",
    size=lambda model: len(model.shapes) + len(model.pairs),
    size_in_words=curves_in_words,
    reading_size=_reading_size,
    no_rules="An additive model is a sum of curves; it cannot be read as rules.",
    members=no_members,
    quantile=no_quantile,
    about=curves_about,
    program=program_of_additive,
    space=AdditiveSpace,
    account=account_of_additive,
    body=AdditiveForm,
    write=additive_to_form,
    read=additive_from_form,
    lines=("curves", "pairs"),
)
