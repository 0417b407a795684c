"""A chart beside an answer: its place is checked before the work, and a note says what was drawn."""

from __future__ import annotations

from pathlib import Path

from clearwood.cli.options import Output
from clearwood.cli.output import note
from clearwood.cli.writing import check_place
from clearwood.draw.picture import PICTURE_SUFFIXES, Picture
from clearwood.errors import SettingError


def check_chart(place: Path | None, *inputs: str | Path | None) -> None:
    """Refuse at once a name that promises no form of picture, or a place that cannot be written."""
    if place is not None and place.suffix.lower() not in PICTURE_SUFFIXES:
        raise SettingError(
            f"Cannot draw to {place}: a picture's name ends in one of {', '.join(PICTURE_SUFFIXES)}."
        )
    check_place(place, *inputs)


def save_chart(drawn: Picture, place: Path, output: Output) -> None:
    """Write the chart, and describe it in a note."""
    drawn.save(place)
    note([f"Drawn to {place}: {drawn.alt}"], output)
