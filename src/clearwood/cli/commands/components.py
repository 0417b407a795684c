"""`clearwood components`: what many columns have in common, as a few axes, and what each is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clearwood.cli.options import ChartPath, Data, Output, option, options
from clearwood.cli.output import answer, check_chart, note, save_chart, working
from clearwood.cli.sources import TableOptions, table_in
from clearwood.errors import SettingError, no_such
from clearwood.words.numbers import many, with_and

if TYPE_CHECKING:
    from clearwood.table.table import Table

_METHODS: Final = ("pca", "mca")
_FEWEST: Final = 2  # columns


@options()
class ComponentsOptions:
    """What `clearwood components` takes."""

    data: Data
    source: TableOptions
    method: str | None = option(
        "NAME", "pca: of the numeric columns; mca: of the nominal ones. By default of whichever are more."
    )
    most: int | None = option("N", "Most components that are kept.", min=1)
    picture: ChartPath = None
    output: Output


def run(asked: ComponentsOptions) -> None:
    """Print what each component is made of and how much it tells, and draw the first two."""
    from clearwood.components import MISSING_VALUE, mca, pca

    check_chart(asked.picture, asked.data)
    if asked.method is not None and asked.method.lower() not in _METHODS:
        raise SettingError(no_such("method", asked.method, _METHODS))
    table = table_in(asked.data, asked.source, asked.output)
    chosen, notes = _method(table, asked.method)
    note(notes, asked.output)
    with working("Looking for components"):
        made: Any = (pca if chosen == "pca" else mca)(table, components=asked.most)
    # MCA takes empty cells as a value; PCA counts its own.
    empty = 0 if chosen == "pca" else sum(int((table.columns[name] < 0).sum()) for name in made.columns)
    if empty:
        missing = [f"{many(empty, 'empty cell')} counted as the value {MISSING_VALUE}."]
        note(missing, asked.output)
        notes += missing
    chart = "components" if len(made) >= _FEWEST else "explained"
    save_chart(chart, made, place=asked.picture, output=asked.output)
    answer(asked.output, made, notes=[*table.notes, *notes], saved=asked.picture)


def _method(table: Table, method: str | None) -> tuple[str, list[str]]:
    """Which of the two, and a note where the table has columns for both."""
    from clearwood.table.attributes import Nominal, Numeric, Ordinal

    inputs = table.schema.inputs
    numbers = sum(isinstance(each, Numeric) for each in inputs)
    values = sum(isinstance(each, Nominal | Ordinal) for each in inputs)
    columns = {"pca": many(numbers, "numeric column"), "mca": many(values, "nominal column")}
    of = {"pca": numbers, "mca": values}
    usual = max(of, key=of.__getitem__)  # of as many, those of numbers
    chosen = usual if method is None else method.lower()
    (other,) = of.keys() - {chosen}
    way_out = f" For the others: --method {other}." if of[other] >= _FEWEST else ""
    if of[chosen] < _FEWEST:
        raise SettingError(
            f"Components join two or more columns of a kind, and this table has {with_and(columns.values())} "
            f"beside the target.{way_out}"
        )
    if method is not None or not of[other]:
        return chosen, []
    return chosen, [f"{chosen.upper()} of the {columns[chosen]}; {columns[other]} left out.{way_out}"]
