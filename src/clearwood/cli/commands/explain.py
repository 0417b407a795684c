"""`clearwood explain`: why a model answers as it does for one row, and what would have to change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from clearwood.cli.declaring import option
from clearwood.cli.options import Json, ModelPath, RelativeTo, RowOption, SchemaOfRules
from clearwood.cli.source_options import Reading

_CHANGE: Final = "What may change"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOptions:
    """What a change of the row may be, and what it is to reach."""

    to: Annotated[
        str | None, option("--to", "CLASS", "The class to reach (by default any other).", _CHANGE)
    ] = None
    fixed: Annotated[
        list[str] | None, option("--fixed", "COLUMN,…", "Columns that must not change.", _CHANGE)
    ] = None
    only_up: Annotated[
        list[str] | None,
        option(
            "--only-up",
            "COLUMN,…",
            "Numeric or ordinal columns that may change to higher values only.",
            _CHANGE,
        ),
    ] = None
    only_down: Annotated[
        list[str] | None,
        option(
            "--only-down",
            "COLUMN,…",
            "Numeric or ordinal columns that may change to lower values only.",
            _CHANGE,
        ),
    ] = None


def explain(
    model: ModelPath,
    change: ChangeOptions,
    reading: Reading,
    row: RowOption = None,
    data: Annotated[
        str | None,
        option(
            "--data",
            "DATA",
            "A table: --number takes its row from it, and changes of numbers are measured by the "
            "range of its columns.",
        ),
    ] = None,
    number: Annotated[int | None, option("--number -n", "N", "The Nth row of --data.", min=1)] = None,
    relative_to: RelativeTo = None,
    schema: SchemaOfRules = None,
    every: Annotated[
        bool, option("--all", None, "Every leaf, rule and cell that has a part in it, however many.")
    ] = False,
    as_json: Json = False,
) -> None:
    from clearwood.cli.running.explain import run

    run(
        model,
        change,
        reading,
        row=row,
        data=data,
        number=number,
        relative_to=relative_to,
        schema=schema,
        every=every,
        as_json=as_json,
    )
