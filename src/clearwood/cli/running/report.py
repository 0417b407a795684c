"""What `report` does: learn and judge, or judge what was saved, and write the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import typer

from clearwood.cli.deciding import deciding_of
from clearwood.cli.decision_options import Decisions
from clearwood.cli.dividing import check_judging, design_of, table_to_divide
from clearwood.cli.fairness_options import Protecting, names_in
from clearwood.cli.given_command import command_of
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning import notes_on_learning, recipe_maker, refuse_learning
from clearwood.cli.learning_options import ModelOrLearner
from clearwood.cli.options import Output
from clearwood.cli.output import answer, as_options, note
from clearwood.cli.progress import working
from clearwood.cli.source_options import Source
from clearwood.cli.sources import coded_for, load_model, raw_in
from clearwood.cli.writing import check_place
from clearwood.errors import SettingError
from clearwood.report.making import report_of
from clearwood.study.behaviour.of_study import behaviours_called, with_behaviour
from clearwood.study.designs import usual_design
from clearwood.study.fairness.fairness_of_study import protect, with_fairness, with_fairness_of_model
from clearwood.study.judging import study_of, study_of_model
from clearwood.study.study import Study, with_positive
from clearwood.words.numbers import with_and

_FORMS: Final = (".html", ".htm", ".pdf")


def run(
    context: typer.Context,
    data: str,
    source: Source,
    chosen: ModelOrLearner,
    judging: Judging,
    output: Output,
    *,
    decisions: Decisions,
    protecting: Protecting,
    page: Path,
    select: str | None = None,
    balance: str | None = None,
    positive: str | None = None,
    prune: Sequence[str] | None,
    since: Path | None = None,
    also: Sequence[str] | None = None,
    title: str | None,
) -> None:
    """The whole study of a table in one page."""
    _check_form(page)
    check_judging(judging)
    sections = behaviours_called(names_in(also))
    model = chosen.model
    check_place(page, data, model, since)
    older = None if since is None else load_model(since)
    how = command_of(context, page=page.name, data=Path(data).name, model=model.name if model else "")
    if model is None:
        preparing = (prune, select, balance)
        study = _learned(
            data, source, chosen, judging, output, preparing, decisions, protecting, positive, sections
        )
    else:
        refuse_learning(chosen, replace(source.columns, schema=None), judging, decisions)
        of_learning = {"--prune": prune, "--select": select, "--balance": balance, "--also": also}
        for name, given in of_learning.items():
            if given:
                raise SettingError(
                    f"{name} is for learning, but --model gives a model that is already learned."
                )
        loaded = load_model(model, source.columns.schema)
        raw = raw_in(data, source.reading)
        rows = coded_for(loaded, raw)
        note(rows.notes, output)
        study = study_of_model(loaded, rows)
        if positive is not None:
            study = with_positive(study, positive)
        if protecting.names:
            study = with_fairness_of_model(study, raw, protecting.names, favourable=protecting.favourable)
    study = replace(study, name=Path(data).name, how=how)
    if positive is not None:
        study = with_positive(study, positive)
    with working(f"Writing {page}"):
        report_of(study, title, since=older, since_name=since.name if since else "").save(page)
    size = page.stat().st_size
    if not output.quiet or output.as_json:
        answer(
            output,
            text=lambda: f"Written to {page} ({size / 1000:,.0f} kB).",
            data=lambda: {"saved": str(page), "bytes": size, "learner": study.model.origin.learner},
            notes=study.table.notes,
        )


def _learned(
    data: str,
    source: Source,
    chosen: ModelOrLearner,
    judging: Judging,
    output: Output,
    preparing: tuple[Sequence[str] | None, str | None, str | None],
    decisions: Decisions,
    protecting: Protecting,
    positive: str | None,
    sections: Sequence[str],
) -> Study:
    learning = chosen.learning
    prune, select, balance = preparing
    deciding = deciding_of(decisions, learning.seed)
    if positive is None and deciding is not None and deciding.cutoff is not None:
        positive = deciding.cutoff.positive  # what the cutoff is about, the scores are about
    recipe_for = recipe_maker(learning, prune, select=select, balance=balance, positive=positive)
    whole = table_to_divide(data, source, judging, output)
    table = protect(whole, protecting.names)
    recipe, seed = recipe_for(table), learning.seed or 0
    if deciding is not None:
        recipe = replace(recipe, after=(*recipe.after, deciding))
    design = design_of(judging, seed, len(table))
    notes = notes_on_learning(learning, recipe, design or usual_design(len(table), seed))
    note(notes, output)
    table = replace(table, notes=tuple(as_options([*table.notes, *notes])), checked=True)
    with working("Learning and evaluating"):
        study = study_of(recipe, table, design, seed=seed)
        if positive is not None:
            study = with_positive(study, positive)
        if protecting.names:
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
        from clearwood.report.on_paper import need_browser

        need_browser()
