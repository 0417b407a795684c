"""A verdict in sentences: the headline, and what else must be known before a model is used."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, Literal, TypeAlias, assert_never

from clearwood.models.in_words import costs_in_words
from clearwood.records import dataclass
from clearwood.study.verdict import AgainstConstant, ModelStanding, ModelVerdict, Probabilities, Training
from clearwood.words.columns import printable, wrapped
from clearwood.words.numbers import amount, count_words, number, with_noun

RemarkSign: TypeAlias = Literal["good", "bad", "open"]

_MARKS: Final[dict[RemarkSign, str]] = {"good": "✓", "bad": "!", "open": "?"}
_BEFORE: Final = "Calibrate them before costs, a cutoff or a decision go by them."
_ERRORS: Final = {"rmse": "RMSE", "mae": "MAE", "pinball": "quantile loss"}


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence on one thing, and whether it is good, bad, or cannot be told."""

    about: Literal["leak", "score", "rows", "training", "probabilities", "costs"]
    sign: RemarkSign
    sentence: str


def headline(verdict: ModelVerdict) -> str:
    """Whether it is better than the constant answer.

    >>> import clearwood as cw
    >>> from clearwood.study.study import study_of
    >>> from clearwood.study.verdict import study_verdict
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> headline(study_verdict(study_of(cw.ID3(max_depth=0), days)))
    'Not shown to be better than always predicting Yes.'
    """
    against = verdict.constant
    if verdict.judged_by == "training rows" or against is None:
        return "Not evaluated on rows that it was not learned from."
    other = against.constant
    if against.score not in _ERRORS:
        same = against.score == "informedness"
        other = "predicting the same for every row" if same else f"always predicting {against.constant}"
    costs = against.score == "cost"
    match against.standing:
        case "better":
            return f"{'Costs less' if costs else 'Better'} than {other}."
        case "worse":
            return f"{'Costs more' if costs else 'Worse'} than {other}."
        case "not shown":
            return f"Not shown to {'cost less' if costs else 'be better'} than {other}."
        case "unknown":
            return f"Whether it is better than {other} cannot be told from these rows."
        case _:
            assert_never(against.standing)


def sign_of(verdict: ModelVerdict) -> RemarkSign:
    """Whether the headline is good."""
    signs: dict[ModelStanding, RemarkSign] = {
        "better": "good",
        "worse": "bad",
        "not shown": "bad",
        "unknown": "open",
    }
    return signs[verdict.standing]


def remarks(verdict: ModelVerdict) -> list[Remark]:
    """Leaks, the score beside the constant answer's, the costs, and what the model must not be used for."""
    against = verdict.constant
    leaks = [Remark("leak", "bad", each) for each in verdict.leaks]
    if against is None:
        return [*leaks, *([Remark("rows", "open", verdict.why)] if verdict.why else [])]
    said = [*leaks, Remark("score", sign_of(verdict), _score(verdict, against))]
    if verdict.judged_by == "training rows":
        why = verdict.why or "These are the rows that the model was learned from."
        return [Remark("rows", "bad", why), *said]
    if verdict.costs:
        costs = costs_in_words(verdict.costs, verdict.classes)
        said.append(Remark("costs", "good", f"Costs: {costs}."))
    if verdict.training is not None:
        said += _training(verdict.training, against)
    if verdict.probabilities is not None:
        said += _probabilities(verdict.probabilities)
    return said


def model_verdict_lines(
    verdict: ModelVerdict, width: int = 100, in_words: Callable[[str], str] = str
) -> list[str]:
    """The box for a terminal: the headline, then a sentence on each thing; `in_words` words advice."""
    lines = [f"Verdict: {headline(verdict)}"]
    for each in remarks(verdict):
        first, *more = wrapped(printable(in_words(each.sentence)), width - 4)
        lines += [f"{_MARKS[each.sign]} {first}", *more]
    return [f"│ {line}" for line in lines]


def judged_in_words(verdict: ModelVerdict) -> str:
    """Which rows told."""
    rows = with_noun(str(verdict.rows), "row")
    if (weight := count_words(verdict.weight)) != str(verdict.rows):
        rows += f" (by weight {weight})"
    match verdict.judged_by:
        case "held out":
            return f"on {rows} held out of learning"
        case "folds":
            return f"{verdict.design}, {rows}"
        case "out of bag":
            return f"on {rows} out of bag, each by the members that did not draw it"
        case "given rows":
            return f"on {rows}"
        case "training rows":
            return f"on the {rows} learned from"
        case _:
            assert_never(verdict.judged_by)


def _score(verdict: ModelVerdict, against: AgainstConstant) -> str:
    where, ends, shown = judged_in_words(verdict), against.difference_interval, verdict.at_cutoff
    in_points = shown is not None or against.score == "accuracy"
    words = _points if in_points else _signed
    reach = "" if ends is None else f"{_span(ends, words)}, {against.by}"
    apart = words(against.difference)
    if shown is not None:
        at = f"{shown.cutoff.positive} from a probability of {number(shown.cutoff.at)} on"
        apart = f" (difference {apart}, {reach})" if reach else ""
        return (
            f"At its cutoff, {at}, it finds {_percent(shown.recall)} of {shown.cutoff.positive}"
            f"{_within(shown.recall_interval)} and predicts it for {_percent(shown.false_alarms)} of the "
            f"others{apart}; "
            f"precision {_percent(shown.precision)}{_within(shown.precision_interval)}; {where}."
        )
    apart += f"{' points' if in_points else ''}{f' ({reach})' if reach else ''}; {where}."
    if against.score == "accuracy":
        own = f"{_percent(against.value)}{_within(against.interval)}"
        return f"Accuracy {own}, always {against.constant} {_percent(against.of_constant)}: {apart}"
    if against.score == "cost":
        own = "" if against.interval is None else f" ({_span(against.interval, amount)})"
        constant = f"always {against.constant} {amount(against.of_constant)}"
        return f"A row costs {amount(against.value)}{own}, {constant}: {apart}"
    label, constant = _ERRORS[against.score], amount(against.of_constant)
    return f"{label} {amount(against.value)}, of the constant {constant}: {apart}"


def _training(training: Training, against: AgainstConstant) -> list[Remark]:
    score = {
        "accuracy": "accuracy {}",
        "cost": "a row costs {}",
        "informedness": "recall less false alarms {}",
    }
    words = _percent if against.score in ("accuracy", "informedness") else amount
    value = score.get(against.score, f"{_ERRORS.get(against.score)} {{}}").format(words(training.value))
    there = f"{value} on the rows that it was learned from"
    match training.fitted:
        case "overfitted" | "partly overfitted":
            lost = "all" if training.lost >= 0.995 else f"{100 * training.lost:.0f} %"
            sentence = (
                f"{training.fitted.capitalize()}: {there}; of what it gains there over the constant "
                f"prediction {lost} is lost on others."
            )
            return [Remark("training", "bad" if training.fitted == "overfitted" else "open", sentence)]
        case "perhaps overfitted":
            return [Remark("training", "open", f"Perhaps overfitted: {there}; too few test rows to tell.")]
        case "memorises":
            sentence = f"Its training score ({value}) says nothing: it knows its training rows by heart."
            return [Remark("training", "open", sentence)]
        case "not overfitted":
            return [Remark("training", "good", f"Not overfitted: {there}.")]
        case "unknown":
            return []
        case _:
            assert_never(training.fitted)


def _probabilities(given: Probabilities) -> list[Remark]:
    loss = f"log loss {amount(given.log_loss)}, {amount(given.of_constant)} by the class frequencies alone"
    slope = ""
    if not math.isnan(given.slope):
        ends = "" if given.slope_interval is None else f" ({_span(given.slope_interval, _plain)})"
        slope = f"calibration slope {_plain(given.slope)}{ends}"
    both = "; ".join(filter(None, [loss, slope]))
    sign: RemarkSign = "bad"
    match given.usable:
        case "usable":
            sign, sentence = "good", f"usable: {both}."
        case "perhaps":
            sign, sentence = "open", f"perhaps usable: {both}; too few test rows to tell."
        case "worse than the baseline":
            sentence = f"not usable: {both}. Calibrate them, or use the class alone."
        case "too extreme" | "too timid":
            sentence = f"{given.usable}: {slope}, 1 where they are right; {loss}. {_BEFORE}"
        case "unknown":
            return []
        case _:
            assert_never(given.usable)
    return [Remark("probabilities", sign, f"Probabilities {sentence}")]


def _percent(part: float) -> str:
    return "–" if math.isnan(part) else f"{100 * part:.1f} %"


def _within(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f" ({100 * ends[0]:.1f} to {100 * ends[1]:.1f} %)"


def _points(part: float) -> str:
    return f"{100 * part + 0.0:+.1f}".replace("-", "−")


def _signed(value: float) -> str:
    text = amount(abs(value))
    return text if not value else f"{'−' if value < 0 else '+'}{text}"


def _plain(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _span(ends: tuple[float, float], words: Callable[[float], str]) -> str:
    return f"{words(ends[0])} to {words(ends[1])}"
