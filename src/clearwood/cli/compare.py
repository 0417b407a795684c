"""`clearwood compare`: one table through several tree learners, and where they part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from clearwood.cli.options import (
    Data,
    Dates,
    Decimal,
    Delimiter,
    Encoding,
    Header,
    Ignore,
    Json,
    Kinds,
    MaxBytes,
    Missing,
    Orders,
    Query,
    Quiet,
    SchemaFile,
    Target,
    Thousands,
    Weight,
    WeightsAre,
    columns_as,
    written_as,
)
from clearwood.cli.registry import TREES

if TYPE_CHECKING:
    from clearwood.learners.learner import TreeLearner


def compare(
    data: Data,
    target: Target = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="NAME[:SETTING=VALUE,…]",
            help=f"Several times, of: {', '.join(TREES)}. Without it ID3, C4.5, CART and CHAID.",
            autocompletion=lambda: list(TREES),
        ),
    ] = None,
    schema: SchemaFile = None,
    kind: Kinds = None,
    order: Orders = None,
    ignore: Ignore = None,
    weight: Weight = None,
    weights_are: WeightsAre = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    header: Header = None,
    missing: Missing = None,
    thousands: Thousands = None,
    dates: Dates = None,
    max_bytes: MaxBytes = None,
    query: Query = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare tree learners on one table: the first place where they part, and the numbers that decided."""
    from clearwood.cli.fitting import need_target
    from clearwood.cli.progress import working
    from clearwood.cli.speaking import as_options, note, say, say_json
    from clearwood.derive.comparison import compare as compared
    from clearwood.table import read_table

    named = None if learner is None else _named(learner)
    columns = {"weight": weight, "schema": schema, **columns_as(kind, order, ignore, weights_are)}
    written = written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes)
    with working("Learning"):
        table = read_table(data, target=target, query=query, **columns, **written)
        need_target(table)
        found = compared(table, named)
    if as_json:
        told = found.to_json()
        say_json({**told, "notes": as_options([*table.notes, *found.notes])})
        return
    note(table.notes, quiet=quiet)
    say(str(found).rstrip("\n"))


def _named(texts: list[str]) -> dict[str, TreeLearner]:
    """`cart:min_leaf=5` as a learner, under the name it was given by."""
    from clearwood.cli.recipe import recipe_of
    from clearwood.errors import SettingError

    found: dict[str, TreeLearner] = {}
    for text in texts:
        name, _, settings = text.partition(":")
        if text in found:
            raise SettingError(f"--learner {text} is given twice. Give the second other settings.")
        given = [each for each in settings.split(",") if each]
        found[text] = recipe_of(name, given, (), None).learner  # type: ignore[assignment]
    return found
