"""Forms: a dataclass as it stands in a file is a Struct with the same fields, made from its type hints.

So a new noun is a dataclass, and its form one line: `form_of(Platt, tag="platt", tag_field="method")`. Forms
are strict: every field is there, none is unknown, and each has its type; `mismatch` says where one has not.
"""

from __future__ import annotations

import math
import re
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NoReturn,
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
from clearwood.models.kinds.bayes.distributions import Exact, exact
from clearwood.models.lineage import LearnerAsData, Plain
from clearwood.records import dataclass

# Places: where in a file something stands, as `body.nodes[3].when`, gathered while an error comes up.

PlacedT = TypeVar("PlacedT")


class Misplaced(Exception):  # noqa: N818  (never seen outside: it becomes a ModelFileError)
    """What is wrong with a value, and the place as far as it is known."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence, self.path = sentence, list[str | int]()


def at(step: str | int, read: Callable[[Any], PlacedT], value: Any) -> PlacedT:
    """What `read` makes of a value; if it refuses, this step is part of the place."""
    try:
        return read(value)
    except Misplaced as error:
        error.path.insert(0, step)
        raise


def placed(error: Misplaced, where: str) -> ModelFileError:
    """The refusal with its whole place."""
    return ModelFileError(f"{place_of(where, *error.path)}{error.sentence}")


def place_of(where: str, *path: str | int) -> str:
    """The place that this path leads to.

    >>> place_of("body", "nodes", 3, "when")
    'body.nodes[3].when'
    """
    for step in path:
        where += f"[{step}]" if isinstance(step, int) else f".{step}" if where else step
    return where


def refuse(where: str, demand: str, given: object) -> NoReturn:
    """One sentence: the place, what should be there, and what is."""
    raise ModelFileError(f"{where} {demand}, not {value_text(given)}.")


def wrong(demand: str, given: object) -> Misplaced:
    """The same for a value that does not know its place."""
    return Misplaced(f" {demand}, not {value_text(given)}.")


def value_text(value: object) -> str:
    """A value for a sentence, cut short."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


# The forms.

T = TypeVar("T")

# Made of types that are known only when it runs.
_TUPLE: Final[Any] = tuple
_DICT: Final[Any] = dict
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
        return FormShape(_TUPLE[each.type, ...], _by_place(each.read), _by_place(each.write))
    shapes = [shape_of(hint) for hint in inside]
    readers, writers = [each.read or _same for each in shapes], [each.write or _same for each in shapes]

    def read(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([change(value) for change, value in zip(readers, values, strict=True)])

    def write(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([change(value) for change, value in zip(writers, values, strict=True)])

    return FormShape(_TUPLE[tuple(shape.type for shape in shapes)], read, write)


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

    return FormShape(_DICT[str, each.type], read, write)


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


# Settings as JSON: text, finite numbers, lists and objects; a learner is its name and its settings.


_MADE: Final = {"learner", "settings"}


def plain_to_json(value: Plain, where: str = "settings") -> Any:
    """A setting for a file.

    >>> plain_to_json({"of": LearnerAsData("C45", {"confidence": 0.1}), "trees": 50})
    {'of': {'learner': 'C45', 'settings': {'confidence': 0.1}}, 'trees': 50}
    """
    if isinstance(value, LearnerAsData):
        return {"learner": value.learner, "settings": plain_to_json(value.settings, where)}
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise ModelFileError(
                    f"Origin.{where} has the key {key!r}; a model file holds only text as keys."
                )
        if _is_made(value):
            raise ModelFileError(f"Origin.{where} reads like a learner; write it as Made(learner, settings).")
        return {key: plain_to_json(each, f"{where}.{key}") for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain_to_json(each, where) for each in value]
    if value is None or type(value) in (str, bool, int) or (type(value) is float and math.isfinite(value)):
        return value
    raise ModelFileError(
        f"Origin.{where} is {value!r}; a model file holds text, finite numbers and lists of them."
    )


def plain_from_json(value: Any) -> Plain:
    """What `plain_to_json` wrote."""
    if isinstance(value, dict):
        if _is_made(value):
            settings = at("settings", plain_from_json, value["settings"])
            assert isinstance(settings, Mapping)
            return LearnerAsData(value["learner"], settings)
        return {key: at(key, plain_from_json, each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return tuple(at(i, plain_from_json, each) for i, each in enumerate(value))
    if isinstance(value, float) and not math.isfinite(value):
        raise wrong("must be a finite number", value)
    plain: Plain = value
    return plain


def _is_made(value: Mapping[str, Any]) -> bool:
    return (
        value.keys() == _MADE and isinstance(value["learner"], str) and isinstance(value["settings"], Mapping)
    )


# Exact sums as JSON: a number where JSON holds it exactly, else the text of its fraction, "1/3".


_DEMAND: Final = "must be a finite number or the text of a fraction"
_FRACTION: Final = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?")
_HELD_BY_JSON: Final = 1 << 53

SUM: TypeAlias = Annotated[
    int | float | Annotated[str, Meta(pattern=r"^-?[0-9]+(/[0-9]+)?$")],
    Meta(
        description="An exact sum: a number, or a fraction as text where no number holds it.",
        extra={"demand": _DEMAND},
    ),
]


def sum_to_json(value: Exact) -> int | float | str:
    """A sum as JSON holds it without loss.

    >>> sum_to_json(3), sum_to_json(Fraction(5, 2)), sum_to_json(Fraction(1, 3))
    (3, 2.5, '1/3')
    """
    if isinstance(value, int) and abs(value) <= _HELD_BY_JSON:
        return value
    try:
        near = float(value)
    except OverflowError:
        return str(value)
    return near if Fraction(near) == value else str(value)


def sum_from_json(value: int | float | str) -> Exact:
    """What `sum_to_json` wrote.

    >>> sum_from_json("1/3"), sum_from_json(2.5)
    (Fraction(1, 3), Fraction(5, 2))
    """
    if type(value) is int:
        return value
    if type(value) is float and math.isfinite(value):
        return int(value) if value.is_integer() else Fraction(*value.as_integer_ratio())
    if isinstance(value, str) and not _FRACTION.fullmatch(value):
        raise wrong(_DEMAND, value)
    try:
        return exact(Fraction(value))
    except (ZeroDivisionError, OverflowError, ValueError):
        raise wrong(_DEMAND, value) from None


def row_to_json(row: tuple[Exact, ...]) -> Sequence[Any]:
    """The sums of a row."""
    if {*map(type, row)} <= {int} and -_HELD_BY_JSON <= min(row, default=0) <= max(
        row, default=0
    ) <= _HELD_BY_JSON:
        return row
    return [sum_to_json(each) for each in row]


def row_from_json(values: tuple[Any, ...]) -> tuple[Exact, ...]:
    """The sums of a row; refused if no float can hold what they add up to."""
    if {*map(type, values)} <= {int}:  # nearly always; a vocabulary has a million of them
        check_reach((sum(map(abs, values)),))
        return values
    row = tuple(at(i, sum_from_json, each) for i, each in enumerate(values))
    check_reach(row)
    return row


def check_reach(row: Iterable[Exact]) -> None:
    """Refuse exact numbers whose sum no float can hold."""
    try:
        math.fsum(map(abs, map(float, row)))
    except OverflowError:
        raise Misplaced(" holds a number that is too large.") from None
