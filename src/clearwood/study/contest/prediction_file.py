"""The predictions of all contenders in one file: a line for each contender, row and model that judged it."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from clearwood.files import write_whole
from clearwood.scoring.predictions import Predictions
from clearwood.study.predictions_file import predictions_csv


def contenders_csv(predictions: Mapping[str, Predictions]) -> str:
    """The contender's name before what `predictions_csv` writes; yardsticks may lack shares."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    for place, (name, each) in enumerate(predictions.items()):
        heading, *lines = csv.reader(io.StringIO(predictions_csv(each)))
        if place == 0:
            writer.writerow(["contender", *heading])
        writer.writerows([name, *line] for line in lines)
    return written.getvalue()


def write_predictions(path: str | PathLike[str], predictions: Mapping[str, Predictions]) -> Path:
    """Write them, whole or not at all."""
    return write_whole(Path(path), contenders_csv(predictions).encode("utf-8"))
