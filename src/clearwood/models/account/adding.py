"""The terms of an account as formulas: the place of each cell as a step, and what is added for it."""

from __future__ import annotations

import math

from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Above, Below, IsMissing
from clearwood.models.account.account import Account, ColumnPlaces, Places, Slope
from clearwood.models.program.program import ProgramStep


def added_steps(
    account: Account, *, called: str = "place", about: str = "of"
) -> tuple[list[ProgramStep], list[tuple[f.Expression, ...]]]:
    """The steps of places, and [score] what is added up, its start first. Tables of a card are counted
    apart."""
    steps: list[ProgramStep] = []
    places: dict[ColumnPlaces, str] = {}
    scored = list(account.scored)
    added: list[list[f.Expression]] = [[f.Number(each)] for each in account.start[scored].tolist()]
    singles = sum(not isinstance(term, Places) or len(term.sides) == 1 for term in account.terms)
    for number, term in enumerate(account.terms, 1):
        if isinstance(term, Slope):
            for own, c in zip(added, scored, strict=True):
                own.append(_of_slope(term, c))
            continue
        assert isinstance(term, Places), "a density or a word adds up in Bayes tables alone"
        for side in term.sides:
            if side not in places:
                places[side] = f"{called}_{number if len(term.sides) == 1 else len(places) + 1}"
                steps.append(ProgramStep(places[side], side.expression, f"{about} {side.name}", whole=True))
        first, *second = term.sides
        at = places[first]
        for across in second:
            cell = f.Sum((f.Earlier(at) * float(across.places), f.Earlier(places[across])))
            at = f"pair_{number - singles * account.of_card}"
            steps.append(ProgramStep(at, cell, f"of {term.name}", whole=True))
        if second or not account.of_card or term.added.any():
            for own, points in zip(added, term.added[:, scored].T.tolist(), strict=True):
                own.append(f.Lookup(tuple(points), at))
    return steps, [tuple(own) for own in added]


def _of_slope(term: Slope, c: int) -> f.Expression:
    """Its weight times its cell; where it is rounded, no more than that of the largest number counted."""
    weight = float(term.weights[c])
    cases = [f.ChoiceCase(f.Holds(IsMissing(term.name)), f.Number(float(term.missing[c])))]
    known: f.Expression = weight * f.CellNumber(term.name) if term.weights.any() else f.ZERO
    if term.reach is not None:
        if math.isfinite(term.reach):
            for beyond in (Above(term.name, term.reach), Below(term.name, -term.reach)):
                most = float(math.floor(beyond.limit * weight + 0.5))
                cases.append(f.ChoiceCase(f.Holds(beyond), f.Number(most)))
        known = f.Floor(f.Sum((f.Product((f.Number(weight), f.CellNumber(term.name))), f.Number(0.5))))
    return f.Choose(tuple(cases), known)
