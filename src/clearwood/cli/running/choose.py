"""What `choose` does: plan, judge and recommend; write the model, the chart, the page, the predictions."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from types import NoneType
from typing import Any, Final

from clearwood.catalogue import LEARNERS
from clearwood.cli.advice import in_options
from clearwood.cli.deciding import deciding_of
from clearwood.cli.decision_options import Decisions
from clearwood.cli.dividing import (
    check_judging,
    design_of,
    resampling_given,
    table_to_divide,
    with_usual_folds,
)
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning import named_recipe, preparations
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.settings import parsed_value
from clearwood.cli.source_options import Source
from clearwood.cli.writing import check_place
from clearwood.draw.choice import draw_choice
from clearwood.draw.picture import PICTURE_SUFFIXES
from clearwood.errors import SettingError, no_such
from clearwood.learners.directions import directed
from clearwood.registry import Setting
from clearwood.scoring.score import ScoreEntry
from clearwood.study.contest.choice import ModelChoice
from clearwood.study.contest.choosing import in_fewer_parts, planned, prepare_contest, run_contest
from clearwood.study.contest.contenders import YARDSTICKS, Contender, contenders_of
from clearwood.study.contest.planning import in_seconds
from clearwood.study.contest.recommending import with_error
from clearwood.study.contest.running import JudgedContender
from clearwood.study.contest.steps_for_all import StepsForAll
from clearwood.study.designs import FOLDS
from clearwood.table.folding import groups_in
from clearwood.table.table import Table
from clearwood.words.numbers import many

_COSTS: Final = Setting("--costs", (Mapping[tuple[str, str], float], NoneType), None)
_NONE: Final = "none"
_MINUTE: Final = 60.0
_SOON: Final = 2.0  # seconds after which whoever is judged is shown before all are
_LONG: Final = 5.0  # seconds from which on an estimate is worth a line
_PAGES: Final = (".html", ".htm", ".pdf")


@dataclass(frozen=True, slots=True)
class Files:
    """Where to write the model, the chart, the page and the predictions; None: nowhere."""

    save: Path | None
    chart: Path | None
    report: Path | None
    predictions: Path | None

    def check(self, data: str) -> None:
        """Refuse at once what could not be written after the work."""
        for place in (self.save, self.chart, self.report, self.predictions):
            check_place(place, data)
        _check_form("--chart", self.chart, PICTURE_SUFFIXES)
        _check_form("--report", self.report, _PAGES)


def run(
    data: str,
    source: Source,
    judging: Judging,
    output: Output,
    files: Files,
    *,
    learners: Sequence[str] | None,
    yardsticks: Sequence[str] | None,
    tune: bool | None,
    budget: float | None,
    seed: int | None,
    by: str | None,
    positive: str | None,
    costs: str | None,
    decisions: Decisions,
    balance: str | None,
    select: str | None,
) -> None:
    """From a table to a recommendation; the budget counts from here, with the reading."""
    began = perf_counter()
    check_judging(with_usual_folds(judging))
    files.check(data)
    named = _named(learners, yardsticks, seed, positive)
    paid = None if costs is None else parsed_value(_COSTS, costs)
    if costs is not None and decisions.cutoff is not None:
        raise SettingError("Give --costs, by which every contender decides, or --cutoff, not both.")
    deciding = deciding_of(decisions, seed)
    steps = StepsForAll(preparations(select, balance, seed), () if deciding is None else (deciding,))
    table = table_to_divide(data, source, judging, output)
    divided = len(table) if judging.group is None else groups_in(table, judging.group).count
    design = design_of(with_usual_folds(judging, str(max(2, min(FOLDS, divided)))), seed, len(table))
    prepared = prepare_contest(
        table,
        _contenders(named, yardsticks, table),
        design=design,
        by=by,
        positive=positive or "",
        costs=paid,
        steps=steps,
        seed=seed or 0,
    )
    limit = _MINUTE if budget is None else None if math.isinf(budget) else budget
    if budget is None and tune is None and named is not None:
        tune = False  # learners that are named are judged as given, unless tuning or a budget is asked for
    with working("Estimating"):
        plan = planned(prepared, budget=limit, tune=tune, estimate=True)
    if limit is not None and judging.test_part is None and not resampling_given(judging):
        prepared, plan = in_fewer_parts(prepared, plan, limit)
    if plan.total >= _LONG:
        # Models are counted where tuning is spoken of: a contender that is tuned learns many in each part.
        contenders, parts = many(len(plan.contenders), "contender"), many(len(prepared.contest.parts), "part")
        least, most = map(in_seconds, plan.between)
        about = f"About {in_seconds(plan.total)} ({least} to {most})"
        note([f"{about} for {contenders} in {parts}, by a sample of the rows."], output)
    board = _Leaderboard(prepared.entry, output)
    with working("Judging"):
        choice = run_contest(prepared, plan, budget=limit, began=began, shown=board.add)
    remarks = [*(each.sentence for each in choice.findings if each.kind != "leak"), *_remarks(choice)]
    note(choice.notes, output)
    note(remarks, output)
    _write(choice, files, Path(data).name)
    answer(
        output,
        text=lambda: draw_choice(choice, in_options),
        data=choice.to_json,
        notes=[*table.notes, *choice.notes, *choice.verdict.leaks, *remarks],
        saved=files.save,
    )


@dataclass(slots=True)
class _Leaderboard:
    """The contenders as they are judged, a line each; of a contest that ends at once the table is enough."""

    entry: ScoreEntry
    output: Output
    began: float = field(default_factory=perf_counter)
    waiting: list[str] = field(default_factory=list)

    def add(self, judged: JudgedContender) -> None:
        if judged.refused:
            line = f"{judged.name}: {in_options(judged.refused)}"
        else:
            line = f"{judged.name}  {with_error(self.entry, judged)}"
        self.waiting.append(line)
        if perf_counter() - self.began >= _SOON:
            note(self.waiting, self.output)
            self.waiting = []


def _named(
    learners: Sequence[str] | None,
    yardsticks: Sequence[str] | None,
    seed: int | None,
    positive: str | None,
) -> dict[str, Any] | None:
    """The learners as typed; None where none are named. Whatever is wrong is refused before reading."""
    for name in yardsticks or ():
        if name.lower() not in (*YARDSTICKS, _NONE):
            raise SettingError(no_such("yardstick", name, [*YARDSTICKS, _NONE]))
    if not learners:
        return None
    made: dict[str, Any] = {}
    for text in learners:
        name, _, settings = text.partition(":")
        if name.lower() in YARDSTICKS:
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
        made[text] = directed(named_recipe(name, given, seed=seed).learner, positive)
    return made


def _contenders(
    named: dict[str, Any] | None, yardsticks: Sequence[str] | None, table: Table
) -> list[Contender] | None:
    """Learners and yardsticks together; None: the usual ones."""
    if named is None and not yardsticks:
        return None
    usual = contenders_of(None, table).contenders
    made = list(contenders_of(named, table).contenders) if named else [e for e in usual if not e.is_yardstick]
    beside = [name.lower() for name in yardsticks or () if name.lower() != _NONE]
    return made + (list(contenders_of(beside, table).contenders) if beside else [])


def _remarks(choice: ModelChoice) -> list[str]:
    return [f"{each.name}: {sentence}" for each in choice.judged for sentence in each.notes]


def _write(choice: ModelChoice, files: Files, name: str) -> None:
    if files.predictions is not None:
        choice.save_predictions(files.predictions)
    if files.chart is not None:
        choice.chart().save(files.chart)
    if files.save is not None:
        from clearwood.models.files import save as save_model  # late: only what is saved needs its forms

        with working("Learning from all rows"):
            save_model(choice.model, files.save)
    if files.report is not None:
        from clearwood.report.choice_report import choice_report  # late: the page is large

        with working(f"Writing {files.report}"):
            choice_report(choice, name=name).save(files.report)


def _check_form(option: str, place: Path | None, forms: Sequence[str]) -> None:
    if place is not None and place.suffix.lower() not in forms:
        raise SettingError(f"{option} writes {', '.join(forms)}, not '{place}'. Give it such an ending.")
