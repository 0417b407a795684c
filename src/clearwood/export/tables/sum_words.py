"""How a table of sums is to be read: what is added up, how it becomes shares, and who answers."""

from __future__ import annotations

from typing import assert_never

from clearwood.export.tables.sum_lines import EACH_UNIT, figure_text
from clearwood.export.tables.sum_reading import SumReading
from clearwood.export.tables.sum_table import EachUnit, SumTable


def how_to_add(table: SumTable) -> str:
    """The sentences that stand above such a table."""
    text = "Begin with the first line, and add what each line gives that holds."
    if any(isinstance(cell, EachUnit) for row in table.rows for cell in row.cells):
        rounded = ", rounded, halves upwards" if table.rounded else ""
        text += f" “{EACH_UNIT}” is its number times the cell{rounded}, unless the cell is missing."
    if table.has_pairs:
        text += " Two cells that are not listed together add nothing."
    return " ".join([text, _shares(table.reading), *_answer(table.reading)])


def _shares(reading: SumReading) -> str:
    match reading.link:
        case "identity":
            return "The sum is the answer."
        case "exp":
            return "The answer is e^sum."
        case "points":
            base, doubling = figure_text(reading.base), figure_text(reading.doubling)
            return (
                f"A sum of S points is a share 1 / (1 + 2^(({base} - S) / {doubling})) of {reading.favours}."
            )
        case "logistic" if not reading.decision.factors:
            return f"A sum S is a share 1 / (1 + e^-S) of {reading.favours}."
        case "logistic" | "log odds" | "softmax":
            own = "" if reading.against is None else f"; the sum of {reading.against} is 0"
            return f"A class's share is e^sum{_factors(reading)}, divided by the total of that of all{own}."
        case _:
            assert_never(reading.link)


def _factors(reading: SumReading) -> str:
    if not reading.decision.factors:
        return ""
    return f" times its factor ({_by_class(reading, reading.decision.factors)})"


def _by_class(reading: SumReading, figures: tuple[float, ...]) -> str:
    named = zip(reading.classes, figures, strict=True)
    return ", ".join(f"{name} {figure_text(figure)}" for name, figure in named)


def _answer(reading: SumReading) -> list[str]:
    """Who answers, in a sentence or two; a number answers itself."""
    if not reading.classes:
        return []
    decision = reading.decision
    refer = (
        []
        if decision.refer is None
        else [f"Where the largest share is below {figure_text(decision.refer)} there is no answer."]
    )
    match decision.by:
        case "cutoff":
            assert decision.cutoff is not None
            at = figure_text(decision.cutoff.at)
            return [
                f"{decision.cutoff.positive} answers from a share of {at} up, else the most likely other.",
                *refer,
            ]
        case "costs":
            costs = "; ".join(
                f"where {true} is true, {_by_class(reading, row)}"
                for true, row in zip(reading.classes, decision.costs, strict=True)
            )
            return [f"The class of least expected cost answers. What answers cost: {costs}.", *refer]
        case "share":
            if reading.link == "points" and not refer:
                base = figure_text(reading.base)
                return [f"Above {base} points {reading.favours} answers, else {reading.against}."]
            return ["The class with the largest share answers.", *refer]
        case _:
            assert_never(decision.by)
