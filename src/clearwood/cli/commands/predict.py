"""`clearwood predict`: new rows with the answer beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clearwood.advice import Advice, Sentence
from clearwood.cli.options import ModelPath, Output, SchemaOfRules, argument, flag, option, options
from clearwood.cli.output import as_options, check_place, is_compressed, lines_file, note, print_json, working
from clearwood.cli.scored_rows import formulas_in
from clearwood.cli.settings import parsed_value
from clearwood.cli.sources import Reading, check_data, load_model, raw_in
from clearwood.errors import ClearwoodError, SettingError, SourceError
from clearwood.files import is_stream, write_whole
from clearwood.registry import Setting
from clearwood.words.numbers import many

if TYPE_CHECKING:
    from clearwood.cli.answering import Answering, Tally
    from clearwood.cli.scored_rows import AnswerColumns
    from clearwood.models.model import Model
    from clearwood.table.encoding import CellError
    from clearwood.table.raw import Raw, RawColumn
    from clearwood.table.sources.blocks import Block

_FORMS: Final = ("", ".csv", ".tsv", ".txt")
_MOST_LISTED: Final = 1000  # of the cells that cannot be used, in JSON


@options()
class PredictOptions:
    """What `clearwood predict` takes."""

    model: ModelPath
    new: str = argument("NEW", "The rows to predict: any file that fit reads, or -.")
    reading: Reading
    file: str = option(
        "FILE",
        "Where to write the rows: .csv, .tsv, also .gz, or - for stdout.",
        default="-",
        name="--output",
        short="-o",
    )
    shares: bool = flag("Add the probability of each class.")
    intervals: bool = flag("Add the 95 % interval of the predicted class's probability, or of the number.")
    prevalence: str | None = option(
        "CLASS:SHARE,…", "Adjust to other class frequencies; classes that are not named share the rest."
    )
    column: str = option("NAME", "Name of the column with the predictions.", default="prediction")
    escape_formulas: bool = flag(
        "Put ' before texts that a spreadsheet would run: those that begin with =, +, - or @."
    )
    on_error: str = option(
        "stop|skip|keep",
        "A cell that is no number where one belongs: stop, skip its row, or keep the row and take the "
        "cell as missing.",
        default="stop",
    )
    strict: bool = flag("Refuse rows with cells that the model cannot use: missing, or with unseen values.")
    flag_cells: str | None = option(
        "NAME", "Add a column that names, row by row, the cells that the model cannot use."
    )
    schema: SchemaOfRules = None
    output: Output


def run(asked: PredictOptions) -> None:
    """Predict new rows, and judge where they know the truth."""
    from clearwood.cli.answering import (
        Answering,
        evaluation_of_tally,
        on_training_rows,
        on_training_rows_and_others,
        way_on,
    )
    from clearwood.study.known_rows import among_words
    from clearwood.study.scores import evaluation_to_json, phrase

    more = (asked.strict, asked.flag_cells, way_on(asked.on_error))
    answering = Answering(
        asked.column, asked.shares, asked.intervals, asked.prevalence, asked.escape_formulas, *more
    )
    place = None if asked.file == "-" else Path(asked.file)
    if place is not None:
        check_place(place, asked.new, asked.model)
        _check_form(place)
    loaded = load_model(asked.model, asked.schema)
    if answering.prevalence is not None:
        loaded = _at_prevalence(loaded, answering.prevalence)
    answers: dict[str, list[Any]] | None = None
    if place is None and asked.output.as_json:
        if answering.escape_formulas:
            raise SettingError("--escape-formulas is for files of rows; JSON has no formulas. Leave it out.")
        tally, answers = _listed(asked.new, asked.reading, loaded, answering)
    else:
        tally = _written(asked.new, asked.reading, loaded, answering, place)
    notes = [*tally.notes, *_notes_on_errors(tally, answering, place), *tally.unusable.notes(loaded)]
    notes += _notes_on_unanswered(tally, loaded)
    notes += _notes_on_uncounted(tally, asked.model)
    notes += _notes_on_formulas(tally)
    notes += [] if tally.foreign is None else [Sentence("They are not evaluated. ", tally.foreign)]
    score = evaluation_of_tally(tally)
    trained_on = on_training_rows(tally, loaded)
    if trained_on:
        notes.append("These are the rows that the model was learned from: scores on them are too good.")
    elif among := on_training_rows_and_others(tally, loaded):
        notes.append(f"{among_words(among, tally.rows)}: scores on them are too good.")
    if asked.output.as_json:
        print_json(
            {
                "rows": tally.rows,
                "unanswered": tally.unanswered,
                "referred": tally.referred,
                "classes": loaded.schema.classes,
                "answers": answers,
                "scores": None if score is None else evaluation_to_json(score),
                "training_rows": trained_on,
                "unusable": tally.unusable.to_json(),
                "saved": None if place is None else asked.file,
                "errors": [
                    {"row": each.row, "column": each.column, "cell": each.cell, "wrong": each.wrong}
                    for each in tally.errors[:_MOST_LISTED]
                ],
                "notes": as_options(notes),
            }
        )
        return
    if score is not None and score.weight:
        notes.append(f"{phrase(score, weighted=tally.weighted)}.")
    if place is not None:
        notes.append(f"{many(tally.rows, 'row')} written to {asked.file}.")
    note(notes, asked.output)


def _written(new: str, reading: Reading, model: Model, answering: Answering, place: Path | None) -> Tally:
    """Answer and write block by block."""
    from clearwood.cli.answering import Tally
    from clearwood.table.sources.blocks import Block, LaterNotUtf8Error, blocks_of

    check_data(new)
    tally = Tally()
    try:
        with working(f"Reading {new}") if place else nullcontext():
            _write(blocks_of(new, reading.as_arguments()), model, answering, place, tally)
        return tally
    except LaterNotUtf8Error:
        if place is None or new == "-":
            raise _not_utf8(new, tally) from None
    tally = Tally()
    _write(iter([Block(raw_in(new, reading))]), model, answering, place, tally)
    return tally


def _listed(
    new: str, reading: Reading, model: Model, answering: Answering
) -> tuple[Tally, dict[str, list[Any]]]:
    """Answer block by block, and list the answers."""
    from clearwood.cli.answering import Tally, answers_to
    from clearwood.cli.scored_rows import as_list
    from clearwood.table.sources.blocks import Block, LaterNotUtf8Error, blocks_of

    check_data(new)
    tally, listed = Tally(), dict[str, list[Any]]()
    try:
        blocks = blocks_of(new, reading.as_arguments())
        for block in blocks:
            for name, column in answers_to(block, blocks, model, answering, tally)[1].items():
                listed.setdefault(name, []).extend(as_list(column))
        return tally, listed
    except LaterNotUtf8Error:
        if new == "-":
            raise _not_utf8(new, tally) from None
    tally = Tally()
    _, answers = answers_to(Block(raw_in(new, reading)), iter(()), model, answering, tally)
    return tally, {name: as_list(column) for name, column in answers.items()}


def _write(
    blocks: Iterator[Block], model: Model, answering: Answering, place: Path | None, tally: Tally
) -> None:
    from clearwood.cli.answering import answers_to
    from clearwood.cli.scored_rows import LineForm, output_lines

    tabbed = place is not None and _without_gz(place).suffix.lower() == ".tsv"
    form = LineForm("\t" if tabbed else ",", answering.escape_formulas)
    # The first block is answered before the file is opened: what is refused at once leaves nothing behind.
    block: Block | None = next(blocks)
    assert block is not None
    kept, answers = answers_to(block, blocks, model, answering, tally)
    _check_names(block.raw, answers, answering)
    with lines_file(place) as write:
        write(form.line([*block.raw.names, *answers]).encode() + b"\n")
        tally.formulas |= set() if form.escape else set(formulas_in((*block.raw.names, *answers)))
        while block is not None:
            write(output_lines(block, answers, form, kept))
            if not form.escape:
                columns = (*block.raw.columns, answers[answering.column])
                tally.formulas |= set(formulas_in(chain(*map(_distinct, columns))))
            with _after(tally.rows if place is None or is_stream(place) else 0):
                block = next(blocks, None)
                if block is not None:
                    kept, answers = answers_to(block, blocks, model, answering, tally)


@contextmanager
def _after(rows: int) -> Iterator[None]:
    """Errors say how many rows were given out before, which nobody can take back."""
    try:
        yield
    except ClearwoodError as error:
        if not rows:
            raise
        written = f" {many(rows, 'row was', 'rows were')} written before it; with -o FILE nothing is written."
        raise type(error)(error.sentence, written, place=error.place) from None


def _not_utf8(new: str, tally: Tally) -> SourceError:
    """The sentence for rows that were partly given out, or cannot be read a second time."""
    name = "standard input" if new == "-" else Path(new).name
    return SourceError(
        f"{name} is not UTF-8 after its row {tally.rows:,}. Give its encoding, e.g. ",
        Advice("encoding", "cp1252"),
        "." if new == "-" else ", or name a file for the rows: --output FILE.",
    )


def _check_names(raw: Raw, answers: AnswerColumns, answering: Answering) -> None:
    for name in answers:
        if name not in raw.names:
            continue
        if name == answering.flag_cells:
            way = "Call the column of flags another: --flag-cells NAME."
        elif answering.shares and name.startswith("share_"):
            way = "Rename it, or leave --shares out."
        else:
            way = "Give the prediction another name: --column NAME."
        raise SettingError(f"{raw.where} has a column '{name}' already. {way}")


def _check_form(place: Path) -> None:
    """Refuse a name that promises rows in a form we do not write."""
    form = _without_gz(place).suffix.lower()
    if form not in _FORMS:
        raise SettingError(f"Cannot write rows as {form}. Name a .csv or .tsv file, or one of them with .gz.")


def _at_prevalence(model: Model, text: str) -> Model:
    """The model for a place where its classes are more, or less, common: Bayes keeps priors apart."""
    from clearwood.models.kinds.bayes.bayes_tables import BayesTables
    from clearwood.predicting.intervals import at_prevalence

    if not isinstance(model, BayesTables):
        raise SettingError(
            "--prevalence is for Bayes models, which keep priors apart. For others say it when learning: "
            "clearwood fit DATA --set priors=CLASS:SHARE,…"
        )

    return at_prevalence(model, parsed_value(Setting("--prevalence", (Mapping[str, float],), None), text))


def _notes_on_errors(tally: Tally, answering: Answering, place: Path | None) -> list[str]:
    """How many cells could not be used, by column; beside a file of rows stands one that lists them."""
    from clearwood.cli.scored_rows import LineForm

    if not tally.errors:
        return []
    by_column: dict[str, list[CellError]] = {}
    for each in tally.errors:
        by_column.setdefault(each.column, []).append(each)
    counted = "; ".join(
        f"'{name}' {len(cells):,}, the first in row {cells[0].row} ('{cells[0].cell}')"
        for name, cells in by_column.items()
    )
    rows = len({each.row for each in tally.errors})
    left = f"so {many(rows, 'row is', 'rows are')} left out"
    done = left if answering.on_error == "skip" else "and count as missing"
    notes = [f"{many(len(tally.errors), 'cell').capitalize()} could not be used, {done}: {counted}."]
    if place is not None:
        beside = place.with_name(f"{place.name}.errors.csv")
        form = LineForm(",", answering.escape_formulas)
        lines = [form.line((str(e.row), e.column, e.cell, e.wrong)) for e in tally.errors]
        write_whole(beside, "\n".join(["row,column,cell,wrong", *lines, ""]).encode())
        notes.append(f"They are listed in {beside}.")
    return notes


def _notes_on_unanswered(tally: Tally, model: Model) -> list[str]:
    """How many rows have an empty cell for an answer, and why."""
    from clearwood.models.kinds.rules.rule_list import RuleList

    if not tally.unanswered:
        return []
    others = tally.unanswered - tally.referred
    reasons = [many(tally.referred, "is referred", "are referred")] if tally.referred else []
    if others and isinstance(model, RuleList):
        reasons.append(many(others, "is covered by no rule", "are covered by no rule"))
    elif others:
        reasons.append(many(others, "has no probability of any class", "have no probability of any class"))
    left = "has no prediction" if tally.unanswered == 1 else "have no prediction"
    return [
        f"{tally.unanswered:,} of {many(tally.rows, 'row')} {left}: {' and '.join(reasons)}. "
        "Their prediction is an empty cell."
    ]


def _notes_on_uncounted(tally: Tally, model: Path) -> list[str]:
    """How many rows have no shares, and how to get some."""
    if not tally.uncounted:
        return []
    return [
        f"No training rows are counted for the rules that predict {many(tally.uncounted, 'row')}: their "
        f"probabilities are left empty. To count them: clearwood edit {model} --train DATA --save MODEL.json."
    ]


def _notes_on_formulas(tally: Tally) -> list[str]:
    """What a spreadsheet would run instead of show, unless it is escaped."""
    columns = sorted(tally.formulas)
    if not columns:
        return []
    return [
        f"A spreadsheet would run {columns[0]!r}{' and other texts' if columns[1:] else ''} as a formula."
        " To have ' put before such texts: --escape-formulas."
    ]


def _distinct(column: RawColumn) -> tuple[str, ...]:
    """The texts of a column; numbers are none."""
    from clearwood.table.raw import RawNumbers

    return () if isinstance(column, RawNumbers) else column.values


def _without_gz(place: Path) -> Path:

    return place.with_suffix("") if is_compressed(place) else place
