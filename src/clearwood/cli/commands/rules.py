"""`clearwood rules`: a tree read as rules, each with its scores, and simplified by tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.judging_options import TestPart
from clearwood.cli.learning_options import ChosenTree
from clearwood.cli.options import Data, Output, SaveRules
from clearwood.cli.panels import TESTS
from clearwood.cli.source_options import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Simplifying:
    """How conditions are tested; all of it only with --simplify."""

    alpha: Annotated[
        float | None, option("--alpha", "P", "Drop a condition if its p is above this (0.05).", TESTS)
    ] = None
    tables: Annotated[
        str | None,
        option(
            "--tables",
            "marginal|conditional",
            "Test on all rows, or on those that satisfy the rule's other conditions (marginal).",
            TESTS,
        ),
    ] = None
    choose_by: Annotated[
        str | None,
        option(
            "--choose-by", "largest|smallest", "The expected count that chooses the test (largest).", TESTS
        ),
    ] = None
    test: Annotated[
        str | None,
        option(
            "--use-test",
            "NAME",
            "One test for all: chi-square, yates or fisher (by expected counts).",
            TESTS,
        ),
    ] = None
    adjust: Annotated[
        str | None,
        option(
            "--adjust",
            "NAME",
            "Adjust p for many tests: holm or benjamini-hochberg (by default neither).",
            TESTS,
        ),
    ] = None
    keep_rules: Annotated[
        bool, option("--keep-rules", None, "Shorten rules, but drop none of them.", TESTS)
    ] = False
    ledger: Annotated[
        bool, option("--ledger", None, "Print every table, test and decision first.", TESTS)
    ] = False


def rules(
    data: Data,
    *,
    source: Source,
    chosen: ChosenTree,
    tests: Simplifying,
    simplify: Annotated[
        bool,
        option("--simplify", None, "Drop conditions that chance explains, then rules that no row needs."),
    ] = False,
    test_part: TestPart = None,
    save: SaveRules = None,
    output: Output,
) -> None:
    from clearwood.cli.running.rules import run

    run(data, source, chosen, tests, output, simplify=simplify, test_part=test_part, save=save)
