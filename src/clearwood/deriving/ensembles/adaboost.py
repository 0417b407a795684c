"""AdaBoost's rounds: every row's weight, the member's error and weight, the new weights; last, the vote."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood.arrays import Ints
from clearwood.catalogue import learner_of
from clearwood.deriving.ensembles.shared import (
    MOST_MEMBERS,
    MOST_TERMS,
    added_up,
    and_more,
    check_alike,
    grid_of_rows,
    rows_learned_from,
    title_of,
)
from clearwood.errors import ClearwoodWarning
from clearwood.formulas.conditions import all_of
from clearwood.formulas.expressions import Exp, Expression, Log, Number, Over, Sum, Symbol, part
from clearwood.learners.ensembles.adaboost import Round
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Member
from clearwood.models.kinds.tree.tree import Tree, node_shares, path_to
from clearwood.predicting.batch import codes_of_ensemble, plain_codes, scores_of_ensemble
from clearwood.table.folding import rows_by_content
from clearwood.table.table import Table
from clearwood.words.numbers import short
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import ASKED, GIVEN, Figure, Grid, GridCell, Lazy, Rows, named, plain, prepared

_ERR: Final = Symbol(
    "err", means="the weighted error of the member: the weights of the rows it predicts wrongly, added up"
)
_A: Final = Symbol("a", means="the weight of the member")
_Z: Final = Symbol("Z", means="the sum of the new weights, by which they are divided")

_ROUNDS: Final = "Rounds"
_HALF: Final = (
    "Textbooks for two classes halve it and multiply right rows by exp(−α), wrong ones by exp(α): divided by "
    "their sum, the weights are the same, and so is the vote."
)
_WRONG: Final = Symbol("n", "wrong", "the number of rows that are predicted wrongly") / Symbol(
    "n", means="the number of rows"
)
_ODDS: Final = Log((1 - _ERR) / _ERR, "e")


def derive_adaboost(model: Ensemble, table: Table) -> Derivation:
    """Round by round the weights of the rows, the error and the weight of the member; then the vote.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> steps = derive_adaboost(cw.AdaBoost(trees=3).learn(table), table)
    >>> steps.figure("err of member 1").exact, round(steps.figure("a of member 1").value, 4)
    (Fraction(5, 14), 0.5878)
    """
    learner = learner_of(model.origin)
    rows = rows_learned_from(learner, table)
    shown = min(model.size, MOST_MEMBERS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        rounds = _rounds(replace(learner, trees=shown), rows)
    check_alike(model, model.weights[:shown], [each.weight for each in rounds])
    steps = [
        _round(model, learner, rows, rounds[place], place, plain_codes(rounds[place].member, rows))
        for place in range(shown)
    ]
    more = and_more(shown, model.size, "rounds")
    steps[-1] = replace(steps[-1], decision=steps[-1].decision + more)
    return Derivation(title_of(model), [*steps, _vote(model, rows)])


def _rounds(learner: Any, rows: Table) -> list[Round]:
    """The rounds that add up in the learner's order of rows, each told of the rows as they stand."""
    order = rows_by_content(rows)
    places = np.argsort(order)
    return [
        replace(each, weights=each.weights[places], wrong=each.wrong[places])
        for each in learner.rounds(rows.take(order)).kept
    ]


def _round(model: Ensemble, learner: Any, rows: Table, here: Round, place: int, codes: Ints) -> Step:
    number = place + 1
    classes = len(np.unique(rows.target))
    formula = Over("Σ", "i wrong", Symbol("w", "i", "the weight of row i"))
    every = Rows(float(len(rows)))
    error = Figure(f"err of member {number}", here.error, formula, _wrong_weights(here), every)
    figures = [*leaves_figure(model.members[place], number), error]
    if here.error <= 0:
        figures.insert(-1, _rows_figure(model, rows, here, codes, number, None))
        because = "It is never wrong: it weighs 1."
        figures.append(Figure(f"a of member {number}", here.weight, because=because))
        decision = f"Member {number} makes no mistake, so that no row would gain weight: the boosting ends."
        return Step(_ROUNDS, f"Round {number}", tuple(figures), decision)
    weight = _weight(learner.rate, classes, error, here.weight, number)
    growth = Figure(f"exp(a) of member {number}", math.exp(here.weight), Exp(_A), Exp(named(weight)))
    total = 1.0 - here.error + here.error * math.exp(here.weight)
    put_in = Sum((1 - named(error), named(error) * named(growth)))
    because = "The weights of right rows stay, those of wrong rows are multiplied by exp(a)."
    added = Sum((1 - _ERR, _ERR * Exp(_A)))
    whole = Figure(f"Z of round {number}", total, added, put_in, because=because)
    right = Figure(f"factor of right rows, round {number}", 1.0 / total, 1 / _Z, 1 / named(whole))
    name, by = f"factor of wrong rows, round {number}", named(growth) / named(whole)
    wrong = Figure(name, math.exp(here.weight) / total, Exp(_A) / _Z, by)
    figures.append(weight)
    if classes == 2:
        half, because = named(weight) / 2, _HALF if number == 1 else ""
        figures.append(Figure(f"α of member {number}", here.weight / 2, _A / 2, half, because=because))
    factors = (float(named(right).value), float(named(wrong).value))
    figures += [growth, whole, right, wrong, _rows_figure(model, rows, here, codes, number, factors)]
    decision = (
        f"The weighted error of member {number} is {short(here.error)}, its weight {short(here.weight)}; "
        f"the rows it predicts wrongly now weigh {short(math.exp(here.weight))} times as much as before, "
        "relative to the others."
    )
    return Step(_ROUNDS, f"Round {number}", tuple(figures), decision)


def _weight(rate: float, classes: int, error: Figure, value: float, number: int) -> Figure:
    """ν · (ln((1 − err)/err) + ln(K − 1)), without what is 1 or 0."""
    formula: Expression = _ODDS
    put_in: Expression = Log((1 - named(error)) / named(error), "e")
    because = "For two classes ln(K − 1) is 0."
    if classes > 2:
        formula = formula + Log(Symbol("K", means="the number of classes") - 1, "e")
        put_in, because = put_in + Log(Number(classes) - 1, "e"), ""
    if rate != 1:
        formula, put_in = (Symbol("ν", means="the learning rate") * formula, plain(rate) * put_in)
    return Figure(f"a of member {number}", value, formula, put_in, because=because)


def _wrong_weights(here: Round) -> Expression:
    """The weights of the rows that are wrong, each with how many have it, added up."""
    wrong = here.weights[here.wrong]
    if np.ptp(here.weights) <= 1e-15 * here.weights.max():
        return part(float(len(wrong)), float(len(here.weights)))
    if not len(wrong):
        return Number(0)
    alike = [float(f"{each:.11e}") for each in wrong.tolist()]  # equal but for rounding
    groups: dict[float, list[float]] = {}
    for key, each in zip(alike, wrong.tolist(), strict=True):
        groups.setdefault(key, []).append(each)
    if len(groups) > MOST_TERMS:
        return added_up(wrong.tolist())[0]
    terms: list[Expression] = []
    for _, same in sorted(groups.items()):
        own = Number(same[0])
        terms.append(own if len(same) == 1 else Number(len(same)) * own)
    return Sum(tuple(terms))


def _rows_figure(
    model: Ensemble, rows: Table, here: Round, codes: Ints, number: int, factors: tuple[float, float] | None
) -> Figure:
    classes = model.schema.classes

    def cells(row: int) -> tuple[GridCell, ...]:
        wrong, before = bool(here.wrong[row]), float(here.weights[row])
        answer = classes[codes[row]] if codes[row] >= 0 else None
        after = None if factors is None else before * factors[wrong]
        return answer, "wrong" if wrong else "right", before, after

    heads = ("predicted", "right?", "weight before", "weight after")
    on_sheet = (ASKED if isinstance(here.member, Tree) else GIVEN, ASKED, ASKED, ASKED)
    grid = grid_of_rows(f"The rows in round {number}", rows, heads, Lazy(len(rows), cells), on_sheet)
    return Figure(f"weights in round {number}", None, rows=Rows(float(len(rows))), grids=(grid,))


def _vote(model: Ensemble, rows: Table) -> Step:
    """The votes of all members for the training rows, and how many these have wrong."""
    classes, total = model.schema.classes, float(sum(model.weights))

    def prepare() -> Callable[[int], tuple[GridCell, ...]]:
        votes = scores_of_ensemble(model, rows) * total

        def cells(row: int) -> tuple[GridCell, ...]:
            right = "right" if answers[row] == rows.target[row] else "wrong"
            return (*votes[row].tolist(), classes[answers[row]], right)

        return cells

    answers = codes_of_ensemble(model, rows)
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    heads = (*(f"votes for {name}" for name in classes), "predicted", "right?")
    cells, on_sheet = prepared(len(rows), prepare), (ASKED,) * len(heads)
    grid = grid_of_rows("The votes for the training rows", rows, heads, cells, on_sheet)
    wrong = float(weights[answers != rows.target].sum())
    whole = float(weights.sum())
    put_in = plain(wrong) / plain(whole)
    figure = Figure("error on the training rows", wrong / whole, _WRONG, put_in, Rows(whole), grids=(grid,))
    decision = (
        f"Each member votes for its class with its weight; the class with most of the {short(total)} votes "
        f"is predicted. {short(wrong)} of {short(whole)} training rows are predicted wrongly."
    )
    return Step("Voting", "The vote", (figure,), decision)


# A member in a few lines: of a small tree each leaf, and what it answers.


def leaves_figure(member: Member, number: int) -> tuple[Figure, ...]:
    """The leaves of a tree of classes with their answers; nothing for members of other kinds.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> leaves_figure(cw.ID3(max_depth=1).learn(table), 1)[0].grids[0].rows[0]
    ('Outlook = Overcast', 'Yes')
    """
    if not isinstance(member, Tree) or member.is_numeric:
        return ()
    nodes = member.nodes
    leaves = np.flatnonzero(nodes.end == np.arange(1, len(nodes) + 1)).tolist()
    answers = node_shares(member, None).argmax(axis=1)
    lines: list[tuple[GridCell, ...]] = [
        (all_of(path_to(member, leaf)) or "all rows", member.schema.classes[answers[leaf]]) for leaf in leaves
    ]
    grid = Grid(f"Member {number}", ("leaf", "predicted"), lines, on_sheet=("given", "given"))
    return (Figure(f"leaves of member {number}", None, grids=(grid,)),)
