"""`clearwood choose`: learners judged alike on the same rows, and which of their models to take."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from clearwood.catalogue import LEARNERS
from clearwood.cli.evaluation_options import Decisions, Judging, PredictionsFile, costs_in
from clearwood.cli.learning import Seed, named_recipe, preparations
from clearwood.cli.options import (
    DECIDING,
    JUDGING,
    LEARNING,
    BalanceBy,
    Data,
    Output,
    Positive,
    Save,
    Select,
    flag,
    in_options,
    option,
    options,
)
from clearwood.cli.output import answer, check_place, next_with_model, note, working
from clearwood.cli.sources import TableOptions, save_model
from clearwood.errors import SettingError, no_such
from clearwood.files import PICTURE_SUFFIXES
from clearwood.records import dataclass
from clearwood.scoring import ScoreEntry
from clearwood.study.designs import FOLDS
from clearwood.words.numbers import many

if TYPE_CHECKING:
    from clearwood.study.contest.choice import ModelChoice
    from clearwood.study.contest.contenders import Contender
    from clearwood.study.contest.running import JudgedContender
    from clearwood.table.table import Table

_NONE: Final = "none"
_MINUTE: Final = 60.0
_SOON: Final = 2.0  # seconds after which whoever is judged is shown before all are
_LONG: Final = 5.0  # seconds from which on an estimate is worth a line
_PAGES: Final = (".html", ".htm", ".pdf")

_REFERENCE_MODELS: Final = ("lda", "knn", "svm", "random_forest")


@options()
class ChooseOptions:
    """What `clearwood choose` takes."""

    data: Data
    source: TableOptions
    learner: list[str] | None = option(
        "NAME[:…]", "A contender, as in gam:pairs=0; may be repeated.", LEARNING, short="-l", among=LEARNERS
    )
    yardstick: list[str] | None = option(
        "NAME",
        f"{', '.join(_REFERENCE_MODELS)} beside them, or none; may be repeated.",
        LEARNING,
        among=_REFERENCE_MODELS,
    )
    tune: bool | None = flag(
        "Tune each over a small grid (if it takes about a minute).", LEARNING, default=None, both=True
    )
    budget: float | None = option(
        "SECONDS",
        "Stop contenders that have not finished by then (60); what is left is for tuning. inf: no limit.",
        LEARNING,
    )
    seed: Seed = None
    by: str | None = option(
        "NAME", "The score to compare by: accuracy, auc, cost, rmse, …", JUDGING, name="--score"
    )
    positive: Positive = None
    costs: str | None = option(
        "TRUE/PREDICTED:COST,…", "What mistakes cost: bad/good:5; all contenders decide by it.", DECIDING
    )
    decisions: Decisions
    judging: Judging
    balance: BalanceBy = None
    select: Select = None
    save: Save = None
    chart: Path | None = option("FILE", "Draw score against size: .svg, .png or .pdf.")
    report: Path | None = option("FILE", "Write all of it as a page here, .html or .pdf.")
    predictions: PredictionsFile = None
    output: Output


def run(asked: ChooseOptions) -> None:
    """From a table to a recommendation; the budget counts from here, with the reading."""
    from clearwood.draw.choice import draw_choice
    from clearwood.study.contest.choosing import in_fewer_parts, planned, prepare_contest, run_contest
    from clearwood.study.contest.contenders import StepsForAll
    from clearwood.study.contest.planning import in_seconds
    from clearwood.table.folding import groups_in

    tune = asked.tune
    began = perf_counter()
    asked.judging.with_usual_folds().check()
    _check_files(asked)
    named = _named(asked)
    paid = costs_in(asked.costs)
    if asked.costs is not None and asked.decisions.cutoff is not None:
        raise SettingError("Give --costs, by which every contender decides, or --cutoff, not both.")
    deciding = asked.decisions.step(asked.seed)
    steps = StepsForAll(
        preparations(asked.select, asked.balance, asked.seed), () if deciding is None else (deciding,)
    )
    table = asked.judging.table(asked.data, asked.source, asked.output)
    divided = len(table) if asked.judging.group is None else groups_in(table, asked.judging.group).count
    design = asked.judging.with_usual_folds(str(max(2, min(FOLDS, divided)))).design(asked.seed, len(table))
    prepared = prepare_contest(
        table,
        _contenders(named, asked.yardstick, table),
        design=design,
        by=asked.by,
        positive=asked.positive or "",
        costs=paid,
        steps=steps,
        seed=asked.seed or 0,
    )
    limit = _MINUTE if asked.budget is None else None if math.isinf(asked.budget) else asked.budget
    if asked.budget is None and tune is None and named is not None:
        tune = False  # learners that are named are judged as given, unless tuning or a budget is asked for
    with working("Estimating"):
        plan = planned(prepared, budget=limit, tune=tune, estimate=True)
    if limit is not None and asked.judging.test_part is None and not asked.judging.resampling:
        prepared, plan = in_fewer_parts(prepared, plan, limit)
    if plan.total >= _LONG:
        # Models are counted where tuning is spoken of: a contender that is tuned learns many in each part.
        contenders, parts = many(len(plan.contenders), "contender"), many(len(prepared.contest.parts), "part")
        least, most = map(in_seconds, plan.between)
        about = f"About {in_seconds(plan.total)} ({least} to {most})"
        note([f"{about} for {contenders} in {parts}, by a sample of the rows."], asked.output)
    board = _Leaderboard(prepared.contest.entry, asked.output)
    with working("Judging"):
        choice = run_contest(prepared, plan, budget=limit, began=began, shown=board.add)
    remarks = [each.sentence for each in choice.findings if each.kind != "leak"]
    remarks += [f"{each.name}: {sentence}" for each in choice.judged for sentence in each.notes]
    note(choice.notes, asked.output)
    note(remarks, asked.output)
    _write(choice, asked)
    answer(
        asked.output,
        text=lambda: draw_choice(choice, in_options),
        data=choice.to_json,
        notes=[*table.notes, *choice.notes, *choice.verdict.leaks, *remarks],
        saved=asked.save,
        then=next_with_model(asked.save, asked.data),
    )


@dataclass(slots=True)
class _Leaderboard:
    """The contenders as they are judged, a line each; of a contest that ends at once the table is enough."""

    entry: ScoreEntry
    output: Output
    began: float = field(default_factory=perf_counter)
    waiting: list[str] = field(default_factory=list)

    def add(self, judged: JudgedContender) -> None:
        from clearwood.study.contest.recommending import with_error

        if judged.refused:
            line = f"{judged.name}: {in_options(judged.refused)}"
        else:
            line = f"{judged.name}  {with_error(self.entry, judged)}"
        self.waiting.append(line)
        if perf_counter() - self.began >= _SOON:
            note(self.waiting, self.output)
            self.waiting = []


def _check_files(asked: ChooseOptions) -> None:
    """Refuse at once what could not be written after the work."""

    for place in (asked.save, asked.chart, asked.report, asked.predictions):
        check_place(place, asked.data)
    _check_form("--chart", asked.chart, PICTURE_SUFFIXES)
    _check_form("--report", asked.report, _PAGES)


def _named(asked: ChooseOptions) -> dict[str, Any] | None:
    """The learners as typed; None where none are named. Whatever is wrong is refused before reading."""
    from clearwood.learners.directions import directed
    from clearwood.study.contest.contenders import REFERENCE_MODELS

    for name in asked.yardstick or ():
        if name.lower() not in (*REFERENCE_MODELS, _NONE):
            raise SettingError(no_such("yardstick", name, [*REFERENCE_MODELS, _NONE]))
    if not asked.learner:
        return None
    made: dict[str, Any] = {}
    for text in asked.learner:
        name, _, settings = text.partition(":")
        if name.lower() in REFERENCE_MODELS:
            raise SettingError(
                f"'{name}' is not a learner of Clearwood: give it as a reference model, --yardstick "
                f"{name.lower()}."
            )
        if name.lower() not in LEARNERS:
            raise SettingError(no_such("learner", name, LEARNERS))
        if text in made:
            raise SettingError(f"--learner {text} is given twice. Give it once.")
        # A comma within a value, as in costs, is followed by no name of a setting.
        given = [each for each in re.split(r",(?=\w+=)", settings) if each]
        made[text] = directed(named_recipe(name, given, seed=asked.seed).learner, asked.positive)
    return made


def _contenders(
    named: dict[str, Any] | None, references: Sequence[str] | None, table: Table
) -> list[Contender] | None:
    """Learners and reference models together; None: the usual ones."""
    from clearwood.study.contest.contenders import contenders_of

    if named is None and not references:
        return None
    usual = contenders_of(None, table).contenders
    made = (
        list(contenders_of(named, table).contenders)
        if named
        else [e for e in usual if not e.is_reference_model]
    )
    beside = [name.lower() for name in references or () if name.lower() != _NONE]
    return made + (list(contenders_of(beside, table).contenders) if beside else [])


def _write(choice: ModelChoice, asked: ChooseOptions) -> None:

    if asked.predictions is not None:
        choice.save_predictions(asked.predictions)
    if asked.chart is not None:
        choice.chart().save(asked.chart)
    if asked.save is not None:
        with working("Learning from all rows"):
            save_model(choice.model, asked.save)
    if asked.report is not None:
        from clearwood.reporting.choice_report import choice_report  # late: the page is large

        with working(f"Writing {asked.report}"):
            choice_report(choice, name=Path(asked.data).name).save(asked.report)


def _check_form(option: str, place: Path | None, forms: Sequence[str]) -> None:
    if place is not None and place.suffix.lower() not in forms:
        raise SettingError(f"{option} writes {', '.join(forms)}, not '{place}'. Give it such an ending.")
