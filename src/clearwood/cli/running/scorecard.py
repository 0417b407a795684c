"""What `scorecard` does: a logistic model in whole points that a person can add up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clearwood.cli.options import Output, pairs
from clearwood.cli.output import answer
from clearwood.cli.sources import load_kind
from clearwood.errors import SettingError
from clearwood.explain.scorecard import PointsPerUnit, Scorecard, scorecard
from clearwood.models.linear_model import LinearModel


def run(
    model: Path, points_per_doubling: float, base: float, cuts: list[str] | None, *, as_json: bool
) -> None:
    """The points of a logistic model of two classes."""
    why = "; points come from weights. Make some: clearwood fit DATA -l logistic."
    loaded = load_kind(model, (LinearModel,), why)
    given = {name: _numbers(name, text) for name, text in pairs("--cuts", cuts, "COLUMN=N,…").items()}
    card = scorecard(loaded, points_per_doubling=points_per_doubling, base=base, cuts=given)
    answer(Output(as_json=as_json), text=lambda: str(card), data=lambda: _to_json(card))


def _numbers(name: str, text: str) -> list[float]:
    try:
        return [float(each) for each in text.split(",")]
    except ValueError:
        raise SettingError(f"--cuts of '{name}' are numbers with commas between, not '{text}'.") from None


def _to_json(card: Scorecard) -> dict[str, Any]:
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
        "shares": [{"points": points, "share": share} for points, share in card.shares()],
    }
