"""Names and values as rules write them: bare, and in quotes where they would be taken for something else."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

KEYWORDS: Final = frozenset(
    (
        "if",
        "always",
        "then",
        "otherwise",
        "else",
        "and",
        "or",
        "in",
        "is",
        "not",
        "missing",
        "known",
        "nothing",
    )
)
MARKS: Final = "<>=≤≥≠&{}(),"  # what ends a bare word, beside a blank and a quote

_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t"}
_ESCAPED: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
_UNSAFE: Final = re.compile(rf'["{re.escape(MARKS)}]|^ | $|  |(?:^| )#')


@lru_cache(maxsize=1 << 12)
def written(text: str) -> str:
    """The text as it stands in a rule; `read_word` takes the quotes off again.

    >>> print(written("Don't Play"), written("10 or more"), written("Temp (C)"), written(""), sep=" · ")
    Don't Play · "10 or more" · "Temp (C)" · ""
    """
    if text and text.isprintable() and not _UNSAFE.search(text) and KEYWORDS.isdisjoint(_folded_words(text)):
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def read_word(quoted: str) -> str:
    """What stands between the quotes; ValueError names an escape that isn't one.

    >>> read_word(r'"say \\"ah\\""')
    'say "ah"'
    """
    return _ESCAPED.sub(_unescaped, quoted[1:-1])


def _folded_words(text: str) -> list[str]:
    return text.lower().split(" ")


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _unescaped(match: re.Match[str]) -> str:
    short, long, letter = match.groups()
    if letter is None:
        code = int(short or long, 16)
        if code > 0x10FFFF:
            raise ValueError(f"There is no character {match[0]}.")
        return chr(code)
    if letter in _LETTERS or letter in _ESCAPES:
        return _LETTERS.get(letter, letter)
    raise ValueError(
        f'\\{letter} is no escape; \\" \\\\ \\n \\r \\t and \\u00e9 are. Write \\\\ for a \\ itself.'
    )
