"""Predictions of judged rows as a table for other programs: a line for each row and model that judged it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from clearwood.scoring.predictions import ClassPredictions, Predictions


def predictions_csv(predictions: Predictions) -> str:
    """The row in the table (from 1), the part of the design that judged it (from 1), what came true, what was
    answered, the weight, and of classes the share of each; nothing where there is none.

    >>> import clearwood as cw
    >>> from clearwood.scoring.predictions import predictions_of
    >>> table = cw.read_table({"x": [1, 1, 2, 2], "y": list("aabb")}, target="y")
    >>> print(predictions_csv(predictions_of(cw.ID3().learn(table), table)).splitlines()[:2])
    ['row,part,true,predicted,weight,share of a,share of b', '1,1,a,a,1.0,1.0,0.0']
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerows(_rows(predictions))
    return written.getvalue()


def _rows(predictions: Predictions) -> Iterator[list[Any]]:
    heading = ["row", "part", "true", "predicted", "weight"]
    places = (predictions.places + 1).tolist()
    parts, weights = (predictions.part + 1).tolist(), predictions.weights.tolist()
    if not isinstance(predictions, ClassPredictions):
        yield heading
        for place, part, true, answer, weight in zip(
            places, parts, predictions.truth.tolist(), predictions.answers.tolist(), weights, strict=True
        ):
            yield [place, part, true, "" if answer != answer else answer, weight]
        return
    classes = predictions.classes
    yield [*heading, *(f"share of {name}" for name in classes)]
    for place, part, true, answer, weight, row in zip(
        places,
        parts,
        predictions.truth.tolist(),
        predictions.answers.tolist(),
        weights,
        predictions.shares.tolist(),
        strict=True,
    ):
        named = [classes[code] if code >= 0 else "" for code in (true, answer)]
        yield [place, part, *named, weight, *row]
