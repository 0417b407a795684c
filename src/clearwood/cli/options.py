"""Options that stand in several commands: one option has one name and one meaning, wherever it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from clearwood.catalogue import BALANCERS, SELECTORS, SOURCES
from clearwood.cli.app import COLUMNS, DECIDING, PREPARING, option
from clearwood.records import dataclass

Data = Annotated[
    str,
    typer.Argument(metavar="DATA", help=f"CSV or other delimited text, or {' '.join(SOURCES)}; - for stdin."),
]
ModelPath = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file, as saved by fit.")]
RulePath = Annotated[
    Path,
    typer.Argument(
        metavar="RULES",
        help="Rules as text, or a model file: of rules, a tree (read as its rules), or an additive model.",
    ),
]
SchemaOfRules = Annotated[
    Path | None,
    option(
        "--schema",
        "FILE",
        "What the columns of rules as text are, as saved by clearwood schema; a model knows its own.",
        COLUMNS,
    ),
]
Save = Annotated[Path | None, option("--save", "FILE", "Write the model here, as JSON, to be loaded again.")]
SaveRules = Annotated[
    Path | None,
    option("--save", "FILE", "Write the rules here: as a model if it ends in .json, else as text."),
]
BalanceBy = Annotated[
    str | None,
    option(
        "--balance",
        "WAY",
        f"Balance the classes of the training rows by one of: {', '.join(BALANCERS)}; settings follow a "
        "colon: under:ratio=0.5.",
        PREPARING,
    ),
]
Select = Annotated[
    str | None,
    option(
        "--select",
        "[BY:]N",
        f"Learn from the N best columns: 8, mrmr:8, relieff:8,neighbours=5. By: {', '.join(SELECTORS)}.",
        PREPARING,
    ),
]
ABOUT_POSITIVE: Final = "The class that recall, AUC, lift and cutoffs are about (guessed of two classes)."
Positive = Annotated[str | None, option("--positive", "CLASS", ABOUT_POSITIVE, DECIDING)]
RowOption = Annotated[
    list[str] | None,
    option(
        "--row",
        "COLUMN=VALUE,…",
        "One row, cell by cell; may be repeated. Columns that are not named are missing.",
        show_default=False,
    ),
]
RelativeTo = Annotated[
    str | None,
    option(
        "--relative-to",
        "REFERENCE",
        "What a linear model's cells are compared with: average, best, zero, or a row COLUMN=VALUE,….",
    ),
]
DetailOption = Annotated[
    str | None, option("--detail -d", "NAME", "How much to show: short, full or worksheet.")
]
ChartPath = Annotated[Path | None, option("--output -o", "FILE", "Draw a chart here: .svg, .png or .pdf.")]
Rules = Annotated[bool, option("--rules", None, "Also print one IF … THEN rule for each leaf.")]
Json = Annotated[bool, option("--json", None, "Print one JSON object.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """How the answer is given."""

    as_json: Json = False
    quiet: Annotated[bool, option("--quiet -q", None, "Print no notes and no model.")] = False
