"""Verdicts on a model as text: what holds, what fails, how that is known, and the rows that show it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from clearwood.checking.assertions.verdict import AssertionVerdict, CheckedModel
from clearwood.draw.model_difference import cells_in_words
from clearwood.words.columns import printable, wrapped
from clearwood.words.numbers import many

_WIDTH: Final = 100
_INDENT: Final = " " * 7


def draw_verdicts(checked: CheckedModel) -> str:
    """For a terminal."""
    lines = [line for verdict in checked.verdicts for line in verdict_lines(verdict)]
    return "\n".join([*lines, "", _summary(checked)])


def verdict_lines(verdict: AssertionVerdict) -> Iterator[str]:
    """One verdict: its word and the assertion, then how it was reached and what was seen."""
    first, *more = wrapped(printable(verdict.title), _WIDTH - len(_INDENT))
    yield f"{verdict.word:<5}  {first}"
    yield from (f"{_INDENT}{line}" for line in more)
    for text in _details(verdict):
        # An error in conditions has a caret below its place: its lines stay as they are.
        sentence, *place = text.split("\n")
        yield from (f"{_INDENT}{line}" for line in wrapped(printable(sentence), _WIDTH - len(_INDENT)))
        yield from (f"{_INDENT}{printable(line)}" for line in place)


def _details(verdict: AssertionVerdict) -> Iterator[str]:
    because = f": {verdict.because}" if verdict.because else ""
    yield f"{verdict.how}{because}"
    first = verdict.rows[0].row if verdict.rows else {}
    for place, each in enumerate(verdict.rows):
        if place:  # of two rows the second differs in a cell or two
            other = {name: cell for name, cell in each.row.items() if cell != first.get(name)}
            yield f"the same with {cells_in_words(other)} → {each.gets}"
        else:
            yield f"{cells_in_words(each.row)} → {each.gets}"


def _summary(checked: CheckedModel) -> str:
    total, failed = len(checked.verdicts), len(checked.failed)
    if not failed:
        return f"{many(total, 'assertion')}, all hold." if total != 1 else "1 assertion, it holds."
    open_ones = sum(each.holds is None for each in checked.verdicts)
    left = f", {open_ones} open" if open_ones else ""
    held, broken = total - failed, failed - open_ones
    return (
        f"{many(total, 'assertion')}: {held} {'holds' if held == 1 else 'hold'}, "
        f"{broken} {'fails' if broken == 1 else 'fail'}{left}."
    )
