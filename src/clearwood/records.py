"""Records: frozen dataclasses that are made quickly, since every command begins with two hundred; their JSON.

The standard library compiles six methods for each class. All but `__init__` differ from class to class in the
names of the fields alone; here they are closures over these names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, FrozenInstanceError, fields, is_dataclass
from dataclasses import dataclass as _dataclass
from math import isfinite
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

_FACTORY: Final = object()  # the default of a parameter whose value is made anew each time


def _record(
    cls: Any = None, /, *, frozen: bool = False, eq: bool = True, repr: bool = True, **options: Any
) -> Any:
    """As `dataclasses.dataclass`, and the same to type checkers; by it where it is not frozen, or inherits.

    >>> @dataclass(frozen=True, slots=True)
    ... class Day:
    ...     wind: str
    ...     rain: float = 0.0
    >>> Day("weak"), Day("weak") == Day("weak", 0.0), len({Day("weak"), Day("weak")})
    (Day(wind='weak', rain=0.0), True, 1)
    """

    def made(cls: Any) -> Any:
        if not frozen or not options.get("init", True) or any(map(is_dataclass, cls.__mro__)):
            return _dataclass(cls, frozen=frozen, eq=eq, repr=repr, **options)
        return _frozen(_dataclass(cls, **{**options, "init": False}, eq=False, repr=False), eq, repr)

    return made if cls is None else made(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _record


def _frozen(cls: Any, eq: bool, repr: bool) -> Any:
    methods = {"__init__": _init_of(cls), "__setattr__": _set, "__delattr__": _delete}
    if "__slots__" in cls.__dict__:
        methods |= {"__getstate__": _state, "__setstate__": _set_state}
    if repr:
        methods["__repr__"] = _repr_of([each.name for each in fields(cls) if each.repr])
    if eq:
        compared = [each for each in fields(cls) if each.compare]
        hashed = _cells_of([each.name for each in compared if each.hash in (None, True)])
        methods["__eq__"] = _equal_by(_cells_of([each.name for each in compared]))
        methods["__hash__"] = lambda self: hash(hashed(self))
    for name, method in methods.items():
        if cls.__dict__.get(name) is None:  # the hash of a class that has only its own __eq__ is None
            setattr(cls, name, method)
    cls.__dataclass_params__.frozen, cls.__dataclass_params__.eq = True, eq
    return cls


def _init_of(cls: Any) -> Callable[..., None]:
    """The one method that is compiled: its parameters have their own names and defaults."""
    known: dict[str, Any] = {"put": object.__setattr__, "FACTORY": _FACTORY}
    plain: list[str] = []
    by_name: list[str] = []
    body = []
    for each in fields(cls):
        name, parameter = each.name, each.name
        value = name
        if each.default_factory is not MISSING:
            known[f"make_{name}"] = each.default_factory
            parameter = f"{name}=FACTORY"
            value = f"make_{name}() if {name} is FACTORY else {name}" if each.init else f"make_{name}()"
        elif each.default is not MISSING:
            known[f"default_{name}"] = each.default
            parameter = f"{name}=default_{name}"
            value = name if each.init else f"default_{name}"
        elif not each.init:
            continue
        if each.init:
            (by_name if each.kw_only else plain).append(parameter)
        body.append(f" put(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    parameters = ", ".join(["self", *plain, *(["*", *by_name] if by_name else [])])
    exec(f"def __init__({parameters}):\n" + "\n".join(body or [" pass"]), known)
    init: Callable[..., None] = known["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    init.__annotations__ = {each.name: each.type for each in fields(cls) if each.init} | {"return": None}
    return init


def _cells_of(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _equal_by(cells: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], Any]:
    return lambda self, other: (
        cells(self) == cells(other) if other.__class__ is self.__class__ else NotImplemented
    )


def _repr_of(names: Sequence[str]) -> Callable[[Any], str]:
    def written(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    return written


def _set(_: Any, name: str, __: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(_: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


# Records as JSON: their fields as plain values.


def json_of(record: Any, *without: str, **instead: Any) -> dict[str, Any]:
    """The fields by name as plain values, but those `without`; `instead` has others, or more.

    Whatever has a `to_json` says it itself; a number that there is none of is None.

    >>> @dataclass(frozen=True)
    ... class Day:
    ...     wind: str
    ...     rain: tuple[float, ...]
    >>> json_of(Day("weak", (0.5, float("nan"))), "wind", wet=True)
    {'rain': [0.5, None], 'wet': True}
    """
    own = {each.name: getattr(record, each.name) for each in fields(record) if each.name not in without}
    return plain_values(**own | instead)


def json_with(record: Any, *names: str, **more: Any) -> dict[str, Any]:
    """These attributes by name, in this order, then `more`, as plain values.

    >>> @dataclass(frozen=True)
    ... class Day:
    ...     wind: str
    ...     rain: float
    >>> json_with(Day("weak", 0.5), "rain", "wind", wet=True)
    {'rain': 0.5, 'wind': 'weak', 'wet': True}
    """
    return plain_values(**{name: getattr(record, name) for name in names}, **more)


def plain_values(**values: Any) -> dict[str, Any]:
    """These by their names, as `json_of` has the fields of a record."""
    return {name: _as_json_value(value) for name, value in values.items()}


class JsonRecord:
    """What a record inherits whose JSON are its fields."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`; conditions and rules as they are printed."""
        return json_of(self)


class InWords:
    """What a record inherits that stands in JSON as it is printed."""

    __slots__ = ()

    def to_json(self) -> str:
        return str(self)


def finite_or_none(value: float) -> float | None:
    """What JSON has in the place of a number that there is none of."""
    return value if isfinite(value) else None


def _as_json_value(value: Any) -> Any:
    if isinstance(value, float):
        return finite_or_none(value)
    if isinstance(value, str | int) or value is None:
        return value
    if hasattr(value, "to_json"):
        return value.to_json()
    if is_dataclass(value):
        return json_of(value)
    if isinstance(value, Mapping):
        return {name: _as_json_value(each) for name, each in value.items()}
    return [_as_json_value(each) for each in (value.tolist() if hasattr(value, "tolist") else value)]
