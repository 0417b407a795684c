"""Advice in the words of a shell: the option that the command line takes for each argument of Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from shlex import quote
from types import EllipsisType
from typing import Any, Final

from clearwood.advice import Advice, NamedOption, Sentence

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
    if isinstance(advice, NamedOption):
        if isinstance(advice.value, EllipsisType):
            return f"--{_OTHERWISE_CALLED.get(advice.option, advice.option).replace('_', '-')}"
        advice = Advice(advice.option, advice.value)
    if advice.setting:
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
            rest = ",…" if advice.more and name == "order" else ""
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
