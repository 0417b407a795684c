"""True and predicted numbers: one point per row, near the diagonal where the prediction is good."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.draw.charts.ends import around
from clearwood.draw.charts.sheet import check_range, drawn, in_sentence
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.scoring.true_and_predicted import TrueAndPredicted
from clearwood.words.numbers import row_count

_SIDE: Final = 320
_MOST: Final = 1_000  # points; more cover each other


def true_and_predicted(numbers: TrueAndPredicted, *, theme: ThemeName = "auto") -> Picture:
    """Predicted numbers across, true ones up; on the diagonal they agree.

    Of more than 1,000 rows every second, third … is drawn, and the picture says so.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 1, 2, 2], "y": [1.0, 2.0, 7.0, 9.0]}, target="y")
    >>> true_and_predicted(cw.true_and_predicted(cw.CART().learn(table), table)).alt
    'True against predicted y of 4 rows: half of the predictions are off by 0.75 at most.'
    """
    check_drawable("true_and_predicted", numbers, TrueAndPredicted)
    rows = len(numbers.true)
    stride = -(-rows // _MOST)
    true, predicted = numbers.true[::stride], numbers.predicted[::stride]
    both = np.concatenate([numbers.true, numbers.predicted])
    low, high = float(both.min()), float(both.max())
    check_range(numbers.target, low, high)
    ends = around([low, high])
    off = float(np.median(np.abs(numbers.true - numbers.predicted)))
    shown = row_count(rows) if stride == 1 else f"{len(true):,} of {row_count(rows)}, one in {stride}"
    x, y = (
        {"field": field, "type": "quantitative", "title": f"{field} {in_sentence(numbers.target)}",
         "scale": {"domain": [*ends], "nice": False, "zero": False}, "axis": {"tickCount": 5}}
        for field in ("predicted", "true")
    )  # fmt: skip
    diagonal = [{"predicted": end, "true": end} for end in ends]
    points = [
        {"predicted": one, "true": other}
        for one, other in zip(predicted.tolist(), true.tolist(), strict=True)
    ]
    median_error = f"half of the predictions are off by {off:.4g} at most"
    return drawn(
        {
            "width": _SIDE,
            "height": _SIDE,
            "encoding": {"x": x, "y": y},
            "layer": [
                {
                    "data": {"values": diagonal},
                    "mark": {"type": "line", "color": LIGHT.muted, "strokeWidth": 1, "strokeDash": [2, 4]},
                },
                {
                    "data": {"values": points},
                    "mark": {"type": "circle", "color": LIGHT.accent, "size": 26, "opacity": 0.45},
                },
            ],
        },
        title="True and predicted",
        subtitle=[shown, median_error],
        alt=f"True against predicted {in_sentence(numbers.target)} of {row_count(rows)}: {median_error}.",
        width=_SIDE + 60,
        theme=theme,
    )
