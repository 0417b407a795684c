"""What `components` does: the axes of the numeric or of the nominal columns, as a table and as a chart."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeAlias

from clearwood.cli.charting import check_chart, save_chart
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.source_options import Source
from clearwood.cli.sources import table_in
from clearwood.components.axes import MISSING_VALUE, Correspondence, PrincipalComponents, mca, pca
from clearwood.errors import SettingError, no_such
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import many, with_and

Made: TypeAlias = PrincipalComponents | Correspondence
_METHODS: Final = ("pca", "mca")
_FEWEST: Final = 2  # columns


def run(
    data: str, source: Source, output: Output, *, method: str | None, most: int | None, place: Path | None
) -> None:
    """Print what each component is made of and how much it tells, and draw the first two."""
    check_chart(place, data)
    if method is not None and method.lower() not in _METHODS:
        raise SettingError(no_such("method", method, _METHODS))
    table = table_in(data, source, output)
    chosen, notes = _method(table, method)
    note(notes, output)
    with working("Looking for components"):
        made: Made = pca(table, components=most) if chosen == "pca" else mca(table, components=most)
    if empty := _empty_values(made, table):
        missing = [f"{many(empty, 'empty cell')} counted as the value {MISSING_VALUE}."]
        note(missing, output)
        notes += missing
    if place is not None:
        _draw(made, place, output)
    answer(output, text=lambda: str(made), data=made.to_json, notes=[*table.notes, *notes], saved=place)


def _method(table: Table, method: str | None) -> tuple[str, list[str]]:
    """Which of the two, and a note where the table has columns for both."""
    inputs = table.schema.inputs
    numbers = sum(isinstance(each, Numeric) for each in inputs)
    values = sum(isinstance(each, Nominal | Ordinal) for each in inputs)
    columns = {"pca": many(numbers, "numeric column"), "mca": many(values, "nominal column")}
    of = {"pca": numbers, "mca": values}
    usual = max(of, key=of.__getitem__)  # of as many, those of numbers
    chosen = usual if method is None else method.lower()
    (other,) = of.keys() - {chosen}
    if of[chosen] < _FEWEST:
        way_out = f" For the others: --method {other}." if of[other] >= _FEWEST else ""
        raise SettingError(
            f"Components join two or more columns of a kind, and this table has {with_and(columns.values())} "
            f"beside the target.{way_out}"
        )
    if method is not None or not of[other]:
        return chosen, []
    more = f" For the others: --method {other}." if of[other] >= _FEWEST else ""
    return chosen, [f"{chosen.upper()} of the {columns[chosen]}; {columns[other]} left out.{more}"]


def _empty_values(made: Made, table: Table) -> int:
    """How many cells are empty that MCA takes as a value; PCA counts its own."""
    if isinstance(made, PrincipalComponents):
        return 0
    return sum(int((table.columns[name] < 0).sum()) for name in made.columns)


def _draw(made: Made, place: Path, output: Output) -> None:
    from clearwood.draw import charts  # late: not all draw

    drawn = charts.components(made) if len(made) >= _FEWEST else charts.explained(made)
    save_chart(drawn, place, output)
