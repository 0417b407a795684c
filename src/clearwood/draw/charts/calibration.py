"""A reliability diagram: of the rows that were given a share, how many came true?"""

from __future__ import annotations

from typing import Final

from clearwood.draw.charts.sheet import Spec, drawn, fitted_lines, in_sentence
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.scoring.calibration import Calibration
from clearwood.words.numbers import row_count

_ABREAST: Final = 4


def calibration(bins: Calibration, *, theme: ThemeName = "auto") -> Picture:
    """Predicted shares across, observed ones up with their 95 % intervals; on the diagonal they agree.

    A point's area is the number of its rows. Each class has a panel; of two classes only the second.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 1, 1, 2, 2, 2], "y": list("aabbbb")}, target="y")
    >>> calibration(cw.calibration(cw.C45(min_rows=1, prune=False).learn(table), table)).alt
    'Calibration on 6 rows. For b observed shares of rows lie 0.000 from the predicted probabilities on \
the average row.'
    """
    check_drawable("calibration", bins, Calibration)
    colours = class_colours(bins.classes)
    alone = len(bins.reliability) == 1
    side = 320 if alone else 170
    abreast = min(_ABREAST, len(bins.reliability))
    panels = [_panel(bins, name, colours[name], side, alone) for name in bins.reliability]
    error = bins.error
    worst = max(error, key=error.__getitem__)
    lies = (
        f"observed shares of rows lie {error[worst]:.3f} from the predicted probabilities on the average row."
    )
    sentence = f"For {in_sentence(worst)} {lies}" if alone else f"Worst for {in_sentence(worst)}: {lies}"
    return drawn(
        panels[0] if alone else {"concat": panels, "columns": abreast, "spacing": 26},
        title="Calibration",
        subtitle=[
            f"{row_count(bins.weight)}, log loss {bins.log_loss:.4f}, Brier score {bins.brier:.4f}",
            *([] if alone else ["predicted probability across, observed share of rows up"]),
        ],
        alt=f"Calibration on {row_count(bins.weight)}. {sentence}",
        width=side * abreast,
        theme=theme,
    )


def _panel(calibrated: Calibration, name: str, colour: str, side: int, alone: bool) -> Spec:
    """With its own axes where it stands alone, else under its class's name."""
    axes = (f"predicted probability of {in_sentence(name)}", "observed share of rows") if alone else None
    return reliability_panel(calibrated, name, colour, side, title="" if alone else name, axes=axes)


def reliability_panel(
    calibrated: Calibration,
    name: str,
    colour: str,
    side: int,
    *,
    title: str = "",
    axes: tuple[str, str] | None = None,
) -> Spec:
    """The bins of one class as points with their intervals, beside the diagonal; `axes` are their titles."""
    alone = axes is not None
    records = [
        {"predicted": b.predicted, "observed": b.observed, "weight": b.weight,
         "low": b.interval[0], "high": b.interval[1]}
        for b in calibrated.reliability[name]
        if b.weight
    ]  # fmt: skip
    most = max(record["weight"] for record in records)
    titles = axes if axes is not None else (None, None)
    x, y = (
        {"field": field, "type": "quantitative", "title": title, "scale": {"domain": [0, 1]},
         "axis": {"tickCount": 5 if alone else 2, "format": ".1f"}}
        for field, title in zip(("predicted", "observed"), titles, strict=True)
    )  # fmt: skip
    size = {
        "field": "weight", "type": "quantitative", "legend": None,
        "scale": {"domain": [0, most], "range": [40, 420] if alone else [24, 180]},
    }  # fmt: skip
    return {
        **(
            {
                "title": {
                    "text": fitted_lines(title, max(side - 10, 160), bold=True),
                    "fontSize": 12,
                    "offset": 6,
                }
            }
            if title
            else {}
        ),
        "data": {"values": records},
        "width": side,
        "height": side,
        "layer": [
            {
                "data": {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]},
                "mark": {"type": "line", "color": LIGHT.muted, "strokeWidth": 1, "strokeDash": [2, 4]},
                "encoding": {
                    "x": {"field": "x", "type": "quantitative"},
                    "y": {"field": "y", "type": "quantitative"},
                },
            },
            {
                "mark": {"type": "rule", "color": LIGHT.muted, "strokeWidth": 1.5},
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "circle", "color": colour, "opacity": 1},
                "encoding": {"x": x, "y": y, "size": size},
            },
        ],
    }
