"""`clearwood rules`: a tree read as rules, each with its scores, and simplified by tests."""

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
    SchemaFile,
    Target,
    Thousands,
    Weight,
    WeightsAre,
    columns_as,
    written_as,
)
from clearwood.cli.registry import TREES

_TREE = "The tree"
_TESTS = "How to simplify"
_JUDGING = "How to judge"


def rules(
    data: Data,
    target: Target = None,
    tree: Annotated[
        str | None,
        typer.Option(
            "--from",
            "-f",
            metavar="NAME",
            help=f"Grow it by one of: {', '.join(TREES)} (c45).",
            autocompletion=lambda: list(TREES),
            rich_help_panel=_TREE,
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            "-s",
            metavar="NAME=VALUE",
            help="A setting of its learner; see: clearwood learners.",
            rich_help_panel=_TREE,
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Take this one, as saved by fit; DATA are its rows.", rich_help_panel=_TREE
        ),
    ] = None,
    simplify: Annotated[
        bool,
        typer.Option(
            "--simplify",
            help="Drop conditions that chance explains, then rules that no row needs.",
            rich_help_panel=_TESTS,
        ),
    ] = False,
    alpha: Annotated[
        float | None,
        typer.Option(
            metavar="P", help="A condition goes where its p is above this (0.05).", rich_help_panel=_TESTS
        ),
    ] = None,
    tables: Annotated[
        str | None,
        typer.Option(
            metavar="marginal|conditional",
            help="Test over all rows, or over those of the rule's other conditions (marginal).",
            rich_help_panel=_TESTS,
        ),
    ] = None,
    choose_by: Annotated[
        str | None,
        typer.Option(
            metavar="largest|smallest",
            help="The expected count that chooses the test (largest).",
            rich_help_panel=_TESTS,
        ),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="One test for all: chi-square, yates or fisher (by expected counts).",
            rich_help_panel=_TESTS,
        ),
    ] = None,
    adjust: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Adjust p for many tests: holm or benjamini-hochberg (not).",
            rich_help_panel=_TESTS,
        ),
    ] = None,
    keep_rules: Annotated[
        bool,
        typer.Option("--keep-rules", help="Shorten rules, but drop none of them.", rich_help_panel=_TESTS),
    ] = False,
    ledger: Annotated[
        bool,
        typer.Option("--ledger", help="Print every table, test and decision first.", rich_help_panel=_TESTS),
    ] = False,
    test_part: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="Keep this part of the rows back as a test.", rich_help_panel=_JUDGING
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="For all that is drawn at random.", rich_help_panel=_JUDGING),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the rules: .json a model, else text.")
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
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notes, no rules.")] = False,
) -> None:
    """Read a tree as rules, score each of them, and simplify them by tests."""
    from clearwood.cli.editing import save_rules
    from clearwood.cli.progress import working
    from clearwood.cli.rule_making import Making, make_rules, rows_for, source_of, tests_of
    from clearwood.cli.rule_telling import made_to_json, made_to_text
    from clearwood.cli.speaking import as_options, note, say, say_json
    from clearwood.cli.writing import check_place

    how = tests_of(
        simplify,
        {"alpha": alpha, "tables": tables, "choose-by": choose_by, "test": test, "adjust": adjust},
        keep_rules=keep_rules,
        ledger=ledger,
    )
    columns = {
        "target": target,
        "weight": weight,
        "schema": schema,
        **columns_as(kind, order, ignore, weights_are),
    }
    source = source_of(tree, settings, model, seed, columns)
    if save is not None:
        check_place(save, but_not=data)
        if model is not None:
            check_place(save, but_not=model)
    with working(f"Reading {data}"):
        written = written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes)
        table = rows_for(source, data, query, columns, written)
    with working("Making rules"):
        made = make_rules(Making(source, how, test_part, seed or 0), table)
    notes = [*table.notes, *made.notes]
    if save is not None:
        save_rules(made.rules, save)
    if as_json:
        told = made_to_json(made, with_ledger=ledger)
        say_json({**told, "notes": as_options(notes), "saved": save and str(save)})
        return
    note(notes, quiet=quiet)
    say(made_to_text(made, with_rules=not quiet, with_ledger=ledger))
    if save is not None:
        say(f"Saved to {save}.")
