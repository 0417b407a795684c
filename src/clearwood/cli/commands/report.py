"""`clearwood report`: the whole study of a table in one page that opens anywhere."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from clearwood.cli.evaluation_options import Decisions, Judging, Protecting, names_in
from clearwood.cli.learning import ModelOrLearner, TrainingOptions, notes_on_learning, refuse_learning
from clearwood.cli.options import (
    REQUIRED,
    SECTIONS,
    Data,
    Output,
    option,
    options,
)
from clearwood.cli.output import answer, as_options, check_place, note, working
from clearwood.cli.sources import TableOptions, load_model, noted_for, raw_in
from clearwood.errors import SettingError
from clearwood.study.behaviour import BEHAVIOURS
from clearwood.study.designs import usual_design
from clearwood.words.numbers import with_and

if TYPE_CHECKING:
    from clearwood.study.study import Study

_FORMS: Final = (".html", ".htm", ".pdf")
_HOW_TO_SPEAK: Final = ("as_json", "quiet")  # these change nothing of what is made


@options()
class ReportOptions:
    """What `clearwood report` takes."""

    context: typer.Context
    data: Data
    source: TableOptions
    chosen: ModelOrLearner
    judging: Judging
    decisions: Decisions
    protecting: Protecting
    page: Path = option(
        "FILE",
        ".html, or .pdf by an installed browser.",
        default=REQUIRED,
        name="--output",
        short="-o",
        show_default=False,
    )
    training: TrainingOptions
    since: Path | None = option(
        "MODEL", "Also show where predictions changed since this older model.", SECTIONS
    )
    also: list[str] | None = option(
        "SECTION,…",
        f"Also show how the learner behaves, by learning many times: {', '.join(BEHAVIOURS)}.",
        SECTIONS,
    )
    title: str | None = option("TEXT", "The title of the page.")
    output: Output


def run(asked: ReportOptions) -> None:
    """The whole study of a table in one page."""
    from clearwood.reporting.making import report_of
    from clearwood.study.behaviour.of_study import behaviours_called
    from clearwood.study.fairness.groups import with_fairness_of_model
    from clearwood.study.study import study_of_model, with_positive

    _check_form(asked.page)
    asked.judging.check()
    sections = behaviours_called(names_in(asked.also))
    model = asked.chosen.model
    check_place(asked.page, asked.data, model, asked.since)
    older = None if asked.since is None else load_model(asked.since)
    how = command_of(
        asked.context, page=asked.page.name, data=Path(asked.data).name, model=model.name if model else ""
    )
    if model is None:
        study = _learned(asked, sections)
    else:
        refuse_learning(
            asked.chosen, replace(asked.source.columns, schema=None), asked.judging, asked.decisions
        )
        of_learning = {
            "--prune": asked.training.prune,
            "--select": asked.training.select,
            "--balance": asked.training.balance,
            "--also": asked.also,
        }
        for name, given in of_learning.items():
            if given:
                raise SettingError(
                    f"{name} is for learning, but --model gives a model that is already learned."
                )
        loaded = load_model(model, asked.source.columns.schema)
        raw = raw_in(asked.data, asked.source.reading)
        rows = noted_for(loaded, raw, asked.output, evaluated=True)
        study = study_of_model(loaded, rows)
        if asked.training.positive is not None:
            study = with_positive(study, asked.training.positive)
        if asked.protecting.names:
            study = with_fairness_of_model(
                study, raw, asked.protecting.names, favourable=asked.protecting.favourable
            )
    study = replace(study, name=Path(asked.data).name, how=how)
    with working(f"Writing {asked.page}"):
        report_of(study, asked.title, since=older, since_name=asked.since.name if asked.since else "").save(
            asked.page
        )
    size = asked.page.stat().st_size
    if not asked.output.quiet or asked.output.as_json:
        answer(
            asked.output,
            text=lambda: f"Written to {asked.page} ({size / 1000:,.0f} kB).",
            data=lambda: {"saved": str(asked.page), "bytes": size, "learner": study.model.origin.learner},
            notes=study.table.notes,
        )


def _learned(asked: ReportOptions, sections: Sequence[str]) -> Study:
    from clearwood.study.behaviour.of_study import with_behaviour
    from clearwood.study.fairness.groups import protect, with_fairness
    from clearwood.study.study import study_of, with_positive

    learning = asked.chosen.learning
    recipe_for, positive = asked.training.recipe_maker(learning, asked.decisions)
    whole = asked.judging.table(asked.data, asked.source, asked.output)
    table = protect(whole, asked.protecting.names)
    recipe, seed = recipe_for(table), learning.seed or 0
    design = asked.judging.design(seed, len(table))
    notes = notes_on_learning(learning, recipe, design or usual_design(len(table), seed))
    note(notes, asked.output)
    table = replace(table, notes=tuple(as_options([*table.notes, *notes])), checked=True)
    with working("Learning and evaluating"):
        study = study_of(recipe, table, design, seed=seed)
        if positive is not None:
            study = with_positive(study, positive)
        if asked.protecting.names:
            protecting = asked.protecting
            study = with_fairness(study, whole, protecting.names, favourable=protecting.favourable)
    if sections:
        with working(f"Learning again for {with_and(sections)}"):
            study = with_behaviour(study, recipe, table, sections)
    return study


def _check_form(page: Path) -> None:
    """Refuse at once a name that promises what is not written, or a PDF that nothing here can print."""
    if page.suffix.lower() not in _FORMS:
        raise SettingError(f"A report is an .html or a .pdf file, but {page} is neither.")
    if page.suffix.lower() == ".pdf":
        from clearwood.reporting.on_paper import need_browser

        need_browser()


def command_of(context: typer.Context, **instead: str) -> str:
    """The options that were given, as a shell takes them; `instead` replaces the value of some by name."""
    words = ["clearwood", context.info_name or ""]
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if source is None or source.name != "COMMANDLINE" or name in _HOW_TO_SPEAK:
            continue
        value = instead.get(name, context.params[name])
        if parameter.param_type_name == "argument":
            words.append(shlex.quote(str(value)))
        elif getattr(parameter, "is_flag", False):
            words.append(parameter.opts[0] if value else parameter.secondary_opts[0])
        else:
            for each in value if isinstance(value, list | tuple) else [value]:
                words += [parameter.opts[0], shlex.quote(str(each))]
    return " ".join(words)
