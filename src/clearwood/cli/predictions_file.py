"""Where predictions out of fold are written: refused where there are none, or where a file would be lost."""

from __future__ import annotations

from pathlib import Path

from clearwood.cli.dividing import resampling_given
from clearwood.cli.judging_options import Judging
from clearwood.cli.writing import check_place
from clearwood.errors import SettingError


def check_predictions(place: Path, data: str, judging: Judging) -> None:
    """Refuse a place for the predictions of rows that judge, where none do or it is the data itself."""
    if judging.test_part is None and not resampling_given(judging):
        raise SettingError(
            "--predictions writes those of rows held out. Say also how: --cross-validate 10, for example."
        )
    check_place(place, data)
