"""Options of a scorecard: how its points are counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from clearwood.cli.app import POINTS, option
from clearwood.cli.sources import pairs
from clearwood.errors import SettingError

if TYPE_CHECKING:
    from clearwood.explaining.scorecard import Scorecard
    from clearwood.models.kinds.additive.additive_model import AdditiveModel
    from clearwood.models.kinds.linear.linear_model import LinearModel


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOptions:
    """How a model becomes points."""

    positive: Annotated[
        str | None,
        option(
            "--positive", "CLASS", "The class that points speak for (guessed by the training rows).", POINTS
        ),
    ] = None
    points_per_doubling: Annotated[
        float, option("--points-per-doubling", "N", "Points that double the odds.", POINTS)
    ] = 20
    base: Annotated[float, option("--base", "N", "The sum at even odds.", POINTS)] = 0
    cuts: Annotated[
        list[str] | None,
        option("--cuts", "COLUMN=N,…", "Points for these intervals of a number; may be repeated.", POINTS),
    ] = None
    bins: Annotated[
        int | None,
        option("--bins", "N", "Of a curve: at most so many intervals for each number (8).", POINTS, min=1),
    ] = None

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


def _numbers(name: str, text: str) -> list[float]:
    try:
        return [float(each) for each in text.split(",")]
    except ValueError:
        raise SettingError(f"--cuts of '{name}' are numbers with commas between, not '{text}'.") from None
