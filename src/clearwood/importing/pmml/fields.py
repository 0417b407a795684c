"""The fields of a PMML document: columns of the table, what they are, and how their cells are prepared."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from clearwood.errors import ModelFileError
from clearwood.importing.features import ScalingStep
from clearwood.importing.given import GivenNames, spelled_value
from clearwood.importing.pmml.cells import (
    NO_CELLS,
    HalfOpen,
    SomeCells,
    intersection_of,
    joined_intervals,
    limits,
    margins,
    without,
)
from clearwood.importing.pmml.elements import Element, as_number
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema

FieldLabel: TypeAlias = str | float
Invalid: TypeAlias = Literal["returnInvalid", "asIs", "asMissing", "asValue"]
_NUMBERS: Final = ("integer", "float", "double")
_FIRST: Final = ("active", "", "predictor")


@dataclass(frozen=True, slots=True)
class FieldLabels:
    """What stands for the cells of a column: numbers, or texts; `missing` and `unseen` are None where nothing
    stands for an empty cell, or for a value in no list."""

    by_cells: tuple[tuple[SomeCells, FieldLabel], ...]
    missing: FieldLabel | None = None
    unseen: FieldLabel | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts among them, each once."""
        labels = [*(label for _, label in self.by_cells), self.missing, self.unseen]
        return tuple(dict.fromkeys(each for each in labels if isinstance(each, str)))


@dataclass(frozen=True, slots=True)
class PmmlField:
    """A column that predicates ask, or one derived from it: by another name, another kind of number, after
    `steps` (which together are slope · x + offset), or with labels for its cells.

    `missing_as` and `invalid_as` replace an empty cell and a value in no list; the cells of `empty` count as
    empty, and those `moved` as another number.
    """

    column: str
    is_numeric: bool
    is_ordered: bool
    is_single: bool  # its cells are rounded to single precision
    values: tuple[str, ...]
    missing_as: str | None = None
    invalid: Invalid = "returnInvalid"
    steps: tuple[ScalingStep, ...] = ()
    slope: float = 1.0
    offset: float = 0.0
    invalid_as: str = ""
    empty: SomeCells = NO_CELLS
    moved: tuple[MovedCells, ...] = ()
    labels: FieldLabels | None = None

    @property
    def is_prepared(self) -> bool:
        """Do some of its cells count as others?"""
        return bool(self.empty or self.moved) or (self.invalid == "asValue" and not self.is_numeric)


@dataclass(frozen=True, slots=True)
class PmmlFields:
    """The fields by the names that predicates have for them, the schema of the model, and the place of each
    class by its name in the document."""

    by_name: Mapping[str, PmmlField]
    schema: Schema
    places: Mapping[str, int]


def pmml_fields(
    root: Element, model: Element, given: GivenNames, scores: list[str], *, rescaled: bool = False
) -> PmmlFields:
    """What the dictionaries of a document and the mining schema of a model say, without its derived fields;
    `rescaled`: the model itself says what becomes of its target."""
    data = {each.get("name"): each for each in _in(root, "DataDictionary", "DataField")}
    mining = _in(model, "MiningSchema", "MiningField")
    targets = [each for each in mining if each.get("usageType") in ("target", "predicted")]
    active = [each for each in mining if each.get("usageType") in _FIRST]
    if given.columns is not None:
        given.column_names(None, len(active))
    by_name: dict[str, PmmlField] = {}
    asked = _constants(model)
    for place, field in enumerate(active):
        name = field.get("name")
        if name not in data:
            raise ModelFileError(f"{field.where}: there is no DataField '{name}'.")
        called = given.columns[place] if given.columns is not None else name
        by_name[name] = _field(called, data[name], field, asked.get(name, []))
    attributes: list[Attribute] = []
    for field in active:
        known = by_name[field.get("name")]
        if known.is_numeric:
            attributes.append(Numeric(known.column))
        else:
            attributes.append((Ordinal if known.is_ordered else Nominal)(known.column, known.values))
    if not rescaled:
        check_targets(model)
    target, classes = _target(model, targets, data, given, scores)
    return PmmlFields(
        by_name, Schema(tuple(attributes), target), {name: at for at, name in enumerate(classes)}
    )


def _in(parent: Element, home: str, name: str) -> list[Element]:
    inside = parent.first(home)
    return [] if inside is None else inside.all(name)


def _field(called: str, data: Element, mining: Element, asked: list[str]) -> PmmlField:
    kind, is_number = data.get("optype") or mining.get("optype"), data.get("dataType") in _NUMBERS
    if kind not in ("categorical", "ordinal", "continuous"):
        raise ModelFileError(f"{data.where}: the optype '{kind}' is not known.")
    if kind == "continuous" and not is_number:
        raise ModelFileError(f"{data.where}: '{called}' is continuous, but a {data.get('dataType')}.")
    values: tuple[str, ...] = ()
    empty = NO_CELLS
    moved: tuple[MovedCells, ...] = ()
    treatment: Any = mining.get("invalidValueTreatment", "returnInvalid")
    if treatment not in get_args(Invalid) or (
        treatment == "asValue" and "invalidValueReplacement" not in mining.attributes
    ):
        raise ModelFileError(f"{mining.where}: invalidValueTreatment '{treatment}' cannot be said here.")
    if kind == "continuous":
        empty, moved = prepared_numbers(data, mining)
    else:
        by_property: dict[str, list[str]] = {}
        for each in data.all("Value"):
            by_property.setdefault(each.get("property", "valid"), []).append(each.get("value"))
        known = tuple(dict.fromkeys(_spelled(each, data) for each in (by_property.get("valid", []) or asked)))
        void = by_property.get("missing", [])
        values = tuple(dict.fromkeys((*known, *(_spelled(each, data) for each in void))))
        empty = SomeCells(codes=frozenset(values.index(_spelled(each, data)) for each in void))
    replaced = mining.attributes.get("missingValueReplacement")
    return PmmlField(
        called,
        kind == "continuous",
        kind == "ordinal",
        data.get("dataType") == "float",
        values,
        replaced if replaced is None or kind == "continuous" else _spelled(replaced, data),
        treatment,
        invalid_as=mining.get("invalidValueReplacement"),
        empty=empty,
        moved=moved,
    )


def _spelled(value: str, data: Element) -> str:
    """A value as Clearwood writes it."""
    if data.get("dataType") in _NUMBERS:
        return spelled_value(as_number(value, f"{data.where}: a value"))
    return value


def spelled_as(field: PmmlField, value: str) -> str:
    """A constant of a predicate as the value of the field that it says, in whatever spelling of its
    number."""
    if value in field.values:
        return value
    try:
        return spelled_value(float(value))
    except ValueError:
        return value


def _constants(model: Element) -> dict[str, list[str]]:
    """The values that predicates name, by field."""
    named: dict[str, list[str]] = {}
    for element in model.below():
        if element.name == "SimplePredicate" and "value" in element.attributes:
            named.setdefault(element.get("field"), []).append(element.get("value"))
        elif element.name == "SimpleSetPredicate":
            named.setdefault(element.get("field"), []).extend(values_in(element))
    return named


def values_in(element: Element) -> list[str]:
    """The strings of an Array: parted by blanks, or in quotes."""
    array = element.first("Array")
    if array is None:
        raise ModelFileError(f"{element.where}: there is no Array.")
    values, word, quoted, open_word = [], "", False, False
    characters = iter(array.text)
    for character in characters:
        if character == "\\" and quoted:
            word += next(characters, "")
        elif character == '"':
            quoted, open_word = not quoted, True
        elif character.isspace() and not quoted:
            if open_word:
                values.append(word)
            word, open_word = "", False
        else:
            word, open_word = word + character, True
    return [*values, word] if open_word else values


def derived_in(root: Element, model: Element) -> list[Element]:
    """The derived fields of a document and of a model, in order."""
    return [
        *_in(root, "TransformationDictionary", "DerivedField"),
        *_in(model, "LocalTransformations", "DerivedField"),
    ]


def check_targets(model: Element, *, may_rescale: bool = False) -> None:
    """Refuse a target that is changed after the model has answered."""
    changed = {"min", "max", "castInteger"} | (set() if may_rescale else {"rescaleConstant", "rescaleFactor"})
    targets = model.first("Targets")
    if targets is not None and any(each.attributes.keys() & changed for each in targets.all("Target")):
        raise ModelFileError(f"{targets.where}: a target that is rescaled cannot be said here.")


def check_default_answers(model: Element) -> None:
    """Refuse what a target answers where its model, or one within it, has no prediction."""
    for element in model.below():
        if element.name == "TargetValue" and element.attributes.keys() & {"priorProbability", "defaultValue"}:
            raise ModelFileError(
                f"{element.where}: a priorProbability or defaultValue is for rows without a "
                "prediction, which cannot be expressed here. Take it out, if every row has a prediction."
            )


def _target(
    model: Element, targets: list[Element], data: Mapping[str, Element], given: GivenNames, scores: list[str]
) -> tuple[Nominal | Numeric, list[str]]:
    own = targets[0].get("name") if targets else None
    name = given.target_name(own)
    if model.get("functionName") == "regression":
        return Numeric(name), []
    if model.get("functionName") != "classification":
        raise ModelFileError(f"{model.where}: the function '{model.get('functionName')}' is not read here.")
    field = data.get(own or "")
    listed = [] if field is None else [each.get("value") for each in field.all("Value")]
    classes = list(dict.fromkeys([*listed, *scores]))
    if not classes:
        raise ModelFileError(f"{model.where}: no classes are named.")
    return Nominal(name, given.class_names(classes, len(classes))), classes


# What a document does to the cells of a column before its model sees them: some count as empty, others as
# another number.


MovedCells: TypeAlias = tuple[tuple[HalfOpen, ...], float]  # numbers, and the number that they count as
_ALL: Final[tuple[HalfOpen, ...]] = ((-math.inf, math.inf),)
_SAME_AS_EMPTY: Final = ("", "nan")  # of a number: no other cell is spelled so
_CLOSURES: Final = {"open", "closed"}


def prepared_numbers(data: Element, mining: Element) -> tuple[SomeCells, tuple[MovedCells, ...]]:
    """What the DataField and the MiningField of a continuous column say of its numbers: those that count as
    an empty cell, and those that count as others."""
    is_single = data.get("dataType") == "float"
    valid = [_interval(each, is_single=is_single) for each in data.all("Interval")]
    points: dict[str, list[HalfOpen]] = {"valid": [], "invalid": [], "missing": []}
    for each in data.all("Value"):
        kind, text = each.get("property", "valid"), each.get("value")
        if kind == "missing" and text.strip().lower() in _SAME_AS_EMPTY:
            continue
        if kind not in points:
            raise ModelFileError(f"{each.where}: the property '{kind}' is not known.")
        upto, before = limits(as_number(text, f"{each.where}: value"), (), is_single=is_single)
        points[kind].append((before, upto))
    empty = joined_intervals(tuple(points["missing"]))
    known = joined_intervals((*valid, *points["valid"])) or _ALL
    usual = without(without(known, tuple(points["invalid"])), empty)
    invalid = without(without(_ALL, usual), empty)
    moved: list[MovedCells] = []
    treatment: Any = mining.get("invalidValueTreatment", "returnInvalid")
    if treatment == "asMissing":
        empty = joined_intervals((*empty, *invalid))
    elif treatment == "asValue" and invalid:
        replaced = as_number(mining.get("invalidValueReplacement"), f"{mining.where}: the replacement")
        moved.append((invalid, replaced))
    outliers = mining.get("outliers", "asIs")
    if outliers == "asIs":
        return SomeCells(empty), tuple(moved)
    low, high = mining.number("lowValue"), mining.number("highValue")
    if outliers not in ("asMissingValues", "asExtremeValues") or low is None or high is None:
        raise ModelFileError(f"{mining.where}: outliers '{outliers}' cannot be said here.")
    below = intersection_of(usual, ((-math.inf, margins(low, is_single=is_single)[1]),))
    above = intersection_of(usual, ((margins(high, is_single=is_single)[0], math.inf),))
    if outliers == "asMissingValues":
        return SomeCells(joined_intervals((*empty, *below, *above))), tuple(moved)
    moved += [(cells, number) for cells, number in ((below, low), (above, high)) if cells]
    return SomeCells(empty), tuple(moved)


def _interval(element: Element, *, is_single: bool) -> HalfOpen:
    """The numbers of a column that lie in an Interval."""
    closure = element.get("closure")
    left, right = next(
        ((a, b) for a in _CLOSURES for b in _CLOSURES if closure == a + b.capitalize()), ("", "")
    )
    if not left:
        raise ModelFileError(f"{element.where}: the closure '{closure}' is not known.")
    low, high = -math.inf, math.inf
    if (margin := element.number("leftMargin")) is not None:
        upto, before = margins(margin, is_single=is_single)
        low = before if left == "closed" else upto
    if (margin := element.number("rightMargin")) is not None:
        upto, before = margins(margin, is_single=is_single)
        high = upto if right == "closed" else before
    return (low, max(low, high))
