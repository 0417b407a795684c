"""Derived fields of PMML that are still one column: another name, another precision, a scaled number, or what
stands for its cells. A formula of several columns is none, and is refused where it is asked."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import ge, gt, le, lt
from typing import Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ModelFileError
from clearwood.importing.given import GivenNames
from clearwood.importing.pmml.cells import SomeCells, limits, scaled_number
from clearwood.importing.pmml.elements import Element, as_number
from clearwood.importing.pmml.fields import (
    FieldLabel,
    FieldLabels,
    PmmlField,
    PmmlFields,
    derived_in,
    pmml_fields,
    spelled_as,
)

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
        inner, steps=(*inner.steps, step), slope=inner.slope * slope, offset=inner.offset * slope + offset
    )


# Expressions of PMML about one column, worked out for each of its values, or for each interval of its
# numbers that the expression tells apart.


_FIELD_OF: Final = {
    "FieldRef": "field",
    "FieldColumnPair": "field",
    "Discretize": "field",
    "NormDiscrete": "field",
}


_COMPARED: Final[dict[str, Callable[[float, float], bool]]] = {
    "lessThan": lt, "lessOrEqual": le, "greaterThan": gt, "greaterOrEqual": ge,
}  # fmt: skip
_NO_TEXT: Final = "\0"  # of a value in no list, which is no text that XML can hold


class NotOneColumnError(Exception):
    """An expression of several columns, or one that is not a constant for whole intervals."""


@dataclass(frozen=True, slots=True)
class OneCell:
    """The cell that an expression is worked out for; `value` is None where it is a value in no list."""

    value: str | float | None


WorkedOut: TypeAlias = str | bool | OneCell | None  # a constant, the cell itself, or missing


def of_one_column(expression: Element, by_name: dict[str, PmmlField], *, is_number: bool) -> PmmlField | None:
    """The field that an expression comes to; None where it cannot be said of one column."""
    named = {each.get(_FIELD_OF[each.name]) for each in expression.below() if each.name in _FIELD_OF}
    field = by_name.get(next(iter(named))) if len(named) == 1 else None
    if field is None:
        return None
    try:
        return _Working(expression, field, is_number).field()
    except NotOneColumnError:
        return None


@dataclass(frozen=True)
class _Working:
    """An expression as it is worked out for the cells of a field."""

    expression: Element
    base: PmmlField
    is_number: bool

    def field(self) -> PmmlField:
        pieces = self._pieces()
        worked = [(cells, self._at(OneCell(value))) for cells, value in pieces]
        labels = self.base.labels
        missing: OneCell | None = None
        replaced = self.base.invalid_as if self.base.invalid == "asValue" else None
        unseen: OneCell | None = OneCell(replaced if replaced not in self.base.values else None)
        if labels is not None:
            missing, unseen = (
                None if each is None else OneCell(each) for each in (labels.missing, labels.unseen)
            )
        of_missing = self._at(missing)
        of_unseen = None if self.base.is_numeric else self._at(unseen)
        if any(each is None for _, each in worked):
            raise NotOneColumnError
        own = [isinstance(each, OneCell) for _, each in worked]
        if labels is None and (all(own) or (any(own) and self.base.is_numeric)):
            return self._filled(worked, of_missing, of_unseen)
        made = tuple((cells, self._label(each)) for cells, each in worked)
        others = (None if each is None else self._label(each) for each in (of_missing, of_unseen))
        return replace(self.base, steps=(), labels=FieldLabels(made, *others))

    def _filled(
        self, worked: Sequence[tuple[SomeCells, WorkedOut]], missing: WorkedOut, unseen: WorkedOut
    ) -> PmmlField:
        """The column itself, but for an empty cell or some numbers."""
        base = self.base
        if base.steps or base.moved or isinstance(missing, bool | OneCell):
            raise NotOneColumnError
        moved = []
        for cells, each in worked:
            if isinstance(each, OneCell):
                continue
            if not base.is_numeric or isinstance(each, bool) or each is None:
                raise NotOneColumnError
            moved.append((cells.intervals, self._number(each)))
        if not base.is_numeric and not isinstance(unseen, OneCell):
            raise NotOneColumnError
        filled = base.missing_as if base.missing_as is not None else missing
        return replace(base, moved=tuple(moved), missing_as=filled)

    def _label(self, worked: WorkedOut) -> FieldLabel:
        if isinstance(worked, OneCell):
            if worked.value is None and self.is_number:
                raise NotOneColumnError
            value = _NO_TEXT if worked.value is None else worked.value
            worked = value if isinstance(value, str) else repr(value)
        if isinstance(worked, bool):
            worked = ("1" if worked else "0") if self.is_number else str(worked).lower()
        assert worked is not None
        return self._number(worked) if self.is_number else spelled_as(self.base, worked)

    def _number(self, text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            raise NotOneColumnError from None
        if not math.isfinite(number):
            raise NotOneColumnError
        return number

    def _pieces(self) -> list[tuple[SomeCells, str | float]]:
        """Cells of which the expression says the same, each with one of them."""
        base = self.base
        if base.labels is not None:
            return list(base.labels.by_cells)
        if not base.is_numeric:
            return [(SomeCells(codes=frozenset((at,))), value) for at, value in enumerate(base.values)]
        pieces: list[tuple[SomeCells, str | float]] = []
        last = -math.inf
        for number in sorted(set(self._numbers())):
            upto, before = limits(number, base.steps, is_single=base.is_single)
            for end in (before, upto):
                if end > last:
                    pieces.append((SomeCells(((last, end),)), end))
                    last = end
        if last < math.inf:
            some = math.nextafter(last, math.inf) if math.isfinite(last) else 0.0
            pieces.append((SomeCells(((last, math.inf),)), some))
        return [(cells, self._seen(float(some))) for cells, some in pieces]

    def _seen(self, number: float) -> float:
        """A number of the column as the expression sees it."""
        number = float(scaled_number(self.base.steps, np.array([number]))[0])
        return float(np.float32(number)) if self.base.is_single else number

    def _numbers(self) -> list[float]:
        """The numbers that the expression compares with."""
        texts = []
        for each in self.expression.below():
            if each.name == "Constant":
                texts.append(each.text.strip())
            elif each.name == "Interval":
                texts += [each.get(name) for name in ("leftMargin", "rightMargin") if name in each.attributes]
            elif each.name == "row":
                texts += [inside.text for inside in each.children]
            elif each.name == "NormDiscrete":
                texts.append(each.get("value"))
        numbers = []
        for text in texts:
            try:
                numbers.append(self._seen_constant(float(text)))
            except ValueError:
                continue
        return [each for each in numbers if math.isfinite(each)]

    def _seen_constant(self, number: float) -> float:
        return float(np.float32(number)) if self.base.is_single else number

    def _at(self, cell: OneCell | None) -> WorkedOut:
        return self._worked(self.expression, cell, 0)

    def _worked(self, element: Element, cell: OneCell | None, depth: int) -> WorkedOut:
        if depth > _DEEPEST:
            raise NotOneColumnError
        match element.name:
            case "Constant":
                return element.text if element.get("dataType") == "string" else element.text.strip()
            case "FieldRef":
                return element.attributes.get("mapMissingTo") if cell is None else cell
            case "NormDiscrete":
                if cell is None:
                    return element.attributes.get("mapMissingTo")
                return "1" if self._same(cell, element.get("value")) else "0"
            case "MapValues":
                return self._mapped(element, cell)
            case "Discretize":
                return self._discretized(element, cell)
            case "Apply":
                return self._applied(element, cell, depth)
        raise NotOneColumnError

    def _mapped(self, element: Element, cell: OneCell | None) -> WorkedOut:
        pairs, table = element.all("FieldColumnPair"), element.first("InlineTable")
        if len(pairs) != 1 or table is None:
            raise NotOneColumnError
        if cell is None:
            return element.attributes.get("mapMissingTo")
        columns = [each.rpartition(":")[2] for each in (pairs[0].get("column"), element.get("outputColumn"))]
        for row in table.all("row"):
            cells = {each.name: each.text for each in row.children}
            if not set(columns) <= cells.keys():
                raise NotOneColumnError
            if self._same(cell, cells[columns[0]]):
                return cells[columns[1]]
        return element.attributes.get("defaultValue")

    def _discretized(self, element: Element, cell: OneCell | None) -> WorkedOut:
        if cell is None:
            return element.attributes.get("mapMissingTo")
        if not isinstance(cell.value, float):
            raise NotOneColumnError
        for each in element.all("DiscretizeBin"):
            interval = each.first("Interval")
            if interval is None:
                raise NotOneColumnError
            closure = interval.get("closure")
            low, high = interval.number("leftMargin"), interval.number("rightMargin")
            low, high = -math.inf if low is None else low, math.inf if high is None else high
            above = low <= cell.value if closure.startswith("closed") else low < cell.value
            below = cell.value <= high if closure.endswith("Closed") else cell.value < high
            if above and below:
                return each.get("binValue")
        return element.attributes.get("defaultValue")

    def _applied(self, element: Element, cell: OneCell | None, depth: int) -> WorkedOut:
        function = element.get("function")
        parts = [each for each in element.children if each.name != "Extension"]
        if function == "if":
            if element.attributes.keys() & {"mapMissingTo", "defaultValue"} or len(parts) not in (2, 3):
                raise NotOneColumnError
            condition = self._worked(parts[0], cell, depth + 1)
            if condition is None:
                return None
            if self._is_true(condition):
                return self._worked(parts[1], cell, depth + 1)
            return self._worked(parts[2], cell, depth + 1) if len(parts) == 3 else None
        given = [self._worked(each, cell, depth + 1) for each in parts]
        if function in ("isMissing", "isNotMissing") and len(given) == 1:
            return (given[0] is None) is (function == "isMissing")
        if None in given:
            mapped = element.attributes.get("mapMissingTo")
            if mapped is None and function in ("and", "or"):
                raise NotOneColumnError
            return mapped if mapped is not None else element.attributes.get("defaultValue")
        return self._known(function, given)

    def _known(self, function: str, given: list[WorkedOut]) -> WorkedOut:
        match function:
            case "and":
                return all(map(self._is_true, given))
            case "or":
                return any(map(self._is_true, given))
            case "not" if len(given) == 1:
                return not self._is_true(given[0])
        first = given[0] if given else None
        others = [each for each in given[1:] if isinstance(each, str)]
        if not isinstance(first, OneCell) or len(others) != len(given) - 1 or not others:
            raise NotOneColumnError
        if function in ("isIn", "isNotIn"):
            return any(self._same(first, each) for each in others) is (function == "isIn")
        if len(others) != 1:
            raise NotOneColumnError
        if function in ("equal", "notEqual"):
            return self._same(first, others[0]) is (function == "equal")
        if not isinstance(first.value, float):
            raise NotOneColumnError
        number = self._seen_constant(self._number(others[0]))
        if function == "threshold":
            return "1" if first.value > number else "0"
        if function not in _COMPARED:
            raise NotOneColumnError
        return _COMPARED[function](first.value, number)

    def _same(self, cell: OneCell, text: str) -> bool:
        if isinstance(cell.value, float):
            return cell.value == self._seen_constant(self._number(text))
        value = spelled_as(self.base, text)
        if cell.value is None and self.base.labels is None and value not in self.base.values:
            raise NotOneColumnError  # of a value in no list it would have to be known which
        return cell.value == value

    def _is_true(self, worked: WorkedOut) -> bool:
        if isinstance(worked, str) and worked.lower() in ("true", "false"):
            return worked.lower() == "true"
        if not isinstance(worked, bool):
            raise NotOneColumnError
        return worked
