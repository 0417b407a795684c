"""Options of deciding: how shares become an answer, for models that are learned and for saved ones."""

from __future__ import annotations

from typing import Annotated, Any

from clearwood.cli.declaring import DECIDING, option
from clearwood.records import dataclass


def _calibrate(panel: str | None) -> Any:
    return option("--calibrate", "METHOD", "Calibrate the probabilities, by platt or isotonic.", panel)


def _cutoff(panel: str | None) -> Any:
    meaning = "Predict CLASS from a probability on: bad:0.3, bad:recall=0.8, bad:precision=0.5 or bad:cost."
    return option("--cutoff", "CLASS:AIM", meaning, panel)


def _refer(panel: str | None) -> Any:
    meaning = "Refer rows whose largest probability is below this; accuracy=0.95 finds it."
    return option("--refer", "SHARE", meaning, panel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """A calibration, a cutoff, a share below which rows are referred."""

    calibrate: Annotated[str | None, _calibrate(DECIDING)] = None
    cutoff: Annotated[str | None, _cutoff(DECIDING)] = None
    refer: Annotated[str | None, _refer(DECIDING)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionsAlone(Decisions):
    """The same for a command that does nothing else: its help shows them first."""

    calibrate: Annotated[str | None, _calibrate(None)] = None
    cutoff: Annotated[str | None, _cutoff(None)] = None
    refer: Annotated[str | None, _refer(None)] = None
