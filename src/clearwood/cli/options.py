"""The options of all commands, in groups: one option has one name and one meaning, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from clearwood.cli.registry import LEARNERS, PRUNERS
from clearwood.errors import SettingError

LEARNING: Final = "How to learn"
JUDGING: Final = "How to judge"
COLUMNS: Final = "What the columns are"
READING: Final = "How the file is written"

FOLDED: Final = (COLUMNS, READING)  # panels that --help leaves to --help-all


def _names_of_learners() -> list[str]:
    return list(LEARNERS)


Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA", help="CSV, TSV, Parquet, Arrow, JSON lines, ARFF or C4.5 file, or - for stdin."
    ),
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file, as saved by fit.")]
RuleFile = Annotated[
    Path,
    typer.Argument(metavar="RULES", help="Rules as text, or a model file; a tree is read as its rules."),
]
Save = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Write the model here, as JSON, to be loaded again."),
]
SaveRules = Annotated[
    Path | None,
    typer.Option(
        "--save", metavar="FILE", help="Write the rules here: as a model if it ends in .json, else as text."
    ),
]
Prune = Annotated[
    list[str] | None,
    typer.Option(
        "--prune",
        metavar="PRUNER[:NAME=VALUE]",
        help=f"Prune the tree afterwards by one of: {', '.join(PRUNERS)}.",
        rich_help_panel=LEARNING,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-s",
        metavar="NAME=VALUE",
        help="A setting, may be repeated; clearwood learners lists them.",
        rich_help_panel=LEARNING,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        help="Draw by this number: rows held out or kept back, and what a learner draws.",
        rich_help_panel=LEARNING,
    ),
]
TestPart = Annotated[
    float | None,
    typer.Option(
        "--test-part",
        metavar="SHARE",
        help="Hold out this part of the rows, such as 0.3, and judge on it.",
        rich_help_panel=JUDGING,
    ),
]
Row = Annotated[
    list[str] | None,
    typer.Option(
        "--row",
        metavar="COLUMN=VALUE,…",
        help="One row, cell by cell; may be repeated. Columns that are not named are missing.",
        show_default=False,
    ),
]
Detail = Annotated[
    str | None,
    typer.Option(
        "--detail", "-d", metavar="NAME", help="How much of the work to show: short, full or worksheet."
    ),
]
Rules = Annotated[bool, typer.Option("--rules", help="Also one IF … THEN line for every leaf.")]
Json = Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What the columns are. A saved model knows, and takes none of these."""

    target: Annotated[
        str | None, typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict.")
    ] = None
    schema: Annotated[
        Path | None,
        typer.Option(
            "--schema",
            metavar="FILE",
            help="What each column is, as saved by clearwood schema.",
            rich_help_panel=COLUMNS,
        ),
    ] = None
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            metavar="COLUMN=KIND",
            help="Take a column as nominal, ordinal, numeric, text or ignored.",
            rich_help_panel=COLUMNS,
        ),
    ] = None
    order: Annotated[
        list[str] | None,
        typer.Option(
            "--order",
            metavar="COLUMN=LOW,…,HIGH",
            help="Take a column as ordinal, with its values from low to high.",
            rich_help_panel=COLUMNS,
        ),
    ] = None
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore",
            metavar="COLUMN,…",
            help="Leave columns out: one, or several with commas.",
            rich_help_panel=COLUMNS,
        ),
    ] = None
    weight: Annotated[
        str | None,
        typer.Option(
            "--weight",
            metavar="COLUMN",
            help="The column that says how much each row counts.",
            rich_help_panel=COLUMNS,
        ),
    ] = None

    def as_arguments(self) -> dict[str, Any]:
        """As `read_table` takes them."""
        ordered = pairs("--order", self.order, "COLUMN=LOW,…,HIGH")
        return {
            "target": self.target,
            "schema": self.schema,
            "weight": self.weight,
            "kinds": pairs("--kind", self.kind, "COLUMN=KIND"),
            "ordered": {
                name: [value.strip() for value in values.split(",")] for name, values in ordered.items()
            },
            "ignore": tuple(name.strip() for names in self.ignore or () for name in names.split(",")),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How the file is written; what isn't given is guessed."""

    delimiter: Annotated[
        str | None,
        typer.Option(
            "--delimiter", metavar="CHAR", help="What separates cells (guessed).", rich_help_panel=READING
        ),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(
            "--encoding", metavar="NAME", help="utf-8, latin-1, … (guessed).", rich_help_panel=READING
        ),
    ] = None
    decimal: Annotated[
        str | None,
        typer.Option(
            "--decimal", metavar="CHAR", help="The decimal mark, . or , (guessed).", rich_help_panel=READING
        ),
    ] = None
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Does the first line name the columns? (guessed)",
            rich_help_panel=READING,
        ),
    ] = None
    missing: Annotated[
        list[str] | None,
        typer.Option(
            "--missing",
            metavar="MARK",
            help="A mark for missing cells, beside blanks, ?, NA, …; may be repeated.",
            rich_help_panel=READING,
        ),
    ] = None
    query: Annotated[
        str | None,
        typer.Option(
            "--query",
            metavar="SQL",
            help="Read the rows of this query, where the file is the table 'source'.",
            rich_help_panel=READING,
        ),
    ] = None

    def as_arguments(self) -> dict[str, Any]:
        """As the readers take them."""
        return {
            name: value
            for name in ("delimiter", "encoding", "decimal", "header", "missing", "query")
            if (value := getattr(self, name)) not in (None, [])
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """Which learner, and how it is set."""

    learner: Annotated[
        str | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="NAME",
            help=f"One of: {', '.join(LEARNERS)}. Without it c45, or cart where the target is a number.",
            autocompletion=_names_of_learners,
            rich_help_panel=LEARNING,
        ),
    ] = None
    settings: Settings = None
    seed: Seed = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A saved model, or the learner that makes one."""

    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL",
            help="A saved model, instead of learning one.",
            rich_help_panel=LEARNING,
        ),
    ] = None
    learning: Learning


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """How the model is judged on rows it has not seen."""

    test_part: TestPart = None
    cross_validate: Annotated[
        int | None,
        typer.Option(
            "--cross-validate",
            metavar="FOLDS",
            help="Judge by this many folds; the model itself learns from all rows.",
            rich_help_panel=JUDGING,
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """How the answer is given."""

    as_json: Json = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no notes and no model.")] = False


def pairs(option: str, texts: Iterable[str] | None, form: str) -> dict[str, str]:
    """`name=value` texts as a dict; the name may hold `=` no more than the value may lack it.

    >>> pairs("--kind", ["age=numeric", "zip=nominal"], "COLUMN=KIND")
    {'age': 'numeric', 'zip': 'nominal'}
    """
    named: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise SettingError(f"{option} takes {form}, not '{text}'.")
        if name in named:
            raise SettingError(f"{option} gives {name} twice: {named[name]} and {value}. Give it once.")
        named[name] = value
    return named
