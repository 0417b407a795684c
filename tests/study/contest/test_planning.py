"""Time: an estimate beforehand, who is left out, and what is tuned where."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from time import perf_counter, sleep
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.learners.progress import Progress, is_enough
from clearwood.models.lineage import Tuned
from clearwood.study.contest import planning
from clearwood.study.contest.choosing import in_fewer_parts, planned, prepare_contest, run_contest
from clearwood.study.contest.contenders import contenders_of
from clearwood.study.contest.planning import ContestPlan, TimeEstimate, times_as_long, work_of_tuning
from tests.study.contest.tables import credit, prices


def test_an_estimate_is_made_without_judging_anybody() -> None:
    prepared = prepare_contest(credit(), [cw.C45(), "knn"], design=cw.Folds(5))
    plan = planned(prepared, estimate=True)
    assert set(plan.seconds) == {"c45", "knn"}
    assert 0 < plan.total < 60
    assert planned(prepared).seconds == {}


def test_with_a_large_budget_everybody_takes_part_and_is_tuned() -> None:
    prepared = prepare_contest(credit(), ["c45", "bayes", "knn"], design=cw.Folds(3))
    names = [each.name for each in planned(prepared, budget=1e6).contenders]
    assert sorted(names[:3]) == ["bayes", "c45", "knn"]  # everybody at the defaults, and then tuned
    assert sorted(names[3:]) == ["bayes tuned", "c45 tuned"]
    untuned = [each.name for each in planned(prepared, budget=1e6, tune=False).contenders]
    assert sorted(untuned) == ["bayes", "c45", "knn"]


def test_tuning_that_does_not_fit_is_said() -> None:
    prepared = prepare_contest(credit(), ["c45"], design=cw.Folds(3))
    plan = planned(prepared, budget=1e-9, tune=True)
    assert plan.notes == ("Not tuned, for lack of time: c45.",)


def test_the_usual_learners_are_tuned_where_that_is_little_work() -> None:
    plan = planned(prepare_contest(credit(), design=cw.HoldOut(0.3)))
    assert (plan.tuning.tuned, plan.tuning.by) == (True, "work")
    assert plan.tuning.work == (150 * 4 + 10_000) * 819
    assert [each.name for each in plan.contenders][:2] == ["c45 tuned", "cart tuned"]
    assert "8.7 million cells of work, and up to 600 million" in plan.notes[0]
    assert plan.notes[0].endswith("Without it: tune=False.")


def test_whether_they_are_tuned_does_not_depend_on_the_clock() -> None:
    """Seventy parts are more work than one: past the bound all are at their defaults, which is said."""
    many = prepare_contest(credit(), design=cw.Folds(10, repeats=7))
    plan = planned(many)
    assert [each.name for each in plan.contenders][:2] == ["c45", "cart:alpha=1se"]
    assert "at its defaults: to tune them takes 16,310 models, 608 million cells of work" in plan.notes[0]
    assert plan.notes[0].endswith("To tune all the same: tune=True; as far as there is time: budget=300.")
    assert planned(many).tuning == plan.tuning


def test_either_can_be_demanded() -> None:
    few, many = cw.HoldOut(0.3), cw.Folds(10, repeats=7)
    for design, tune, first in ((few, False, "c45"), (many, True, "c45 tuned")):
        plan = planned(prepare_contest(credit(), design=design), tune=tune)
        assert plan.contenders[0].name == first
        assert (plan.tuning.tuned, plan.tuning.by, plan.notes) == (tune, "asked", ())


def test_what_was_decided_is_kept_in_the_choice() -> None:
    choice = cw.choose(credit(), ["bayes"], design=cw.HoldOut(0.3), budget=1e-9)
    assert choice.to_json()["tuning"] == {"tuned": False, "by": "budget", "work": None, "why": ""}
    named = cw.choose(credit(), ["c45"], design=cw.HoldOut(0.3))
    assert named.tuning.by == "named"
    assert named.notes[0].startswith("Learners that are named are evaluated as given.")


def test_few_rows_choose_no_settings_unasked() -> None:
    plan = planned(prepare_contest(credit(39), design=cw.HoldOut(0.3)))
    assert plan.notes[0] == (
        "Every learner is at its defaults: fewer than 40 rows would choose settings by chance."
    )


def test_learners_that_learn_class_by_class_are_more_work_with_more_classes() -> None:
    beasts = cw.read_table({"x": np.arange(60.0) % 7, "y": ["cat", "dog", "cow"] * 20}, target="y")
    prepared = prepare_contest(beasts, design=cw.HoldOut(0.3))
    work = work_of_tuning(prepared.contest, [each for each in prepared.contenders if each.grid])
    assert work == (60 + 10_000) * (819 + 2 * (31 * 3 + 16 * 30))


@dataclass(frozen=True)
class Slow:
    """A learner whose time is known: 20 ms to begin, and 2 ms for every hundred rows."""

    clock: list[float]

    def learn(self, table: cw.Table) -> Any:
        self.clock[0] += 0.02 + len(table) / 100 * 0.002
        return cw.CART(max_depth=0).learn(table)


def test_an_estimate_tells_what_every_model_takes_from_what_every_row_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr(planning, "perf_counter", lambda: clock[0])
    rows = cw.read_table({"x": np.arange(4000.0), "y": ["a", "b"] * 2000}, target="y")
    prepared = prepare_contest(rows, {"slow": Slow(clock)}, design=cw.Folds(4))
    plan = planned(prepared, estimate=True)
    assert plan.total == pytest.approx(4 * (0.02 + 3000 / 100 * 0.002), rel=0.1)
    least, most = plan.between
    assert least < plan.total < most


def test_small_samples_that_take_long_do_not_end_the_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a logistic model, which takes longer where few rows are separated by many columns."""
    clock = [0.0]

    @dataclass(frozen=True)
    class SlowOnFew:
        def learn(self, table: cw.Table) -> Any:
            clock[0] += len(table) / 100 if len(table) < 1000 else 1.0
            return cw.CART(max_depth=0).learn(table)

    monkeypatch.setattr(planning, "perf_counter", lambda: clock[0])
    rows = cw.read_table({"x": np.arange(9000.0), "y": ["a", "b"] * 4500}, target="y")
    prepared = prepare_contest(rows, {"slow on few": SlowOnFew()}, design=cw.Folds(10))
    assert planned(prepared, estimate=True).total == pytest.approx(10.0)


def test_the_largest_sample_is_worth_its_time() -> None:
    assert [planning._sizes(90_000, rounds)[-1] for rounds in (1, 2, 5, 10)] == [4500, 9000, 22_500, 30_000]
    assert planning._sizes(300, 1) == [300]  # one part of few rows is soon learned from


def test_settings_are_chosen_within_each_part_and_the_model_says_which() -> None:
    choice = cw.choose(credit(), ["bayes", cw.CART(max_depth=2)], design=cw.Folds(3), tune=True)
    assert {each.name for each in choice.judged} == {"bayes tuned", "cart:max_depth=2"}  # as it was given
    done = choice.learn("bayes tuned").origin.after[0]
    assert isinstance(done, Tuned)
    assert (done.tried, done.by, done.simplest) == (3, "accuracy", True)


def test_tuning_on_noise_does_not_beat_chance() -> None:
    """Were settings chosen by the rows that judge, noise would seem to be learned."""
    chance = np.random.default_rng(12)
    columns = {f"x{k}": chance.normal(size=200) for k in range(8)}
    noise = cw.read_table({**columns, "y": chance.permutation(["a", "b"] * 100)}, target="y")
    judged = cw.choose(noise, ["c45"], design=cw.Folds(4), tune=True)["c45 tuned"]
    assert judged.score < 0.5 + 3 * 0.5 / np.sqrt(200)


def test_the_usual_learners_for_numbers_can_be_tuned() -> None:
    made = contenders_of(None, prices()).contenders
    grids = {each.name: times_as_long(each) for each in made if each.grid}
    assert set(grids) == {"cart:alpha=1se", "chaid", "gam"}
    assert grids["cart:alpha=1se"] == 5 * 12 + 1
    choice = cw.choose(prices(), ["cart"], design=cw.HoldOut(0.3), tune=True)
    assert choice["cart tuned"].score < choice.baseline.score


@pytest.mark.long
def test_every_usual_learner_is_tuned_on_a_small_table() -> None:
    for table in (credit(), prices()):
        choice = cw.choose(table, design=cw.Folds(3), tune=True)
        readable = [each for each in choice.judged if each.readable]
        assert len(readable) >= 4
        assert sum(each.name.endswith(" tuned") for each in readable) >= 3


class Watched:
    """Learns as CART does, and takes a second for it, in steps between which it can be stopped."""

    def learn(self, table: cw.Table) -> cw.Tree:
        for step in range(100):
            if is_enough(Progress(step, 100, "tree")):
                break
            sleep(0.01)
        return cw.CART(max_depth=1).learn(table)


def test_a_budget_holds_in_the_midst_of_a_contender_which_stands_in_the_table_as_stopped() -> None:
    prepared = prepare_contest(
        credit(), {"quick": cw.CART(max_depth=2), "slow": Watched()}, design=cw.Folds(5)
    )
    plan = ContestPlan(prepared.contenders, {})
    told: list[str] = []
    began = perf_counter()
    choice = run_contest(prepared, plan, budget=0.5, began=began, shown=lambda each: told.append(each.name))
    assert perf_counter() - began < 2.5  # five parts of it take five seconds
    assert told == ["quick", "slow"]
    slow = choice["slow"]
    assert slow.stopped
    assert slow.refused.startswith("Stopped for lack of time, after 0 of 5 parts")
    assert re.search(r"^  slow +no time$", str(choice), re.MULTILINE)
    assert choice.recommendation.name == "quick"


def test_one_that_takes_longer_to_tune_than_was_likely_leaves_time_for_those_after_it() -> None:
    prepared = prepare_contest(credit(), {"quick": cw.CART(max_depth=2)}, design=cw.Folds(5))
    (quick,) = prepared.contenders
    others = [
        replace(quick, name="slow tuned", learns=Watched()),
        *(replace(quick, name=f"{n} tuned", learns=cw.CART(max_depth=n)) for n in (1, 3)),
    ]
    seconds = {each.name: TimeEstimate(0.01, 0.01, 0.01) for each in others}
    choice = run_contest(prepared, ContestPlan((quick, *others), seconds), budget=1.5)
    assert {each.name for each in choice.judged} == {"quick", "1 tuned", "3 tuned"}
    assert any(note.startswith("slow tuned: Stopped for lack of time") for note in choice.notes)


def test_fewer_folds_for_all_rather_than_that_the_slowest_goes_out() -> None:
    prepared = prepare_contest(credit(), {"quick": cw.CART(max_depth=2), "slow": cw.NaiveBayes()})
    seconds = {"quick": TimeEstimate(1.0, 1.0, 1.0), "slow": TimeEstimate(99.0, 99.0, 99.0)}
    plan = ContestPlan(prepared.contenders, seconds)
    for budget, parts in ((1000.0, 10), (100.0, 5), (60.0, 3), (30.0, 1)):
        fewer, made = in_fewer_parts(prepared, plan, budget)
        assert len(fewer.contest.parts) == parts
        assert made.total == pytest.approx(100.0 * parts / 10)
        assert [each.name for each in made.contenders] == ["quick", "slow"]
        assert bool(made.notes) == (parts < 10)


def test_the_baseline_is_among_those_that_holm_counts() -> None:
    choice = cw.choose(credit(), [cw.CART(max_depth=2), cw.NaiveBayes()], design=cw.Folds(5))
    found, other = choice.from_baseline, choice.differences[0]
    assert found is not None
    assert found.comparisons == other.comparisons == 2
    assert min(found.adjusted_p, other.adjusted_p) == pytest.approx(min(1, 2 * min(found.p, other.p)))
