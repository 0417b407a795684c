"""Forms: a dataclass as it stands in a file is a Struct with the same fields, made from its type hints.

So a new noun is a dataclass, and its form one line: `form_of(Platt, tag="platt", tag_field="method")`. Forms
are strict: every field is there, none is unknown, and each has its type; `mismatch` says where one has not.
"""

from __future__ import annotations

import math
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta

from clearwood.errors import ClearwoodError, ModelFileError
from clearwood.models.files.places import Misplaced, at
from clearwood.models.files.plain_values import plain_from_json, plain_to_json
from clearwood.models.files.sums import SUM, row_from_json, row_to_json, sum_from_json, sum_to_json

T = TypeVar("T")

MOST: Final = sys.float_info.max
Finite: TypeAlias = Annotated[float, Meta(ge=-MOST, le=MOST)]
Weight: TypeAlias = Annotated[float, Meta(ge=0, le=MOST)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
WholeNumber: TypeAlias = Annotated[int, Meta(ge=0)]


class Form(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True, gc=False):
    """What every form is: fields by name, and no others."""


@dataclass(frozen=True, slots=True)
class FormShape:
    """A hint's type in a file, and how a value gets out of the file and into it; None: as it is."""

    type: Any
    read: Callable[[Any], Any] | None = None
    write: Callable[[Any], Any] | None = None


def form_of(
    kind: type[Any],
    *,
    tag: str | None = None,
    tag_field: str = "kind",
    rename: Mapping[str, str] | None = None,
    **given: Any,
) -> Any:
    """The form of a dataclass; `given` has the types of fields that are narrower than their hints."""
    hints = get_type_hints(kind, localns={"Plain": Any, "Origin": Any})
    shapes = {each.name: shape_of(hints[each.name]) for each in fields(kind)}
    form = msgspec.defstruct(
        kind.__name__,
        [(name, given.get(name, shape.type)) for name, shape in shapes.items()],
        bases=(Form,),
        namespace={"__doc__": (kind.__doc__ or "").split("\n\n")[0].strip()},
        module=kind.__module__,
        tag=tag,
        tag_field=tag_field if tag else None,
        rename=dict(rename or {}),
        forbid_unknown_fields=True,
        kw_only=True,
        frozen=True,
        gc=False,
    )
    names = {name: (rename or {}).get(name, name) for name in shapes}

    def read(form: Any) -> Any:
        values = {}
        for name, shape in shapes.items():
            value = getattr(form, name)
            values[name] = value if shape.read is None else at(names[name], shape.read, value)
        try:
            return kind(**values)
        except (ClearwoodError, ValueError) as error:
            raise Misplaced(f": {error}") from None

    def write(value: Any) -> Any:
        return form(
            **{
                name: getattr(value, name) if shape.write is None else shape.write(getattr(value, name))
                for name, shape in shapes.items()
            }
        )

    _SHAPES[kind] = FormShape(form, read, write)
    _READERS[form] = read
    return form


def shape_of(hint: Any) -> FormShape:
    """How a value of this type stands in a file."""
    if hint in _SHAPES:
        return _SHAPES[hint]
    of, inside = get_origin(hint), get_args(hint)
    if hint == _EXACT:
        return FormShape(SUM, sum_from_json, sum_to_json)
    if of is tuple and inside == (_EXACT, ...):
        return FormShape(tuple[SUM, ...], row_from_json, row_to_json)
    if of is Literal or hint in (str, int, bool, type(None)):
        return FormShape(hint)
    if of is tuple:
        return _tuple(inside)
    if of in (Mapping, dict) or (isinstance(of, type) and issubclass(of, Mapping)):
        return _mapping(inside[1])
    if of in (Union, types.UnionType):
        return _union(inside)
    raise TypeError(f"{hint} has no form in a file.")


def read_form(form: Any) -> Any:
    """The dataclass that a form stands for; plain values as they are."""
    read = _READERS.get(type(form))
    return form if read is None else read(form)


def write_form(value: Any) -> Any:
    """The form of a dataclass; plain values as they are."""
    if type(value) is float:
        return without_point(value)
    shape = _SHAPES.get(type(value))
    return value if shape is None or shape.write is None else shape.write(value)


def without_point(value: float) -> float:
    """A number as a file has it: whole ones without a point, but for −0, which no whole number is.

    >>> without_point(7.0), without_point(0.5), without_point(-0.0)
    (7, 0.5, -0.0)
    """
    if not math.isfinite(value):
        raise ModelFileError(f"A model with {value!r} among its numbers cannot be saved.")
    is_minus_zero = value == 0 and math.copysign(1.0, value) < 0
    return int(value) if value == int(value) and abs(value) < 1e15 and not is_minus_zero else value


def _tuple(inside: tuple[Any, ...]) -> FormShape:
    if len(inside) == 2 and inside[1] is ...:
        each = shape_of(inside[0])
        return FormShape(tuple[each.type, ...], _by_place(each.read), _by_place(each.write))  # type: ignore[name-defined]
    shapes = [shape_of(hint) for hint in inside]
    readers, writers = [each.read or _same for each in shapes], [each.write or _same for each in shapes]

    def read(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([change(value) for change, value in zip(readers, values, strict=True)])

    def write(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([change(value) for change, value in zip(writers, values, strict=True)])

    return FormShape(tuple[tuple(shape.type for shape in shapes)], read, write)  # type: ignore[misc]


def _same(value: Any) -> Any:
    return value


def _by_place(change: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    if change is None:
        return None

    def changed(values: Any) -> tuple[Any, ...]:
        try:
            return tuple(map(change, values))
        except Misplaced:  # once more, to learn the place
            return tuple(at(i, change, each) for i, each in enumerate(values))

    return changed


def _mapping(hint: Any) -> FormShape:
    if hint is Any:
        return FormShape(dict[str, Any], plain_from_json, plain_to_json)
    each = shape_of(hint)

    def read(values: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: value if each.read is None else at(name, each.read, value) for name, value in values.items()
        }

    def write(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value if each.write is None else each.write(value) for name, value in values.items()}

    return FormShape(dict[str, each.type], read, write)  # type: ignore[name-defined]


def _union(inside: tuple[Any, ...]) -> FormShape:
    if set(inside) == {int, float}:
        return FormShape(Union[int, Finite])  # noqa: UP007  1 and 1.0 are two things here
    union: Any = Union.__getitem__(tuple(shape_of(hint).type for hint in inside))
    lists = [shape_of(hint) for hint in inside if get_origin(hint) is tuple]

    def write(value: Any) -> Any:
        if lists and isinstance(value, tuple):
            return lists[0].write(value) if lists[0].write else value
        return write_form(value)

    return FormShape(union, read_form, write)


_EXACT: Final = int | Fraction
_SHAPES: Final[dict[Any, FormShape]] = {float: FormShape(Finite, None, without_point)}
_READERS: Final[dict[type[Any], Callable[[Any], Any]]] = {}
