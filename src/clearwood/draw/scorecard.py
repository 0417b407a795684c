"""A scorecard as text: lines to tick, and what their sum stands for."""

from __future__ import annotations

from clearwood.draw.columns import printable
from clearwood.draw.linear import columned, figure
from clearwood.explain.scorecard import PointsPerUnit, Scorecard


def draw_scorecard(card: Scorecard) -> str:
    """The points of each line, then sums of points with their shares."""
    target = printable(card.model.schema.target.name) if card.model.schema.target else ""
    rows = [["", "points"], ["start with", figure(card.start, 6)]]
    for line in card.lines:
        if isinstance(line, PointsPerUnit):
            rows.append([printable(str(line)), figure(line.points, 3)])
            rows.append([printable(f"{line.name} is missing"), figure(line.missing, 6)])
        else:
            rows.append([printable(str(line.when)), figure(line.points, 6)])
    sums = [["sum", f"{target} = {printable(card.favours)}"]]
    sums += [[figure(points, 6), f"{share:.1%}".replace("%", " %")] for points, share in card.shares()]
    return "\n".join([*columned(rows), "", *columned(sums)])
