"""What `scorecard` does: a model of two classes in whole points that a person can add up."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from clearwood.cli.card_options import CardOptions
from clearwood.cli.grouped import refuse_given
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.positive import note_on_positive
from clearwood.cli.source_options import Reading
from clearwood.cli.sources import load_kind, rows_for
from clearwood.explain.card_lines import PointsPerUnit
from clearwood.explain.scorecard import Rounding, Scorecard
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.linear_model import LinearModel
from clearwood.words.numbers import row_count

_KINDS: Final[tuple[type[LinearModel | AdditiveModel], ...]] = (LinearModel, AdditiveModel)


def run(
    model: Path,
    data: str | None,
    points: CardOptions,
    reading: Reading,
    output: Output,
) -> None:
    """The points of a model of two classes, and how far they are from it on some rows."""
    if data is None:
        refuse_given("is about DATA, but none is given. Leave it out.", reading)
    loaded = load_for_card(model)
    card = points.card(loaded)
    rows = None if data is None else rows_for(loaded, data, reading, output)
    rounding = None if rows is None else card.rounding(rows)

    def text() -> str:
        if rows is None:
            return str(card)
        return f"{card}\n\nOn {row_count(len(rows))}, {rounding}."

    guessed = note_on_positive(loaded, points.positive, "Points are")
    note(guessed, output)
    notes = [*guessed, *([] if rows is None else rows.notes)]
    answer(output, text=text, data=lambda: _to_json(card, rounding), notes=notes)


def load_for_card(model: Path) -> LinearModel | AdditiveModel:
    """A model that a card can be made of."""
    why = (
        "; points come from weights or curves. Make some: clearwood fit DATA -l logistic, or "
        "clearwood fit DATA -l gam."
    )
    return load_kind(model, _KINDS, why)


def _to_json(card: Scorecard, rounding: Rounding | None) -> dict[str, Any]:
    return {
        "favours": card.favours,
        "points_per_doubling": card.points_per_doubling,
        "base": card.base,
        "start": card.start,
        "lines": [
            {"column": line.name, "points_per_unit": line.points, "missing": line.missing}
            if isinstance(line, PointsPerUnit)
            else {"when": str(line.when), "points": line.points}
            for line in card.lines
        ],
        "tables": [
            {
                "columns": list(table.names),
                "down": [str(when) for when in table.down],
                "across": [str(when) for when in table.across],
                "points": [list(row) for row in table.points],
            }
            for table in card.tables
        ],
        "shares": [{"points": points, "share": share} for points, share in card.shares()],
        **({} if rounding is None else {"rounding": asdict(rounding)}),
    }
