"""The learning curve: how good a learner is by the number of rows that it learns from."""

from __future__ import annotations

from typing import Final

from clearwood.draw.charts.overfitting import ticks
from clearwood.draw.charts.score_lines import colours_of, learner_lines, lines_panel
from clearwood.draw.charts.sheet import drawn, few_of, in_sentence
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import ThemeName
from clearwood.draw.picture import Picture
from clearwood.study.behaviour.learning_curve import LearnerCurve, LearningCurves
from clearwood.words.numbers import amount, many

_WIDTH: Final = 430
_HEIGHT: Final = 260


def learning_curve(curves: LearningCurves, *, theme: ThemeName = "auto") -> Picture:
    """Rows across, the score up: of each learner on held-out rows, with a band, and dashed on its own.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> learning_curve(cw.learning_curve(cw.ID3(), days, sizes=[4, 7, 10], design=cw.Folds(4))).alt
    'Accuracy by the number of rows learned from: ID3 0.7083 with 4 rows, 0.7917 with 10, on held-out \
rows.'
    """
    check_drawable("learning_curve", curves, LearningCurves)
    rows = curves.rows.tolist()
    colours = colours_of([curve.name for curve in curves.curves])
    lines = [
        line
        for curve, colour in zip(curves.curves, colours, strict=True)
        for line in learner_lines(
            curve.name,
            rows,
            curve.mean("training").tolist(),
            curve.mean().tolist(),
            curve.standard_error().tolist(),
            colour,
            curve.standard_error("training").tolist(),
        )
    ]
    log = rows[-1] >= 4 * rows[0]
    low, high = (rows[0], rows[-1]) if len(rows) > 1 else (rows[0] / 2, rows[0] * 2)
    marks = {"values": _ticks(low, high)} if log else {"tickCount": 6}
    x = {
        "title": "rows learned from" + (" (log scale)" if log else ""),
        "scale": {"type": "log" if log else "linear", "domain": [low, high], "nice": False},
        "axis": {"grid": False, "format": ",d", **marks},
    }  # fmt: skip
    name = curves.score
    title = f"{name[0].upper()}{name[1:]} by the number of rows learned from"
    subtitle = ["line: on held-out rows; dashed: on the rows learned from"]
    if curves.folds > 1:
        subtitle.append(f"band: ± 1 standard error over {many(curves.folds, 'fold')}")
    return drawn(
        lines_panel(lines, x, score=name, width=_WIDTH, height=_HEIGHT),
        title=title,
        subtitle=subtitle,
        alt=f"{title}: {few_of([_in_words(each, rows) for each in curves.curves])}, on held-out rows.",
        width=_WIDTH + 90,
        theme=theme,
    )


def _in_words(curve: LearnerCurve, rows: list[int]) -> str:
    scores = curve.mean().tolist()
    ends = [f"{amount(scores[0])} with {many(rows[0], 'row')}"]
    if len(rows) > 1:
        ends.append(f"{amount(scores[-1])} with {rows[-1]:,}")
    return f"{in_sentence(curve.name)} {', '.join(ends)}"


def _ticks(low: float, high: float) -> list[int]:
    """Whole numbers of a log axis between its ends."""
    between = [each for each in ticks(int(high), log=True) if each >= low]
    return between if len(between) <= 9 else between[::2]
