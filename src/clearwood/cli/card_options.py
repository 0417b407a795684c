"""Options of a scorecard: how its points are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearwood.cli.options import POINTS, option, options
from clearwood.cli.sources import pairs
from clearwood.errors import SettingError

if TYPE_CHECKING:
    from clearwood.explaining.scorecard import Scorecard
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


def _numbers(name: str, text: str) -> list[float]:
    try:
        return [float(each) for each in text.split(",")]
    except ValueError:
        raise SettingError(f"--cuts of '{name}' are numbers with commas between, not '{text}'.") from None
