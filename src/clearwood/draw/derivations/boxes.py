"""Boxes: an expression laid out as it will be written, before any format knows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Atom:
    """What stands in one piece: a number, a letter, a word, the name of a function, or a mark between them.

    A *sign* has space around it, as + has; a *mark* has none, as · and / have.
    """

    text: str
    kind: Literal["number", "letter", "word", "function", "sign", "mark"]


@dataclass(frozen=True, slots=True)
class Line:
    """Boxes one after another."""

    of: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Fenced:
    """In round brackets."""

    of: Box


@dataclass(frozen=True, slots=True)
class Stacked:
    """One above the other with a line between."""

    top: Box
    bottom: Box


@dataclass(frozen=True, slots=True)
class Superscript:
    base: Box
    up: Box


@dataclass(frozen=True, slots=True)
class Subscript:
    base: Box
    down: Box


@dataclass(frozen=True, slots=True)
class Rooted:
    of: Box


@dataclass(frozen=True, slots=True)
class BinomialBox:
    """One above the other in brackets: a binomial coefficient."""

    of: Box
    taken: Box


@dataclass(frozen=True, slots=True)
class Ranging:
    """Σ, Π, max and their like, with their index below, before what they range over."""

    sign: str
    index: str
    of: Box


Box: TypeAlias = Atom | Line | Fenced | Stacked | Superscript | Subscript | Rooted | BinomialBox | Ranging
