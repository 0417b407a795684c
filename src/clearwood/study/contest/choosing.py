"""To choose: judge learners alike on the same rows, and say which model to take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from clearwood.advice import Advice, Sentence
from clearwood.catalogue import LEARNERS
from clearwood.errors import LearningError, SchemaError, SettingError
from clearwood.learners.decision import decision_of
from clearwood.scoring.kinds_of_answers import note_on_kinds
from clearwood.scoring.score import ScoreEntry
from clearwood.scoring.scoring_by_name import check_orders
from clearwood.scoring.unanswered import note_on_unanswered
from clearwood.study.contest.choice import ModelChoice
from clearwood.study.contest.contenders import Contender, contenders_of
from clearwood.study.contest.deciding_by_costs import deciding_by
from clearwood.study.contest.estimating import estimated
from clearwood.study.contest.frontier import better_first
from clearwood.study.contest.judged import JudgedContender
from clearwood.study.contest.planning import ContestPlan, in_seconds, tuned_within, within_budget
from clearwood.study.contest.running import Contest, ModelCounter, run_contender
from clearwood.study.contest.steps_for_all import StepsForAll, with_steps
from clearwood.study.contest.tuned_contenders import tuned
from clearwood.study.contest.usual_tuning import TuningDecision, usual_tuning
from clearwood.study.designs import FOLDS, Bootstrap, Design, Folds, TrainingRows
from clearwood.study.dividing import parts_of, rows_to_learn, units_of
from clearwood.study.recipe_steps import Finishing, Preparation
from clearwood.study.tuning.judging_by_score import JudgingByScore, judging_by_score
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table


def choose(
    table: Table,
    learners: Iterable[Any] | Mapping[str, Any] | None = None,
    *,
    design: Design | None = None,
    by: str | None = None,
    positive: str = "",
    costs: Mapping[tuple[str, str], float] | None = None,
    budget: float | None = None,
    tune: bool | None = None,
    before: Sequence[Preparation] = (),
    after: Sequence[Finishing] = (),
    seed: int = 0,
) -> ModelChoice:
    """Judge every learner alike, by one score on the same rows, and recommend one with its reason.

    `learners` are learners, recipes, names of them ("gam"), yardsticks ("svm", "knn", "lda",
    "random_forest", by scikit-learn) or any estimator of its contract; without them every readable learner
    takes part, and yardsticks as far as there are not too many rows. `design` says which rows judge, ten
    folds unless given. `by` names a score: accuracy, cost where `costs` {(true, predicted): cost} are given,
    or RMSE. `tune` tries a small grid of settings for each learner within every part, or not; without a word
    the usual learners are tuned if a count of the work says that it takes about a minute at most, and those
    that are given are judged as they are. `budget` is in seconds: who would not fit is left out, with a note,
    and as many are tuned as there is time for. `before` and `after` are steps of a recipe around every
    learner, done within each part: `Balance("smote")`, `Selection(keep=8)`, `Deciding(calibrate="platt")`.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> choice = cw.choose(days, [cw.ID3(), cw.ID3(max_depth=1)], design=cw.Folds(7))
    >>> choice.recommendation.name, [each.name for each in choice.frontier]
    ('id3', ['id3:max_depth=1', 'id3'])
    """
    steps = StepsForAll(lambda _: before, tuple(after))
    prepared = prepare_contest(
        table, learners, design=design, by=by, positive=positive, costs=costs, steps=steps, seed=seed
    )
    plan = planned(prepared, budget=budget, tune=tune)
    return run_contest(prepared, plan, budget=budget)


@dataclass(frozen=True, slots=True, eq=False)
class PreparedContest:
    """A contest that can begin: who takes part, on which rows, by what."""

    contest: Contest
    design: Design
    entry: ScoreEntry
    contenders: tuple[Contender, ...]
    notes: tuple[str, ...]


def prepare_contest(
    table: Table,
    learners: Iterable[Any] | Mapping[str, Any] | None = None,
    *,
    design: Design | None = None,
    by: str | None = None,
    positive: str = "",
    costs: Mapping[tuple[str, str], float] | None = None,
    steps: StepsForAll | None = None,
    seed: int = 0,
) -> PreparedContest:
    """Refuse what cannot be judged, divide the rows once, and name the contenders."""
    _check(table)
    numbers = isinstance(table.schema.target, Numeric)
    if numbers and (costs is not None or positive):
        raise SettingError("Costs and a positive class are for classes, but the target is a number.")
    if costs is not None:
        _check_costs(table, costs)
    judging = judging_by_score(None, table, by, positive or None, costs)
    check_orders(judging.entry)
    taken = Folds(min(FOLDS, len(table)), seed) if design is None else design
    if isinstance(taken, TrainingRows):
        raise SettingError("The rows learned from cannot judge. Take Folds() or another design.")
    field = contenders_of(learners, table)
    contest = Contest(
        rows_to_learn(taken, table),
        parts_of(taken, table),
        judging.by,
        judging.stakes,
        shares=judging.entry.of == "shares" or costs is not None,
        units=units_of(taken, table),
        by_bootstrap=isinstance(taken, Bootstrap),
    )
    prepared, done = with_steps(field.contenders, steps or StepsForAll(), numbers=numbers)
    contenders = tuple(
        each if each.is_yardstick else replace(each, learns=deciding_by(costs, each.learns))
        for each in prepared
    )
    notes = (*field.notes, *done, *_about(judging, positive))
    return PreparedContest(contest, taken, judging.entry, contenders, notes)


def planned(
    prepared: PreparedContest,
    *,
    budget: float | None = None,
    tune: bool | None = None,
    estimate: bool = False,
) -> ContestPlan:
    """Who takes part, tuned or not, and about how long each will take where there is a budget or an estimate
    is asked for."""
    if budget is not None and not budget > 0:
        raise SettingError(f"budget must be above 0 seconds, not {budget!r}.")
    contest, contenders = prepared.contest, prepared.contenders
    if budget is not None:
        plan = within_budget(contenders, estimated(contest, contenders), budget)
        return plan if tune is False else tuned_within(contest, plan, budget)
    decision = usual_tuning(contest, contenders) if tune is None else TuningDecision(tune, "asked")
    if decision.tuned:
        contenders = tuple(
            tuned(contest, each) if each.grid and (tune or each.usual) else each for each in contenders
        )
    notes = (decision.why,) if decision.why else ()
    return ContestPlan(contenders, estimated(contest, contenders) if estimate else {}, notes, decision)


def run_contest(prepared: PreparedContest, plan: ContestPlan, *, budget: float | None = None) -> ModelChoice:
    """Judge those of the plan, one after another; who would end after the budget is left out as well."""
    began = perf_counter()
    contest = prepared.contest
    counter = ModelCounter(of=len(contest.parts) * len(plan.contenders))
    judged: list[JudgedContender] = []
    notes = [*prepared.notes, *plan.notes]
    for each in plan.contenders:
        likely = plan.seconds[each.name].likely if each.name in plan.seconds else 0.0
        over = perf_counter() - began + likely
        if budget is not None and judged and over > budget:
            notes.append(
                f"{each.name} is left out: with it the whole would take about {in_seconds(over)}, and "
                f"{in_seconds(budget)} were given."
            )
            continue
        done = None if counter.enough else run_contender(contest, each, counter)
        if done is None:
            notes.append(f"{each.name} was not judged: the work was interrupted.")
        else:
            judged.append(done)
    if all(each.refused for each in judged):
        # The sentences in parts, so that each reader gets their advice in his own words.
        refusals = [part for each in judged for part in (f" {each.name}: ", each.refused)]
        raise LearningError("No contender could be judged.", *refusals)
    known = [each for each in judged if each.predictions is not None]
    notes += note_on_unanswered({each.name: each.answered for each in known}, prepared.entry)
    notes += note_on_kinds({each.name: each.predictions for each in known}, contest.by, prepared.entry)
    return ModelChoice(
        contest=contest,
        design=prepared.design,
        entry=prepared.entry,
        judged=tuple(better_first(judged, prepared.entry.better)),
        baseline=_baseline(prepared),
        notes=tuple(notes),
        tuning=plan.tuning,
        seconds=perf_counter() - began,
    )


def _baseline(prepared: PreparedContest) -> JudgedContender:
    """The commonest class with the classes' shares, the cheapest where there are costs, or the mean."""
    contest = prepared.contest
    leaf = deciding_by(contest.stakes.costs, LEARNERS["cart"].make(max_depth=0))
    counter = ModelCounter(of=len(contest.parts))
    judged = run_contender(contest, Contender("baseline", leaf), counter)
    assert judged is not None
    return judged


def _about(judging: JudgingByScore, positive: str) -> list[str]:
    """Which class the score is about, where nobody named it, or one was named in vain."""
    label = judging.entry.label
    if positive and not judging.entry.about_positive:
        return [f"{label} is about all classes: that {positive} is the positive one changes nothing."]
    if not judging.guessed:
        return []
    return [Sentence(f"{label} is about {judging.guessed}. For another class: ", Advice("positive"), ".")]


def _check(table: Table) -> None:
    if not isinstance(table, Table):
        raise SettingError(f"choose takes a Table, not {type(table).__name__}. Make one with read_table.")
    if table.schema.target is None:
        raise SchemaError("Which column is predicted? Name it: ", Advice("target"), ".")
    if len(table) < 2:
        raise SchemaError("To choose, at least two rows are needed: one to learn from, one to judge by.")


def _check_costs(table: Table, costs: Mapping[tuple[str, str], float]) -> None:
    """Refuse classes that there are none of, and what is no cost."""
    import numpy as np

    decision_of(table.schema, np.ones(len(table.schema.classes)), None, dict(costs))
