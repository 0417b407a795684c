"""How a table of sums is to be read: what is added up, how it becomes shares, and who answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, assert_never

from clearwood.export.tables.sum_lines import EACH_UNIT, figure_text
from clearwood.export.tables.sum_reading import (
    BASE,
    DOUBLING,
    REFER,
    SumReading,
    cost_name,
    cutoff_name,
    factor_name,
    statements_of,
)
from clearwood.export.tables.sum_table import EachUnit, SumTable

FigureText: TypeAlias = Callable[[str], str]  # how the number of a statement is written, by its name


def how_to_add(table: SumTable, figure: FigureText | None = None) -> str:
    """The sentences that stand above such a table; `figure` writes their numbers, by default without loss."""
    text = "Begin with the first line, and add what each line gives that holds."
    if any(isinstance(cell, EachUnit) for row in table.rows for cell in row.cells):
        rounded = ", rounded, halves upwards" if table.rounded else ""
        text += f" “{EACH_UNIT}” is its number times the cell{rounded}, unless the cell is missing."
    if table.has_pairs:
        text += " Two cells that are not listed together add nothing."
    figure = figure or _own_figures(table.reading)
    return " ".join([text, _shares(table.reading, figure), *_answer(table.reading, figure)])


def _own_figures(reading: SumReading) -> FigureText:
    numbers = {name: value for name, value in statements_of(reading) if not isinstance(value, str)}
    return lambda name: figure_text(numbers[name])


def _shares(reading: SumReading, figure: FigureText) -> str:
    match reading.link:
        case "identity":
            return "The sum is the prediction."
        case "exp":
            return "The prediction is e^sum."
        case "points":
            power = f"({figure(BASE)} - S) / {figure(DOUBLING)}"
            return f"A sum of S points is a probability 1 / (1 + 2^({power})) of {reading.favours}."
        case "logistic" if not reading.decision.factors:
            return f"A sum S is a probability 1 / (1 + e^-S) of {reading.favours}."
        case "logistic" | "log odds" | "softmax":
            own = "" if reading.against is None else f"; the sum of {reading.against} is 0"
            factors = _factors(reading, figure)
            return f"A class's probability is e^sum{factors}, divided by the total of that of all{own}."
        case _:
            assert_never(reading.link)


def _factors(reading: SumReading, figure: FigureText) -> str:
    if not reading.decision.factors:
        return ""
    by_class = _by_class(reading, (figure(factor_name(each)) for each in reading.classes))
    return f" times its factor ({by_class})"


def _by_class(reading: SumReading, figures: Iterable[str]) -> str:
    return ", ".join(f"{name} {figure}" for name, figure in zip(reading.classes, figures, strict=True))


def _answer(reading: SumReading, figure: FigureText) -> list[str]:
    """Who answers, in a sentence or two; a number answers itself."""
    if not reading.classes:
        return []
    return [_who_answers(reading, figure), *_refer(reading, figure)]


def _who_answers(reading: SumReading, figure: FigureText) -> str:
    decision = reading.decision
    match decision.by:
        case "cutoff":
            assert decision.cutoff is not None
            positive = decision.cutoff.positive
            at = figure(cutoff_name(positive))
            return f"{positive} is predicted from a probability of {at} up, else the most likely other."
        case "costs":
            costs = "; ".join(
                f"where {true} is true, "
                + _by_class(reading, (figure(cost_name(each, true)) for each in reading.classes))
                for true in reading.classes
            )
            return f"The class of least expected cost is predicted. What predictions cost: {costs}."
        case "share":
            if reading.link == "points" and decision.refer is None:
                return f"Above {figure(BASE)} points {reading.favours} is predicted, else {reading.against}."
            return "The class with the largest probability is predicted."
        case _:
            assert_never(decision.by)


def _refer(reading: SumReading, figure: FigureText) -> list[str]:
    if reading.decision.refer is None:
        return []
    return [f"Where the largest probability is below {figure(REFER)} there is no prediction."]
