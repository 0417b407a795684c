"""Derived fields of PMML that are still one column: another name, another precision, a scaled number, or a
number for each value. A formula of several columns is none, and is refused where it is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ModelFileError
from clearwood.importing.features import ScalingStep
from clearwood.importing.given import GivenNames
from clearwood.importing.pmml.elements import Element, as_number
from clearwood.importing.pmml.fields import PmmlField, PmmlFields, derived_in, pmml_fields

_DEEPEST: Final = 50


def document_fields(
    root: Element, model: Element, given: GivenNames, scores: list[str], *, rescaled: bool = False
) -> PmmlFields:
    """The fields of the document's model, with those derived from them."""
    fields = pmml_fields(root, model, given, scores, rescaled=rescaled)
    return _with_derived(fields, derived_in(root, model))


def inner_fields(fields: PmmlFields, model: Element) -> PmmlFields:
    """The fields of a model within another, which sees those of the outer one as they were prepared."""
    schema = model.first("MiningSchema")
    for field in [] if schema is None else schema.all("MiningField"):
        if "missingValueReplacement" in field.attributes or field.get("outliers", "asIs") != "asIs":
            raise ModelFileError(
                f"{field.where}: a field that is prepared again for one model of several cannot be said here."
            )
    local = model.first("LocalTransformations")
    return _with_derived(fields, [] if local is None else local.all("DerivedField"))


def _with_derived(fields: PmmlFields, derived: list[Element]) -> PmmlFields:
    by_name = dict(fields.by_name)
    for each in derived:
        add_derived(each, by_name)
    return replace(fields, by_name=by_name)


def add_derived(derived: Element, by_name: dict[str, PmmlField]) -> None:
    """The field by its name, if it can be asked here."""
    found = _expression(derived, by_name)
    kind = derived.get("dataType")
    if found is None or kind == "integer":
        return
    if found.numbers is None and found.is_numeric != (derived.get("optype") == "continuous"):
        return
    if kind == "float":
        found = replace(found, is_single=True)
    by_name[derived.get("name")] = found


def _expression(parent: Element, by_name: dict[str, PmmlField], depth: int = 0) -> PmmlField | None:
    """The field that the one expression in an element comes to; None where it is not of one column."""
    inside = [each for each in parent.children if each.name != "Extension"]
    if len(inside) != 1 or depth > _DEEPEST:
        return None
    element = inside[0]
    match element.name:
        case "FieldRef":
            return None if "mapMissingTo" in element.attributes else by_name.get(element.get("field"))
        case "MapValues":
            return _mapped(element, by_name)
        case "Apply":
            return _scaled(element, by_name, depth)
    return None


def _scaled(element: Element, by_name: dict[str, PmmlField], depth: int) -> PmmlField | None:
    """x + c, x − c, x · c and x ÷ c, which rise."""
    parts = [each for each in element.children if each.name != "Extension"]
    if len(parts) != 2 or element.attributes.keys() & {"mapMissingTo", "defaultValue"}:
        return None
    constants = [each for each in parts if each.name == "Constant"]
    function = element.get("function")
    if len(constants) != 1 or (parts[0] is constants[0] and function in ("-", "/")):
        return None
    number = as_number(constants[0].text.strip(), f"{constants[0].where}: the constant")
    inner = _expression(
        Element("", {}, element.line, [each for each in parts if each is not constants[0]]),
        by_name,
        depth + 1,
    )
    if inner is None or not inner.is_numeric or inner.is_single or inner.numbers is not None:
        return None
    steps: dict[str, tuple[Callable[[Floats], Floats], float, float]] = {
        "+": (lambda x: x + number, 1.0, number),
        "-": (lambda x: x - number, 1.0, -number),
        "*": (lambda x: x * number, number, 0.0),
        "/": (lambda x: x / number, 1.0 / number if number else 0.0, 0.0),
    }
    if function not in steps or (function in ("*", "/") and not number > 0):
        return None
    step, slope, offset = steps[function]
    return replace(
        inner,
        steps=(*inner.steps, step),
        slope=inner.slope * slope,
        offset=inner.offset * slope + offset,
    )


def _mapped(element: Element, by_name: dict[str, PmmlField]) -> PmmlField | None:
    """A number for each value of a column."""
    pairs, table = element.all("FieldColumnPair"), element.first("InlineTable")
    source = by_name.get(pairs[0].get("field")) if len(pairs) == 1 else None
    if source is None or source.is_numeric or source.numbers is not None or table is None:
        return None
    if element.attributes.keys() & {"mapMissingTo", "defaultValue"}:
        return None
    columns = [each.rpartition(":")[2] for each in (pairs[0].get("column"), element.get("outputColumn"))]
    numbers: dict[str, float] = {}
    for row in table.all("row"):
        cells = {each.name: each.text for each in row.children}
        if not set(columns) <= cells.keys():
            raise ModelFileError(f"{row.where}: a row needs the columns {' and '.join(columns)}.")
        numbers[cells[columns[0]]] = as_number(cells[columns[1]], f"{row.where}: {columns[1]}")
    if not set(source.values) <= numbers.keys():
        return None
    return replace(source, numbers=tuple(numbers[value] for value in source.values))


def scaled_number(steps: tuple[ScalingStep, ...], numbers: Floats) -> Floats:
    """[·] the numbers of a column after these steps."""
    with np.errstate(over="ignore", invalid="ignore"):
        for step in steps:
            numbers = step(numbers)
    return numbers
