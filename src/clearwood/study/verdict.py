"""A verdict: is a model better than the constant answer, is it overfitted, can its probabilities be used?

Rules over what an evaluation knows. A model is introduced by what it is for: by its costs where costs were
given, by recall and precision where a cutoff was set, else by its accuracy or error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats, Longs, distinct
from clearwood.measures.inference import wilson_of
from clearwood.models.decision import Cutoff
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.model import Model
from clearwood.records import dataclass, json_of
from clearwood.scoring import Better, Stakes
from clearwood.scoring.answer_scores import costs_asked
from clearwood.scoring.costs import Matrix
from clearwood.scoring.differences.paired import (
    MeanDifference,
    corrected_resampled_t,
    paired_mean,
    tango_interval,
)
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation
from clearwood.scoring.intervals import (
    CORRECTED,
    is_over_parts,
    judged_to_learned_by,
    score_intervals,
    terms_of_parts,
)
from clearwood.scoring.positive import Baseline, ConstantClasses, baseline_of, baseline_predictions
from clearwood.scoring.predictions import (
    ClassPredictions,
    NumberPredictions,
    Predictions,
    counted_once,
    in_own_order,
    rows_that_speak,
)
from clearwood.scoring.scores import Scores
from clearwood.study.data_sense import Finding
from clearwood.study.designs import HoldOut
from clearwood.study.study import Study
from clearwood.table.schema import effective_rows

ModelStanding: TypeAlias = Literal["better", "not shown", "worse", "unknown"]
Fitted: TypeAlias = Literal[
    "overfitted", "partly overfitted", "perhaps overfitted", "not overfitted", "memorises", "unknown"
]
Usable: TypeAlias = Literal[
    "usable", "perhaps", "too extreme", "too timid", "worse than the baseline", "unknown"
]
JudgedBy: TypeAlias = Literal["held out", "folds", "out of bag", "given rows", "training rows"]

LOST: Final = 0.5  # of what training rows gain over the constant answer; who loses more is overfitted
PARTLY: Final = 0.25  # who loses so much, beyond what chance would, is partly overfitted
_VAGUE: Final = 5.0  # a standard error of the slope, of which it says nothing
SLOPES: Final = (0.8, 1.25)  # between them a calibration slope is near enough to 1


@dataclass(frozen=True, slots=True)
class AgainstConstant:
    """The score that the model is for, beside the answer that is the same for every row.

    `score` is "accuracy", "cost" per row, "informedness" (recall less the part of false alarms, which is 0
    for every constant answer) where a cutoff decides, or the error of numbers. `difference` is the value less
    the constant's, with its interval at 95 % (None: the rows cannot tell), made `by` this method.
    """

    score: str
    better: Better
    value: float = math.nan
    interval: tuple[float, float] | None = None
    constant: str = ""
    of_constant: float = math.nan
    difference: float = math.nan
    difference_interval: tuple[float, float] | None = None
    by: str = ""

    @property
    def standing(self) -> ModelStanding:
        """Better or worse where the interval of the difference excludes 0; else it is not shown."""
        if math.isnan(self.difference):
            return "unknown"
        if self.difference_interval is None:
            return "not shown"
        low, high = self.difference_interval
        ahead, behind = (low > 0, high < 0) if self.better == "more" else (high < 0, low > 0)
        return "better" if ahead else "worse" if behind else "not shown"


@dataclass(frozen=True, slots=True)
class Training:
    """The same score on the rows that were learned from; `lost` is the part of what it gains there over the
    constant answer that is gone on rows that judge (NaN: it gains nothing there)."""

    value: float
    lost: float
    fitted: Fitted


@dataclass(frozen=True, slots=True)
class Probabilities:
    """The log loss beside that of the classes' shares alone; of two classes the calibration slope, 1 where
    probabilities are right, less where they are too extreme, more where they are too timid."""

    log_loss: float
    of_constant: float
    slope: float
    slope_interval: tuple[float, float] | None
    usable: Usable


@dataclass(frozen=True, slots=True)
class AtCutoff:
    """What the cutoff does: the parts found of its class, right among those predicted as it, and raised among
    the others."""

    cutoff: Cutoff
    recall: float
    recall_interval: tuple[float, float] | None
    precision: float
    precision_interval: tuple[float, float] | None
    false_alarms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelVerdict:
    """The first thing to know of a model. `judged_by` says which rows tell, `rows` how many, `weight` what
    they count together, `design` how they were divided, in a few words. On `training rows` nothing can be
    said of others: `why` says why."""

    judged_by: JudgedBy
    rows: int
    weight: float
    design: str = ""
    why: str = ""
    constant: AgainstConstant | None = None
    training: Training | None = None
    probabilities: Probabilities | None = None
    at_cutoff: AtCutoff | None = None
    costs: Matrix = ()
    classes: tuple[str, ...] = ()
    leaks: tuple[str, ...] = ()  # sentences on columns that may be known only once the target is

    @property
    def standing(self) -> ModelStanding:
        return "unknown" if self.constant is None else self.constant.standing

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`; the sentences are those that people read."""
        from clearwood.study.verdict_words import headline, remarks

        sentences = [headline(self), *(each.sentence for each in remarks(self))]
        leaks = list(map(str, self.leaks))
        return json_of(
            self, leaks=leaks, costs=self.costs or None, standing=self.standing, sentences=sentences
        )


def study_verdict(study: Study, positive: str = "", scores: Scores | None = None) -> ModelVerdict:
    """On top of whatever shows a study; `positive` is the class that the calibration slope is about, `scores`
    are those that stand beside it."""
    grown, training = study.grown_on, study.training
    untold = ModelVerdict(
        judged_by="training rows",
        rows=0 if grown is None else len(grown),
        weight=0.0 if training is None else training.weight,
    )
    if study.judged is None:
        return replace(untold, why=str(study.unjudged) or "How it does on others is not known.")
    if study.out_of_bag is not None:
        judged_by: JudgedBy = "out of bag"
    elif study.folds is not None and not isinstance(study.folds.design, HoldOut):
        judged_by = "folds"
    else:
        judged_by = "given rows" if study.saved else "held out"
    predictions = study.predictions
    known = predictions.truth >= 0 if isinstance(predictions, ClassPredictions) else predictions.weights > 0
    if not known.any():
        return replace(untold, judged_by=judged_by, why="In none of the test rows is the truth known.")
    return verdict_of(
        predictions,
        baseline_of(study.model, predictions),
        model=study.model,
        judged_by=judged_by,
        design="" if study.folds is None else study.folds.design_in_words,
        training=study.seen,
        positive=positive or study.positive,
        slope_interval=slope_interval_of(scores),
    )


def slope_interval_of(scores: Scores | None) -> tuple[float, float] | None:
    """The interval of the calibration slope among these scores, where it is one of them."""
    if scores is None:
        return None
    return next((each.interval for each in scores.scored if each.name == "calibration_slope"), None)


def with_leaks(verdict: ModelVerdict, findings: Iterable[Finding]) -> ModelVerdict:
    """The same with those of these findings that are leaks: no score can be trusted before they are."""
    return replace(verdict, leaks=tuple(each.sentence for each in findings if each.kind == "leak"))


def verdict_of(
    predictions: Predictions,
    baseline: Baseline,
    *,
    model: Model | None = None,
    judged_by: JudgedBy,
    design: str = "",
    training: Evaluation | None = None,
    positive: str = "",
    costs: Mapping[tuple[str, str], float] | None = None,
    cutoff: Cutoff | None = None,
    among: int = 1,
    slope_interval: tuple[float, float] | None = None,
) -> ModelVerdict:
    """By predictions of rows that the model, or those of its folds, did not learn from, beside a baseline;
    `training` is the model's evaluation on the rows that it did learn from. `costs` are asked for; else those
    that the models decided by count. Where a `cutoff` decided and no costs were given, it is judged by that.
    Where the same rows chose the model `among` several, the interval of its difference allows for them
    (Bonferroni), since the best of many is ahead of the constant prediction by chance more often.
    `slope_interval` is that of the calibration slope in a table of scores beside the verdict, so that one
    page has one; without it, over parts it is theirs, and otherwise by how much each row moves the slope,
    which needs no drawing and says nearly the same.
    """
    stakes = Stakes(positive, costs)
    if cutoff is None and model is not None:
        cutoff = model.decision.cutoff
    predictions = in_own_order(predictions)
    verdict = ModelVerdict(
        judged_by=judged_by,
        rows=len(distinct(predictions.places)),
        weight=float(counted_once(predictions).weights.sum()),
        design=design,
    )
    if isinstance(predictions, NumberPredictions):
        against = _of_numbers(predictions, baseline, among)
        return replace(verdict, constant=against, training=_on_training(against, training, model))
    paid = costs_asked(predictions, stakes) if costs is not None or predictions.costs else ()
    shown = None
    if paid:
        against = _of_costs(predictions, baseline, stakes, among)
    elif cutoff is not None:
        shown = _at_cutoff(predictions, cutoff)
        against = _of_cutoff(predictions, shown, among)
    else:
        against = _of_accuracy(predictions, baseline, among)
    return replace(
        verdict,
        constant=against,
        training=_on_training(against, training, model, cutoff, paid),
        probabilities=_probabilities(predictions, baseline, positive, slope_interval),
        at_cutoff=shown,
        costs=paid,
        classes=predictions.classes,
    )


def _of_accuracy(predictions: ClassPredictions, baseline: Baseline, among: int) -> AgainstConstant:
    assert isinstance(baseline, ConstantClasses)
    answered = predictions.take(predictions.answers >= 0)
    right = (answered.truth == answered.answers).astype(np.float64)
    constant = (answered.truth == baseline.commonest).astype(np.float64)
    against = AgainstConstant("accuracy", "more", constant=baseline.classes[baseline.commonest])
    return _means(against, answered, right, constant, predictions, among)


def _of_costs(
    predictions: ClassPredictions, baseline: Baseline, stakes: Stakes, among: int
) -> AgainstConstant:
    assert isinstance(baseline, ConstantClasses)
    paid = np.array(costs_asked(predictions, stakes))
    cheapest = baseline.cheapest(paid)
    known = predictions.take((predictions.answers >= 0) & (predictions.truth >= 0))
    own, other = paid[known.truth, known.answers], paid[known.truth, cheapest]
    against = AgainstConstant("cost", "less", constant=baseline.classes[cheapest])
    return _means(against, known, own, other, predictions, among, stakes)


def _of_numbers(predictions: NumberPredictions, baseline: Baseline, among: int) -> AgainstConstant:
    given = predictions.take(~np.isnan(predictions.answers))
    constant = baseline_predictions(baseline, given)
    q = predictions.quantile

    def loss(answers: Floats) -> Floats:
        error = given.truth - answers
        if q is None:
            return np.asarray(error**2)
        scale = 2.0 if q == 0.5 else 1.0  # half the absolute error is the quantile loss of the median
        return np.asarray(scale * np.maximum(q * error, (q - 1) * error))

    name = {None: "rmse", 0.5: "mae"}.get(q, "pinball")
    own, other = loss(np.asarray(given.answers)), loss(np.asarray(constant.answers))
    against = AgainstConstant(name, "less", constant=str(baseline))
    made = _means(against, given, own, other, predictions, among)
    return _rooted(made) if q is None else made


def _rooted(squares: AgainstConstant) -> AgainstConstant:
    """A difference of squared errors as one of their roots: so many times as large, and so are its ends."""
    value, constant = math.sqrt(max(squares.value, 0.0)), math.sqrt(max(squares.of_constant, 0.0))
    apart = value - constant
    times = apart / squares.difference if squares.difference else 0.0
    ends = squares.difference_interval
    ends = None if ends is None else (ends[0] * times, ends[1] * times)
    return replace(squares, value=value, of_constant=constant, difference=apart, difference_interval=ends)


def _at_cutoff(predictions: ClassPredictions, cutoff: Cutoff) -> AtCutoff:
    made = score_intervals(("recall", "precision"), predictions, Stakes(cutoff.positive), quick=True)
    recall, precision = made["recall"], made["precision"]
    place = predictions.classes.index(cutoff.positive)
    others = (predictions.truth != place) & (predictions.answers >= 0)
    weights = predictions.weights[others]
    total, raised = float(weights.sum()), float(weights[predictions.answers[others] == place].sum())
    alarms = raised / total if total else math.nan
    return AtCutoff(cutoff, recall.value, recall.interval, precision.value, precision.interval, alarms)


def _of_cutoff(predictions: ClassPredictions, shown: AtCutoff, among: int) -> AgainstConstant:
    """Recall less false alarms: whoever answers every row alike raises the same part of both."""
    place = predictions.classes.index(shown.cutoff.positive)
    answered = predictions.take(predictions.answers >= 0)
    own, raised, weights = answered.truth == place, answered.answers == place, answered.weights
    against = AgainstConstant("informedness", "more", constant="the same prediction", of_constant=0.0)
    if not weights[own].sum() > 0 or not weights[~own].sum() > 0:
        return against

    def part(rows: Bools) -> float:
        return float(weights[rows & raised].sum()) / float(weights[rows].sum())

    found, alarms = part(own), part(~own)
    apart, sure = found - alarms, _sure(among)
    ends, by = _newcombe(answered, own, found, alarms, sure), "Newcombe"
    if is_over_parts(answered):
        parts = [answered.part == each for each in distinct(answered.part)]
        terms = [
            float(np.average(raised[each & own], weights=weights[each & own]))
            - float(np.average(raised[each & ~own], weights=weights[each & ~own]))
            for each in parts
            if (each & own).any() and (each & ~own).any()
        ]
        over = corrected_resampled_t(terms, judged_to_learned_by(answered))
        # Around what all rows together give, which is what is shown.
        ends, by = replace(over, mean=apart).interval_at(sure), f"{CORRECTED} over {len(terms)} parts"
    known = None if any(map(math.isnan, ends)) else ends
    return replace(
        against,
        value=apart,
        interval=known,
        difference=apart,
        difference_interval=known,
        by=_allowing(by, among) if known else "",
    )


def _sure(among: int) -> float:
    """The confidence of one interval, so that of so many together 95 % hold."""
    return 1 - 0.05 / among


def _allowing(by: str, among: int) -> str:
    return by if among == 1 else f"{by}, allowing for {among} contenders"


def _newcombe(
    rows: ClassPredictions, own: Bools, found: float, alarms: float, confidence: float
) -> tuple[float, float]:
    """Of the difference of two independent parts of rows (Newcombe 1998), by the rows that they speak for."""
    low, high = wilson_of(found, rows_that_speak(rows, own), confidence)
    least, most = wilson_of(alarms, rows_that_speak(rows, ~own), confidence)
    apart = found - alarms
    return (apart - math.hypot(found - low, most - alarms), apart + math.hypot(high - found, alarms - least))


def _means(
    against: AgainstConstant,
    rows: Predictions,
    own: Floats,
    other: Floats,
    predictions: Predictions,
    among: int,
    stakes: Stakes | None = None,
) -> AgainstConstant:
    """The means of two numbers of each row, and of their difference: over the parts where several models
    judged, else row by row, or group by group."""
    weights = counted_once(rows).weights
    total, score, sure = float(weights.sum()), against.score, _sure(among)
    if not total > 0:
        return against
    value, base = float(own @ weights) / total, float(other @ weights) / total
    counts = rows.weights_are in (None, "counts")
    by = "paired by row"
    if is_over_parts(rows):
        by = f"{CORRECTED} over {len(distinct(rows.part))} parts"
        shared = judged_to_learned_by(rows)
        ends = _ends_over_parts(own - other, weights, rows.part, value - base, shared, sure)
    elif score == "accuracy" and rows.units is None:
        speak = total if counts else effective_rows(weights)
        only, only_other = float(weights[own > other].sum()), float(weights[other > own].sum())
        ends = tango_interval(only * speak / total, only_other * speak / total, speak, sure)
    else:
        ends = paired_mean(own, other, weights, counts=counts, units=rows.units).interval_at(sure)
    interval = None
    if score in ("accuracy", "cost"):
        interval = score_intervals((score,), predictions, stakes or Stakes(), quick=True)[score].interval
    return replace(
        against,
        value=value,
        interval=interval,
        of_constant=base,
        difference=value - base,
        difference_interval=None if any(map(math.isnan, ends)) else ends,
        by=_allowing(by, among),
    )


def _on_training(
    against: AgainstConstant,
    training: Evaluation | None,
    model: Model | None,
    cutoff: Cutoff | None = None,
    costs: Matrix = (),
) -> Training | None:
    """The same score on training rows. Overfitted: of what it gains on them, most is gone on others; partly,
    where a quarter or more is. Perhaps, where that may be a matter of chance: the training score lies within
    the interval of the score that judges."""
    if training is None:
        return None
    value = _value_on_training(against, training, cutoff, costs)
    if value is None:
        return None
    gain = value - against.of_constant
    lost = (value - against.value) / gain if gain and not math.isnan(gain) else math.nan
    turned = 1 if against.better == "more" else -1
    if math.isnan(lost) or turned * gain <= 0:
        return Training(value, math.nan, "unknown" if math.isnan(against.value) else "not overfitted")
    if isinstance(model, Ensemble) and model.combined_by != "sum" and not model.weights:  # not boosted
        return Training(value, lost, "memorises")
    ends = against.interval
    if ends is None and against.difference_interval is not None:
        low, high = against.difference_interval
        ends = low + against.of_constant, high + against.of_constant
    outside = ends is not None and (value > max(ends) if against.better == "more" else value < min(ends))
    if lost < LOST:
        return Training(value, lost, "partly overfitted" if outside and lost >= PARTLY else "not overfitted")
    return Training(value, lost, "overfitted" if outside else "perhaps overfitted")


def _value_on_training(
    against: AgainstConstant, training: Evaluation, cutoff: Cutoff | None, costs: Matrix
) -> float | None:
    """None where the training rows cannot tell."""
    if not isinstance(training, ClassEvaluation):
        return training.score[1] if training.weight > 0 else None
    if not training.weight_answered > 0:
        return None
    if against.score == "accuracy":
        return training.accuracy
    counts = np.array(training.confusion)
    if against.score == "cost":
        return float((counts * np.array(costs)).sum()) / float(counts.sum()) if counts.sum() else math.nan
    assert cutoff is not None
    place = training.classes.index(cutoff.positive)
    own, others = counts[place], np.delete(counts, place, axis=0)
    if not own.sum() > 0 or not others.sum() > 0:
        return None
    return float(own[place] / own.sum() - others[:, place].sum() / others.sum())


def _ends_over_parts(
    apart: Floats, weights: Floats, part: Longs, mean: float, shared: float, confidence: float
) -> tuple[float, float]:
    """Of a mean of differences over rows, by how it varies from part to part (Nadeau and Bengio 2003)."""
    _, of = np.unique(part, return_inverse=True)
    heavy = np.bincount(of, weights)
    terms = np.bincount(of, weights * apart) / np.where(heavy > 0, heavy, 1.0)
    terms = terms[heavy > 0]
    found: MeanDifference = corrected_resampled_t(terms_of_parts(terms, "mean"), shared)
    low, high = found.interval_at(confidence)
    if math.isnan(low):  # all parts differ alike: the rows still have their spread, and are so many fewer
        fewer = len(apart) / len(terms) / (1 / len(terms) + shared)
        error = math.sqrt(float(np.average((apart - mean) ** 2, weights=weights)) / max(fewer - 1, 1.0))
        return MeanDifference(mean, error, max(fewer - 1, 1.0)).interval_at(confidence)
    return low + mean - found.mean, high + mean - found.mean


def _probabilities(
    predictions: ClassPredictions,
    baseline: Baseline,
    positive: str,
    slope_interval: tuple[float, float] | None,
) -> Probabilities | None:
    from clearwood.scoring.calibration import slope_and_error
    from clearwood.scoring.share_scores import log_loss

    once = counted_once(predictions)
    assert isinstance(once, ClassPredictions)
    if not once.judged.weights.sum() > 0:
        return None
    constant = baseline_predictions(baseline, once)
    assert isinstance(constant, ClassPredictions)
    own, other = (float(log_loss(each, Stakes()).of(once.weights[None])[0]) for each in (once, constant))
    slope, ends, by_curvature = math.nan, None, (math.nan, math.nan)
    if len(once.classes) == 2:
        stakes = Stakes(positive or once.classes[0])
        slope, error = slope_and_error(once, stakes)
        over_parts = is_over_parts(once)
        if over_parts:
            parts = len(distinct(once.part))
            error *= math.sqrt(parts * (1 / parts + judged_to_learned_by(once)))
        if not error < _VAGUE:  # so few rows tell nothing of it
            slope = error = math.nan
        else:
            if over_parts and slope_interval is None:
                name = "calibration_slope"
                slope_interval = score_intervals((name,), predictions, stakes)[name].interval
            by_curvature = (slope - 1.96 * error, slope + 1.96 * error)
            moved = 1.96 * slope_and_error(once, stakes, by_rows=True)[1]
            ends = slope_interval or (slope - moved, slope + moved)
    # Parts of one or two rows may agree by chance: what is said for certain must hold by the likelihood, too.
    wider = None if ends is None else (min(ends[0], by_curvature[0]), max(ends[1], by_curvature[1]))
    return Probabilities(own, other, slope, ends, usable_by(own, other, slope, wider))


def usable_by(own: float, other: float, slope: float, ends: tuple[float, float] | None) -> Usable:
    """Whether probabilities can be used, by their log loss and its like of the constant, and by the slope."""
    if math.isnan(own) or math.isnan(other):
        return "unknown"
    if own > other:
        return "worse than the baseline"
    least, most = SLOPES
    if ends is None or least <= slope <= most:
        return "usable"
    if ends[0] <= 1 <= ends[1]:
        return "perhaps"  # far from 1, and too few rows to tell
    return "too extreme" if slope < least else "too timid"
