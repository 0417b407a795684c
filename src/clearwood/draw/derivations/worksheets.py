"""What a worksheet asks, and of which steps, so that no step answers a question of another.

A tree that is pruned, or from which rules are read, is named in every step after growing it: such steps are
on a sheet of their own. Where a search goes on, the candidates left would give away which one was taken.
So only the first search on a sheet is laid out in full; the others ask for the same results, and their work
is in the key.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clearwood.errors import SettingError, no_such
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import ASKED, GIVEN, Figure, Grid


@dataclass(frozen=True, slots=True)
class Sheet:
    """The steps on a worksheet, with their numbers in the derivation, and the chapters that are not on it."""

    steps: tuple[tuple[int, Step], ...]
    left_out: tuple[str, ...]


def sheet_of(derivation: Derivation, chapter: str | None) -> Sheet:
    """The steps of one chapter, or of all where none gives away what another asks."""
    steps = tuple(enumerate(derivation, 1))
    chapters = tuple(dict.fromkeys(step.chapter for _, step in steps))
    if chapter is not None and chapter not in chapters:
        raise SettingError(no_such("chapter", chapter, chapters))
    # The last chapter that needs a sheet is the first one; the lecturer asks for the others by name.
    alone = chapter or next((step.chapter for _, step in reversed(steps) if step.alone), None)
    if alone is None:
        return Sheet(steps, ())
    chosen = tuple((number, step) for number, step in steps if step.chapter == alone)
    return Sheet(chosen, tuple(each for each in chapters if each != alone))


def later_search(figures: Sequence[Figure], of_first: Sequence[Figure]) -> tuple[list[Figure], list[Figure]]:
    """What a later search asks, and what is kept for the key.

    Of figures that each candidate has, such as its gain, all that the first search asked for, or none.
    """
    remaining, kept = [], []
    first, here = _by_kind(of_first), _by_kind(figures)
    for each in figures:
        kind = each.each_has
        if each.on_sheet == "in key" or (kind and first.get(kind) != here[kind]):
            kept.append(replace(each, on_sheet=ASKED))
        elif each.under or each.value is None or any(map(_lists_candidates, each.grids)):
            # One that is out must look like the others.
            formula = next((first.formula for first in of_first if first.name == each.name), each.formula)
            remaining.append(replace(each, formula=formula, grids=(), under=()))
            kept += [each] if each.value is not None else []
        else:
            remaining.append(replace(each, grids=tuple(map(_to_be_counted, each.grids))))
    return remaining, kept


def _lists_candidates(grid: Grid) -> bool:
    return grid.ranked or grid.chosen is not None or grid.figure_of is not None


def _to_be_counted(grid: Grid) -> Grid:
    return replace(grid, on_sheet=(GIVEN, *(ASKED,) * (len(grid.columns) - 1)))


def _by_kind(figures: Iterable[Figure]) -> dict[str, set[str]]:
    """The names of the figures that each candidate has, by what it has."""
    by_kind: dict[str, set[str]] = {}
    for each in figures:
        by_kind.setdefault(each.each_has, set()).add(each.name)
    return by_kind
