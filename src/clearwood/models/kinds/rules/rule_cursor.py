"""A cursor over the tokens of rules: what stands here, what is taken, and what is refused."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from clearwood.errors import Place, RuleTextError
from clearwood.formulas.conditions import KEYWORDS, MARKS, read_word
from clearwood.table.schema import Schema

_NAMES: Final = {"line": "the end of the line", "end": "the end of the text"}


@dataclass(frozen=True, slots=True)
class Operand:
    """A name, a value or a number: one quoted word, or bare words with single blanks between them."""

    text: str
    start: int
    quoted: bool


@dataclass(slots=True)
class Cursor:
    source: RuleSource
    tokens: list[RuleToken]
    schema: Schema
    at: int = 0

    @property
    def now(self) -> RuleToken:
        return self.tokens[self.at]

    @property
    def before(self) -> RuleToken:
        return self.tokens[max(0, self.at - 1)]

    @property
    def here(self) -> str:
        """What stands here, for a sentence."""
        token = self.now
        return _NAMES.get(token.kind) or f"'{self.source.text[token.start : token.end][:40]}'"

    def step(self) -> RuleToken:
        """Take what stands here."""
        token = self.now
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def skip_lines(self) -> RuleToken:
        while self.now.kind == "line":
            self.step()
        return self.now

    def take_key(self, *words: str) -> bool:
        return self._take("key", words)

    def take_mark(self, *marks: str) -> bool:
        return self._take("mark", marks)

    def at_mark(self, mark: str) -> bool:
        """Does this mark come next? A quoted value may hold the same letters."""
        return self.now.kind == "mark" and self.now.text == mark

    def joins(self) -> bool:
        """Take an AND, in this line or the next, and say whether one was there."""
        start = self.at
        self.skip_lines()
        if self.take_key("and") or self.take_mark("&"):
            self.take_mark("&")  # && is & twice
            self.skip_lines()
            return True
        self.at = start
        return False

    def term(self, expected: str) -> Operand:
        """Take a name, a value or a number."""
        first = self.now
        if first.kind == "quoted":
            self.step()
            if self.now.kind in ("quoted", "word"):
                raise self.refusal(
                    f"The quoted word ends before {self.here}. One pair of quotes holds it all."
                )
            return Operand(first.text, first.start, True)
        words = []
        while self.now.kind == "word":
            words.append(self.step().text)
        if not words:
            raise self.refusal(f"Expected {expected} here, not {self.here}.{self.quoting_advice()}")
        if self.now.kind == "quoted":
            raise self.refusal("A quote begins within a word. One pair of quotes holds it all.")
        return Operand(" ".join(words), first.start, False)

    def quoting_advice(self) -> str:
        """The way out where a name holds a word or a mark that means something else."""
        if self.at_mark(","):
            return " Write a decimal with a point, AND between conditions, and a name with a comma in quotes."
        if self.now.kind in ("key", "mark", "remark"):
            return ' If it belongs to a name or a value, write that in quotes: "…".'
        return ""

    def refusal(self, sentence: str, at: RuleToken | Operand | None = None) -> RuleTextError:
        return self.source.refusal(sentence, (at or self.now).start)

    def _take(self, kind: str, texts: tuple[str, ...]) -> bool:
        matches = self.now.kind == kind and self.now.text in texts
        if matches:
            self.step()
        return matches


# Tokens: the words, quotes and marks of rules as text, each with its place, and how a place is shown.


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
