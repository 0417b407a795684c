"""A scorecard as text: lines to tick, and what their sum stands for."""

from __future__ import annotations

from clearwood.explain.scorecard import PointsPerUnit, Scorecard
from clearwood.words.columns import in_columns, printable
from clearwood.words.numbers import in_digits


def draw_scorecard(card: Scorecard) -> str:
    """The points of each line, then sums of points with their shares."""
    target = printable(card.model.schema.target.name) if card.model.schema.target else ""
    rows = [["", "points"], ["start with", in_digits(card.start, 6)]]
    for line in card.lines:
        if isinstance(line, PointsPerUnit):
            rows.append([printable(str(line)), in_digits(line.points, 3)])
            rows.append([printable(f"{line.name} is missing"), in_digits(line.missing, 6)])
        else:
            rows.append([printable(str(line.when)), in_digits(line.points, 6)])
    sums = [["sum", f"{target} = {printable(card.favours)}"]]
    sums += [[in_digits(points, 6), f"{share:.1%}".replace("%", " %")] for points, share in card.shares()]
    return "\n".join([*in_columns(rows, "figures"), "", *in_columns(sums, "figures")])
