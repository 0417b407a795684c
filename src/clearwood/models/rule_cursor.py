"""A cursor over the tokens of rules: what stands here, what is taken, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clearwood.errors import RuleTextError
from clearwood.models.rule_tokens import RuleSource, RuleToken
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
