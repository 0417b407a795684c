"""Score: a score of the model on the rows, of all of them or of every group, is within bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal, TypeAlias

from clearwood.checking.assertions.model_and_rows import ModelAndRows, bounds_words, check_bounds, meets
from clearwood.checking.assertions.verdict import AssertionVerdict, verdict_on
from clearwood.errors import SettingError
from clearwood.formulas.conditions import written
from clearwood.models.model import Model
from clearwood.predicting.columns import table_for
from clearwood.scoring import SCORES, Scored, ScoreEntry, Stakes
from clearwood.scoring.by_group import FEWEST
from clearwood.scoring.positive import positive_for
from clearwood.scoring.predictions import ClassPredictions, Predictions, predictions_of
from clearwood.scoring.scores import score_called, scores_of
from clearwood.study.fairness.groups import ScoresByGroup, predictions_and_groups, scores_of_groups
from clearwood.words.numbers import in_digits, many, with_and

ComparedBy: TypeAlias = Literal["score", "interval"]

_MOST_NAMES: Final = 4  # of groups that were not evaluated


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWithin:
    """This `score` is `at_least`, or `at_most`, so large: of all rows, or of every group `by` a column.

    `compare` "score" takes the score itself; "interval" takes the end of its 95 % interval that is nearer to
    breaking the bound, so that chance is no excuse. `positive` is the class that recall, AUC and others are
    about. Groups of fewer than ten rows are not evaluated.
    """

    kind: ClassVar = "score"
    score: str
    at_least: float | None = None
    at_most: float | None = None
    by: str = ""
    compare: ComparedBy = "score"
    positive: str = ""
    name: str = ""

    def check_keys(self) -> None:
        """Refuse bounds that say nothing, and a way to compare that there is not."""
        check_bounds(self.at_least, self.at_most)
        if self.compare not in ("score", "interval"):
            raise SettingError(f"compare is 'score' or 'interval', not '{self.compare}'.")

    @property
    def where(self) -> str:
        """The groups that it is about; empty where it is about all rows."""
        return f"in every group of {written(self.by)}" if self.by else ""

    @property
    def title(self) -> str:
        where = f" {self.where}" if self.by else ""
        sure = ", by the end of its interval" if self.compare == "interval" else ""
        entry = SCORES.get(self.score)
        of = f" of {written(self.positive)}" if self.positive and entry and entry.about_positive else ""
        return f"{self.score}{of} is {bounds_words(self.at_least, self.at_most)}{where}{sure}"


def check_score(asserted: ScoreWithin, given: ModelAndRows) -> AssertionVerdict:
    """On the rows of the table, which must have true answers."""
    _check_range(asserted, score_called(asserted.score, numbers=given.model.is_numeric))
    if asserted.positive:
        given.class_place(asserted.positive)
    if given.source is None:
        raise SettingError(f"{asserted.title}: scores are of rows, and none are given. Give a table.")
    if asserted.by:
        return _by_group(asserted, given)
    predictions = predictions_of(given.model, table_for(given.model, given.source, with_target=True))
    asserted = _of_one_class(asserted, predictions, given.model)
    if not len(predictions):
        return verdict_on(asserted, None, False, given.on_rows(0), "in no row is the truth known")
    scored = _scored(asserted, predictions)
    holds = None if math.isnan(scored.value) else _meets(asserted, scored)
    return verdict_on(asserted, holds, False, _on_rows(given, predictions), _words(asserted, scored))


def _on_rows(given: ModelAndRows, predictions: Predictions) -> str:
    """Which rows, and how many of them are of a class that the model does not know."""
    foreign = int((predictions.truth < 0).sum()) if isinstance(predictions, ClassPredictions) else 0
    of_them = f", {foreign:,} of them of a class that the model does not know" if foreign else ""
    return given.on_rows(len(predictions)) + of_them


def _of_one_class(asserted: ScoreWithin, predictions: Predictions, model: Model) -> ScoreWithin:
    """The same with the class that it is about, where that was not named but is known: of two classes."""
    if asserted.positive or not isinstance(predictions, ClassPredictions):
        return asserted
    if not SCORES[asserted.score].about_positive or len(predictions.classes) != 2:
        return asserted
    return replace(asserted, positive=positive_for(predictions, model)[0])


def _check_range(asserted: ScoreWithin, entry: ScoreEntry) -> None:
    """Refuse a bound that the score can never reach, such as 70 for a share of rows."""
    low, high = entry.between
    for key, bound in (("at_least", asserted.at_least), ("at_most", asserted.at_most)):
        if bound is None or low <= bound <= high:
            continue
        span = f"{low:g} or more" if high == math.inf else f"{high:g} at most"
        if math.isfinite(low) and math.isfinite(high):
            span = f"from {low:g} to {high:g}"
        percent = (low, high) == (0, 1) and 1 < bound <= 100
        way = f" For {bound:g} % write {bound / 100:g}." if percent else ""
        raise SettingError(f"{key} is {bound:g}, and {entry.label} is {span}.{way}")


def _by_group(asserted: ScoreWithin, given: ModelAndRows) -> AssertionVerdict:
    predictions, groups = predictions_and_groups(given.model, given.source, asserted.by, "check")
    asserted = _of_one_class(asserted, predictions, given.model)
    how = f"{_on_rows(given, predictions)}, by {asserted.by}"
    made = scores_of_groups(predictions, groups, positive=asserted.positive, only=(asserted.score,))
    judged = {group: each[0] for group, each in made.scores.items() if not math.isnan(each[0].value)}
    if not judged:
        return verdict_on(asserted, None, False, how, f"no group has {FEWEST:g} rows that tell{_why(made)}")
    broken = {group: each for group, each in judged.items() if not _meets(asserted, each)}
    few = [group for group in made.rows if group not in judged]
    left = f"; {len(few):,} not evaluated, for want of rows: {_some(few)}" if few else ""
    title = _title_of_groups(asserted, len(judged), [made.rows[group] for group in few])
    worst = min(judged.items(), key=lambda each: _margin(asserted, each[1]))
    figures = f"{many(len(judged), 'group')}, nearest {written(worst[0])}: {_words(asserted, worst[1])}"
    if broken:
        figures = "; ".join(f"{written(group)}: {_words(asserted, each)}" for group, each in broken.items())
    return verdict_on(asserted, not broken, False, how, figures + left, title=title)


def _why(made: ScoresByGroup) -> str:
    """Of a group that has rows, and yet not of those that its score is about."""
    whys = [f"{written(group)}: {each[0].why}" for group, each in made.scores.items() if each[0].why]
    return f" ({'; '.join(whys[:_MOST_NAMES])})" if whys else ""


def _title_of_groups(asserted: ScoreWithin, judged: int, rows_of_others: Sequence[float]) -> str:
    """What was asserted, with the groups that it was judged of where those are not all."""
    if not rows_of_others:
        return asserted.title
    told = f"with {FEWEST:g} rows or more" if max(rows_of_others) < FEWEST else "whose rows tell"
    groups = "group" if judged == 1 else f"{judged:,} groups"
    where = f"in the {groups} of {written(asserted.by)} {told}; {len(rows_of_others):,} not evaluated"
    return asserted.title.replace(asserted.where, where, 1)


def _some(groups: Sequence[str]) -> str:
    shown = [written(group) for group in groups[:_MOST_NAMES]]
    more = len(groups) - len(shown)
    return with_and([*shown, f"{more:,} more"] if more else shown)


def _scored(asserted: ScoreWithin, predictions: Predictions) -> Scored:
    stakes = Stakes(asserted.positive)
    return scores_of(predictions, stakes, only=(asserted.score,)).scored[0]


def _ends(asserted: ScoreWithin, scored: Scored) -> tuple[float, float]:
    """What is compared with the lower and with the upper bound."""
    if asserted.compare == "interval" and scored.interval is not None:
        return scored.interval
    return scored.value, scored.value


def _meets(asserted: ScoreWithin, scored: Scored) -> bool:
    low, high = _ends(asserted, scored)
    return meets(low, asserted.at_least, None) and meets(high, None, asserted.at_most)


def _margin(asserted: ScoreWithin, scored: Scored) -> float:
    """How far the score is from breaking a bound."""
    low, high = _ends(asserted, scored)
    to_low = math.inf if asserted.at_least is None else low - asserted.at_least
    return min(to_low, math.inf if asserted.at_most is None else asserted.at_most - high)


def _words(asserted: ScoreWithin, scored: Scored) -> str:
    if math.isnan(scored.value):
        return f"{scored.label} is not known: {scored.why}"
    text = f"{scored.label} {in_digits(scored.value)}"
    if scored.interval is not None:
        text += f" ({in_digits(scored.interval[0])} to {in_digits(scored.interval[1])})"
    elif asserted.compare == "interval":
        text += ", which has no interval: the score itself was compared"
    return text
