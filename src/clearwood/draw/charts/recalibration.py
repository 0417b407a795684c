"""Reliability before and after calibration, side by side."""

from __future__ import annotations

from typing import Final

from clearwood.draw.charts.calibration import reliability_panel
from clearwood.draw.charts.sheet import drawn, in_sentence
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.scoring.recalibration import NAMES, Recalibration
from clearwood.words.numbers import row_count

_SIDE: Final = 230
_SMALL: Final = 170


def recalibration(pair: Recalibration, *, theme: ThemeName = "auto") -> Picture:
    """Predicted shares across, observed ones up, as in a reliability diagram: before on the left, after on
    the right. Each class has a line of panels; of two classes only the second.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 1, 1, 1, 2, 2, 2, 2] * 9, "y": list("aaabbbba") * 9}, target="y")
    >>> tree = cw.C45(min_rows=1, prune=False).learn(table.take([0, 4]))
    >>> calibrated = cw.calibrate(tree, table.take(range(40)))
    >>> recalibration(cw.recalibration(calibrated, table.take(range(40, 72)))).alt
    "Calibration by Platt's curve on 32 rows: log loss 9.011 before, 0.564 after; Brier score 0.250 before, \
0.188 after."
    """
    check_drawable("recalibration", pair, Recalibration)
    before, after = pair.before, pair.after
    colours = class_colours(before.classes)
    names = list(before.reliability)
    alone = len(names) == 1
    side = _SIDE if alone else _SMALL
    panels = [
        reliability_panel(
            each, name, colours[name], side, title=f"{when}{'' if alone else f': {in_sentence(name)}'}"
        )
        for name in names
        for when, each in (("before", before), ("after", after))
    ]
    scores = (
        f"log loss {before.log_loss:.3f} before, {after.log_loss:.3f} after; "
        f"Brier score {before.brier:.3f} before, {after.brier:.3f} after"
    )
    return drawn(
        {"concat": panels, "columns": 2, "spacing": 26},
        title=f"Calibration by {NAMES[pair.method]}",
        subtitle=[
            f"{row_count(after.weight)}; {scores}",
            f"predicted probability{f' of {in_sentence(names[0])}' if alone else ''} across, observed "
            "share of rows up",
        ],
        alt=f"Calibration by {NAMES[pair.method]} on {row_count(after.weight)}: {scores}.",
        width=2 * side + 40,
        theme=theme,
    )
