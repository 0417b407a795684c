"""How a table of sums is to be read: what is added up, how it becomes shares, and who answers."""

from __future__ import annotations

from typing import assert_never

from clearwood.explain.scorecard import Scorecard
from clearwood.export.tables.sum_lines import EACH_UNIT, figure_text
from clearwood.export.tables.sum_table import AddsUp, EachUnit, SumTable
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.linear_model import LinearModel


def how_to_add(table: SumTable) -> str:
    """The sentences that stand above such a table."""
    text = "Begin with the first line, and add what each line gives that holds."
    if any(isinstance(cell, EachUnit) for row in table.rows for cell in row.cells):
        rounded = ", rounded, halves upwards" if table.rounded else ""
        text += f" “{EACH_UNIT}” is its number times the cell{rounded}, unless the cell is missing."
    if table.has_pairs:
        text += " Two cells that are not listed together add nothing."
    return " ".join([text, _shares(table.of), *_answer(table.of)])


def _shares(of: AddsUp) -> str:
    match of:
        case Scorecard():
            base, doubling = figure_text(of.base), figure_text(of.points_per_doubling)
            return f"A sum of S points is a share 1 / (1 + 2^(({base} - S) / {doubling})) of {of.favours}."
        case LinearModel():
            own = f", and e^0 for {of.against}" if of.against is not None else ""
            return f"A class's share is e^sum{_factors(of)} divided by the total of that of all{own}."
        case AdditiveModel():
            match of.link:
                case "identity":
                    return "The sum is the answer."
                case "exp":
                    return "The answer is e^sum."
                case "logistic":
                    return f"A sum S is a share 1 / (1 + e^-S) of {of.schema.classes[1]}{_factors(of)}."
                case "softmax":
                    return f"A class's share is e^sum{_factors(of)} divided by the total of that of all."
                case _:
                    assert_never(of.link)
        case _:
            assert_never(of)


def _factors(of: LinearModel | AdditiveModel) -> str:
    if not of.decision.factors:
        return ""
    named = zip(of.schema.classes, of.decision.factors, strict=True)
    return f" times its factor ({', '.join(f'{name} {figure_text(factor)}' for name, factor in named)})"


def _answer(of: AddsUp) -> list[str]:
    """Who answers, in a sentence or two; a number answers itself."""
    if of.is_numeric:
        return []
    decision = of.decision
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
            rows = (", ".join(map(figure_text, each)) for each in decision.costs)
            return [
                f"The class of least expected cost answers; costs by true class: {'; '.join(rows)}.",
                *refer,
            ]
        case "share":
            if isinstance(of, Scorecard) and not refer:
                other = next(each for each in of.schema.classes if each != of.favours)
                return [f"Above {figure_text(of.base)} points {of.favours} answers, else {other}."]
            return ["The class with the largest share answers.", *refer]
        case _:
            assert_never(decision.by)
