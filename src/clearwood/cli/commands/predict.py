"""`clearwood predict`: new rows with the answer beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from clearwood.cli.options import ModelPath, Output, SchemaOfRules, argument, flag, option, options
from clearwood.cli.output import as_options, check_place, note, print_json, without_gz
from clearwood.cli.settings import parsed_value
from clearwood.cli.sources import Reading, load_model
from clearwood.errors import SettingError, check_known
from clearwood.registry import Setting
from clearwood.words.numbers import many

if TYPE_CHECKING:
    from clearwood.models.model import Model

_FORMS: Final = ("", ".csv", ".tsv", ".txt")
_WAYS_ON: Final = ("stop", "skip", "keep")
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
    """Predict new rows, and evaluate where they know the truth."""
    from clearwood.cli.answering import notes_on_tally, predict_rows
    from clearwood.study.scores import evaluation_to_json, phrase

    check_known("way on after an error", asked.on_error, _WAYS_ON, plural="ways on")
    place = None if asked.file == "-" else Path(asked.file)
    if place is not None:
        check_place(place, asked.new, asked.model)
        form = without_gz(place).suffix.lower()
        if form not in _FORMS:
            raise SettingError(
                f"Cannot write rows as {form}. Name a .csv or .tsv file, or one of them with .gz."
            )
    loaded = load_model(asked.model, asked.schema)
    if asked.prevalence is not None:
        loaded = _at_prevalence(loaded, asked.prevalence)
    if place is None and asked.output.as_json and asked.escape_formulas:
        raise SettingError("--escape-formulas is for files of rows; JSON has no formulas. Leave it out.")
    tally, answers = predict_rows(asked, loaded, place)
    notes, score = notes_on_tally(tally, loaded, asked, place), tally.score
    if asked.output.as_json:
        print_json(
            {
                "rows": tally.rows,
                "unanswered": tally.unanswered,
                "referred": tally.referred,
                "classes": loaded.schema.classes,
                "answers": answers,
                "scores": None if score is None else evaluation_to_json(score),
                "training_rows": tally.is_learned_from(loaded),
                "unusable": tally.unusable.to_json(),
                "saved": None if place is None else asked.file,
                "errors": [asdict(each) for each in tally.errors[:_MOST_LISTED]],
                "notes": as_options(notes),
            }
        )
        return
    if score is not None and score.weight:
        notes.append(f"{phrase(score, weighted=tally.weighted)}.")
    if place is not None:
        notes.append(f"{many(tally.rows, 'row')} written to {asked.file}.")
    note(notes, asked.output)


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
