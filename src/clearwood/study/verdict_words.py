"""A verdict in sentences: the headline, and what else must be known before a model is used."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, Literal, TypeAlias, assert_never

from clearwood.models.decision_words import costs_in_words
from clearwood.records import dataclass
from clearwood.study.verdict import AgainstConstant, ModelVerdict, Probabilities, Training
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
    other = _other(against)
    match against.standing:
        case "better":
            verb = "Costs less than" if against.score == "cost" else "Better than"
            return f"{verb} {other}."
        case "worse":
            verb = "Costs more than" if against.score == "cost" else "Worse than"
            return f"{verb} {other}."
        case "not shown":
            verb = "cost less" if against.score == "cost" else "be better"
            return f"Not shown to {verb} than {other}."
        case "unknown":
            return f"Whether it is better than {other} cannot be told from these rows."
        case _:
            assert_never(against.standing)


def sign_of(verdict: ModelVerdict) -> RemarkSign:
    """Whether the headline is good."""
    match verdict.standing:
        case "better":
            return "good"
        case "worse" | "not shown":
            return "bad"
        case "unknown":
            return "open"
        case _:
            assert_never(verdict.standing)


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


def _other(against: AgainstConstant) -> str:
    if against.score in _ERRORS:
        return against.constant
    return (
        "predicting the same for every row"
        if against.score == "informedness"
        else (f"always predicting {against.constant}")
    )


def _score(verdict: ModelVerdict, against: AgainstConstant) -> str:
    where = judged_in_words(verdict)
    by = f", {against.by}" if against.difference_interval is not None else ""
    ends = against.difference_interval
    shown = verdict.at_cutoff
    if shown is not None:
        at = f"{shown.cutoff.positive} from a probability of {number(shown.cutoff.at)} on"
        apart = (
            "" if ends is None else f" (difference {_points(against.difference)}, {_span(ends, _points)}{by})"
        )
        return (
            f"At its cutoff, {at}, it finds {_percent(shown.recall)} of {shown.cutoff.positive}"
            f"{_within(shown.recall_interval)} and predicts it for {_percent(shown.false_alarms)} of the "
            f"others{apart}; "
            f"precision {_percent(shown.precision)}{_within(shown.precision_interval)}; {where}."
        )
    if against.score == "accuracy":
        apart = f"{_points(against.difference)} points"
        apart += "" if ends is None else f" ({_span(ends, _points)}{by})"
        return (
            f"Accuracy {_percent(against.value)}{_within(against.interval)}, always {against.constant} "
            f"{_percent(against.of_constant)}: {apart}; {where}."
        )
    apart = _signed(against.difference) + ("" if ends is None else f" ({_span(ends, _signed)}{by})")
    if against.score == "cost":
        own = "" if against.interval is None else f" ({_span(against.interval, amount)})"
        return (
            f"A row costs {amount(against.value)}{own}, always {against.constant} "
            f"{amount(against.of_constant)}: {apart}; {where}."
        )
    label = _ERRORS[against.score]
    return (
        f"{label} {amount(against.value)}, of the constant {amount(against.of_constant)}: {apart}; {where}."
    )


def _training(training: Training, against: AgainstConstant) -> list[Remark]:
    value = _value(against, training.value)
    match training.fitted:
        case "overfitted" | "partly overfitted":
            lost = "all" if training.lost >= 0.995 else f"{100 * training.lost:.0f} %"
            sentence = (
                f"{training.fitted.capitalize()}: {value} on the rows that it was learned from; of what it "
                f"gains there over the constant prediction {lost} is lost on others."
            )
            return [Remark("training", "bad" if training.fitted == "overfitted" else "open", sentence)]
        case "perhaps overfitted":
            sentence = (
                f"Perhaps overfitted: {value} on the rows that it was learned from; too few test rows to "
                "tell."
            )
            return [Remark("training", "open", sentence)]
        case "memorises":
            sentence = f"Its training score ({value}) says nothing: it knows its training rows by heart."
            return [Remark("training", "open", sentence)]
        case "not overfitted":
            return [
                Remark("training", "good", f"Not overfitted: {value} on the rows that it was learned from.")
            ]
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
    match given.usable:
        case "usable":
            return [Remark("probabilities", "good", f"Probabilities usable: {both}.")]
        case "perhaps":
            sentence = f"Probabilities perhaps usable: {both}; too few test rows to tell."
            return [Remark("probabilities", "open", sentence)]
        case "worse than the baseline":
            sentence = f"Probabilities not usable: {both}. Calibrate them, or use the class alone."
        case "too extreme" | "too timid":
            sentence = f"Probabilities {given.usable}: {slope}, 1 where they are right; {loss}. {_BEFORE}"
        case "unknown":
            return []
        case _:
            assert_never(given.usable)
    return [Remark("probabilities", "bad", sentence)]


def _value(against: AgainstConstant, value: float) -> str:
    match against.score:
        case "accuracy":
            return f"accuracy {_percent(value)}"
        case "cost":
            return f"a row costs {amount(value)}"
        case "informedness":
            return f"recall less false alarms {_percent(value)}"
        case other:
            return f"{_ERRORS[other]} {amount(value)}"


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
