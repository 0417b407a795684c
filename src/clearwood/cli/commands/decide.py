"""`clearwood decide`: a saved model that decides otherwise, and what that changes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clearwood.cli.evaluation_options import DecisionsAlone
from clearwood.cli.options import ModelPath, Output, Save, argument, option, options
from clearwood.cli.output import answer, next_with_changed, note
from clearwood.cli.sources import Reading
from clearwood.errors import SettingError
from clearwood.records import dataclass
from clearwood.words.numbers import many

if TYPE_CHECKING:
    from clearwood.draw.picture import Picture
    from clearwood.models.model import Model
    from clearwood.scoring.coverage import Coverage
    from clearwood.scoring.cutoffs import Cutoffs
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
    from clearwood.cli.deciding import costs_in, deciding_of
    from clearwood.cli.sources import load_model, rows_for
    from clearwood.cli.writing import check_chart, check_place
    from clearwood.models.files import save as save_model

    deciding = deciding_of(asked.decisions)
    paid = None if asked.costs is None else costs_in(asked.costs)
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
    shown = _shown(after, table, deciding, paid, asked.positive)
    notes = _notes(before, after, table, deciding)
    note(notes, asked.output)
    if asked.picture is not None and (drawn := shown.picture) is not None:
        drawn.save(asked.picture)
        note([f"Drawn to {asked.picture}: {drawn.alt}"], asked.output)
    if asked.save is not None:
        save_model(after, asked.save)
    answer(
        asked.output,
        text=lambda: _text(before, after, shown),
        data=lambda: _data(before, after, shown),
        notes=[*(() if table is None else table.notes), *notes],
        saved=asked.save,
        then=next_with_changed(asked.save, asked.model),
    )


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the rows say of the decision, as far as it was asked."""

    cutoffs: Cutoffs | None = None
    coverage: Coverage | None = None

    @property
    def picture(self) -> Picture | None:
        from clearwood.draw import charts

        if self.cutoffs is not None:
            return charts.cutoffs(self.cutoffs)
        return None if self.coverage is None else charts.coverage(self.coverage)


def _decided(model: Model, deciding: Deciding | None, paid: CostsByName | None, table: Table | None) -> Model:
    from clearwood.scoring.cutoff_aims import ForCost
    from clearwood.study.deciding.decided_anew import costs_of_mistakes, with_costs

    if deciding is None:
        return model if paid is None else with_costs(model, paid)
    if paid is not None:
        if isinstance(deciding.cutoff, ForCost):
            aim = ForCost(deciding.cutoff.positive, costs_of_mistakes(model, paid))
            deciding = replace(deciding, cutoff=aim)
        elif deciding.cutoff is None:
            model = with_costs(model, paid)
    return deciding.on_fresh_rows(model, table)


def _shown(
    model: Model,
    table: Table | None,
    deciding: Deciding | None,
    paid: CostsByName | None,
    positive: str | None,
) -> _Shown:
    from clearwood.scoring.coverage import coverage
    from clearwood.study.deciding.decided_anew import cutoffs

    if table is None:
        return _Shown()
    about = positive
    if about is None and model.decision.cutoff is not None:
        about = model.decision.cutoff.positive
    listed = None if about is None else cutoffs(model, table, about, costs=paid)
    refers = deciding is not None and (deciding.refer is not None or deciding.accuracy is not None)
    return _Shown(listed, coverage(model, table) if refers or listed is None else None)


def _notes(before: Model, after: Model, table: Table | None, deciding: Deciding | None) -> list[str]:
    from clearwood.learners.training import fingerprint
    from clearwood.study.known_rows import among_words, chosen_since, has_seen, learned_among, unordered_mark

    if table is None:
        return []
    notes = []
    mark = fingerprint(table)
    if chose := chosen_since(after.origin, mark, unordered_mark(after, table)):
        notes.append(
            f"These rows chose {' and '.join(chose)}: the figures on them are too good. "
            "Evaluate the model on others."
        )
    elif mark == before.origin.fingerprint or has_seen(before, table):
        notes.append("These are the rows that the model was learned from: the figures on them are too good.")
    elif among := learned_among(before, table):
        notes.append(f"{among_words(among, len(table))}: the figures on them are too good.")
    if deciding is not None and deciding.calibrate == "isotonic" and len(table) < _FEW:
        notes.append(
            f"Isotonic steps from {many(len(table), 'row')} follow chance. "
            "With so few, --calibrate platt does better."
        )
    return notes


def _text(before: Model, after: Model, shown: _Shown) -> str:
    from clearwood.models.decision_words import decision_words
    from clearwood.models.lineage_words import in_words

    new = after.origin.after[len(before.origin.after) :]
    done = [f"{words[0].upper()}{words[1:]}." for words in map(in_words, new)]
    parts = ["\n".join([*done, *decision_words(after)])]
    parts += [str(each) for each in (shown.cutoffs, shown.coverage) if each is not None]
    return "\n\n".join(part for part in parts if part)


def _data(before: Model, after: Model, shown: _Shown) -> dict[str, Any]:
    from clearwood.models.files import to_json  # late: only --json needs the whole of it

    saved = json.loads(to_json(after))
    return {
        "decision": saved["decision"],
        "done": saved["origin"]["after"][len(before.origin.after) :],
        "cutoffs": None if shown.cutoffs is None else shown.cutoffs.to_json(),
        "coverage": None if shown.coverage is None else shown.coverage.to_json(),
    }
