"""Tuning: settings of a learner are tried fold by fold, and the best, or the simplest as good, is learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, assert_never

from clearwood.bounds import boolean, whole
from clearwood.errors import SettingError
from clearwood.learners.learner import Learner
from clearwood.learners.parts import RowPart
from clearwood.learners.progress import Progress, is_enough
from clearwood.learners.training import fingerprint, made_of
from clearwood.models.lineage import Tuned
from clearwood.models.model import Model
from clearwood.scoring import OverParts, ScoreEntry
from clearwood.scoring.intervals import error_of_terms, mean_of_known, terms_of_parts
from clearwood.study.contest.contenders import deciding_by
from clearwood.study.designs import (
    Bootstrap,
    ByTime,
    Design,
    Folds,
    GivenFolds,
    HoldOut,
    LeaveOneOut,
    TrainingRows,
    columns_for_dividing,
    design_in_words,
)
from clearwood.study.dividing import judged_to_learned, parts_by_design, rows_to_learn
from clearwood.study.recipe import Recipe
from clearwood.study.tuning.grids import SettingGrid, as_grid
from clearwood.study.tuning.journal import TuningJournal, journal_at, settings_key
from clearwood.study.tuning.trials import (
    ContenderFold,
    FoldScore,
    JudgingByScore,
    ToTry,
    Trial,
    best_of,
    check_parts,
    judging_by_score,
    settings_to_try,
    simplest_within_one_error,
    tried,
    usual_folds,
)
from clearwood.study.tuning.words import tuning_in_text, tuning_to_json
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Tuner:
    """A learner that tunes another: it tries settings in folds of its rows, and learns with those chosen.

    So it can be cross-validated, compared and chosen as any learner. `by` names the score, None: the usual
    one. `one_se` takes the simplest settings within one standard error of the best.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    >>> tree = cw.Tuner(cw.CART(), cw.SettingGrid({"max_depth": cw.Range(0, 3)}), cw.Folds(7)).learn(table)
    >>> tree.origin.settings["max_depth"], tree.origin.after[0].tried
    (2, 4)
    """

    learner: Learner[Model]
    grid: SettingGrid
    design: Design | None = None  # None: ten folds, or as many as the rows are enough for
    by: str | None = None
    one_se: bool = False
    positive: str | None = None
    costs: Mapping[tuple[str, str], float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", as_grid(self.grid))
        boolean("one_se", self.one_se)
        if isinstance(self.design, TrainingRows):
            raise SettingError("This design holds no rows out: nothing can be evaluated by it. Take Folds().")
        settings_to_try(self.learner, self.grid)  # whatever is wrong with the grid is refused at once

    def learn(self, table: Table) -> Model:
        """The model of the settings that the folds of these rows choose."""
        return tuning_by(self, table).model

    @property
    def divides_by(self) -> tuple[str, ...]:
        """The columns by which it divides the rows, and which it does not learn from."""
        return () if self.design is None else columns_for_dividing(self.design)

    def design_for(self, table: Table) -> Design:
        """How these rows are divided."""
        return usual_folds(table, self.by) if self.design is None else self.design


@dataclass(frozen=True, slots=True, eq=False)
class Tuning:
    """Every setting tried with its scores, the best, those chosen, and the model learned with these.

    `model` is learned from all rows. The score of the chosen settings is optimistic, since its folds chose
    them; `nested` has the one that may be quoted. `ended` says how far it came if it was interrupted.
    """

    tuner: Tuner
    judging: JudgingByScore
    design: Design
    folds: int
    trials: tuple[Trial, ...]
    best: Trial
    chosen: Trial
    model: Model
    nested: NestedEstimate | None = None
    ended: str = ""

    @property
    def entry(self) -> ScoreEntry:
        """The score that was tuned by."""
        return self.judging.entry

    @property
    def design_in_words(self) -> str:
        """What judged, in a few words."""
        return design_in_words(self.design, self.folds)

    def __str__(self) -> str:
        return tuning_in_text(self)

    def to_json(self) -> dict[str, Any]:
        """The same for machines, without the model."""
        return tuning_to_json(self)


def tune(
    learner: Learner[Model],
    table: Table,
    grid: SettingGrid | Mapping[str, Any],
    *,
    design: Design | None = None,
    by: str | None = None,
    one_se: bool = False,
    nested: int | Design | None = None,
    positive: str | None = None,
    costs: Mapping[tuple[str, str], float] | None = None,
    resume: str | PathLike[str] | None = None,
    threads: int | None = None,
) -> Tuning:
    """Try the settings of a grid in the folds of a design, choose, and learn from all rows with those chosen.

    `learner` may be a recipe: its steps are then done in every fold. `nested` also tunes within each of so
    many outer folds, which choose nothing, for a score that may be quoted. `resume` names a journal, which is
    read, and written on, so that work that was broken off goes on.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    >>> tuned = cw.tune(cw.CART(), table, {"max_depth": cw.Range(0, 3)}, design=cw.Folds(7))
    >>> dict(tuned.chosen.settings), round(tuned.chosen.mean, 3)
    ({'max_depth': 2}, 0.786)
    """
    tuner = Tuner(learner, as_grid(grid), design, by, one_se, positive, costs)
    return tuning_by(tuner, table, nested=nested, resume=resume, threads=threads)


def tuning_by(
    tuner: Tuner,
    table: Table,
    *,
    nested: int | Design | None = None,
    resume: str | PathLike[str] | None = None,
    threads: int | None = None,
) -> Tuning:
    """What a tuner does with these rows. Where it has costs, every trial decides by them."""
    if table.schema.classes:
        tuner = replace(tuner, learner=deciding_by(tuner.costs, tuner.learner))
    design = tuner.design_for(table)
    judging = judging_by_score(tuner.learner, table, tuner.by, tuner.positive, tuner.costs)
    outer = None if nested is None else outer_design(design, nested)
    outer_parts = () if outer is None else parts_by_design(outer, table)
    check_parts(outer_parts, judging.entry)
    parts = parts_by_design(design, table)
    if outer is not None:  # no learner sees a column that either design divides by
        table = rows_to_learn(outer, table, columns_for_dividing(design))
    if tuner.one_se and len(parts) < 2:
        raise SettingError(
            "One standard error is that of a mean over folds, and this design has one part. Take Folds(10)."
        )
    to_try = settings_to_try(tuner.learner, tuner.grid)
    journal = None
    if resume is not None:
        stakes = judging.stakes
        costs = {f"{true}/{called}": cost for (true, called), cost in (stakes.costs or {}).items()}
        score = {"name": judging.by, "positive": stakes.positive, "costs": costs}
        journal = journal_at(resume, tuner.learner, fingerprint(table), design, score)
    inner = sum(len(parts_by_design(design, table.take(part.learn))) for part in outer_parts)
    able = sum(each.learner is not None for each in to_try)
    run = TuningRun(tuner, design, judging, threads, able * (len(parts) + inner), journal)
    try:
        trials = run.trials(table, parts, to_try)
        chosen = _chosen(trials, judging.entry, one_se=tuner.one_se)
        model = _learned(tuner, to_try[chosen], judging.by, len(trials), table, design)
        ended = run.ended
        estimate = None
        if outer is not None and not ended:
            estimate = _nested(run, table, outer, outer_parts)
            ended = run.ended
    finally:
        if journal is not None:
            journal.close()
    best = trials[best_of(trials, judging.entry)]
    folds = max(len(each.scores) for each in trials)
    return Tuning(tuner, judging, design, folds, trials, best, trials[chosen], model, estimate, ended)


@dataclass(slots=True, eq=False)
class TuningRun:
    """Trials of one tuner, of all rows or of those of an outer fold, with what they report and keep."""

    tuner: Tuner
    design: Design
    judging: JudgingByScore
    threads: int | None
    of: int
    journal: TuningJournal | None = None
    training: bool = False  # are settings judged on the rows learned from, too?
    done: int = 0
    folds: int = 0  # in which all settings were tried last
    ended: str = ""

    def trials(
        self, table: Table, parts: Sequence[RowPart], to_try: Sequence[ToTry], outer: str = ""
    ) -> tuple[Trial, ...]:
        """The trials of these rows; after an interruption, of the folds that all of them have."""
        journal, known = self.journal, dict[ContenderFold, FoldScore]()
        keys: list[str] = []
        if journal is not None:
            keys = [settings_key(each.learner) for each in to_try if each.learner is not None]
            for place, key in enumerate(keys):
                scores = journal.scores(outer, key).items()
                known |= {(place, fold): each for fold, each in scores if fold < len(parts)}
        self.done += len(known)

        def heed(new: Mapping[ContenderFold, FoldScore]) -> bool:
            """Keep scores in the journal, and report how far the work is, with the best fold so far."""
            if journal is not None:
                for (place, fold), each in new.items():
                    journal.add(outer, keys[place], fold, each)
            self.done += len(new)
            return is_enough(Progress(self.done, self.of, "fold"))

        rows = rows_to_learn(self.design, table)
        how: dict[str, Any] = {"known": known, "training": self.training, "threads": self.threads}
        trials, self.folds = tried(to_try, rows, parts, self.judging, heed, **how)
        if self.folds < len(parts):
            self.ended = f"interrupted after {self.folds} of {len(parts)} folds"
        return trials


def _chosen(trials: Sequence[Trial], entry: ScoreEntry, *, one_se: bool) -> int:
    return simplest_within_one_error(trials, entry) if one_se else best_of(trials, entry)


def _learned(tuner: Tuner, chosen: ToTry, by: str, count: int, table: Table, design: Design) -> Model:
    """The model of all rows, whose lineage says that its settings were tuned."""
    assert chosen.learner is not None
    model = chosen.learner.learn(rows_to_learn(design, table))
    own = chosen.learner.learner if isinstance(chosen.learner, Recipe) else chosen.learner
    plain = made_of(own).settings
    tuned = Tuned({name: plain[name] for name in chosen.settings}, count, by, tuner.one_se)
    return replace(model, origin=replace(model.origin, after=(tuned, *model.origin.after)))


def _nested(run: TuningRun, table: Table, outer: Design, parts: Sequence[RowPart]) -> NestedEstimate | None:
    """Tuned within each outer fold and judged on its rows; of an interruption, the outer folds before it."""
    tuner, done = run.tuner, list[tuple[float, Mapping[str, Any], float]]()
    for fold, part in enumerate(parts):
        rows = table.take(part.learn)
        to_try = settings_to_try(tuner.learner, tuner.grid)
        trials = run.trials(rows, parts_by_design(run.design, rows), to_try, f"{outer!r}, fold {fold + 1}")
        if run.ended:
            break
        place = _chosen(trials, run.judging.entry, one_se=tuner.one_se)
        model = _learned(tuner, to_try[place], run.judging.by, len(trials), rows, run.design)
        score = run.judging.score(model, table.take(part.judge))
        done.append((score, trials[place].settings, trials[place].mean))
    if not done:
        return None
    scores, chosen, inside = zip(*done, strict=True)
    over = run.judging.entry.over_parts
    return NestedEstimate(outer, scores, chosen, inside, judged_to_learned(parts), over)


# A nested estimate: settings are tuned within outer folds, and judged on rows that chose nothing.


@dataclass(frozen=True, slots=True)
class NestedEstimate:
    """The score of each outer fold, the settings chosen without its rows, and the mean of these settings in
    the inner folds that chose them. `shared` and `over` are as for trials."""

    design: Design
    scores: tuple[float, ...]
    chosen: tuple[Mapping[str, Any], ...]
    inside: tuple[float, ...]
    shared: float = 0.0
    over: OverParts = "mean"

    @property
    def mean(self) -> float:
        """Over the outer folds that have a score."""
        return mean_of_known(terms_of_parts(self.scores, self.over))

    @property
    def standard_error(self) -> float:
        """Of the mean over the outer folds; NaN of fewer than two."""
        return error_of_terms(terms_of_parts(self.scores, self.over), self.shared)

    @property
    def design_in_words(self) -> str:
        """What judged, in a few words."""
        words = design_in_words(self.design, len(self.scores))
        return words.replace(" fold", " outer fold", 1) if " fold" in words else f"{words} (outer)"


def outer_design(inner: Design, asked: int | Design) -> Design:
    """So many outer folds that keep together what the inner design keeps together, or the design asked for.

    >>> outer_design(Folds(10, repeats=5, group="customer"), 5)
    Folds(folds=5, seed=0, repeats=1, stratified=True, group='customer')
    """
    if isinstance(asked, TrainingRows):
        raise SettingError("This design holds no rows out: nothing can be evaluated by it. Take nested=5.")
    if not isinstance(asked, int):
        return asked
    folds = whole("nested", asked, 2)
    match inner:
        case Folds():
            return replace(inner, folds=folds, repeats=1)
        case HoldOut(seed=seed, stratified=stratified, group=group):
            return Folds(folds, seed, stratified=stratified, group=group)
        case LeaveOneOut(group, seed) | Bootstrap(group=group, seed=seed):
            return Folds(folds, seed, group=group)
        case ByTime():
            return replace(inner, folds=folds)
        case GivenFolds(column, seed):
            return Folds(folds, seed, group=column)
        case TrainingRows():
            raise AssertionError("it was refused before")
        case _:
            assert_never(inner)
