"""The reference that a row is compared with: without one, a weight's evidence depends on arbitrary zeros."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ColumnError, SettingError, no_such
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.linear.linear_program import values_with_a_place
from clearwood.models.profile import NumbersProfile
from clearwood.predicting.columns import table_for, table_of_row
from clearwood.predicting.of_linear import linear_contributions
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Numeric, Ordinal

Reference: TypeAlias = Literal["average", "zero", "best"] | Mapping[str, Any] | None

AVERAGE: Final = "average row"
MEAN: Final = "mean of the training rows"  # of an ensemble's score
_ZERO: Final = "intercept"
_GIVEN: Final = "given row"
_BEST: Final = "row most in favour of "
_WAYS: Final = "'average', 'zero', 'best' or a row: {'COLUMN': VALUE, …}"


@dataclass(frozen=True, slots=True, eq=False)
class Referred:
    """A reference by name, and [column, contrast] what it adds."""

    name: str
    added: Floats


def reference_for(model: LinearModel, against: Reference, shares: Sequence[float]) -> Referred:
    """The reference that is asked for; None is the average row of a model that keeps averages, else zeros.

    `shares` [class] say which two classes the best row is between: it speaks for the second against the
    first.
    """
    columns, zeros = model.columns(), np.zeros((len(model.columns()), len(model.contrasts)))
    if against is None:
        against = "average" if _has_averages(model) else "zero"
    if isinstance(against, Mapping):
        return Referred(_GIVEN, _of_row(model, against))
    match against:
        case "average":
            if not _has_averages(model):
                raise SettingError(
                    "This model keeps no averages of its columns, as one made by hand. "
                    "Learn it again, or compare with a row or with against='zero'."
                )
            return Referred(
                AVERAGE, np.array([model.averages[name] for name in columns]).reshape(zeros.shape)
            )
        case "zero":
            return Referred(_ZERO, zeros)
        case "best":
            return _best(model, shares)
        case _:
            raise SettingError(f"against must be {_WAYS}; not {against!r}.")


def compared_with(name: str) -> str:
    """A reference in a sentence; "" where cells are compared with none.

    >>> compared_with("average row"), compared_with("prior")
    ('the average row', '')
    """
    return f"the {name}" if name in (AVERAGE, MEAN, _GIVEN) or name.startswith(_BEST) else ""


def _has_averages(model: LinearModel) -> bool:
    return all(name in model.averages for name in model.columns())


def _of_row(model: LinearModel, row: Mapping[str, Any]) -> Floats:
    columns = model.columns()
    for name in row:
        if name not in model.schema.positions and name != getattr(model.schema.target, "name", None):
            raise ColumnError(f"against: {no_such('column', str(name), columns)}")
    table = table_of_row(model, row)
    added: Floats = linear_contributions(model, table)[0]
    return added


def _best(model: LinearModel, shares: Sequence[float]) -> Referred:
    """The cells that speak most for the runner-up against the answer; a number's is an end of its range."""
    classes = model.schema.classes
    answer, rival = sorted(range(len(classes)), key=lambda c: -shares[c])[:2]
    row = {name: _best_cell(model, name, classes[answer], classes[rival]) for name in model.columns()}
    return Referred(f"{_BEST}{classes[rival]}", _of_row(model, row))


def _best_cell(model: LinearModel, name: str, answer: str, rival: str) -> str | float:
    attribute = model.schema[name]
    cells: Sequence[str | float]
    if isinstance(attribute, Numeric):
        known = model.profile.columns.get(name) if model.profile else None
        if not isinstance(known, NumbersProfile) or not known.quantiles:
            raise SettingError(
                f"The best row needs the range of '{name}', and the model has no profile of its training "
                "rows. clearwood fit --save keeps one; in Python give it one with with_profile(model, "
                "table). Or compare with a row of your own."
            )
        cells = (known.quantiles[0], known.quantiles[-1])
    else:
        assert isinstance(attribute, Nominal | Ordinal)
        cells = values_with_a_place(model, attribute)
    rows = table_for(
        model, [{each: cell if each == name else None for each in model.columns()} for cell in cells]
    )
    added = linear_contributions(model, rows)[:, model.columns().index(name)]
    places = {contrast: c for c, contrast in enumerate(model.contrasts)}
    zero = np.zeros(len(cells))
    for_rival = added[:, places[rival]] if rival in places else zero
    for_answer = added[:, places[answer]] if answer in places else zero
    return cells[int(np.argmax(for_rival - for_answer))]
