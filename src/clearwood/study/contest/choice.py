"""A ModelChoice: contenders judged alike, which of them are really better, and which model to take."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from clearwood import shown
from clearwood.errors import SettingError, no_such
from clearwood.measures.p_values import normal_quantile
from clearwood.models.lineage import Chosen
from clearwood.models.model import Model
from clearwood.registry import imported
from clearwood.scoring.answer_scores import counting_all_rows
from clearwood.scoring.baseline import baseline_of
from clearwood.scoring.predictions import Predictions
from clearwood.scoring.score import ScoreEntry
from clearwood.study.comparing.paired_rows import (
    PairedRows,
    difference_over_parts,
    differences_of_rows,
    rope_of,
)
from clearwood.study.comparing.score_difference import ScoreDifference, adjusted_by_holm
from clearwood.study.contest.contender_table import ContenderTable
from clearwood.study.contest.planning import AT_DEFAULTS, TuningDecision
from clearwood.study.contest.recommending import (
    ONE_ERROR,
    Grounds,
    HowNear,
    LastPoint,
    Recommendation,
    best_contender,
    frontier_of,
    is_share,
    last_point,
    printed_alike,
    recommended,
)
from clearwood.study.contest.running import Contest, JudgedContender
from clearwood.study.data_sense.finding import Finding
from clearwood.study.data_sense.looking_over import severe_findings
from clearwood.study.designs import Design, design_in_words
from clearwood.study.dividing import rows_to_learn
from clearwood.study.profiling import profile_of
from clearwood.study.recipe import as_seen
from clearwood.study.verdict import ModelVerdict, verdict_of, with_leaks

if TYPE_CHECKING:
    from clearwood.draw.picture import Picture
    from clearwood.reporting.making import Report


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ModelChoice:
    """What `choose` gives. Every contender was judged on the same rows, by the same score.

    `judged` has the best first and those that were refused last; `baseline` answers every row alike. `notes`
    say who was left out, and why; `tuning` whether the learners were tuned, and by what that was decided.
    """

    contest: Contest
    design: Design
    entry: ScoreEntry
    judged: tuple[JudgedContender, ...]
    baseline: JudgedContender
    notes: tuple[str, ...] = ()
    tuning: TuningDecision = AT_DEFAULTS
    seconds: float = 0.0

    @property
    def by(self) -> str:
        """The score's name in the list of scores."""
        return self.contest.by

    @property
    def target(self) -> str:
        """The name of the column that is predicted."""
        assert self.contest.table.schema.target is not None
        return self.contest.table.schema.target.name

    @property
    def how_judged(self) -> str:
        """The design in a few words."""
        return design_in_words(self.design, len(self.contest.parts))

    @cached_property
    def table(self) -> ContenderTable:
        """Contender by contender: score and its standard error, reading size, seconds, notes."""
        return ContenderTable(self.entry, self.judged, self.baseline)

    def __getitem__(self, name: str) -> JudgedContender:
        for each in self.judged:
            if each.name == name:
                return each
        raise SettingError(no_such("contender", str(name), [each.name for each in self.judged]))

    @cached_property
    def reference(self) -> JudgedContender:
        """The one that the others are compared with: the best readable one, or the best where none is."""
        known = [each for each in self.judged if not each.refused]
        return next((each for each in known if each.readable), known[0])

    @cached_property
    def differences(self) -> tuple[ScoreDifference, ...]:
        """The score of the best readable one less each other's, in the order of `judged`, with the corrected
        resampled t-test (over the rows where one part is held out), p adjusted by Holm for all of
        these and the baseline."""
        return tuple(each for each in self._all_differences if each.second != self.baseline.name)

    @cached_property
    def from_baseline(self) -> ScoreDifference | None:
        """The score of the best readable one less that of the baseline, p adjusted with the others'; None
        where it cannot be tested."""
        return next((each for each in self._all_differences if each.second == self.baseline.name), None)

    @cached_property
    def _all_differences(self) -> tuple[ScoreDifference, ...]:
        """Of the others and of the baseline: Holm's adjustment counts them all."""
        everyone = (*self.judged, self.baseline)
        others = [each for each in everyone if not each.refused and each is not self.reference]
        return differences_from(self.reference, others, self.contest, self.entry)

    @cached_property
    def frontier(self) -> tuple[JudgedContender, ...]:
        """The readable ones from small to large, each better than all that are smaller, at the digits that
        are printed."""
        return frontier_of(self.judged, self.entry.better, partial(printed_alike, self.entry))

    @cached_property
    def last_point(self) -> LastPoint | None:
        """What the last point of the score costs in size; None where the best is also the smallest."""
        return last_point(self.frontier, self.entry.better, is_share=is_share(self.entry))

    def best(self, within: HowNear = ONE_ERROR, *, simplest: bool = True) -> JudgedContender:
        """Of the readable ones the smallest whose score is within one standard error, or within a number, of
        the best; or the best itself."""
        return best_contender(self.judged, self.entry.better, within, simplest=simplest)

    @cached_property
    def recommendation(self) -> Recommendation:
        """Which contender to take, and why."""
        return recommended(
            Grounds(
                judged=self.judged,
                entry=self.entry,
                baseline=self.baseline,
                differences=self.differences,
                from_baseline=self.from_baseline,
                last_point=self.last_point,
            )
        )

    @cached_property
    def model(self) -> Model:
        """The recommended contender's model, learned from all rows when it is first asked for; its lineage
        says among whom these rows chose it."""
        return self.learn(self.recommendation.name)

    def learn(self, name: str) -> Model:
        """The model of any readable contender, learned from all rows."""
        contender = self[name].contender
        rows = self.contest.table
        model = contender.learner.learn(rows)
        among = tuple(each.name for each in self.judged if not each.refused)
        if len(among) > 1:
            done = Chosen(among, self.by, simplest=self.best(simplest=False).name != name)
            model = replace(model, origin=model.origin.then(done))
        return replace(model, profile=profile_of(as_seen(rows, model)))

    @cached_property
    def verdict(self) -> ModelVerdict:
        """On the recommended contender, by the rows that judged it; of the best where none can be read."""
        best = self[self.recommendation.name] if self.reference.readable else self.reference
        assert best.predictions is not None
        verdict = verdict_of(
            best.predictions,
            baseline_of(None, best.predictions),
            judged_by="held out" if len(self.contest.parts) == 1 else "folds",
            design=self.how_judged,
            positive=self.contest.stakes.positive,
            costs=self.contest.stakes.costs,
            among=sum(not each.refused for each in self.judged),
        )
        return with_leaks(verdict, self.findings)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What stands out in the rows and may make every score too good, or none good."""
        table = rows_to_learn(self.design, self.contest.table)
        return tuple(severe_findings(table, self.judged[0].predictions))

    @property
    def predictions(self) -> Mapping[str, Predictions]:
        """By contender: what each row got from models that had not learned from it."""
        return {each.name: each.predictions for each in self.judged if each.predictions is not None}

    def save_predictions(self, path: str | PathLike[str]) -> Path:
        """Write all of them as CSV: contender, row, part, truth, answer, weight, and shares of classes."""
        from clearwood.study.profiling import write_predictions

        return write_predictions(path, self.predictions)

    def chart(self) -> Picture:
        """Score against reading size."""
        drawn: Picture = imported("clearwood.draw.charts:choice")(self)
        return drawn

    def report(self, *, name: str = "", title: str | None = None) -> Report:
        """All of it in one page, with the recommended model; `name` is what the table is called in it."""
        made: Report = imported("clearwood.reporting.choice_report:choice_report")(
            self, name=name, title=title
        )
        return made

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        readable = any(each.readable for each in self.judged)
        point = self.last_point
        return {
            "verdict": self.verdict.to_json(),
            "target": self.target,
            "rows": len(self.contest.table),
            "score": self.by,
            "better": self.entry.better,
            "design": self.how_judged,
            "parts": len(self.contest.parts),
            "contenders": [each.to_json() for each in self.judged],
            "baseline": self.baseline.to_json(),
            "differences": [each.to_json() for each in self.differences],
            "frontier": [each.name for each in self.frontier],
            "last_point": None if point is None else point.to_json(),
            "recommended": self.recommendation.name if readable else None,
            "reasons": list(self.recommendation.reasons) if readable else [],
            "tuning": self.tuning.to_json(),
            "seconds": self.seconds,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return shown.text(self)

    def _repr_html_(self) -> str:
        return shown.html(self)

    def __repr__(self) -> str:
        return f"<ModelChoice among {len(self.judged)} contenders by {self.entry.label}: {self.how_judged}>"


# How far each contender lies behind the best one, and whether that could be luck.


_SQUARED: Final = {"rmse": "mse", "r2": "mse"}  # scores whose order on the same rows is that of another


def differences_from(
    best: JudgedContender, others: Sequence[JudgedContender], contest: Contest, entry: ScoreEntry
) -> tuple[ScoreDifference, ...]:
    """The best one's score less each other's: by the corrected resampled t-test over the parts (Nadeau and
    Bengio 2003), or over the rows where there is one part; p is adjusted by Holm for their number."""
    made = []
    for other in others:
        each = (
            _over_rows(best, other, contest, entry)
            if len(contest.parts) == 1
            else _over_parts(best, other, contest, entry)
        )
        if each is not None:
            made.append(each)
    return adjusted_by_holm(made)


def _over_parts(
    best: JudgedContender, other: JudgedContender, contest: Contest, entry: ScoreEntry
) -> ScoreDifference | None:
    terms = np.array(best.terms), np.array(other.terms)
    if (~np.isnan(terms[0] - terms[1])).sum() < 2:
        return None
    names = best.name, other.name
    return difference_over_parts(names, terms, contest.by, entry, contest.judged_to_learned)


def _over_rows(
    best: JudgedContender, other: JudgedContender, contest: Contest, entry: ScoreEntry
) -> ScoreDifference | None:
    """By the score's own test over rows, or by the same draws of rows for both."""
    assert best.predictions is not None
    assert other.predictions is not None
    counts = contest.table.weights_are in (None, "counts")
    both = counting_all_rows(best.predictions, entry), counting_all_rows(other.predictions, entry)
    pair = PairedRows(best.name, other.name, *both, counts, contest.stakes)
    wanted = _SQUARED.get(contest.by, contest.by)
    found = next((each for each in differences_of_rows(pair) if each.score == wanted), None)
    if found is None:
        return _over_draws(best, other, contest, entry)
    if wanted == contest.by:
        return found
    return _in_units_of(found, contest.by, entry, best.score, other.score)


def _over_draws(
    best: JudgedContender, other: JudgedContender, contest: Contest, entry: ScoreEntry
) -> ScoreDifference | None:
    """The paired bootstrap (Efron and Tibshirani 1993, chapters 13 and 16): both are scored on the same rows
    drawn anew, and the spread of the differences is that of a normal distribution. None where hardly any draw
    has both scores."""
    apart = np.array(best.drawn) - np.array(other.drawn)
    apart = apart[~np.isnan(apart)]
    if len(apart) < 2:
        return None
    difference, error = best.score - other.score, float(np.std(apart, ddof=1))
    p, reach, detectable = math.nan, math.nan, math.nan
    if error > 0:
        p = math.erfc(abs(difference) / error / math.sqrt(2))
        two_sided, four_in_five = normal_quantile([0.975, 0.8]).tolist()
        reach, detectable = two_sided * error, (two_sided + four_in_five) * error
    return ScoreDifference(
        first=best.name,
        second=other.name,
        score=contest.by,
        label=entry.label,
        better=entry.better,
        of_first=best.score,
        of_second=other.score,
        difference=difference,
        interval=(difference - reach, difference + reach),
        test="paired bootstrap of the rows",
        p=p,
        detectable=detectable,
        rope=rope_of(entry, (best.score, other.score)),
    )


def _in_units_of(
    found: ScoreDifference, by: str, entry: ScoreEntry, of_first: float, of_second: float
) -> ScoreDifference:
    """A difference of squared errors as one of the score that follows from them: so many times as large, and
    so are the ends of its interval."""
    apart = of_first - of_second
    times = apart / found.difference if found.difference else 0.0
    low, high = sorted(end * times for end in found.interval)
    return replace(
        found,
        score=by,
        label=entry.label,
        better=entry.better,
        of_first=of_first,
        of_second=of_second,
        difference=apart,
        interval=(low, high),
        detectable=found.detectable * abs(times),
        rope=found.rope * abs(times),
    )
