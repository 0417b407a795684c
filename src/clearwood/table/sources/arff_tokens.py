"""The words of an ARFF line, as WEKA's tokenizer finds them.

Commas, blanks and tabs all separate, in any number; `%` outside quotes begins a comment; quotes of either
kind hold anything, with a backslash before what would end them.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from clearwood.errors import SourceError

_TOKEN: Final = re.compile(
    r"""[\x00-\x20,]+|%.*|'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)"|"""
    r"""(?P<brace>[{}])|(?P<word>[^\x00-\x20,%'"{}]+)""",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\([0-3]?[0-7]{1,2}|.)", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class ArffToken(NamedTuple):
    """A word, bare or out of its quotes, or a brace."""

    text: str
    quoted: bool = False
    brace: bool = False

    @property
    def cell(self) -> str | None:
        """What it says as a cell: a bare `?` is missing."""
        return None if self.text == "?" and not self.quoted else self.text


def tokens(line: str, where: str) -> list[ArffToken]:
    """The words and braces of a line.

    >>> [token.text for token in tokens("'a, b' 3,x%y", "here")]
    ['a, b', '3', 'x']
    """
    tokens_read = []
    at = 0
    while at < len(line):
        token = _TOKEN.match(line, at)
        if token is None:
            raise SourceError(f"{where}: a quote is opened and never closed.")
        at = token.end()
        match token.lastgroup:
            case "single" | "double":
                tokens_read.append(ArffToken(unescaped(token[token.lastgroup]), quoted=True))
            case "word":
                tokens_read.append(ArffToken(token["word"]))
            case "brace":
                tokens_read.append(ArffToken(token["brace"], brace=True))
    return tokens_read


def unescaped(text: str) -> str:
    """What stands between quotes, without its backslashes.

    >>> unescaped(r"it\\'s \\101")
    "it's A"
    """
    return _ESCAPE.sub(lambda match: _letter(match[1]), text)


def _letter(escape: str) -> str:
    return chr(int(escape, 8)) if escape[0] in "01234567" else _ESCAPED.get(escape, escape)
