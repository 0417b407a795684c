"""Predicates of PMML: what holds of a row, as cells of one column or as a formula over several."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from clearwood.errors import ModelFileError
from clearwood.importing.pmml.cells import (
    NO_CELLS,
    CellSet,
    SomeCells,
    ThreeValued,
    intersection,
    limits,
    union,
    without,
)
from clearwood.importing.pmml.elements import Element, as_number
from clearwood.importing.pmml.fields import FieldLabel, FieldLabels, PmmlField, spelled_as, values_in

_DEEPEST: Final = 100
PREDICATES: Final = ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")


@dataclass(frozen=True, slots=True)
class Always:
    """True of every row, or of none."""

    holds: bool


@dataclass(frozen=True, slots=True)
class AskedColumn:
    """About one column; `knows_unseen`: a value that is in no list is asked too, and not refused before."""

    column: str
    cells: CellSet
    knows_unseen: bool = False


@dataclass(frozen=True, slots=True)
class Together:
    """All of them, or one of them."""

    parts: tuple[Predicate, ...]
    all_of: bool


@dataclass(frozen=True, slots=True)
class FirstKnown:
    """The first of them that is not unknown."""

    parts: tuple[Predicate, ...]


Predicate: TypeAlias = Always | AskedColumn | Together | FirstKnown


def predicate_of(element: Element, fields: Mapping[str, PmmlField]) -> Predicate:
    """The predicate of a node or a rule."""
    found = [child for child in element.children if child.name in PREDICATES]
    if len(found) != 1:
        raise ModelFileError(f"{element.where}: there must be one predicate, not {len(found)}.")
    return _read(found[0], fields)


def _read(element: Element, fields: Mapping[str, PmmlField], depth: int = 0) -> Predicate:
    match element.name:
        case "True":
            return Always(True)
        case "False":
            return Always(False)
        case "SimplePredicate":
            field = _field(element, fields)
            return _asked(field, _simple(element, field))
        case "SimpleSetPredicate":
            field = _field(element, fields)
            return _asked(field, _set(element, field))
        case "CompoundPredicate":
            if depth > _DEEPEST:
                raise ModelFileError(f"{element.where}: predicates are nested deeper than {_DEEPEST}.")
            inside = [child for child in element.children if child.name in PREDICATES]
            parts = tuple(_read(child, fields, depth + 1) for child in inside)
            return _compound(element, parts)
        case _:
            raise ModelFileError(f"{element.where}: not a predicate.")


def _asked(field: PmmlField, cells: CellSet) -> AskedColumn:
    knows_unseen = not field.is_numeric and field.invalid != "returnInvalid"
    return AskedColumn(field.column, _prepared(field, cells), knows_unseen)


def _field(element: Element, fields: Mapping[str, PmmlField]) -> PmmlField:
    name = element.get("field")
    if name not in fields:
        raise ModelFileError(
            f"{element.where}: the field '{name}' is no column of the mining schema, nor another name of "
            "one; a formula of columns cannot be asked here."
        )
    return fields[name]


def _compound(element: Element, parts: tuple[Predicate, ...]) -> Predicate:
    operator = element.get("booleanOperator")
    if not parts:
        raise ModelFileError(f"{element.where}: there are no predicates in it.")
    if operator == "surrogate":
        return parts[0] if len(parts) == 1 else FirstKnown(parts)
    if operator not in ("and", "or"):
        raise ModelFileError(
            f"{element.where}: booleanOperator '{operator}' cannot be said by conditions here."
        )
    return _together(parts, operator == "and")


def _together(parts: tuple[Predicate, ...], all_of: bool) -> Predicate:
    """All or one of them, as short as it can be said: those about one column are one question."""
    asked: dict[str, AskedColumn] = {}
    rest: list[Predicate] = []
    for part in parts:
        match part:
            case Always(holds):
                if holds is not all_of:
                    return part
            case AskedColumn(column, cells):
                known = asked.get(column)
                combine = intersection if all_of else union
                asked[column] = part if known is None else replace(known, cells=combine(known.cells, cells))
            case Together() | FirstKnown():
                rest.append(part)
            case _:
                assert_never(part)
    made = (*asked.values(), *rest)
    if not made:
        return Always(all_of)
    return made[0] if len(made) == 1 else Together(made, all_of)


def _simple(element: Element, field: PmmlField) -> CellSet:
    if field.labels is not None:
        return _labelled(element, field, field.labels)
    operator = element.get("operator")
    if operator in ("isMissing", "isNotMissing"):
        missing = operator == "isMissing"
        return _everything(field, holds=not missing, missing=missing)
    if "value" not in element.attributes:
        raise ModelFileError(f"{element.where}: there is no value.")
    text = element.get("value")
    if not field.is_numeric:
        return _of_values(element, field, operator, text)
    value = as_number(text, f"{element.where}: value", infinite=True)
    upto, before = limits(value, field.steps, is_single=field.is_single)
    intervals = {
        "lessOrEqual": [(-math.inf, upto)],
        "lessThan": [(-math.inf, before)],
        "greaterThan": [(upto, math.inf)],
        "greaterOrEqual": [(before, math.inf)],
        "equal": [(before, upto)],
        "notEqual": [(-math.inf, before), (upto, math.inf)],
    }
    if operator not in intervals:
        raise ModelFileError(f"{element.where}: the operator '{operator}' is not known.")
    return CellSet(tuple((low, high) for low, high in intervals[operator] if low < high))


def _of_labels(labels: FieldLabels, inside: CellSet, values: tuple[str, ...]) -> CellSet:
    """The cells whose labels lie inside."""

    def holds(label: FieldLabel | None) -> ThreeValued:
        if label is None:
            return None
        if isinstance(label, str):
            return values.index(label) in inside.codes
        return any(low < label <= high for low, high in inside.intervals)

    chosen = NO_CELLS
    for cells, label in labels.by_cells:
        if holds(label):
            chosen = chosen.also(cells)
    return CellSet(chosen.intervals, chosen.codes, holds(labels.missing), holds(labels.unseen))


def _labelled(element: Element, field: PmmlField, labels: FieldLabels) -> CellSet:
    """What a predicate says of a field of labels."""
    if element.get("operator") in ("isMissing", "isNotMissing"):
        is_missing = element.get("operator") == "isMissing"
        chosen = NO_CELLS
        for cells, _ in () if is_missing else labels.by_cells:
            chosen = chosen.also(cells)
        missing, unseen = ((each is None) is is_missing for each in (labels.missing, labels.unseen))
        return CellSet(chosen.intervals, chosen.codes, missing, unseen)
    values = labels.texts
    asked = replace(field, is_numeric=not values, is_ordered=False, values=values, steps=(), labels=None)
    read = _set if element.name == "SimpleSetPredicate" else _simple
    return _of_labels(labels, read(element, asked), values)


def _of_values(element: Element, field: PmmlField, operator: str, text: str) -> CellSet:
    value = spelled_as(field, text)
    codes = range(len(field.values))
    at = field.values.index(value) if value in field.values else None
    if operator in ("equal", "notEqual"):
        is_equal = operator == "equal"
        chosen = frozenset(each for each in codes if (each == at) is is_equal)
        return CellSet(codes=chosen, unseen=not is_equal)
    if not field.is_ordered or at is None:
        raise ModelFileError(
            f"{element.where}: '{operator}' needs a number, or one of the values of an order."
        )
    sides = {
        "lessThan": codes[:at],
        "lessOrEqual": codes[: at + 1],
        "greaterThan": codes[at + 1 :],
        "greaterOrEqual": codes[at:],
    }
    if operator not in sides:
        raise ModelFileError(f"{element.where}: the operator '{operator}' is not known.")
    return CellSet(codes=frozenset(sides[operator]), unseen=False)


def _set(element: Element, field: PmmlField) -> CellSet:
    operator = element.get("booleanOperator")
    if operator not in ("isIn", "isNotIn"):
        raise ModelFileError(f"{element.where}: booleanOperator '{operator}' is not known.")
    named = values_in(element)
    if field.labels is not None:
        return _labelled(element, field, field.labels)
    if field.is_numeric:
        inside = CellSet()
        for text in named:
            value = as_number(text, f"{element.where}: a value")
            upto, before = limits(value, field.steps, is_single=field.is_single)
            inside = union(inside, CellSet(((before, upto),)))
        if operator == "isIn":
            return inside
        return CellSet(without(((-math.inf, math.inf),), inside.intervals))
    values = {spelled_as(field, text) for text in named}
    is_in = operator == "isIn"
    codes = frozenset(code for code, value in enumerate(field.values) if (value in values) is is_in)
    return CellSet(codes=codes, unseen=not is_in)


def _everything(field: PmmlField, *, holds: bool, missing: bool) -> CellSet:
    intervals = ((-math.inf, math.inf),) if field.is_numeric and holds else ()
    codes = frozenset(range(len(field.values))) if holds else frozenset()
    return CellSet(intervals, codes, missing, holds)


def _prepared(field: PmmlField, cells: CellSet) -> CellSet:
    """The cells as they are before the document prepares them: an empty one may be replaced, some may count
    as empty or as another number, and a value that is in no list as an empty one or another value."""
    missing: ThreeValued = cells.missing
    if field.missing_as is not None:
        missing = _holds(field, cells, field.missing_as)
    match field.invalid:
        case "asIs":
            unseen = cells.unseen
        case "asValue" if not field.is_numeric:
            unseen = _holds(field, cells, field.invalid_as)
        case _:
            unseen = missing
    usual: SomeCells = cells
    for moved, number in field.moved:
        away = SomeCells(moved)
        usual = usual.but_not(away)
        if any(low < number <= high for low, high in cells.intervals):
            usual = usual.also(away)
    usual = usual.but_not(field.empty)
    empty = field.empty
    if field.missing_as is not None:  # such a cell is never unknown
        usual, empty = (usual.also(empty) if missing else usual), NO_CELLS
    return CellSet(usual.intervals, usual.codes, missing, unseen, empty)


def _holds(field: PmmlField, cells: CellSet, text: str) -> bool:
    if field.is_numeric:
        value = as_number(text, f"missingValueReplacement of '{field.column}'")
        return any(low < value <= high for low, high in cells.intervals)
    value_ = spelled_as(field, text)
    return field.values.index(value_) in cells.codes if value_ in field.values else bool(cells.unseen)
