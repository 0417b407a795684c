"""`clearwood decide`: a saved model that decides otherwise, and what that changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clearwood.cli.evaluation_options import DecisionsAlone, costs_in
from clearwood.cli.options import ModelPath, Output, Save, argument, option, options
from clearwood.cli.output import answer, check_chart, check_place, next_with_changed, note, save_chart
from clearwood.cli.sources import Reading, load_model, model_as_json, rows_for, save_model
from clearwood.errors import SettingError
from clearwood.registry import costs_of
from clearwood.words.numbers import many

if TYPE_CHECKING:
    from clearwood.models.model import Model
    from clearwood.study.deciding.decided_anew import CostsByName
    from clearwood.study.deciding.deciding_step import Deciding
    from clearwood.table.table import Table

_FEW: Final = 200  # rows: from fewer, isotonic steps follow chance


@options()
class DecideOptions:
    """What `clearwood decide` takes."""

    model: ModelPath
    data: str | None = argument(
        "DATA", "Rows that the model has not learned from: they choose, and count.", default=None
    )
    decisions: DecisionsAlone
    costs: str | None = option(
        "TRUE/PREDICTED:COST,…",
        "What mistakes cost, those not named 1; they decide where no cutoff is asked for.",
    )
    positive: str | None = option("CLASS", "List the cutoffs on the probability of this class, and set none.")
    picture: Path | None = option(
        "FILE", "Draw the cutoffs, or the coverage: .svg, .png or .pdf.", name="--output", short="-o"
    )
    reading: Reading
    save: Save = None
    output: Output


def run(asked: DecideOptions) -> None:
    """Decide anew, show what it does, and save."""
    from clearwood.scoring.coverage import coverage
    from clearwood.study.deciding.decided_anew import cutoffs

    deciding = asked.decisions.step()
    paid = costs_of("costs", costs_in(asked.costs, "costs"))
    if deciding is None and paid is None and asked.positive is None:
        raise SettingError(
            "Nothing is asked for. Give --cutoff, --refer, --calibrate or --costs; or --positive CLASS, "
            "which lists the cutoffs."
        )
    if asked.data is None and (
        asked.positive is not None or asked.picture is not None or (deciding and deciding.by_rows)
    ):
        raise SettingError("This needs DATA: rows that the model has not learned from.")
    if paid is not None and asked.data is None and deciding is not None and deciding.cutoff is not None:
        raise SettingError("A cutoff takes the place of costs. Give DATA to count them, or leave one out.")
    check_place(asked.save, asked.data, asked.model)
    check_chart(asked.picture, asked.data, asked.model)
    before = load_model(asked.model)
    table = None if asked.data is None else rows_for(before, asked.data, asked.reading, asked.output)
    after = _decided(before, deciding, paid, table)
    shown: dict[str, Any] = {"cutoffs": None, "coverage": None}  # what the rows say, as far as it was asked
    notes: list[str] = []
    if table is not None:
        about, cutoff = asked.positive, after.decision.cutoff
        if about is None and cutoff is not None:
            about = cutoff.positive
        if about is not None:
            shown["cutoffs"] = cutoffs(after, table, about, costs=paid)
        if about is None or (deciding is not None and (deciding.refer, deciding.accuracy) != (None, None)):
            shown["coverage"] = coverage(after, table)
        notes = _notes(before, after, table, deciding)
        note(notes, asked.output)
        chart = "coverage" if about is None else "cutoffs"
        save_chart(chart, shown[chart], place=asked.picture, output=asked.output)
    save_model(after, asked.save)
    answer(
        asked.output,
        text=lambda: _text(before, after, [each for each in shown.values() if each is not None]),
        data=lambda: {
            **_data(before, after),
            **{name: None if each is None else each.to_json() for name, each in shown.items()},
        },
        notes=[*(() if table is None else table.notes), *notes],
        saved=asked.save,
        then=next_with_changed(asked.save, asked.model),
    )


def _decided(model: Model, deciding: Deciding | None, paid: CostsByName | None, table: Table | None) -> Model:
    from clearwood.scoring.cutoff_aims import ForCost
    from clearwood.study.deciding.decided_anew import costs_of_mistakes, with_costs

    if deciding is None:
        return model if paid is None else with_costs(model, paid)
    if paid is not None:
        if isinstance(deciding.cutoff, ForCost):
            aim = ForCost(deciding.cutoff.positive, costs_of_mistakes(model.schema, paid))
            deciding = replace(deciding, cutoff=aim)
        elif deciding.cutoff is None:
            model = with_costs(model, paid)
    return deciding.on_fresh_rows(model, table)


def _notes(before: Model, after: Model, table: Table, deciding: Deciding | None) -> list[str]:
    from clearwood.learners.training import fingerprint
    from clearwood.scoring.cutoff_aims import ForCost
    from clearwood.study.known_rows import chosen_since, learned_from_words, unordered_mark

    notes = []
    if chose := chosen_since(after.origin, fingerprint(table), unordered_mark(after, table)):
        notes.append(
            f"These rows chose {' and '.join(chose)}: the figures on them are too good. "
            "Evaluate the model on others."
        )
    elif known := learned_from_words(before, table):
        notes.append(f"{known}: the figures on them are too good.")
    if deciding is not None and isinstance(deciding.cutoff, ForCost) and not after.decision.costs_kept:
        notes.append(
            "No costs are given: every mistake counts the same. Give --costs TRUE/PREDICTED:COST,… for what "
            "they cost."
        )
    if deciding is not None and deciding.calibrate == "isotonic" and len(table) < _FEW:
        notes.append(
            f"Isotonic steps from {many(len(table), 'row')} follow chance. "
            "With so few, --calibrate platt does better."
        )
    return notes


def _text(before: Model, after: Model, shown: list[Any]) -> str:
    from clearwood.models.in_words import decision_words, in_words

    new = after.origin.after[len(before.origin.after) :]
    done = [f"{words[0].upper()}{words[1:]}." for words in map(in_words, new)]
    return "\n\n".join(filter(None, ["\n".join([*done, *decision_words(after)]), *map(str, shown)]))


def _data(before: Model, after: Model) -> dict[str, Any]:
    saved = model_as_json(after)
    return {"decision": saved["decision"], "done": saved["origin"]["after"][len(before.origin.after) :]}
