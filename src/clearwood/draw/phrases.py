"""Phrases that explanations are made of: short numbers, counts in words, lines in two columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from clearwood.words.columns import display_width, padded
from clearwood.words.numbers import brief

LineAndRemark: TypeAlias = tuple[str, str]  # a condition or a cell, and a remark on it

_WIDEST: Final = 44  # of what stands before the words
_FEW: Final = 6  # classes that are all named, with rows or without


def counts_in_words(classes: tuple[str, ...], counts: Sequence[float]) -> str:
    """Rows by class: of many classes only those with rows, the most common first."""
    if not classes:
        return f"{counted(counts[0], 'training row')}, value {brief(counts[1])}"
    by_class = list(zip(classes, counts, strict=True))
    if len(classes) > _FEW:
        by_class = sorted((pair for pair in by_class if pair[1] > 0), key=lambda pair: -pair[1])
    return ", ".join(f"{name} {brief(count)}" for name, count in by_class)


def with_remarks(lines: Iterable[LineAndRemark], *, right: bool = False) -> Iterator[str]:
    """Each line with its remark in a second column, or below it where the line is too wide for that."""
    rows = list(lines)
    wide = [display_width(left) for left, remark in rows if remark]
    width = max((each for each in wide if each <= _WIDEST), default=0)
    for left, remark in rows:
        if remark and display_width(left) > _WIDEST:
            yield f"  {left}"
            yield f"      {remark}"
        else:
            text = padded(left, width, "right" if right else "left") if remark else left
            yield f"  {text}  {remark}".rstrip()


def counted(count: float, one: str, many: str = "") -> str:
    """A number of things.

    >>> counted(1, "rule"), counted(2.5, "training row"), counted(3, "more leaf", "more leaves")
    ('1 rule', '2.5 training rows', '3 more leaves')
    """
    return f"{brief(count)} {one if count == 1 else many or one + 's'}"
