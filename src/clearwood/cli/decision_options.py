"""Options of deciding: how shares become an answer, for models that are learned and for saved ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from clearwood.cli.declaring import option

DECIDING: Final = "How to decide"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """A calibration, a cutoff, a share below which rows are referred."""

    calibrate: Annotated[
        str | None,
        option("--calibrate", "METHOD", "Make shares come true, by platt or isotonic.", DECIDING),
    ] = None
    cutoff: Annotated[
        str | None,
        option(
            "--cutoff",
            "CLASS:AIM",
            "Answer CLASS from a share on: bad:0.3, bad:recall=0.8, bad:precision=0.5 or bad:cost.",
            DECIDING,
        ),
    ] = None
    refer: Annotated[
        str | None,
        option(
            "--refer",
            "SHARE",
            "Leave rows unanswered whose largest share is below this; accuracy=0.95 finds it.",
            DECIDING,
        ),
    ] = None
