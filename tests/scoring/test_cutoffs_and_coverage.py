"""Cutoffs: every figure is what predicting with that cutoff gives; coverage: what referring leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import SchemaError, SettingError
from clearwood.measures.inference import wilson
from clearwood.models.decision import Decision
from clearwood.scoring.coverage import coverage_of, refer_for
from clearwood.scoring.cutoff_aims import chosen_by, note_on_choice
from clearwood.scoring.cutoffs import Cutoffs, cutoffs_of, shortest_between
from clearwood.scoring.predictions import Judged
from clearwood.table.schema import effective_rows, in_rows

SHARES = st.sampled_from([0.0, 0.05, 0.1, 1 / 3, 0.5, 0.7, 0.7 + 1e-12, 0.95, 1.0])
ROWS = st.lists(st.tuples(SHARES, st.booleans(), st.sampled_from([0.5, 1.0, 2.0])), min_size=2, max_size=20)
COSTS = ((0.0, 1.0), (5.0, 0.5))  # true no: 1 for an alarm; true yes: 5 missed


def judged(rows: list[tuple[float, bool, float]]) -> Judged:
    share, own, weights = (np.array(column) for column in zip(*rows, strict=True))
    return Judged(np.stack([1 - share, share], axis=1), own.astype(np.int64), weights, 0)


@given(ROWS)
def test_each_line_is_what_answering_from_there_on_gives(rows: list[tuple[float, bool, float]]) -> None:
    if len({own for _, own, _ in rows}) < 2:
        return
    table = cutoffs_of(("no", "yes"), judged(rows), "yes", costs=COSTS)
    assert table.costs is not None
    seen = set()
    for at, hits, alarms, (cost, low, high) in zip(
        table.at, table.hits, table.alarms, table.costs, strict=True
    ):
        reached = [(bool(share >= at), own, weight) for share, own, weight in rows]
        assert hits == pytest.approx(sum(w for r, own, w in reached if r and own))
        assert alarms == pytest.approx(sum(w for r, own, w in reached if r and not own))
        paid = sum(w * COSTS[own][r] for r, own, w in reached)
        assert cost == pytest.approx(paid / sum(w for *_, w in rows))
        assert low <= cost + 1e-12
        assert cost <= high + 1e-12
        seen.add(tuple(r for r, *_ in reached))
    assert len(seen) == len(table.at)  # each divides the rows otherwise
    assert table.at.tolist() == sorted(table.at.tolist())


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_number_between_two_shares_lies_between_them(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    at = float(shortest_between(np.array([low]), np.array([high]))[0])
    assert low < at <= high or low == high


def test_a_cutoff_for_recall_is_the_greatest_that_reaches_it() -> None:
    rows = judged([(0.9, True, 1), (0.6, False, 1), (0.5, True, 1), (0.4, False, 1), (0.2, True, 1)])
    table = cutoffs_of(("no", "yes"), rows, "yes")
    chosen = chosen_by(cw.ForRecall("yes", 2 / 3), table)
    assert 0.4 < (chosen.chosen or 0) < 0.5
    assert "← chosen" in str(chosen)
    (line,) = [each for each in chosen.lines() if each["chosen"]]
    assert line["recall"] == pytest.approx(2 / 3)
    assert chosen_by(cw.ForRecall("yes", 1.0), table).chosen == pytest.approx(0.2, abs=0.2)
    assert 0.6 < (chosen_by(cw.ForPrecision("yes", 0.9), table).chosen or 0) < 0.9


def test_a_precision_that_cannot_be_reached_names_the_best_there_is() -> None:
    rows = judged([(0.9, False, 1), (0.8, True, 1), (0.1, False, 1)])
    with pytest.raises(SettingError, match=r"largest is 0\.5, at a cutoff of 0\.4 and a recall of 1"):
        chosen_by(cw.ForPrecision("yes", 0.8), cutoffs_of(("no", "yes"), rows, "yes"))


def test_constant_shares_are_named_and_an_absent_class_and_wrong_aims_refused() -> None:
    same = judged([(0.3, True, 1), (0.3, False, 1)])
    alike = chosen_by(cw.ForRecall("yes", 0.5), cutoffs_of(("no", "yes"), same, "yes"))
    assert alike.chosen == 0
    assert note_on_choice(alike).endswith("no cutoff tells them apart: every row is predicted yes.")
    with pytest.raises(SchemaError, match="none of these is yes"):
        cutoffs_of(("no", "yes"), judged([(0.3, False, 1), (0.4, False, 1)]), "yes")
    with pytest.raises(SettingError, match="No class 'maybe'"):
        cutoffs_of(("no", "yes"), same, "maybe")
    with pytest.raises(SettingError, match="recall must be a fraction"):
        cw.ForRecall("yes", 1.5)


def test_the_cutoff_of_least_cost_is_near_the_theoretical_one_on_calibrated_shares() -> None:
    rng = np.random.default_rng(5)
    share = rng.random(40_000)
    rows = Judged(
        np.stack([1 - share, share], axis=1),
        (rng.random(40_000) < share).astype(np.int64),
        np.ones(40_000),
        0,
    )
    costs = ((0.0, 1.0), (4.0, 0.0))
    table = cutoffs_of(("no", "yes"), rows, "yes", costs=costs)
    assert chosen_by(cw.ForCost("yes", costs), table).chosen == pytest.approx(1 / 5, abs=0.05)


def test_of_many_classes_one_stands_against_the_rest_and_costs_are_those_of_the_answers() -> None:
    shares = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.1, 0.6], [0.6, 0.2, 0.2]])
    truth = np.array([0, 1, 2, 1])
    costs = ((0.0, 1.0, 2.0), (3.0, 0.0, 1.0), (1.0, 4.0, 0.0))
    table = cutoffs_of(("a", "b", "c"), Judged(shares, truth, np.ones(4), 0), "b", costs=costs)
    schema = cw.Schema((), cw.Nominal("y", ("a", "b", "c")))
    from clearwood.models.decision import decided

    assert table.costs is not None
    for at, (cost, _, _) in zip(table.at.tolist(), table.costs.tolist(), strict=True):
        answers = decided(shares, Decision(cutoff=cw.Cutoff("b", at)), schema.classes)
        assert cost == pytest.approx(np.mean([costs[t][a] for t, a in zip(truth, answers, strict=True)]))


def test_referred_rows_are_counted_apart() -> None:
    rows = judged([(0.9, True, 1), (0.55, True, 2), (0.2, False, 1), (0.1, True, 1)])
    table = cutoffs_of(("no", "yes"), rows, "yes", refer=0.7)
    assert table.unanswered == 2
    assert table.own == 2
    assert "2 referred and not counted" in str(table)


def test_coverage_is_what_referring_below_each_share_leaves() -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    model = cw.NaiveBayes().learn(table.take(np.arange(0, 14, 2)))
    curve = cw.coverage(model, table)
    for refer, answered, right in zip(curve.refer, curve.answered, curve.right, strict=True):
        judged = cw.evaluate(cw.with_refer(model, float(refer)), table)
        assert judged.weight_answered == answered  # type: ignore[union-attr]
        assert judged.right == right  # type: ignore[union-attr]
    assert curve.coverage[0] == 1.0


def test_answers_are_referred_until_the_rest_are_accurate_enough() -> None:
    truth, answers = np.array([1, 1, 0, 1, -1]), np.array([1, 1, 1, 0, 1])
    best = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    curve = coverage_of(truth, answers, best, np.ones(5))
    assert curve.left_out == 1
    assert curve.accuracy.tolist() == [0.5, 2 / 3, 1.0, 1.0]
    assert 0.7 < (refer_for(0.9, curve).chosen or 0) < 0.8
    wrong = coverage_of(np.array([0, 0]), np.array([1, 1]), np.array([0.6, 0.7]), np.ones(2))
    with pytest.raises(SettingError, match=r"never 0\.9 accurate"):
        refer_for(0.9, wrong)
    with pytest.raises(SchemaError, match="no rows to evaluate"):
        coverage_of(np.array([-1]), np.array([0]), np.array([1.0]), np.ones(1))


def test_as_data_they_are_plain_and_at_most_a_hundred_lines() -> None:
    import json

    rng = np.random.default_rng(1)
    share = rng.random(5000)
    rows = Judged(
        np.stack([1 - share, share], axis=1), (rng.random(5000) < share).astype(np.int64), np.ones(5000), 0
    )
    table: Cutoffs = chosen_by(cw.ForRecall("yes", 0.8), cutoffs_of(("no", "yes"), rows, "yes"))
    data: dict[str, Any] = json.loads(json.dumps(table.to_json()))
    assert 90 <= len(data["cutoffs"]) <= 103
    assert sum(each["chosen"] for each in data["cutoffs"]) == 1
    curve = coverage_of(
        rows.truth, (share > 0.5).astype(int), np.maximum(share, 1 - share), rows.weights, 0.7
    )
    assert 90 <= len(json.loads(json.dumps(curve.to_json()))["limits"]) <= 103
    assert len(str(replace(curve, chosen=None)).splitlines()) <= 14


@given(ROWS, st.floats(0, 1))
def test_the_line_that_is_marked_divides_the_rows_as_the_cutoff_that_is_set(
    rows: list[tuple[float, bool, float]], at: float
) -> None:
    if len({own for _, own, _ in rows}) < 2:
        return
    table = cutoffs_of(("no", "yes"), judged(rows), "yes", current=cw.Cutoff("yes", at))
    if at > max(share for share, *_ in rows) == 1.0:
        return  # no line of a table whose largest share is 1 reaches above it
    (line,) = [each for each in table.lines(1000) if each["chosen"]]
    assert line["hits"] == pytest.approx(sum(w for share, own, w in rows if own and share >= at))


@given(ROWS, st.floats(0, 1))
def test_the_share_that_is_set_is_marked_on_the_curve(
    rows: list[tuple[float, bool, float]], refer: float
) -> None:
    best, right, weights = (np.array(column) for column in zip(*rows, strict=True))
    curve = coverage_of(right.astype(np.int64), np.ones(len(rows), dtype=np.int64), best, weights, refer)
    place = curve.place_of_chosen
    answered = float(weights[best >= refer].sum())
    assert (0.0 if place is None else float(curve.answered[place])) == pytest.approx(answered)


@pytest.mark.parametrize("times", [1, 2])
def test_intervals_at_a_cutoff_are_of_the_rows_that_speak_for_them(times: int) -> None:
    dice = np.random.default_rng(0)
    share, own = dice.random(60), np.arange(60) % 2
    weights = in_rows(np.where(own == 1, dice.lognormal(size=60), 3.0), "sampling")
    once = Judged(np.stack([1 - share, share], axis=1), own, weights, 0, "sampling")
    again = replace(
        once,
        shares=np.repeat(once.shares, times, axis=0),
        truth=np.repeat(own, times),
        weights=np.repeat(weights / times, times),
        times=float(times),
    )
    for line in cutoffs_of(("no", "yes"), again, "yes").lines():
        told = effective_rows(weights[own == 1])
        ends = wilson(line["recall"] * told, told)
        assert line["recall_interval"] == pytest.approx([float(end) for end in ends])
        if line["precision"] is not None:
            told = effective_rows(weights[share >= line["cutoff"]])
            ends = wilson(line["precision"] * told, told)
            assert line["precision_interval"] == pytest.approx([float(end) for end in ends])
