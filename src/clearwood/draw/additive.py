"""An additive model as text: its columns and pairs, how far each moves the score, and where from and to."""

from typing import Final

from clearwood.explaining.card_lines import PointsPerUnit, PointsTable
from clearwood.explaining.curve_groups import brief_points, label_of, least_points, mean_points
from clearwood.explaining.scorecard import Scorecard
from clearwood.learners.directions import directions_in_words
from clearwood.models.in_words import decision_words, lineage_lines, with_weights
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    cell_in_words,
    curves_in,
    curves_in_words,
    name_of,
)
from clearwood.models.kinds.ensemble.ensemble import LearningCurve, score_name
from clearwood.models.lineage import EndedEarly
from clearwood.words.columns import in_columns, printable
from clearwood.words.numbers import brief, figure, in_digits

_TERMS: Final = 30  # that are listed


def draw_additive(model: AdditiveModel) -> str:
    """A sentence on what it is, then its terms, the weightiest first.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6] * 5, "y": list("aababb") * 5}, target="y")
    >>> print(draw_additive(cw.GAM(bags=3).learn(table)).splitlines()[0])
    Log odds of b: 0.04 and the points of 1 curve.
    """
    lines = [f"{sum_in_words(model)}{with_weights(model.origin)}.", *decision_words(model)]
    lines += [*directions_in_words(model.origin.settings), *lineage_lines(model.origin.after)]
    if all(isinstance(done, EndedEarly) for done in model.origin.after):
        lines += [_bags_in_words(each) for each in model.curves]
    for place in range(len(model.base)):
        if len(model.base) > 1:
            lines += ["", f"{_called(model, place)}, from {_number(model.base[place])}"]
        lines += ["", *_table(model, place)]
    return "\n".join(printable(line) for line in lines)


def _bags_in_words(curve: LearningCurve) -> str:
    """What the rows said, each answered by the bags that did not draw it: they chose the rounds kept."""
    least = min(curve.values)
    kept = "" if curve.best is None else f"; they chose the rounds kept, {curve.best:,}"
    return f"{curve.score.capitalize()} on {curve.on}: {figure(least)} at best{kept}."


def sum_in_words(model: AdditiveModel) -> str:
    """What is added up, without the full stop."""
    of = _called(model, 0) if len(model.base) == 1 else f"Scores of {len(model.base)} classes"
    base = f"{_number(model.base[0])} and " if len(model.base) == 1 else ""
    return f"{of}: {base}the points of {curves_in_words(model)}"


def _called(model: AdditiveModel, place: int) -> str:
    name = score_name(model.schema, model.link, place)
    return name if model.link == "identity" else name[:1].upper() + name[1:]  # a column keeps its own name


def _table(model: AdditiveModel, place: int) -> list[str]:
    """A line for each term: how much it moves on average, its lowest and highest points, and where.

    These are of the cells with training rows. Where all of them have the same points, that is said.
    """
    ranked = sorted(curves_in(model), key=lambda term: -mean_points(term, place))
    if not ranked:
        return ["There is no curve: every row gets the same prediction."]
    cells = [["column", "mean |points|", "from", "to", "lowest at", "highest at"]]
    for term in ranked[:_TERMS]:
        points = term.points[place]
        met = [cell for cell in range(len(points)) if not term.rows or term.rows[cell] > 0]
        low, high = min(met, key=points.__getitem__), max(met, key=points.__getitem__)
        level = points[high] - points[low] < least_points(model)
        where = [cell_in_words(model, term, low), cell_in_words(model, term, high)]
        if level:
            where = ["level" if len(met) == len(points) else "level over the training rows", ""]
        ends = _signed(model, points[low]), _signed(model, points[high])
        cells.append([name_of(term), brief_points(model, mean_points(term, place)), *ends, *where])
    left = len(ranked) - _TERMS
    return [*in_columns(cells, "figures"), *([f"… and {left:,} more"] if left > 0 else [])]


def _number(value: float) -> str:
    return brief(value).replace("-", "−")


def _signed(model: AdditiveModel, points: float) -> str:
    words = brief_points(model, abs(points))
    return words if words == "0" else f"{'+' if points >= 0 else '−'}{words}"


# A scorecard as text: lines to tick, tables of pairs, and what their sum stands for.


def draw_scorecard(card: Scorecard) -> str:
    """The points of each line, those of pairs, then sums of points with their shares."""
    target = printable(card.model.schema.target.name) if card.model.schema.target else ""
    rows = [["", f"points for {printable(card.favours)}"], ["start with", in_digits(card.start, 6)]]
    for line in card.lines:
        if isinstance(line, PointsPerUnit):
            rows.append([printable(str(line)), in_digits(line.points, 3)])
            rows.append([printable(f"{line.name} is missing"), in_digits(line.missing, 6)])
        else:
            rows.append([printable(str(line.when)), in_digits(line.points, 6)])
    sums = [["sum", f"{target} = {printable(card.favours)}"]]
    sums += [[in_digits(points, 6), f"{share:.1%}".replace("%", " %")] for points, share in card.shares()]
    tables = [line for table in card.tables for line in ("", *_table_lines(table))]
    return "\n".join([*in_columns(rows, "figures"), *tables, "", *in_columns(sums, "figures")])


def _table_lines(table: PointsTable) -> list[str]:
    """The first column's cells down, the second's across; a cell that is not there adds nothing."""
    heads = [printable(str(table)), *(printable(label_of(when)) for when in table.across)]
    rows = [
        [printable(label_of(when)), *(f"{points:+d}".replace("-", "−") if points else "0" for points in line)]
        for when, line in zip(table.down, table.points, strict=True)
    ]
    return in_columns([heads, *rows], "figures")
