"""`clearwood scorecard`: a logistic or an additive model in whole points that a person can add up."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.cli.evaluation_options import note_on_positive
from clearwood.cli.options import POINTS, ModelPath, Output, argument, option, options, refuse_given
from clearwood.cli.output import answer, note
from clearwood.cli.sources import Reading, load_kind, pairs, rows_for
from clearwood.errors import SettingError
from clearwood.records import json_with
from clearwood.words.numbers import row_count

if TYPE_CHECKING:
    from clearwood.explaining.scorecard import Rounding, Scorecard
    from clearwood.models.kinds.additive.additive_model import AdditiveModel
    from clearwood.models.kinds.linear.linear_model import LinearModel


@options(POINTS)
class CardOptions:
    """How a model becomes points."""

    positive: str | None = option("CLASS", "The class that points speak for (guessed by the training rows).")
    points_per_doubling: float = option("N", "Points that double the odds.", default=20)
    base: float = option("N", "The sum at even odds.", default=0)
    cuts: list[str] | None = option("COLUMN=N,…", "Points for these intervals of a number; may be repeated.")
    bins: int | None = option("N", "Of a curve: at most so many intervals for each number (8).", min=1)

    def card(self, model: LinearModel | AdditiveModel) -> Scorecard:
        """The scorecard of a model."""
        from clearwood.explaining.scorecard import scorecard

        texts = pairs("--cuts", self.cuts, "COLUMN=N,…")
        given = {name: _numbers(name, text) for name, text in texts.items()}
        return scorecard(
            model,
            positive=self.positive,
            points_per_doubling=self.points_per_doubling,
            base=self.base,
            cuts=given,
            bins=self.bins,
        )


@options()
class ScorecardOptions:
    """What `clearwood scorecard` takes."""

    model: ModelPath
    data: str | None = argument(
        "[DATA]", "Rows on which to say how far the card is from the model.", default=None
    )
    points: CardOptions
    reading: Reading
    output: Output


def run(asked: ScorecardOptions) -> None:
    """The points of a model of two classes, and how far they are from it on some rows."""

    if asked.data is None:
        refuse_given("is about DATA, but none is given. Leave it out.", asked.reading)
    loaded = load_for_card(asked.model)
    card = asked.points.card(loaded)
    rows = None if asked.data is None else rows_for(loaded, asked.data, asked.reading, asked.output)
    rounding = None if rows is None else card.rounding(rows)

    def text() -> str:
        if rows is None:
            return str(card)
        return f"{card}\n\nOn {row_count(len(rows))}, {rounding}."

    guessed = note_on_positive(loaded, asked.points.positive, "Points are")
    note(guessed, asked.output)
    notes = [*guessed, *([] if rows is None else rows.notes)]
    answer(asked.output, text=text, data=lambda: _to_json(card, rounding), notes=notes)


def load_for_card(model: Path) -> LinearModel | AdditiveModel:
    """A model that a card can be made of."""
    from clearwood.models.kinds.additive.additive_model import AdditiveModel
    from clearwood.models.kinds.linear.linear_model import LinearModel

    why = (
        "; points come from weights or curves. Make some: clearwood fit DATA -l logistic, or "
        "clearwood fit DATA -l gam."
    )
    kinds: tuple[type[LinearModel | AdditiveModel], ...] = (LinearModel, AdditiveModel)
    return load_kind(model, kinds, why)


def _numbers(name: str, text: str) -> list[float]:
    try:
        return [float(each) for each in text.split(",")]
    except ValueError:
        raise SettingError(f"--cuts of '{name}' are numbers with commas between, not '{text}'.") from None


def _to_json(card: Scorecard, rounding: Rounding | None) -> dict[str, Any]:
    from clearwood.explaining.card_lines import PointsPerUnit

    return {
        **json_with(card, "favours", "points_per_doubling", "base", "start"),
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
