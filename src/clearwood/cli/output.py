"""What the program says: answers on standard output, notes and errors on standard error, or JSON."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import join, quote
from types import EllipsisType
from typing import Any, Final, TextIO

from clearwood.advice import Advice, NamedOption, Sentence
from clearwood.cli.options import Output
from clearwood.errors import ClearwoodError, ClearwoodWarning, RuleTextError

# Control characters but line ends and tabs, and the marks that turn the direction of text.
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_COLOUR: Final = re.compile("(\x1b\\[[0-9;]*m)")  # the only sequence that we write ourselves


def answer(
    output: Output,
    *,
    text: Callable[[], str],
    data: Callable[[], Mapping[str, Any]],
    notes: Iterable[str] | EllipsisType = ...,
    saved: Path | EllipsisType | None = ...,
    then: str = "",
) -> None:
    """The answer as it was asked for: text for a person, or one JSON object with the notes in it.

    Notes that a person reads are printed by `note`, as soon as they are known. A command that never has any,
    or never saves, leaves them out here and has no such field. `then` is what to do next, for a person at a
    terminal.
    """
    if output.as_json:
        more = {} if isinstance(notes, EllipsisType) else {"notes": as_options(notes)}
        place = {} if isinstance(saved, EllipsisType) else {"saved": None if saved is None else str(saved)}
        print_json({**data(), **more, **place})
        return
    print_line(text())
    if isinstance(saved, Path):
        print_line(f"Saved to {saved}.")
    if then and sys.stdout.isatty() and not output.quiet:
        print_line(f"Next: {then}")


def next_with_model(saved: Path | None, data: str) -> str:
    """What to do with a model that was just learned."""
    if saved is None:
        return "the same with --save model.json, to explain and predict rows by it"
    row = ["--row", "COLUMN=VALUE,…"] if data == "-" else ["--data", data, "--number", "1"]
    return join(["clearwood", "explain", str(saved), *row])


def next_with_changed(saved: Path | None, before: Path) -> str:
    """What to do with a model that another was made of."""
    return "" if saved is None else join(["clearwood", "diff", str(before), str(saved)])


def print_line(text: str = "") -> None:
    """A line of the answer, with no control characters from cells and names, wherever it goes: behind a pipe
    there may be a terminal. Our own colours stay, where there is one."""
    if sys.stdout is not None and colours(sys.stdout):
        parts = _COLOUR.split(text)
        text = "".join(part if _COLOUR.fullmatch(part) else terminal_text(part) for part in parts)
    else:
        text = terminal_text(text)
    print(text)


def print_json(value: Any) -> None:
    """The whole answer, for machines: one object, nothing else on standard output."""
    print(json.dumps(_finite(value), ensure_ascii=False, allow_nan=False))


def as_options(texts: Iterable[str]) -> list[str]:
    """Notes of the library, in the words of a shell."""
    return [in_options(text) for text in texts]


def note(texts: Iterable[str], output: Output | None = None) -> None:
    """What was guessed or done on the user's behalf. Within JSON it is a field, and --quiet wants none."""
    if output is not None and (output.quiet or output.as_json):
        return
    for text in as_options(texts):
        print(_coloured(f"note: {_in_one_line(text)}", "2", sys.stderr), file=sys.stderr)


def print_refusal(wrong: ClearwoodError | str, *, as_json: bool) -> None:
    """What is wrong, and the way out; in JSON also the options that help and the place, as data."""
    error = wrong if isinstance(wrong, ClearwoodError) else ClearwoodError(wrong)
    sentence = in_options(error.sentence)
    if as_json:
        advice = [{**each.to_json(), "typed": as_option(each)} for each in error.advice]
        place = None if error.place is None else error.place.to_json()
        more = {"advice": advice, "place": place}
        print_json({"error": sentence, **{name: value for name, value in more.items() if value}})
    else:
        # Of rules the line itself is shown beneath, with a mark under the place.
        shown = terminal_text(sentence) if isinstance(error, RuleTextError) else _in_one_line(sentence)
        print(f"{_coloured('error:', '1;31', sys.stderr)} {shown}", file=sys.stderr)


def terminal_text(text: str) -> str:
    """The text with what a terminal would obey, not show, written out.

    >>> terminal_text("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return _UNSEEN.sub(lambda unseen: unseen[0].encode("unicode_escape").decode(), text)


def _in_one_line(text: str) -> str:
    """The text with line ends, which only names and cells can have brought in, written out as well."""
    return terminal_text(text).replace("\n", "\\n").replace("\t", "\\t")


@contextmanager
def warnings_as_notes(*, quiet: bool = False) -> Iterator[None]:
    """What the library warns of while the block runs reads as our other notes do; `quiet` wants none."""

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ClearwoodWarning)
        yield
    sentences = (each.message.sentence for each in caught if isinstance(each.message, ClearwoodWarning))
    if not quiet:
        note(dict.fromkeys(sentences))


def colours(stream: TextIO) -> bool:
    """Is this a terminal whose owner wants colour? (no-color.org)"""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _finite(value: Any) -> Any:
    """The answer with null where there is no number: JSON has no NaN."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(each) for name, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, list | tuple) else value


def _coloured(text: str, code: str, stream: TextIO) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colours(stream) else text


# Advice in the words of a shell: the option that the command line takes for each argument of Python.


# What stands for a value that only the user can know.
_STANDS_FOR: Final = {
    "kinds": "COLUMN=KIND",
    "ordered": "COLUMN=LOW,…,HIGH",
    "row": "COLUMN=VALUE,…",
    "ignore": "COLUMN",
    "target": "COLUMN",
    "weight": "COLUMN",
    "recode": "COLUMN=OLD:NEW,…",
    "delimiter": "CHAR",
}
_OTHERWISE_CALLED: Final = {"kinds": "kind", "ordered": "order", "called": "for", "by": "imitate"}


def in_options(sentence: str) -> str:
    """The sentence with each advice as a shell takes it.

    >>> in_options(Sentence("To keep it: ", Advice("kinds", {"id": "numeric"}), "."))
    'To keep it: --kind id=numeric.'
    """
    return sentence.worded(as_option) if isinstance(sentence, Sentence) else sentence


def as_option(advice: Advice | NamedOption) -> str:
    """The advice as it is typed.

    >>> as_option(Advice("header", False)), as_option(Advice("decimal", "."))
    ('--no-header', "--decimal '.'")
    >>> as_option(Advice("ordered", {"size": ["S", "M"]}, more=True)), as_option(Advice("target"))
    ("--order 'size=S,M,…'", '--target COLUMN')
    >>> as_option(Advice("penalty", "l2", setting=True))
    '--set penalty=l2'
    >>> as_option(NamedOption("max_bytes"))
    '--max-bytes'
    """
    more = isinstance(advice, Advice) and advice.more
    if isinstance(advice, NamedOption) and isinstance(advice.value, EllipsisType):
        return f"--{_OTHERWISE_CALLED.get(advice.option, advice.option).replace('_', '-')}"
    if isinstance(advice, Advice) and advice.setting:
        return f"--set {_typed(f'{advice.option}={_plain(advice.value)}')}"
    name = _OTHERWISE_CALLED.get(advice.option, advice.option)
    flag = f"--{name.replace('_', '-')}"
    match advice.value:
        case EllipsisType():
            return f"{flag} {_STANDS_FOR.get(advice.option, 'VALUE')}"
        case True:
            return flag
        case False:
            return f"--no-{name}"
        case dict() as by_column if name == "recode":
            return " ".join(f"{flag} {_typed(text)}" for text in _recodings(by_column))
        case dict() as by_column:
            rest = ",…" if more and name == "order" else ""
            each = (
                f"{flag} {_typed(f'{column}={_plain(value)}{rest}')}" for column, value in by_column.items()
            )
            return " ".join(each)
        case value:
            return f"{flag} {_typed(_plain(value))}"


def _recodings(by_column: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """All values of a column at once, or one by one where a comma is part of them."""
    for column, values in by_column.items():
        if any("," in text for text in (*values, *values.values())):
            yield from (f"{column}={old}:{new}" for old, new in values.items())
        else:
            yield f"{column}={_plain(values)}"


def _plain(value: Any) -> str:
    """A value as options spell it: lists with commas, pairs as name:value, none for None."""
    match value:
        case EllipsisType():
            return "…"
        case None | bool():
            return str(value).lower()
        case str():
            return value
        case Mapping():
            return ",".join(f"{name}:{_plain(each)}" for name, each in value.items())
        case Iterable():
            return ",".join(map(_plain, value))
        case _:
            return str(value)


def _typed(text: str) -> str:
    # A lone mark is quoted though a shell needs no quotes: beside a full stop it would be lost.
    return quote(text) if any(map(str.isalnum, text)) else f"'{text}'"
