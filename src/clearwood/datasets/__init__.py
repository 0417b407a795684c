"""Small tables that ship with the package: those that textbooks work through by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from clearwood.errors import SourceError, check_known

TARGETS: Final = {
    "tennis": "PlayTennis",
    "tennis_numeric": "Play",
    "tennis_56": "Play",  # the same four times over, as the books test rules on it
    "hire": "Hire",
    "hire_numeric": "Hire",
    "buys_computer": "buys_computer",
    "objects": "Decision",
    "animals": "Class",
}


def path(name: str) -> Path:
    """Where a shipped table lies, to be read as any other CSV file.

    >>> path("tennis").name, TARGETS["tennis"]
    ('tennis.csv', 'PlayTennis')
    """
    check_known("shipped table", name, TARGETS, error=SourceError)
    return Path(__file__).with_name(f"{name}.csv")
