"""A ModelChoice: contenders judged alike, which of them are really better, and which model to take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.errors import SettingError, no_such
from clearwood.models.lineage import Chosen
from clearwood.models.model import Model
from clearwood.records import json_with, plain_values
from clearwood.registry import imported
from clearwood.scoring import ScoreEntry
from clearwood.scoring.positive import baseline_of
from clearwood.scoring.predictions import Predictions
from clearwood.shown import ShowsItself
from clearwood.study.comparing.score_difference import ScoreDifference
from clearwood.study.contest.planning import AT_DEFAULTS, TuningDecision, in_seconds
from clearwood.study.contest.recommending import (
    ONE_ERROR,
    HowNear,
    LastPoint,
    Recommendation,
    best_contender,
    differences_from,
    frontier_of,
    is_share,
    last_point,
    printed_alike,
    recommended,
    with_error,
)
from clearwood.study.contest.running import Contest, JudgedContender
from clearwood.study.cross_validation import BootstrapError
from clearwood.study.data_sense import Finding
from clearwood.study.data_sense.looking_over import severe_findings
from clearwood.study.designs import Design, design_in_words
from clearwood.study.dividing import rows_to_learn
from clearwood.study.profiling import profile_of
from clearwood.study.recipe import as_seen
from clearwood.study.verdict import ModelVerdict, verdict_of, with_leaks
from clearwood.words.columns import in_columns
from clearwood.words.numbers import amount

if TYPE_CHECKING:
    from clearwood.draw.picture import Picture
    from clearwood.reporting.making import Report


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ModelChoice(ShowsItself):
    """What `choose` gives. Every contender was judged on the same rows, by the same score.

    `judged` has the best first and those that were refused last; `baseline` answers every row alike. `notes`
    say who was left out, and why; `tuning` whether the learners were tuned, and by what that was decided.
    """

    contest: Contest
    design: Design
    judged: tuple[JudgedContender, ...]
    baseline: JudgedContender
    notes: tuple[str, ...] = ()
    tuning: TuningDecision = AT_DEFAULTS
    seconds: float = 0.0

    @property
    def entry(self) -> ScoreEntry:
        """The score, as the list of scores has it."""
        return self.contest.entry

    @property
    def by(self) -> str:
        """The score's name in the list of scores."""
        return self.contest.by

    @property
    def target(self) -> str:
        """The name of the column that is predicted."""
        return self.contest.table.schema.predicted.name

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
        return differences_from(self.reference, others, self.contest)

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
        return recommended(self)

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
        from clearwood.study.scores import write_predictions

        return write_predictions(path, self.predictions)

    def chart(self) -> Picture:
        """Score against reading size."""
        drawn: Picture = imported("clearwood.draw.charts:choice")(self)
        return drawn

    def report(self, *, name: str = "", title: str | None = None) -> Report:
        """All of it in one page, with the recommended model; `name` is what the table is called in it."""
        report = imported("clearwood.reporting.choice_report:choice_report")
        made: Report = report(self, name=name, title=title)
        return made

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        readable = any(each.readable for each in self.judged)
        return plain_values(
            **json_with(self, "verdict", "target", rows=len(self.contest.table), score=self.by),
            better=self.entry.better,
            design=self.how_judged,
            parts=len(self.contest.parts),
            contenders=self.judged,
            **json_with(self, "baseline", "differences"),
            frontier=[each.name for each in self.frontier],
            last_point=self.last_point,
            recommended=self.recommendation.name if readable else None,
            reasons=self.recommendation.reasons if readable else [],
            **json_with(self, "tuning", "seconds", "notes"),
        )

    def __repr__(self) -> str:
        return f"<ModelChoice among {len(self.judged)} contenders by {self.entry.label}: {self.how_judged}>"


# The table of a choice: each contender's score, how much there is to read, and what it took.


@dataclass(frozen=True, slots=True, eq=False)
class ContenderTable:
    """Rows of judged contenders, the best first; printed as columns."""

    entry: ScoreEntry
    rows: tuple[JudgedContender, ...]
    baseline: JudgedContender

    def __iter__(self) -> Iterator[JudgedContender]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> JudgedContender:
        return self.rows[place]

    @property
    def heads(self) -> tuple[str, ...]:
        """What the columns are."""
        answered = ("answered",) if self.some_silent else ()
        return ("contender", self.entry.label, *self.corrected_heads, *answered, "size", "time")

    @property
    def corrected_heads(self) -> tuple[str, ...]:
        """The head of the .632+ estimates, where there are any."""
        estimates = [each.bootstrap for each in self.rows if each.bootstrap is not None]
        if not estimates:
            return ()
        return (".632+ RMSE" if estimates[0].squared else ".632+ accuracy",)

    def corrected(self, judged: JudgedContender) -> tuple[str, ...]:
        """The .632+ estimate of a contender, where there are any."""
        return (corrected_words(judged.bootstrap),) if self.corrected_heads else ()

    @property
    def some_silent(self) -> bool:
        """Does a contender leave rows unanswered?"""
        return any(each.answered < 1 for each in self.rows)

    def cells(self) -> list[tuple[str, ...]]:
        """By contender that was judged, and last the baseline: the cells as text."""
        made = []
        for each in (*self.rows, self.baseline):
            if each.refused:
                continue
            cells = [with_error(self.entry, each), *self.corrected(each)]
            cells += [answered_words(each)] if self.some_silent else []
            if each is self.baseline:
                made.append(("baseline", *cells, "", ""))
            else:
                made.append((each.name, *cells, size_words(each), in_seconds(each.seconds)))
        return made

    @property
    def refused(self) -> dict[str, str]:
        """By contender that could not be judged: the sentence that says why."""
        return {each.name: each.refused for each in self.rows if each.refused}

    def to_json(self) -> list[dict[str, Any]]:
        """Plain values, ready for `json.dumps`."""
        return [each.to_json() for each in self.rows]

    def __str__(self) -> str:
        lines = in_columns([self.heads, *self.cells()], "figures")
        lines += [f"{name}: {sentence}" for name, sentence in self.refused.items()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def corrected_words(estimate: BootstrapError | None) -> str:
    """The .632+ estimate as an accuracy, or as the root of the squared error.

    >>> corrected_words(BootstrapError(0.2, 0.1, 0.5))
    '0.830'
    """
    if estimate is None:
        return "–"
    return amount(estimate.estimate**0.5) if estimate.squared else f"{1 - estimate.estimate:.3f}"


def answered_words(judged: JudgedContender) -> str:
    """The part of the rows that it answers."""
    return f"{100 * judged.answered:.1f} %"


def size_words(judged: JudgedContender) -> str:
    """The reading size; a reference model has none, and nobody reads an ensemble.

    >>> from clearwood.study.contest.contenders import Contender
    >>> size_words(JudgedContender(contender=Contender("svm", None), score=0.8))
    'not readable'
    """
    if judged.size is None:
        return "not readable"
    return f"{judged.size:,}" if judged.readable else f"({judged.size:,})"
