"""`clearwood rules`: a tree read as rules, each with its scores, and simplified by tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

import typer

from clearwood.cli.options import Chosen, Columns, Data, Output, Reading, SaveRules, TestPart

_TESTS: Final = "How to simplify"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tests:
    """How conditions are tested; all of it only with --simplify."""

    alpha: Annotated[
        float | None,
        typer.Option(
            "--alpha",
            metavar="P",
            help="A condition goes where its p is above this (0.05).",
            rich_help_panel=_TESTS,
        ),
    ] = None
    tables: Annotated[
        str | None,
        typer.Option(
            "--tables",
            metavar="marginal|conditional",
            help="Test over all rows, or over those of the rule's other conditions (marginal).",
            rich_help_panel=_TESTS,
        ),
    ] = None
    choose_by: Annotated[
        str | None,
        typer.Option(
            "--choose-by",
            metavar="largest|smallest",
            help="The expected count that chooses the test (largest).",
            rich_help_panel=_TESTS,
        ),
    ] = None
    test: Annotated[
        str | None,
        typer.Option(
            "--use-test",
            metavar="NAME",
            help="One test for all: chi-square, yates or fisher (by expected counts).",
            rich_help_panel=_TESTS,
        ),
    ] = None
    adjust: Annotated[
        str | None,
        typer.Option(
            "--adjust",
            metavar="NAME",
            help="Adjust p for many tests: holm or benjamini-hochberg (not).",
            rich_help_panel=_TESTS,
        ),
    ] = None
    keep_rules: Annotated[
        bool,
        typer.Option("--keep-rules", help="Shorten rules, but drop none of them.", rich_help_panel=_TESTS),
    ] = False
    ledger: Annotated[
        bool,
        typer.Option("--ledger", help="Print every table, test and decision first.", rich_help_panel=_TESTS),
    ] = False


def rules(
    data: Data,
    *,
    columns: Columns,
    chosen: Chosen,
    tests: Tests,
    reading: Reading,
    simplify: Annotated[
        bool,
        typer.Option(
            "--simplify", help="Drop conditions that chance explains, then rules that no row needs."
        ),
    ] = False,
    test_part: TestPart = None,
    save: SaveRules = None,
    output: Output,
) -> None:
    """Read a tree as rules, score each of them, and simplify them by tests."""
    from clearwood.cli.running.rules import run

    run(data, columns, reading, chosen, tests, output, simplify=simplify, test_part=test_part, save=save)
