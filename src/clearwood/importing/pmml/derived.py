"""Derived fields of PMML that are still one column: another name, another precision, a scaled number, or what
stands for its cells. A formula of several columns is none, and is refused where it is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from clearwood.arrays import Floats
from clearwood.errors import ModelFileError
from clearwood.importing.given import GivenNames
from clearwood.importing.pmml.elements import Element, as_number
from clearwood.importing.pmml.fields import PmmlField, PmmlFields, derived_in, pmml_fields
from clearwood.importing.pmml.one_column import of_one_column

_DEEPEST: Final = 50
_KINDS: Final = ("string", "boolean", "integer", "float", "double")
_STEPS: Final = ("+", "-", "*", "/")


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
    kind, is_number = derived.get("dataType"), derived.get("optype") == "continuous"
    found = _expression(derived, by_name, is_number=is_number)
    if found is None or kind not in _KINDS:
        return
    if found.labels is None and (found.is_numeric != is_number or kind == "integer"):
        return
    if kind == "float":
        found = replace(found, is_single=True)
    by_name[derived.get("name")] = found


def _expression(
    parent: Element, by_name: dict[str, PmmlField], depth: int = 0, *, is_number: bool
) -> PmmlField | None:
    """The field that the one expression in an element comes to; None where it is not of one column."""
    inside = [each for each in parent.children if each.name != "Extension"]
    if len(inside) != 1 or depth > _DEEPEST:
        return None
    element = inside[0]
    field = by_name.get(element.get("field"))
    is_named = element.name == "FieldRef" and "mapMissingTo" not in element.attributes
    if is_named and (field is None or field.labels is None or bool(field.labels.texts) is not is_number):
        return field
    if element.get("function") in _STEPS:
        return _scaled(element, by_name, depth)
    return of_one_column(element, by_name, is_number=is_number)


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
        is_number=True,
    )
    if inner is None or not inner.is_numeric or inner.is_single or inner.labels is not None:
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
