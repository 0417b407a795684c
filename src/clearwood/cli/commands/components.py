"""`clearwood components`: what many columns have in common, as a few axes, and what each is made of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from clearwood.cli.options import ChartPath, Data, Output, option, options
from clearwood.cli.output import answer, note
from clearwood.cli.sources import TableOptions
from clearwood.errors import SettingError, no_such
from clearwood.words.numbers import many, with_and

if TYPE_CHECKING:
    from clearwood.components import Correspondence, PrincipalComponents
    from clearwood.table.table import Table

    Made: TypeAlias = PrincipalComponents | Correspondence

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
    from clearwood.cli.progress import working
    from clearwood.cli.sources import table_in
    from clearwood.cli.writing import check_chart
    from clearwood.components import MISSING_VALUE, mca, pca

    check_chart(asked.picture, asked.data)
    if asked.method is not None and asked.method.lower() not in _METHODS:
        raise SettingError(no_such("method", asked.method, _METHODS))
    table = table_in(asked.data, asked.source, asked.output)
    chosen, notes = _method(table, asked.method)
    note(notes, asked.output)
    with working("Looking for components"):
        made: Made = (
            pca(table, components=asked.most) if chosen == "pca" else mca(table, components=asked.most)
        )
    if empty := _empty_values(made, table):
        missing = [f"{many(empty, 'empty cell')} counted as the value {MISSING_VALUE}."]
        note(missing, asked.output)
        notes += missing
    if asked.picture is not None:
        _draw(made, asked.picture, asked.output)
    answer(
        asked.output,
        text=lambda: str(made),
        data=made.to_json,
        notes=[*table.notes, *notes],
        saved=asked.picture,
    )


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
    from clearwood.components import PrincipalComponents

    if isinstance(made, PrincipalComponents):
        return 0
    return sum(int((table.columns[name] < 0).sum()) for name in made.columns)


def _draw(made: Made, place: Path, output: Output) -> None:
    from clearwood.cli.writing import save_chart
    from clearwood.draw import charts  # late: not all draw

    drawn = charts.components(made) if len(made) >= _FEWEST else charts.explained(made)
    save_chart(drawn, place, output)
