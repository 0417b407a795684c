"""The classes of errors: each says what is wrong, where, and how to put it right; the last two also as data.

ClearwoodError
├── TableError          a table cannot be read, or does not fit what is asked of it   (ValueError)
│   ├── SourceError     the file or frame itself: missing, empty, ragged, wrong encoding
│   ├── ColumnError     a column that isn't there, or is there twice
│   └── SchemaError     what a column was declared to be, and is not
├── SettingError        an option of a learner, pruner or command                     (ValueError)
├── LearningError       the table is fine, but this learner cannot learn from it      (ValueError)
├── RuleTextError       rules written by hand that cannot be read as they stand       (ValueError)
├── ModelFileError      a model file that is truncated, forged, too big or too new    (ValueError)
└── MissingExtraError   an optional library is not installed                          (ImportError)

ClearwoodWarning        something was guessed or done on the user's behalf            (UserWarning)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from types import EllipsisType
from typing import Any, Final, TypeAlias

from clearwood.records import dataclass

# Advice: the option and value that help, as data in a sentence, so that each reader can reword them.

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


# The errors.


class ClearwoodError(Exception):
    """The root of the family: `except ClearwoodError` catches every sentence of ours.

    It is raised with the parts of its sentence, some of which may be advice:

    >>> error = TableError("This table has no target. Name it: ", Advice("target"), ".")
    >>> str(error), error.advice[0].option
    ("This table has no target. Name it: target='…'.", 'target')
    """

    def __init__(self, *parts: Part, place: Place | None = None) -> None:
        super().__init__(Sentence(*parts))
        self.place = place

    @property
    def sentence(self) -> Sentence:
        """What is wrong and the way out, with its advice as data."""
        sentence: Sentence = self.args[0]
        return sentence

    @property
    def advice(self) -> tuple[Advice, ...]:
        """The options and values that help, in the order of the sentence; empty where none would."""
        return self.sentence.advice


class TableError(ClearwoodError, ValueError):
    """A table cannot be read, or does not fit what is asked of it."""


class SourceError(TableError):
    """The file or frame itself: missing, empty, ragged, in the wrong encoding."""


class ColumnError(TableError):
    """A column that isn't there, or is there twice."""


class SchemaError(TableError):
    """What a column was declared to be, and is not."""


class SettingError(ClearwoodError, ValueError):
    """An option of a learner, a pruner or a command."""


class LearningError(ClearwoodError, ValueError):
    """The table is fine, but this learner cannot learn from it."""


class RuleTextError(ClearwoodError, ValueError):
    """Rules written by hand that cannot be read as they stand; the sentence names line and column."""


class ModelFileError(ClearwoodError, ValueError):
    """A model file that is truncated, forged, too big or too new."""


class MissingExtraError(ClearwoodError, ImportError):
    """An optional library is not installed."""


class ClearwoodWarning(UserWarning):
    """Something was guessed or done on the user's behalf; it may carry advice, as an error does."""

    def __init__(self, *parts: Part) -> None:
        super().__init__(Sentence(*parts))

    @property
    def sentence(self) -> Sentence:
        """What was done and how to have it otherwise, with its advice as data."""
        sentence: Sentence = self.args[0]
        return sentence

    @property
    def advice(self) -> tuple[Advice, ...]:
        """The options and values that change what was done."""
        return self.sentence.advice


def no_such(kind: str, name: str, known: Iterable[str], *, plural: str | None = None) -> str:
    """The sentence for a name that isn't there, with the nearest one that is.

    >>> no_such("column", "humidty", ["Outlook", "Humidity"])
    "No column 'humidty'. Did you mean 'Humidity'? Columns: Outlook, Humidity."
    """
    names = [str(each) for each in known]
    near = nearest(name, names)
    hint = "" if near is None else f" Did you mean '{near}'?"
    shown = names if len(names) <= 20 else [*names[:19], f"… ({len(names)} in all)"]
    heading = (plural or kind.removesuffix(" called") + "s").capitalize()
    return f"No {kind} '{name}'.{hint} {heading}: {', '.join(shown)}."


def check_known(
    kind: str,
    name: object,
    known: Collection[str],
    *,
    plural: str | None = None,
    error: type[ClearwoodError] | None = None,
    before: str = "",
) -> None:
    """Refuse a name that isn't there, by the sentence of `no_such`, which may stand behind another."""
    if name not in known:
        raise (error or SettingError)(before + no_such(kind, str(name), known, plural=plural))


def nearest(name: str, known: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """The known name that is most like this one; None where none is so much like it.

    >>> nearest("humidty", ["Outlook", "Humidity"])
    'Humidity'
    """
    folded = {str(each).casefold(): str(each) for each in known}
    near = get_close_matches(str(name).casefold(), list(folded), n=1, cutoff=likeness)
    return folded[near[0]] if near else None
