"""Tokens: the words, quotes and marks of rules as text, each with its place, and how a place is shown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from clearwood.advice import Place
from clearwood.errors import RuleTextError
from clearwood.models.words import KEYWORDS, MARKS, read_word

TokenKind: TypeAlias = Literal["word", "quoted", "key", "mark", "remark", "line", "end"]

_SAME_MARKS: Final = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠"}
_SHOWN: Final = 100  # letters of a line that an error shows
_WORD: Final = rf"[^\s\"!{re.escape(MARKS)}]|!(?!=)"
_TOKEN: Final = re.compile(
    rf'(?P<blank>[^\S\n]+|(?<!\S)\#[^\n]*)|(?P<line>\n)|(?P<quoted>"(?:[^"\\\n]|\\.)*")'
    rf"|(?P<mark><=|>=|==|!=|[{re.escape(MARKS)}])|(?P<word>(?:{_WORD})+)|(?P<open>.)"
)
_REMARK: Final = re.compile(r"\([^\n]*")


@dataclass(frozen=True, slots=True)
class RuleToken:
    """`text` is what is meant: a keyword in small letters, a quoted word without quotes, ≤ for <=."""

    kind: TokenKind
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RuleSource:
    """The text and the name of the file it came from, if any."""

    text: str
    name: str

    def refusal(self, sentence: str, at: int) -> RuleTextError:
        """The sentence with line, column and a caret under the place."""
        at = min(at, len(self.text))
        first = self.text.rfind("\n", 0, at) + 1
        column, line = at - first, self.text.count("\n", 0, at) + 1
        last = self.text.find("\n", first)
        whole = self.text[first : last if last >= 0 else len(self.text)]
        skipped = max(0, column - _SHOWN // 2)
        shown = whole[skipped : skipped + _SHOWN]
        shown = "".join(letter if letter.isprintable() else " " for letter in shown)
        under = "".join(map(_blank, shown[: column - skipped]))
        before, after = "…" if skipped else "", "…" if len(whole) > skipped + _SHOWN else ""
        return RuleTextError(
            f"{self.name}{', ' if self.name else ''}line {line}, column {column + 1}: {sentence}\n"
            f"    {before}{shown}{after}\n    {' ' * len(before)}{under}^",
            place=Place(source=self.name or None, line=line, letter=column + 1),
        )


def tokens_of(source: RuleSource, *, asking: bool = False) -> Iterator[RuleToken]:
    """Every token, blanks and comments left out; the last is the end.

    Between IF and THEN a parenthesis brackets a condition; elsewhere it begins a remark, to the line's end.
    `asking`: the text begins as behind an IF.
    """
    at = 0
    while match := (not asking and _REMARK.match(source.text, at)) or _TOKEN.match(source.text, at):
        kind, text, (start, at) = match.lastgroup, match[0], match.span()
        end = at
        if kind is None:
            yield RuleToken("remark", text, start, end)
        elif kind == "mark":
            yield RuleToken("mark", _SAME_MARKS.get(text, text), start, end)
        elif kind == "word":
            key = text.lower()
            asking = key == "if" or (asking and key not in ("then", "otherwise", "else"))
            yield (
                RuleToken("key", key, start, end) if key in KEYWORDS else RuleToken("word", text, start, end)
            )
        elif kind == "quoted":
            try:
                yield RuleToken("quoted", read_word(text), start, end)
            except ValueError as error:
                raise source.refusal(str(error), start) from None
        elif kind == "line":
            yield RuleToken("line", text, start, end)
        elif kind == "open":
            raise source.refusal('This quote is never closed; end it with " on the same line.', start)
    yield RuleToken("end", "", len(source.text), len(source.text))


def _blank(letter: str) -> str:
    """What takes a letter's room in a terminal: the caret must stand under its place."""
    if unicodedata.combining(letter):
        return ""
    return "\u3000" if unicodedata.east_asian_width(letter) in "WF" else " "
