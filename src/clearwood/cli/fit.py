"""`clearwood fit`: from a table to a model, shown, measured and saved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
    Rules,
    SchemaFile,
    Target,
    Thousands,
    Weight,
    WeightsAre,
    columns_as,
    written_as,
)
from clearwood.cli.registry import LEARNERS

_LEARNING = "How to learn"
_JUDGING = "How to judge"


def fit(
    data: Data,
    target: Target = None,
    learner: Annotated[
        str,
        typer.Option(
            "--learner",
            "-l",
            metavar="NAME",
            help=f"One of: {', '.join(LEARNERS)}.",
            autocompletion=lambda: list(LEARNERS),
            rich_help_panel=_LEARNING,
        ),
    ] = "c45",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            "-s",
            metavar="NAME=VALUE",
            help="A setting of the learner; see: clearwood learners.",
            rich_help_panel=_LEARNING,
        ),
    ] = None,
    prune: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PRUNER[:NAME=VALUE]",
            help="Prune afterwards: reduced-error, error-based, cost-complexity, mdl, chi-square, siblings.",
            rich_help_panel=_LEARNING,
        ),
    ] = None,
    test_part: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="Keep this part of the rows back as a test.", rich_help_panel=_JUDGING
        ),
    ] = None,
    cross_validate: Annotated[
        int | None,
        typer.Option(
            metavar="FOLDS", help="Judge by so many folds; the model has all rows.", rich_help_panel=_JUDGING
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="For all that is drawn at random.", rich_help_panel=_JUDGING),
    ] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the model here, as JSON.")] = None,
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
    rules: Rules = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn a model from a table, print it, say how good it is, and save it."""
    from clearwood.cli.fitting import Judging, learn_and_judge, need_target
    from clearwood.cli.progress import working
    from clearwood.cli.pruning import pruning_of
    from clearwood.cli.recipe import recipe_of
    from clearwood.cli.speaking import as_options, note, say, say_json
    from clearwood.cli.writing import check_place
    from clearwood.models.files import save as save_model
    from clearwood.table import read_table

    recipe = recipe_of(learner, settings, [pruning_of(each) for each in prune or ()], seed)
    judging = Judging(test_part, cross_validate, seed or 0)
    if save is not None:
        check_place(save, but_not=data)
    with working(f"Reading {data}"):
        table = read_table(
            data,
            target=target,
            weight=weight,
            schema=schema,
            query=query,
            **columns_as(kind, order, ignore, weights_are),
            **written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes),
        )
    need_target(table)
    if not as_json:
        note(table.notes, quiet=quiet)
    with working("Learning"):
        fitted = learn_and_judge(recipe, table, judging)
    if not as_json:
        note(fitted.notes, quiet=quiet)
    if save is not None:
        save_model(fitted.model, save)
    if as_json:
        say_json(
            {
                **fitted.to_json(with_rules=rules),
                "notes": as_options([*table.notes, *fitted.notes]),
                "saved": None if save is None else str(save),
            }
        )
    else:
        say(fitted.to_text(with_model=not quiet, with_rules=rules))
        if save is not None:
            say(f"Saved to {save}.")
