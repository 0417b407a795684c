"""What `derive` does: how every number came about, laid out as asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from clearwood.cli.commands.derive import DerivationLayout, ModelOrLearners
from clearwood.cli.drawing import page_width
from clearwood.cli.grouped import refuse_given
from clearwood.cli.learning import literal_choice, notes_on_learning, recipe_maker, refuse_learning
from clearwood.cli.learning_options import ModelOrLearner
from clearwood.cli.options import Output
from clearwood.cli.output import as_options, note, print_json
from clearwood.cli.progress import working
from clearwood.cli.rows import check_values, reference_in, row_given
from clearwood.cli.source_options import Source
from clearwood.cli.sources import load_model, rows_for, table_to_learn
from clearwood.cli.writing import check_place, text_file
from clearwood.derive.as_json import derivation_to_json
from clearwood.derive.deriving import derive
from clearwood.draw.derivations import write_derivation
from clearwood.draw.derivations.sheet import DIGITS
from clearwood.draw.derivations.sheets import Detail
from clearwood.draw.derivations.writing import Format
from clearwood.errors import SettingError
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model, model_in_words
from clearwood.study.designs import TrainingRows
from clearwood.table.table import Table
from clearwood.working.derivation import MOST_ROWS, Derivation

_ENDINGS: Final[dict[str, Format]] = {
    ".txt": "text",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
    ".qmd": "pandoc",
}


def run(
    data: str | None,
    source: Source,
    chosen: ModelOrLearners,
    layout: DerivationLayout,
    output: Output,
    *,
    at: str | None,
    row: list[str] | None,
    relative_to: str | None,
    allow_unseen: bool,
    all_rows: bool,
    compare: bool,
) -> None:
    """The derivation of a model, or of one answer; or where the trees of several learners part."""
    if compare:
        from clearwood.cli.running.compare_trees import run_comparison  # late: few derivations compare

        others = {"--at": at, "--row": row, "--relative-to": relative_to, "--allow-unseen": allow_unseen}
        run_comparison(data, source, chosen, layout, output, others | {"--all-rows": all_rows})
        return
    if chosen.learners and len(chosen.learners) > 1:
        raise SettingError(
            f"{len(chosen.learners)} learners are given, and a derivation is of one. To see where their "
            "trees part, add --compare."
        )
    if output.as_json:
        refuse_given("is about layout, but --json writes data. Leave one of them out.", layout)
    page = _page_of(layout)
    check_place(layout.file, data)
    model, table, notes = _model_and_table(data, source, chosen.single, output)
    cells = row_given(row, model) if row else None
    if cells is None and allow_unseen:
        raise SettingError("--allow-unseen is about the values in --row, but no row is given. Leave it out.")
    if cells is not None and not allow_unseen:
        way_out = " If it is meant to be one the model has never seen, add --allow-unseen."
        check_values(cells, model, way_out)
    if relative_to is not None and (cells is None or not isinstance(model, LinearModel)):
        raise SettingError(
            "--relative-to is what the cells of --row are compared with in a linear model, but "
            f"{'no row is given' if cells is None else f'this is {model_in_words(model)}'}. Leave it out."
        )
    derivation = derive(model, table, at=at, row=cells, against=reference_in(relative_to, model))
    most_rows = None if all_rows else MOST_ROWS
    if output.as_json:
        print_json({**derivation_to_json(derivation, most_rows=most_rows), "notes": as_options(notes)})
        return
    with text_file(layout.file) as file:
        file.write(page.write(derivation, most_rows))


@dataclass(frozen=True, slots=True)
class _Page:
    """The format, how much is shown, and whether it is a whole document."""

    format: Format
    detail: Detail
    answers: bool
    standalone: bool
    digits: int
    intervals: bool
    chapter: str | None

    def write(self, derivation: Derivation, most_rows: int | None) -> str:
        return write_derivation(
            derivation,
            format=self.format,
            detail=self.detail,
            answers=self.answers,
            digits=self.digits,
            most_rows=most_rows,
            width=page_width(),
            standalone=self.standalone,
            intervals=self.intervals,
            chapter=self.chapter,
        )


def _page_of(layout: DerivationLayout) -> _Page:
    """What the options say, or a sentence, before any work."""
    if layout.answers and layout.detail not in (None, "worksheet"):
        raise SettingError(f"--answers is the key to a worksheet, not to --detail {layout.detail}.")
    chosen: Format = literal_choice("format", layout.format or _by_ending(layout.file), Format)
    detail: Detail = literal_choice(
        "detail", layout.detail or ("worksheet" if layout.answers else "full"), Detail
    )
    document = chosen in ("latex", "html")
    if layout.fragment and not document:
        raise SettingError(f"--fragment is for latex and html; {chosen} needs no document around it.")
    if layout.chapter is not None and detail != "worksheet":
        raise SettingError("--chapter selects a chapter of a worksheet: give --detail worksheet with it.")
    return _Page(
        chosen,
        detail,
        layout.answers,
        document and not layout.fragment,
        layout.digits or DIGITS,
        not layout.no_intervals,
        layout.chapter,
    )


def _model_and_table(
    data: str | None, source: Source, chosen: ModelOrLearner, output: Output
) -> tuple[Model, Table | None, list[str]]:
    """The model, the table that it was learned from, if one was named, and the notes on both."""
    if chosen.model is not None:
        refuse_learning(chosen, replace(source.columns, schema=None))
        loaded = load_model(chosen.model, source.columns.schema)
        if data is None:
            refuse_given("is about DATA, but none is given. Leave it out.", source.reading)
            return loaded, None, []
        table = rows_for(loaded, data, source.reading, output)
        return loaded, table, list(table.notes)
    if data is None:
        raise SettingError("Name a table to learn from, or a model: --model MODEL.")
    recipe_for = recipe_maker(chosen.learning)
    table = table_to_learn(data, source, output)
    recipe = recipe_for(table)
    notes = notes_on_learning(chosen.learning, recipe, TrainingRows())
    note(notes, output)
    with working("Learning"):
        return recipe.learn(table), table, [*table.notes, *notes]


def _by_ending(file: Path | None) -> str:
    if file is None:
        return "text"
    ending = file.suffix.lower()
    if ending not in _ENDINGS:
        raise SettingError(
            f"How should {file} be written? End it in {', '.join(_ENDINGS)}, or give --format."
        )
    return _ENDINGS[ending]
