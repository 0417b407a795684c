"""A scorecard as text: lines to tick, tables of pairs, and what their sum stands for."""

from __future__ import annotations

from clearwood.explain.card_lines import PointsPerUnit, PointsTable
from clearwood.explain.curve_groups import label_of
from clearwood.explain.scorecard import Scorecard
from clearwood.words.columns import in_columns, printable
from clearwood.words.numbers import in_digits


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
