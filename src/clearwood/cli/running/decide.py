"""What `decide` does: a model's decision set anew, by rows where they must choose, and what it then does."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from clearwood.cli.charting import check_chart
from clearwood.cli.deciding import costs_in, deciding_of
from clearwood.cli.decision_options import Decisions
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.source_options import Reading
from clearwood.cli.sources import load_model, rows_for
from clearwood.cli.writing import check_place
from clearwood.draw import charts
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.learners.fingerprint import fingerprint
from clearwood.models.decision_words import decision_words
from clearwood.models.files import save as save_model
from clearwood.models.lineage_words import in_words
from clearwood.models.model import Model
from clearwood.scoring.coverage import Coverage, coverage
from clearwood.scoring.cutoff_aims import ForCost
from clearwood.scoring.cutoffs import Cutoffs
from clearwood.study.deciding.decided_anew import CostsByName, costs_of_mistakes, cutoffs, with_costs
from clearwood.study.deciding.deciding_step import Deciding
from clearwood.study.deciding.rows_that_chose import chosen_since
from clearwood.study.row_marks import among_words, has_seen, learned_among, unordered_mark
from clearwood.table.table import Table
from clearwood.words.numbers import many

_FEW: Final = 200  # rows: from fewer, isotonic steps follow chance


def run(
    model: Path,
    data: str | None,
    reading: Reading,
    output: Output,
    *,
    decisions: Decisions,
    costs: str | None,
    positive: str | None,
    place: Path | None,
    save: Path | None,
) -> None:
    """Decide anew, show what it does, and save."""
    deciding = deciding_of(decisions)
    paid = None if costs is None else costs_in(costs)
    if deciding is None and paid is None and positive is None:
        raise SettingError(
            "Nothing is asked for. Give --cutoff, --refer, --calibrate or --costs; or --positive CLASS, "
            "which lists the cutoffs."
        )
    if data is None and (positive is not None or place is not None or (deciding and deciding.by_rows)):
        raise SettingError("This needs DATA: rows that the model has not learned from.")
    if paid is not None and data is None and deciding is not None and deciding.cutoff is not None:
        raise SettingError("A cutoff takes the place of costs. Give DATA to count them, or leave one out.")
    check_place(save, data, model)
    check_chart(place, data, model)
    before = load_model(model)
    table = None if data is None else rows_for(before, data, reading, output)
    after = _decided(before, deciding, paid, table)
    shown = _shown(after, table, deciding, paid, positive)
    notes = _notes(before, after, table, deciding)
    note(notes, output)
    if place is not None and (drawn := shown.picture) is not None:
        drawn.save(place)
        note([f"Drawn to {place}: {drawn.alt}"], output)
    if save is not None:
        save_model(after, save)
    answer(
        output,
        text=lambda: _text(before, after, shown),
        data=lambda: _data(before, after, shown),
        notes=[*(() if table is None else table.notes), *notes],
        saved=save,
    )


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the rows say of the decision, as far as it was asked."""

    cutoffs: Cutoffs | None = None
    coverage: Coverage | None = None

    @property
    def picture(self) -> Picture | None:
        if self.cutoffs is not None:
            return charts.cutoffs(self.cutoffs)
        return None if self.coverage is None else charts.coverage(self.coverage)


def _decided(model: Model, deciding: Deciding | None, paid: CostsByName | None, table: Table | None) -> Model:
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
    if table is None:
        return _Shown()
    about = positive
    if about is None and model.decision.cutoff is not None:
        about = model.decision.cutoff.positive
    listed = None if about is None else cutoffs(model, table, about, costs=paid)
    refers = deciding is not None and (deciding.refer is not None or deciding.accuracy is not None)
    return _Shown(listed, coverage(model, table) if refers or listed is None else None)


def _notes(before: Model, after: Model, table: Table | None, deciding: Deciding | None) -> list[str]:
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
