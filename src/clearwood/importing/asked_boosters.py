"""What LightGBM and XGBoost are asked and answer: rows as a booster takes them, and shares of every class.

A table with names, as the booster was fitted to, is asked as such a table: then the origin itself finds the
code of each value, and an order of values that is not its own is seen.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.importing.asked_origin import OriginRefusesError, OwnAnswers, RowCells, called
from clearwood.importing.given import spelled_value
from clearwood.models.model import Model
from clearwood.table.attributes import Nominal, Ordinal


def places_of_values(model: Model) -> list[int]:
    """The places of the columns that have values."""
    return [
        place for place, each in enumerate(model.schema.attributes) if isinstance(each, Nominal | Ordinal)
    ]


def _spelled(originals: Sequence[Any]) -> tuple[str, ...]:
    return tuple(map(spelled_value, originals))


def values_on_trust(model: Model, own: Mapping[int, Sequence[Any]]) -> str:
    """Whose values are known by their order alone: the origin does not name them, or otherwise."""
    names = []
    for place in places_of_values(model):
        attribute = model.schema.attributes[place]
        assert isinstance(attribute, Nominal | Ordinal)
        codes = tuple(map(str, range(len(attribute.values))))
        known = _spelled(own.get(place, ()))
        if attribute.values != codes and set(known) != set(attribute.values):
            names.append(f"'{attribute.name}'")
    if not names:
        return ""
    return f"The order of the values of {', '.join(names)} is taken on trust: the origin sees codes."


def booster_frame(
    rows: list[RowCells], model: Model, names: Sequence[str], own: Mapping[int, Sequence[Any]]
) -> Any:
    """The rows as a table with names, its values by name where the origin has the same, else by place."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for place, (name, attribute) in enumerate(zip(names, model.schema.attributes, strict=True)):
        cells = [row.get(attribute.name) for row in rows]
        if not isinstance(attribute, Nominal | Ordinal):
            columns[name] = np.array([np.nan if each is None else each for each in cells], dtype=np.float64)
            continue
        originals = [_whole(each) for each in own.get(place) or attribute.values]
        spelled = _spelled(originals)
        by_name = spelled if set(spelled) == set(attribute.values) else attribute.values
        known = dict(zip(by_name, originals, strict=False))
        unseen = [each for each in cells if each is not None and str(each) not in known]
        if unseen:
            originals.append(_never_met(originals, str(unseen[0])))
        values = [None if each is None else known.get(str(each), originals[-1]) for each in cells]
        columns[name] = pd.Categorical(values, categories=originals)
    return pd.DataFrame(columns)


def _whole(value: Any) -> Any:
    """A whole number as an int: files have it as a float, which no table has as a value."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _never_met(originals: Sequence[Any], value: str) -> Any:
    """A value that is none of these, and of their kind."""
    if all(isinstance(each, str) for each in originals):
        return value
    if all(isinstance(each, int | float) for each in originals):
        return max(originals) + 1
    raise OriginRefusesError(f"There is no code for '{value}'.")


def booster_rows(rows: list[RowCells], model: Model) -> Floats:
    """[row, column] numbers, and codes of values: a value never met has a code beyond them."""
    table = np.full((len(rows), len(model.schema.attributes)), np.nan)
    for place, attribute in enumerate(model.schema.attributes):
        for number, row in enumerate(rows):
            value = row.get(attribute.name)
            if value is None:
                continue
            if isinstance(attribute, Nominal | Ordinal):
                known = model.schema.codes(attribute.name)
                table[number, place] = known.get(str(value), len(known))
            else:
                table[number, place] = value
    return table


def answers_of_wrapper(wrapper: Any, table: Any, model: Model) -> OwnAnswers:
    """The wrapper's own answers, by its own settings."""
    if model.is_numeric or not hasattr(wrapper, "predict_proba"):
        return OwnAnswers(both_classes(called(wrapper.predict, table), model))
    figures = np.asarray(called(wrapper.predict_proba, table), dtype=np.float64)
    places = {each: place for place, each in enumerate(wrapper.classes_.tolist())}
    answers = np.asarray(called(wrapper.predict, table)).tolist()
    return OwnAnswers(figures, [places[each] for each in answers])


def both_classes(figures: Any, model: Model) -> Floats:
    """[row, ·] shares of every class; of two classes only the second is answered."""
    numbers = np.asarray(figures, dtype=np.float64)
    if model.is_numeric:
        return numbers[:, None]
    return np.stack([1.0 - numbers, numbers], axis=1) if numbers.ndim == 1 else numbers
