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

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from clearwood.advice import Advice, Part, Place, Sentence


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
