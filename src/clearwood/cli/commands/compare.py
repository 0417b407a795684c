"""`clearwood compare`: saved models on the same rows, learners by the same folds, or a table of scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from clearwood.catalogue import LEARNERS
from clearwood.cli.declaring import option
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning_options import Seed
from clearwood.cli.options import Output, Positive
from clearwood.cli.panels import LEARNING
from clearwood.cli.source_options import Source

_COMPARING: Final = "How to compare"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learners:
    """The learners that are compared on one table, and how."""

    learners: Annotated[
        list[str] | None,
        option(
            "--learner -l",
            "NAME[:SETTING=VALUE,…]",
            "May be repeated; clearwood learners lists them.",
            LEARNING,
            autocompletion=lambda: list(LEARNERS),
        ),
    ] = None
    judging: Judging
    score: Annotated[
        str | None,
        option("--score", "NAME", "accuracy, auc, rmse, …", _COMPARING),
    ] = None
    positive: Positive = None
    seed: Seed = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyTables:
    """A table of scores that other programs or runs have made."""

    scores: Annotated[
        str | None,
        option(
            "--scores",
            "FILE",
            "A line per table, a column per learner.",
            _COMPARING,
        ),
    ] = None
    better: Annotated[
        str | None, option("--better", "WAY", "Of --scores: more or less (more).", _COMPARING)
    ] = None
    alpha: Annotated[
        float | None,
        option("--alpha", "P", "Of --scores: the level (0.05).", _COMPARING),
    ] = None


def compare(
    *,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MODEL…] DATA",
            help="Models and, last, rows; or a table to learn.",
            show_default=False,
        ),
    ] = None,
    source: Source,
    learning: Learners,
    many: ManyTables,
    costs: Annotated[
        str | None, option("--costs", "TRUE/PREDICTED:COST,…", "What mistakes cost: bad/good:5.", _COMPARING)
    ] = None,
    rope: Annotated[
        float | None,
        option("--rope", "NUMBER", "Differences too small to matter.", _COMPARING),
    ] = None,
    picture: Annotated[
        Path | None, option("--output -o", "FILE", "Draw a chart here: .svg, .png or .pdf.")
    ] = None,
    output: Output,
) -> None:
    from clearwood.cli.running.compare import run

    run(files or [], source, learning, many, output, costs=costs, rope=rope, place=picture)
