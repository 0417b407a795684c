"""Aims of a cutoff: a recall, a precision or the least cost, and which of the possible cutoffs serves it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

import numpy as np

from clearwood.bounds import LARGEST_COST
from clearwood.errors import SettingError
from clearwood.models.decision import Cutoff
from clearwood.scoring.costs import Matrix
from clearwood.scoring.cutoffs import Cutoffs
from clearwood.words.numbers import number


@dataclass(frozen=True, slots=True)
class ForRecall:
    """Find at least this part of the class's rows, with as few false alarms as that allows."""

    positive: str
    recall: float

    def __post_init__(self) -> None:
        _check_part("recall", self.recall)


@dataclass(frozen=True, slots=True)
class ForPrecision:
    """At least this share of the rows predicted as the class are of it, and as many as possible."""

    positive: str
    precision: float

    def __post_init__(self) -> None:
        _check_part("precision", self.precision)


@dataclass(frozen=True, slots=True)
class ForCost:
    """The least expected cost by these costs [true class, predicted class]; none: those of the model, or the
    fewest mistakes where nobody gave it any."""

    positive: str
    costs: Matrix = ()

    def __post_init__(self) -> None:
        if any(not 0 <= cost <= LARGEST_COST for row in self.costs for cost in row):
            raise SettingError(f"Costs must be numbers from 0 to {LARGEST_COST:g}.")


CutoffAim: TypeAlias = Cutoff | ForRecall | ForPrecision | ForCost


def chosen_by(aim: CutoffAim, cutoffs: Cutoffs) -> Cutoffs:
    """The table with the cutoff that serves the aim; a sentence where none can."""
    match aim:
        case Cutoff(_, at):
            if not (isinstance(at, int | float) and 0 <= at <= 1):
                raise SettingError(f"A cutoff must be a probability from 0 to 1, not {at!r}.")
            place = None
        case ForRecall(_, recall):
            reached = np.flatnonzero(cutoffs.recall >= recall - 1e-12)
            place = int(reached[-1])  # cutoff 0 finds every row
        case ForPrecision(_, precision):
            reached = np.flatnonzero(cutoffs.precision >= precision - 1e-12)
            if not len(reached):
                best = int(np.nanargmax(cutoffs.precision))
                raise SettingError(
                    f"No cutoff on the probability of {cutoffs.positive} has a precision of "
                    f"{number(precision)}. "
                    f"The largest is {cutoffs.precision[best]:.4g}, at a cutoff of "
                    f"{number(float(cutoffs.at[best]))} and a recall of {cutoffs.recall[best]:.4g}. "
                    "Ask for less, or for a recall."
                )
            place = int(reached[0])
        case ForCost():
            assert cutoffs.costs is not None
            dear = cutoffs.costs[:, 0]
            # Of equals the greatest, which raises fewest alarms; sums that differ by rounding are equal.
            place = int(np.flatnonzero(dear <= dear.min() + 1e-12 * (1 + abs(dear.min())))[-1])
        case _:
            assert_never(aim)
    at = aim.at if isinstance(aim, Cutoff) else float(cutoffs.at[place or 0])
    return replace(cutoffs, chosen=at, aim=aim_words(aim))


def aim_words(aim: CutoffAim) -> str:
    """
    >>> aim_words(ForRecall("bad", 0.8)), aim_words(Cutoff("bad", 0.3))
    ('for a recall of at least 0.8', 'given')
    """
    match aim:
        case Cutoff():
            return "given"
        case ForRecall(_, recall):
            return f"for a recall of at least {number(recall)}"
        case ForPrecision(_, precision):
            return f"for a precision of at least {number(precision)}"
        case ForCost(_, costs):
            return (
                "for the lowest expected cost" if costs else "for the fewest mistakes, as no costs are given"
            )
        case _:
            assert_never(aim)


def note_on_choice(cutoffs: Cutoffs) -> str:
    """What must be known of a cutoff that was chosen and parts no rows; "" of any other."""
    lines = [line for line in cutoffs.lines() if line["chosen"]]
    if not lines or 0 < lines[0]["answered_positive"] < 1:
        return ""
    name = cutoffs.positive
    answered = f"{'every' if lines[0]['answered_positive'] else 'no'} row is predicted {name}"
    if len(np.unique(cutoffs.least[np.isfinite(cutoffs.least)])) < 2:
        return f"All rows have the same probability of {name}, and no cutoff tells them apart: {answered}."
    return (
        f"By the cutoff chosen {cutoffs.aim}, {answered}: the probabilities do not rank these rows "
        "well enough."
    )


def _check_part(name: str, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise SettingError(f"{name} must be a fraction above 0 and at most 1, not {value!r}.")
