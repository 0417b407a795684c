"""Advice: the option and value that help, as data in a sentence, so that each reader can reword them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from types import EllipsisType
from typing import Any, Final, TypeAlias

from clearwood.records import dataclass

_BY_COLUMN: Final = ("kinds", "ordered", "recode", "row", "distributions")  # options whose value is a mapping


@dataclass(frozen=True, slots=True)
class Advice:
    """An option as Python names it, and the value to give it: `...` where only the user can know.

    `setting` says that a learner takes it when it is made, not the function that reads or draws; `more` says
    that the value is a beginning, to be continued.

    >>> str(Advice("kinds", {"id": "numeric"})), str(Advice("target"))
    ("kinds={'id': 'numeric'}", "target='…'")
    >>> str(Advice("ordered", {"size": ["S", "M"]}, more=True))
    "ordered={'size': ['S', 'M', …]}"
    """

    option: str
    value: Any = ...
    setting: bool = False
    more: bool = False

    def __str__(self) -> str:
        if isinstance(self.value, EllipsisType):
            return f"{self.option}={'{…}' if self.option in _BY_COLUMN else repr('…')}"
        return f"{self.option}={_written(self.value, more=self.more)}"

    def to_json(self) -> dict[str, Any]:
        """For a page or another program: no `value` where only the user can know it.

        >>> Advice("header", False).to_json(), Advice("target").to_json()
        ({'option': 'header', 'value': False}, {'option': 'target'})
        """
        value = {} if isinstance(self.value, EllipsisType) else {"value": self.value}
        marks = {name: True for name in ("setting", "more") if getattr(self, name)}
        return {"option": self.option, **value, **marks}


@dataclass(frozen=True, slots=True)
class NamedOption:
    """An option that a sentence is about and does not advise, such as one that was given wrongly.

    >>> str(NamedOption("max_bytes")), str(NamedOption("weights_are", "sampling"))
    ('max_bytes', "weights_are='sampling'")
    """

    option: str
    value: Any = ...

    def __str__(self) -> str:
        return self.option if isinstance(self.value, EllipsisType) else str(Advice(self.option, self.value))


@dataclass(frozen=True, slots=True, init=False)
class WayOut:
    """A clause that advises, its words and its options: without it the sentence still stands, for a reader
    who has no such options.

    >>> str(WayOut("; or say so: ", Advice("header", False)))
    '; or say so: header=False'
    """

    parts: tuple[str | Advice | NamedOption, ...]

    def __init__(self, *parts: str | Advice | NamedOption) -> None:
        object.__setattr__(self, "parts", parts)

    def __str__(self) -> str:
        return "".join(map(str, self.parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something is wrong, counted from 1; what is not known or does not apply is None.

    `line` and `letter` are places in a text, `row` and `column` (its name) in a table.
    """

    source: str | None = None
    line: int | None = None
    letter: int | None = None
    row: int | None = None
    column: str | None = None

    def to_json(self) -> dict[str, Any]:
        """What is known of the place.

        >>> Place(column="age", row=3).to_json()
        {'row': 3, 'column': 'age'}
        """
        known = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: value for name, value in known if value is not None}


Part: TypeAlias = str | Advice | NamedOption | WayOut


class Sentence(str):
    """Text that keeps its advice as data.

    It is a `str`, in Python's words, so that whoever only prints it need not know of advice. Formatting and
    slicing make plain text of it; `Sentence(…, sentence)` and `+` keep the advice.

    >>> kept = Sentence("To keep it: ", Advice("kinds", {"id": "numeric"}), ".")
    >>> kept
    "To keep it: kinds={'id': 'numeric'}."
    >>> kept.advice
    (Advice(option='kinds', value={'id': 'numeric'}, setting=False, more=False),)
    >>> kept.worded(lambda advice: f"[{advice.option}]")
    'To keep it: [kinds].'
    >>> Sentence("Rename one", WayOut("; or say so: ", Advice("header", False)), ".").without_ways_out()
    'Rename one.'
    """

    parts: tuple[Part, ...]

    def __new__(cls, *parts: Part) -> Sentence:
        flat = [inner for part in parts for inner in (part.parts if isinstance(part, Sentence) else (part,))]
        made = super().__new__(cls, "".join(map(str, flat)))
        made.parts = tuple(flat)
        return made

    def __add__(self, more: str) -> Sentence:
        return Sentence(self, more)

    @property
    def advice(self) -> tuple[Advice, ...]:
        """Every way out that the sentence names, in its order."""
        return tuple(part for part in self._flat() if isinstance(part, Advice))

    def worded(self, word: Callable[[Advice | NamedOption], str]) -> str:
        """The text with each option in other words: a shell's, a page's."""
        return "".join(part if isinstance(part, str) else word(part) for part in self._flat())

    def without_ways_out(self) -> str:
        """The text for a reader who has none of the options: without the clauses that advise."""
        return "".join(str(part) for part in self.parts if not isinstance(part, WayOut))

    def _flat(self) -> Iterator[str | Advice | NamedOption]:
        for part in self.parts:
            if isinstance(part, WayOut):
                yield from part.parts
            else:
                yield part


def _written(value: Any, *, more: bool) -> str:
    """As Python writes it, with … at the innermost end where more is to come."""
    rest = ["…"] if more else []
    if isinstance(value, Mapping):
        within = any(isinstance(each, list | tuple) for each in value.values())
        pairs = [f"{name!r}: {_written(each, more=more and within)}" for name, each in value.items()]
        return f"{{{', '.join([*pairs, *([] if within else rest)])}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join([*map(repr, value), *rest])}]"
    return repr(value)
