"""What the user says of a model that another program made: names of columns and classes, and values of
codes."""

import numbers
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from clearwood.errors import SettingError, check_known
from clearwood.records import dataclass
from clearwood.words.numbers import many


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenNames:
    """Names where the origin has none. `values` are a column's values where the origin sees 0, 1, 2, …."""

    columns: tuple[str, ...] | None = None
    classes: tuple[str, ...] | None = None
    target: str | None = None
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def column_names(self, own: Sequence[str] | None, count: int) -> tuple[str, ...]:
        """The names of the columns: given, else the origin's own, else x0, x1, …."""
        if self.columns is None:
            return tuple(own) if own is not None else tuple(f"x{place}" for place in range(count))
        if len(self.columns) != count:
            raise SettingError(f"The model reads {many(count, 'column')}, but {_are_named(self.columns)}.")
        return self.columns

    def class_names(self, own: Sequence[Any] | None, count: int) -> tuple[str, ...]:
        """The names of the classes: given, else the origin's own, else 0, 1, 2, …."""
        if self.classes is None:
            return tuple(map(spelled_value, own)) if own is not None else tuple(map(str, range(count)))
        if len(self.classes) != count:
            raise SettingError(
                f"The model tells {many(count, 'class', 'classes')} apart, but {_are_named(self.classes)}."
            )
        return self.classes

    def target_name(self, own: str | None = None) -> str:
        """The target's name: given, else the origin's own, else `target`."""
        return self.target or own or "target"

    def check_values(self, columns: Sequence[str]) -> None:
        """Refuse values of a column that the model does not have."""
        for name in self.values:
            check_known("column", name, columns)


def given_names(
    columns: Sequence[str] | None,
    classes: Sequence[str] | None,
    target: str | None,
    values: Mapping[str, Sequence[str]] | None,
) -> GivenNames:
    """The names as a user gives them, if they are lists in which no name stands twice."""
    return GivenNames(
        columns=_names(columns, "columns"),
        classes=_names(classes, "classes"),
        target=target,
        values={name: _names(each, "values") or () for name, each in (values or {}).items()},
    )


def _names(given: Sequence[str] | None, what: str) -> tuple[str, ...] | None:
    if given is None:
        return None
    if isinstance(given, str):
        raise SettingError(f"{what} must be a list of names, not one text.")
    names = tuple(map(str, given))
    if len(set(names)) != len(names):
        raise SettingError(f"{what} names {next(each for each in names if names.count(each) > 1)!r} twice.")
    return names


def _are_named(names: Sequence[str]) -> str:
    return f"{len(names)} {'is' if len(names) == 1 else 'are'} named"


def spelled_value(value: Any) -> str:
    """A value as Clearwood writes it: whole numbers without a point.

    >>> spelled_value(1.0), spelled_value(True), spelled_value("a"), spelled_value(0.5)
    ('1', 'True', 'a', '0.5')
    """
    is_float = isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral)
    if is_float and float(value).is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)
