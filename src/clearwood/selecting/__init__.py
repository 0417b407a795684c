"""Selecting columns: which of them to learn from. The list of selectors is here, and only here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clearwood.registry import Listed

if TYPE_CHECKING:
    from clearwood.selecting.ranking import Selector

SELECTORS: Final[Listed[Selector]] = Listed(
    "selector",
    {
        "gain": f"{__name__}.coded_columns:GAIN",
        "gain-ratio": f"{__name__}.coded_columns:GAIN_RATIO",
        "uncertainty": f"{__name__}.coded_columns:UNCERTAINTY",
        "chi2": f"{__name__}.coded_columns:CHI_SQUARE",
        "relieff": f"{__name__}.relieff:SELECTOR",
        "cfs": f"{__name__}.subsets:SELECTOR",
        "mrmr": f"{__name__}.subsets:MRMR",
        "l1": f"{__name__}.l1:SELECTOR",
        "forward": f"{__name__}.wrapper:FORWARD",
        "backward": f"{__name__}.wrapper:BACKWARD",
        "shadows": f"{__name__}.shadows:SELECTOR",
    },
)
