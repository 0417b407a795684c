"""To choose: judge learners alike on the same rows, and say which model to take."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Final

from clearwood.catalogue import LEARNERS
from clearwood.errors import Advice, LearningError, SchemaError, Sentence, SettingError
from clearwood.learners.parts import TaskCounter
from clearwood.scoring.answer_scores import note_on_kinds, note_on_unanswered
from clearwood.scoring.scores import check_orders
from clearwood.study.contest.choice import ModelChoice
from clearwood.study.contest.contenders import Contender, StepsForAll, contenders_of, deciding_by, with_steps
from clearwood.study.contest.planning import (
    ContestPlan,
    TimeEstimate,
    TuningDecision,
    by_quickness,
    estimated,
    in_seconds,
    tuned,
    tuned_within,
    usual_tuning,
)
from clearwood.study.contest.recommending import better_first
from clearwood.study.contest.running import Contest, JudgedContender, run_contender
from clearwood.study.deciding.decided_anew import costs_of_mistakes
from clearwood.study.designs import FOLDS, Bootstrap, Design, Folds, HoldOut, TrainingRows, design_in_words
from clearwood.study.dividing import parts_by_design, predicted_column, rows_to_learn, units_of
from clearwood.study.recipe import Finishing, Preparation
from clearwood.study.tuning.trials import JudgingByScore, judging_by_score
from clearwood.study.tuning.tuner import Tuner
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

_TO_ESTIMATE: Final = 0.15  # of the budget, to see how long each contender takes
_TO_JUDGE: Final = 0.6  # of the budget, in which all are likely to be judged at their defaults
_TO_TUNE: Final = 0.75  # of the budget, in which tuning is likely to end


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

    `learners` are learners, recipes, names of them ("gam"), reference models ("svm", "knn", "lda",
    "random_forest", by scikit-learn) or any estimator of its contract; without them every readable learner
    takes part, and the reference models, which learn from a sample where there are many rows. `design` says
    how rows are held out, by ten folds unless given. `by` names a score: accuracy, cost where `costs` {(true,
    predicted): cost} are given, or RMSE. `tune` tries a small grid of settings for each learner within every
    part, or not; without a word the usual learners are tuned if a count of the work says that it takes about
    a minute at most, and those that are given are evaluated as they are. `budget` is in seconds: where no
    design was given, fewer folds evaluate so that there is time for all, who has not ended by then is stopped
    and stands in the table as such, and as many are tuned as there is time for. `before` and `after` are
    steps of a recipe around every learner, done within each part: `Balance("smote")`, `Selection(keep=8)`,
    `Deciding(calibrate="platt")`.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> choice = cw.choose(days, [cw.ID3(), cw.ID3(max_depth=1)], design=cw.Folds(7))
    >>> choice.recommendation.name, [each.name for each in choice.frontier]
    ('id3:max_depth=1', ['id3:max_depth=1'])
    """
    steps = StepsForAll(lambda _: before, tuple(after))
    prepared = prepare_contest(
        table, learners, design=design, by=by, positive=positive, costs=costs, steps=steps, seed=seed
    )
    began = perf_counter()
    plan = planned(prepared, budget=budget, tune=tune)
    if budget is not None and design is None:
        prepared, plan = in_fewer_parts(prepared, plan, budget)
    return run_contest(prepared, plan, budget=budget, began=began)


@dataclass(frozen=True, slots=True, eq=False)
class PreparedContest:
    """A contest that can begin: who takes part, on which rows, by what."""

    contest: Contest
    design: Design
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
        costs_of_mistakes(table.schema, costs)  # refuses classes that there are none of, and what is no cost
    judging = judging_by_score(None, table, by, positive or None, costs)
    check_orders(judging.entry)
    taken = Folds(min(FOLDS, len(table)), seed) if design is None else design
    if isinstance(taken, TrainingRows):
        raise SettingError(
            "Learners cannot be compared on the rows learned from. Take Folds() or another design."
        )
    field = contenders_of(learners, table)
    contest = Contest(
        rows_to_learn(taken, table),
        parts_by_design(taken, table),
        judging.by,
        judging.stakes,
        shares=judging.entry.of == "shares" or costs is not None,
        units=units_of(taken, table),
        by_bootstrap=isinstance(taken, Bootstrap),
    )
    prepared, done = with_steps(field.contenders, steps or StepsForAll(), numbers=numbers)
    contenders = tuple(
        each if each.is_reference_model else replace(each, learns=deciding_by(costs, each.learns))
        for each in prepared
    )
    notes = (*field.notes, *done, *_about(judging, positive))
    return PreparedContest(contest, taken, contenders, notes)


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
        plan = by_quickness(contenders, estimated(contest, contenders, _TO_ESTIMATE * budget))
        few = tune is None and usual_tuning(contest, contenders).by == "rows"
        return plan if tune is False or few else tuned_within(contest, plan, _TO_TUNE * budget)
    decision = usual_tuning(contest, contenders) if tune is None else TuningDecision(tune, "asked")
    if decision.tuned:
        contenders = tuple(
            tuned(contest, each) if each.grid and (tune or each.usual) else each for each in contenders
        )
    notes = (decision.why,) if decision.why else ()
    return ContestPlan(contenders, estimated(contest, contenders) if estimate else {}, notes, decision)


def in_fewer_parts(
    prepared: PreparedContest, plan: ContestPlan, budget: float
) -> tuple[PreparedContest, ContestPlan]:
    """The contest on as many parts as there is time for everyone: fewer folds for all rather than that the
    slowest, which may be the strongest, goes out. As it is where there is time, or rows are divided by
    groups."""
    contest, design = prepared.contest, prepared.design
    at_defaults = [each for each in plan.contenders if each.name in {e.name for e in prepared.contenders}]
    whole = sum(plan.seconds[each.name].likely for each in at_defaults)
    left = _TO_JUDGE * budget
    if whole <= left or not isinstance(design, Folds) or design.group is not None:
        return prepared, plan
    parts = len(contest.parts)
    fewer: Design = HoldOut(seed=design.seed)
    for folds in (5, 3):
        if folds < parts and whole * folds / parts <= left:
            fewer = Folds(folds, design.seed, stratified=design.stratified)
            break
    divided = parts_by_design(fewer, contest.table)
    part = len(divided) / parts
    seconds = {
        name: TimeEstimate(part * each.likely, part * each.least, part * each.most)
        for name, each in plan.seconds.items()
    }
    note = Sentence(
        f"{design_in_words(fewer, len(divided)).capitalize()} in place of {parts} folds, so that there is "
        f"time for all contenders in {in_seconds(budget)}. For more: ",
        Advice("budget", round(whole / _TO_JUDGE) + 1),
        ".",
    )
    kept = replace(prepared, contest=replace(contest, parts=divided), design=fewer)
    return kept, ContestPlan(tuple(at_defaults), seconds, (note,), TuningDecision(False, "budget"))


def run_contest(
    prepared: PreparedContest,
    plan: ContestPlan,
    *,
    budget: float | None = None,
    began: float | None = None,
    shown: Callable[[JudgedContender], object] | None = None,
) -> ModelChoice:
    """Judge those of the plan, one after another. Who has not ended when the `budget` is spent, counted from
    when it `began`, is stopped, and stands in the table as such; the first of the plan ends in any case. One
    that is tuned beside its defaults has its part of the time that is left, so that it does not take that of
    all who are tuned after it. `shown` is told of each as soon as it is judged."""
    began = perf_counter() if began is None else began
    deadline = math.inf if budget is None else began + budget
    contest = prepared.contest
    counter = TaskCounter(len(contest.parts) * len(plan.contenders))
    judged: list[JudgedContender] = []
    notes = [*prepared.notes, *plan.notes]
    at_defaults = {each.name for each in prepared.contenders}
    waiting = sum(each.name not in at_defaults for each in plan.contenders)
    for each in plan.contenders:
        done = _stopped_before(each, plan, deadline) if judged else None
        if done is None and not counter.enough:
            own = deadline
            if each.name not in at_defaults:
                own = _deadline_of_one(each, plan, deadline, waiting)
            done = run_contender(contest, each, counter, own if judged else math.inf)
        waiting -= each.name not in at_defaults
        if done is None:
            notes.append(f"{each.name} was not evaluated: the work was interrupted.")
            continue
        if done.stopped and each.name not in at_defaults:
            notes.append(f"{each.name}: {done.refused}")  # it stands in the table at its defaults
            continue
        judged.append(done)
        if shown is not None:
            shown(done)
    if all(each.refused for each in judged):
        # The sentences in parts, so that each reader gets their advice in his own words.
        refusals = [part for each in judged for part in (f" {each.name}: ", each.refused)]
        raise LearningError("No contender could be evaluated.", *refusals)
    # The commonest class with the classes' shares, the cheapest where there are costs, or the mean.
    leaf = deciding_by(contest.stakes.costs, LEARNERS["cart"].make(max_depth=0))
    baseline = run_contender(contest, Contender("baseline", leaf), None)
    assert baseline is not None
    known = [each for each in judged if each.predictions is not None]
    notes += note_on_unanswered({each.name: each.answered for each in known}, contest.entry)
    notes += note_on_kinds({each.name: each.predictions for each in known}, contest.by, contest.entry)
    return ModelChoice(
        contest=contest,
        design=prepared.design,
        judged=tuple(better_first(judged, contest.entry.better)),
        baseline=baseline,
        notes=tuple(notes),
        tuning=plan.tuning,
        seconds=perf_counter() - began,
    )


def _deadline_of_one(contender: Contender, plan: ContestPlan, deadline: float, waiting: int) -> float:
    """When one of so many that wait to be tuned is to have ended: after an equal part of the time that is
    left, or as long as it was likely to take at most."""
    now = perf_counter()
    known = plan.seconds.get(contender.name)
    equal = (deadline - now) / waiting
    return min(deadline, now + max(equal, 0.0 if known is None else known.most))


def _stopped_before(contender: Contender, plan: ContestPlan, deadline: float) -> JudgedContender | None:
    """A contender that is not begun, for it would not end in time; None: it is begun. One that tells how far
    it is can be stopped in the midst of a model, and so is begun where it may end."""
    if contender.name not in plan.seconds:
        return None
    left, takes = deadline - perf_counter(), plan.seconds[contender.name]
    watched = isinstance(contender.learns, Tuner) or contender.dearness > 1
    if (takes.least if watched else takes.likely) <= left:
        return None
    sentence = (
        f"Not evaluated for lack of time: it would take about {in_seconds(takes.likely)}, and "
        f"{in_seconds(max(left, 0.0))} were left."
    )
    return JudgedContender(contender=contender, refused=sentence, stopped=True)


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
    predicted_column(table)
    if len(table) < 2:
        raise SchemaError("To choose, at least two rows are needed: one to learn from, one to test on.")
