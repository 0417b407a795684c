"""Phrases that explanations are made of: short numbers, counts in words, lines in two columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from clearwood.draw.columns import display_width, padded
from clearwood.models.conditions import number

Line: TypeAlias = tuple[str, str]  # a condition or a cell, and what is said of it

_WIDEST: Final = 44  # of what stands before the words


def counts_in_words(classes: tuple[str, ...], counts: Sequence[float]) -> str:
    if not classes:
        return f"{counted(counts[0], 'training row')}, value {short(counts[1])}"
    if len(classes) <= 6:
        return ", ".join(f"{name} {short(n)}" for name, n in zip(classes, counts, strict=True))
    met = sorted(zip(classes, counts, strict=True), key=lambda pair: -pair[1])
    return ", ".join(f"{name} {short(n)}" for name, n in met if n > 0)


def in_columns(lines: Iterable[Line], *, right: bool = False) -> Iterator[str]:
    rows = list(lines)
    width = min(_WIDEST, max((display_width(left) for left, said in rows if said), default=0))
    for left, said in rows:
        text = padded(left, width, "right" if right else "left") if display_width(left) <= width else left
        yield f"  {text}  {said}".rstrip()


def counted(count: float, one: str, many: str = "") -> str:
    return f"{short(count)} {one if count == 1 else many or one + 's'}"


def short(value: float) -> str:
    return (
        number(value)
        if value == int(value) and abs(value) < 1e6
        else f"{value:.4g}"
        if abs(value) >= 1
        else f"{value:.2g}"
    )
