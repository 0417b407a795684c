"""Probabilities: are they right, before and after calibration, and what follows from a cutoff on them?"""

from typing import Final

from clearwood.draw.charts.builders import (
    around,
    axis_of_numbers,
    coloured,
    fitting_axis,
    layer,
    layered,
    line_legend,
    panel_title,
    records_of,
)
from clearwood.draw.charts.sheet import Records, Spec, check_drawable, drawn, fitted_lines, in_sentence
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.scoring.calibration import Calibration
from clearwood.scoring.coverage import Coverage
from clearwood.scoring.cutoffs import Cutoffs
from clearwood.scoring.recalibration import NAMES, Recalibration
from clearwood.words.numbers import number, row_count

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
    names = list(bins.reliability)
    alone = len(names) == 1
    side = 320 if alone else 170
    panels = [reliability_panel(bins, name, side, title="" if alone else name, alone=alone) for name in names]
    worst = max(bins.error, key=bins.error.__getitem__)
    for_worst = f"{'For' if alone else 'Worst for'} {in_sentence(worst)}{'' if alone else ':'}"
    below = [
        f"{row_count(bins.weight)}, log loss {bins.log_loss:.4f}, Brier score {bins.brier:.4f}",
        *([] if alone else ["predicted probability across, observed share of rows up"]),
    ]
    alt = (
        f"Calibration on {row_count(bins.weight)}. {for_worst} observed shares of rows lie "
        f"{bins.error[worst]:.3f} from the predicted probabilities on the average row."
    )
    width = side * min(_ABREAST, len(names))
    spec = panels[0] if alone else {"concat": panels, "columns": min(_ABREAST, len(names)), "spacing": 26}
    return drawn(spec, "Calibration", below, alt, theme, width)


def reliability_panel(bins: Calibration, name: str, side: int, *, title: str, alone: bool = False) -> Spec:
    """The bins of one class as points with their intervals, beside the diagonal; the axes of a panel that
    stands alone have titles."""
    records = [
        {"predicted": b.predicted, "observed": b.observed, "weight": b.weight,
         "low": b.interval[0], "high": b.interval[1]}
        for b in bins.reliability[name]
        if b.weight
    ]  # fmt: skip
    titles = (f"predicted probability of {in_sentence(name)}", "observed share of rows")
    x, y = (
        axis_of_numbers(
            field, text if alone else None, domain=(0, 1), ticks=5 if alone else 2, axis={"format": ".1f"}
        )
        for field, text in zip(("predicted", "observed"), titles, strict=True)
    )
    areas, most = [40, 420] if alone else [24, 180], max(record["weight"] for record in records)
    size = {**axis_of_numbers("weight", domain=(0, most), range=areas), "legend": None}
    plain = {"x": axis_of_numbers("x"), "y": axis_of_numbers("y")}
    diagonal = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    colour = class_colours(bins.classes)[name]
    layers = [
        layer("line", plain, diagonal, color=LIGHT.muted, strokeWidth=1, strokeDash=[2, 4]),
        layer("rule", {"x": x, "y": (y, "low"), "y2": "high"}, color=LIGHT.muted, strokeWidth=1.5),
        layer("circle", {"x": x, "y": y, "size": size}, color=colour, opacity=1),
    ]
    text = fitted_lines(title, max(side - 10, 160), bold=True)
    return layered(layers, side, side, records, **({"title": panel_title(text, 12)} if title else {}))


# Reliability before and after calibration, side by side.


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
    names = list(before.reliability)
    alone = len(names) == 1
    side = 230 if alone else 170
    panels = [
        reliability_panel(each, name, side, title=when if alone else f"{when}: {in_sentence(name)}")
        for name in names
        for when, each in (("before", before), ("after", after))
    ]
    scores = (
        f"log loss {before.log_loss:.3f} before, {after.log_loss:.3f} after; "
        f"Brier score {before.brier:.3f} before, {after.brier:.3f} after"
    )
    title = f"Calibration by {NAMES[pair.method]}"
    below = [
        f"{row_count(after.weight)}; {scores}",
        f"predicted probability{f' of {in_sentence(names[0])}' if alone else ''} across, observed "
        "share of rows up",
    ]
    alt = f"Calibration by {NAMES[pair.method]} on {row_count(after.weight)}: {scores}."
    spec = {"concat": panels, "columns": 2, "spacing": 26}
    return drawn(spec, title, below, alt, theme, 2 * side + 40)


# Cutoffs: recall, precision and cost by the share from which a class is answered.


_WIDTH: Final = 430
_HEIGHT: Final = 250
_LOWER: Final = 150  # where a panel stands below another
_MOST: Final = 200  # cutoffs of a curve
_CURVES: Final = (("recall", LIGHT.accent, [1, 0]), ("precision", "#0072b2", [6, 3]))
_STEPS: Final[Spec] = {"interpolate": "step-before"}  # a cutoff holds down to the next


def cutoffs(table: Cutoffs, *, theme: ThemeName = "auto") -> Picture:
    """Cutoffs across; recall and precision up, with 95 % intervals; where costs are known their curve below.

    The cutoff that was chosen is a dashed line.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cutoffs(cw.cutoffs(cw.NaiveBayes().learn(days), days, "No")).alt
    'Recall and precision of No by the cutoff on its probability, 14 rows. Recall falls from 1.000 at 0 to \
0.000 at 0.9.'
    """
    check_drawable("cutoffs", table, Cutoffs)
    records: Records = []
    for line in table.lines(_MOST):
        record = {"cutoff": line["cutoff"]}
        for rate in ("recall", "precision", "cost"):
            if rate in line:
                record[rate] = line[rate]
                if line[rate] is not None:
                    record[f"{rate}_low"], record[f"{rate}_high"] = line[f"{rate}_interval"]
        records.append(record)
    name = in_sentence(table.positive)
    first, last = records[0], records[-1]
    described = (
        f"Recall and precision of {name} by the cutoff on its probability, "
        f"{row_count(table.own + table.others)}. "
        f"Recall falls from {first['recall']:.3f} at {number(first['cutoff'])} to {last['recall']:.3f} at "
        f"{number(last['cutoff'])}."
    )
    below = [f"{row_count(table.own)} of {name}, {row_count(table.others)} of others"]
    chosen = next((line for line in table.lines() if line["chosen"]), None)
    if chosen is not None and table.chosen is not None:
        precise = "" if chosen["precision"] is None else f", precision {chosen['precision']:.3f}"
        paid = f", cost per row {chosen['cost']:.3g}" if "cost" in chosen else ""
        below.append(f"at the cutoff {number(table.chosen)}: recall {chosen['recall']:.3f}{precise}{paid}")
        described += f" {below[-1][0].upper()}{below[-1][1:]}."
    title = f"Cutoffs on the probability of {name}"
    return drawn(_cutoffs_spec(table, records), title, below, described, theme, _WIDTH)


def _cutoffs_spec(table: Cutoffs, records: Records) -> Spec:
    x = axis_of_numbers("cutoff", "cutoff", domain=(0, 1), ticks=6, axis={"format": ".1f", "grid": False})
    dashed: Spec = {"color": LIGHT.ink, "strokeDash": [5, 3]}
    mark = [] if table.chosen is None else [layer("rule", {"x": x}, [{"cutoff": table.chosen}], **dashed)]
    names = [name for name, *_ in _CURVES]
    legend = {**line_legend((), 0), "orient": "top", "offset": 8, "symbolOpacity": 1}
    colour = coloured("rate", names, [colour for _, colour, _ in _CURVES], legend, sort=None)
    dash = coloured("rate", names, [dash for *_, dash in _CURVES], legend, sort=None)
    y = axis_of_numbers("", None, domain=(0, 1), ticks=6, axis={"format": ".1f"})
    rates = [
        {"cutoff": each["cutoff"], "rate": name, "value": each[name],
         "low": each[f"{name}_low"], "high": each[f"{name}_high"]}
        for name in names
        for each in records
        if each[name] is not None
    ]  # fmt: skip
    band = {"x": x, "y": (y, "low"), "y2": "high", "color": colour}
    line = {"x": x, "y": (y, "value"), "color": colour, "strokeDash": dash}
    layers = [layer("area", band, opacity=0.13, **_STEPS), layer("line", line, strokeWidth=2.2, **_STEPS)]
    upper = layered([*mark, *layers], _WIDTH, _HEIGHT, rates)
    if table.costs is None:
        return upper
    ends = [record[end] for record in records for end in ("cost_low", "cost_high")]
    y = fitting_axis("cost per row", around(ends), ticks=4, format=".2~f")
    band = {"x": x, "y": (y, "cost_low"), "y2": "cost_high"}
    layers = [
        layer("area", band, color=LIGHT.muted, opacity=0.15, **_STEPS),
        layer("line", {"x": x, "y": (y, "cost")}, color=LIGHT.muted, strokeWidth=2.2, **_STEPS),
    ]
    return {"vconcat": [upper, layered([*mark, *layers], _WIDTH, _LOWER, records)], "spacing": 14}


# Coverage against accuracy: what is gained in accuracy where rows in doubt are left unanswered.


_COVERAGE_HEIGHT: Final = 270


def coverage(curve: Coverage, *, theme: ThemeName = "auto") -> Picture:
    """The part of the rows that are answered across, the accuracy of the answers up, with 95 % intervals.

    The further to the left, the more rows are referred. The share that is set is a point.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> coverage(cw.coverage(cw.NaiveBayes().learn(days), days)).alt
    'Accuracy by the share of rows predicted, 14 rows: 0.929 where all are, 1.000 where \
7.1 % are.'
    """
    check_drawable("coverage", curve, Coverage)
    lines = curve.lines(_MOST)
    lows, highs = zip(*(line["interval"] for line in lines), strict=True)
    covered, accuracies = ([line[name] for line in lines] for name in ("coverage", "accuracy"))
    records = records_of(coverage=covered, accuracy=accuracies, low=lows, high=highs)
    most, least = lines[0], lines[-1]
    all_of = "all are" if most["coverage"] == 1 else f"{100 * most['coverage']:.1f} % are"
    described = (
        f"Accuracy by the share of rows predicted, {row_count(curve.weight)}: "
        f"{most['accuracy']:.3f} where {all_of}, {least['accuracy']:.3f} where "
        f"{100 * least['coverage']:.1f} % are."
    )
    below = [f"{row_count(curve.weight)}; without referring any: accuracy {most['accuracy']:.3f}"]
    chosen = [line for line in lines if line["chosen"]]
    if chosen and curve.chosen is not None:
        below.append(
            f"rows below {number(curve.chosen)} are referred: accuracy {chosen[0]['accuracy']:.3f} of "
            f"{100 * chosen[0]['coverage']:.1f} % predicted"
        )
        described += f" {below[-1][0].upper()}{below[-1][1:]}."
    parts = {"format": ".0%", "grid": False}
    x = axis_of_numbers("coverage", "share of rows predicted", domain=(0, 1), ticks=6, axis=parts)
    # A few rows at the left end have intervals from near 0: they would flatten what matters.
    shown = [r for r in records if r["coverage"] >= 0.1] or records
    domain = around([r[end] for r in shown for end in ("low", "high")] + accuracies)
    y = fitting_axis("accuracy", (max(domain[0], 0.0), min(domain[1], 1.0)), format=".2f")
    dots: Spec = {"point": {"color": LIGHT.accent, "size": 30}} if len(records) <= 40 else {}
    at = {"x": x, "y": (y, "accuracy")}
    on = [{"coverage": each["coverage"], "accuracy": each["accuracy"]} for each in chosen]
    own: Spec = {"color": LIGHT.accent, "clip": True}
    layers = [
        layer("area", {"x": x, "y": (y, "low"), "y2": "high"}, opacity=0.16, **own),
        layer("line", at, strokeWidth=2.2, **own, **dots),
        layer("point", at, on, filled=True, color=LIGHT.ink, size=110, opacity=1),
    ]
    spec = layered(layers, _WIDTH, _COVERAGE_HEIGHT, records)
    return drawn(spec, "Coverage and accuracy", below, described, theme, _WIDTH)
