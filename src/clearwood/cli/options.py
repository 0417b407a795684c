"""The options of all commands, in groups: one option has one name and one meaning, wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from clearwood.catalogue import BALANCERS, LEARNERS, PRUNERS, SELECTORS, SOURCES, trees
from clearwood.cli.declaring import option
from clearwood.errors import SettingError
from clearwood.study.default_learner import FOR_CLASSES, FOR_NUMBERS

LEARNING: Final = "How to learn"
PRUNING: Final = "How to prune"
JUDGING: Final = "How to judge"
DIVIDING: Final = "How rows are divided"
COLUMNS: Final = "What the columns are"
READING: Final = "How the file is written"
TESTS: Final = "How to simplify"

WORKSHEETS: Final = "What a worksheet asks"
PREPARING: Final = "What is done to the rows first"
DECIDING: Final = "How it decides"
FAIRNESS: Final = "For whom it is right"
COMPARED: Final = "Which rules are compared"
FOLDED: Final = (
    COMPARED,
    TESTS,
    DIVIDING,
    PREPARING,
    DECIDING,
    FAIRNESS,
    COLUMNS,
    READING,
    WORKSHEETS,
)  # panels that --help leaves to --help-all


BY_DEFAULT: Final = f"Usually {FOR_CLASSES} or {FOR_NUMBERS}."


FOLDS_AND_TIMES: Final = re.compile(r"([0-9]+)(?:[x×]([1-9][0-9]*))?")


def _folds(text: str | None) -> str | None:
    if text is not None and FOLDS_AND_TIMES.fullmatch(text) is None:
        raise typer.BadParameter(
            f"it takes a number of folds, such as 10, or 10x5 for five times; not {text!r}."
        )
    return text


def _names_of_learners() -> list[str]:
    return list(LEARNERS)


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
Keep = Annotated[
    bool,
    option(
        "--keep",
        None,
        "If Ctrl-C ends the learning of an ensemble, keep the members learned until then.",
        LEARNING,
    ),
]
Prune = Annotated[
    list[str] | None,
    option(
        "--prune",
        "PRUNER",
        f"Prune the tree by one of: {', '.join(PRUNERS)}; settings follow a colon: chi-square:alpha=0.01.",
        LEARNING,
    ),
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
Settings = Annotated[
    list[str] | None,
    option("--set -s", "NAME=VALUE", "A setting, may be repeated; clearwood learners lists them.", LEARNING),
]
Seed = Annotated[
    int | None,
    option(
        "--seed",
        "N",
        "The seed of random choices.",
        LEARNING,
    ),
]
TestPart = Annotated[
    float | None,
    option("--test-part", "SHARE", "Hold out this part, such as 0.3.", JUDGING),
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
SeveralLearners = Annotated[
    list[str] | None,
    option(
        "--learner -l",
        "NAME[:SETTING=VALUE,…]",
        f"May be repeated; one of: {', '.join(LEARNERS)}. {BY_DEFAULT}",
        LEARNING,
        autocompletion=_names_of_learners,
    ),
]
ChartPath = Annotated[Path | None, option("--output -o", "FILE", "Draw a chart here: .svg, .png or .pdf.")]
Samples = Annotated[int, option("--samples", "N", "How often rows are drawn anew.", JUDGING, min=2)]
GroupColumn = Annotated[
    str | None,
    option("--group", "COLUMN", "Rows with the same value stay together, and none learns from it.", JUDGING),
]
Rules = Annotated[bool, option("--rules", None, "Also print one IF … THEN rule for each leaf.")]
Json = Annotated[bool, option("--json", None, "Answer with one JSON object.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What the columns are. A saved model knows, and takes none of these."""

    target: Annotated[str | None, option("--target -t", "COLUMN", "The column to predict.")] = None
    schema: Annotated[
        Path | None,
        option("--schema", "FILE", "The kinds of the columns, as saved by clearwood schema.", COLUMNS),
    ] = None
    kind: Annotated[
        list[str] | None,
        option(
            "--kind", "COLUMN=KIND", "Take a column as nominal, ordinal, numeric, text or ignored.", COLUMNS
        ),
    ] = None
    order: Annotated[
        list[str] | None,
        option(
            "--order",
            "COLUMN=LOW,…,HIGH",
            "Take a column as ordinal, with its values from low to high.",
            COLUMNS,
        ),
    ] = None
    ignore: Annotated[
        list[str] | None,
        option("--ignore", "COLUMN,…", "Leave columns out: one, or several with commas.", COLUMNS),
    ] = None
    weight: Annotated[
        str | None, option("--weight", "COLUMN", "The column with the weight of each row.", COLUMNS)
    ] = None
    weights_are: Annotated[
        str | None,
        option(
            "--weights-are",
            "MEANING",
            "What weights are: counts (of equal rows), sampling or importance (guessed).",
            COLUMNS,
        ),
    ] = None

    def as_arguments(self) -> dict[str, Any]:
        """As `read_table` takes them."""
        ordered = pairs("--order", self.order, "COLUMN=LOW,…,HIGH")
        return {
            "target": self.target,
            "schema": self.schema,
            "weight": self.weight,
            "weights_are": self.weights_are or "guess",
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
        str | None, option("--delimiter", "CHAR", "What separates cells (guessed).", READING)
    ] = None
    encoding: Annotated[str | None, option("--encoding", "NAME", "utf-8, latin-1, … (guessed).", READING)] = (
        None
    )
    decimal: Annotated[
        str | None, option("--decimal", "CHAR", "The decimal mark, . or , (guessed).", READING)
    ] = None
    header: Annotated[
        bool | None,
        option("--header/--no-header", None, "Does the first line name the columns? (guessed)", READING),
    ] = None
    missing: Annotated[
        list[str] | None,
        option(
            "--missing",
            "MARK",
            "A mark for missing cells, besides blanks, ? and NA; may be repeated.",
            READING,
        ),
    ] = None
    thousands: Annotated[
        str | None,
        option(
            "--thousands",
            "CHAR",
            "The mark between thousands, as in 1,200.50 (guessed); none leaves cells as written.",
            READING,
        ),
    ] = None
    dates: Annotated[
        str | None, option("--dates", "days", "Take dates as numbers: days since 1970-01-01.", READING)
    ] = None
    max_bytes: Annotated[
        str | None,
        option(
            "--max-bytes",
            "SIZE",
            "Read no more than this, such as 8GB (by default 4 GiB of packed files and streams).",
            READING,
        ),
    ] = None
    query: Annotated[
        str | None,
        option(
            "--query", "SQL", "Read the rows of this query, where the file is the table 'source'.", READING
        ),
    ] = None

    def as_arguments(self) -> dict[str, Any]:
        """As the readers take them."""
        return {
            name: value
            for name in (field.name for field in fields(self))
            if (value := getattr(self, name)) not in (None, [])
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """How a table is read that no model knows yet."""

    columns: Columns
    reading: Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """Which learner, and how it is set."""

    learner: Annotated[
        str | None,
        option(
            "--learner -l",
            "NAME",
            f"One of: {', '.join(LEARNERS)}. {BY_DEFAULT}",
            LEARNING,
            autocompletion=_names_of_learners,
        ),
    ] = None
    settings: Settings = None
    seed: Seed = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOrLearner:
    """A saved model, or the learner that makes one."""

    model: Annotated[
        Path | None, option("--model -m", "MODEL", "A saved model, instead of learning one.", LEARNING)
    ] = None
    learning: Learning


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningTree(Learning):
    """Which learner of trees, and how it is set."""

    learner: Annotated[
        str | None,
        option(
            "--learner -l",
            "NAME",
            f"One of: {', '.join(trees())}. {BY_DEFAULT}",
            LEARNING,
            autocompletion=lambda: list(trees()),
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenTree(ModelOrLearner):
    """A saved tree, or the learner that grows one."""

    learning: LearningTree


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """How the model is judged on rows it has not seen."""

    test_part: TestPart = None
    cross_validate: Annotated[
        str | None,
        option(
            "--cross-validate",
            "FOLDS[xTIMES]",
            "Cross-validate by so many folds, 10x5: five times.",
            JUDGING,
            callback=_folds,
        ),
    ] = None
    group: Annotated[
        str | None,
        option("--group", "COLUMN", "Keep rows of one value together: a customer, a patient.", DIVIDING),
    ] = None
    time: Annotated[
        str | None,
        option(
            "--time",
            "COLUMN",
            "Learn from earlier rows and judge on later ones, in as many steps as --cross-validate says (5).",
            DIVIDING,
        ),
    ] = None
    window: Annotated[
        float | None,
        option("--window", "SPAN", "With --time: learn only from so much time before.", DIVIDING),
    ] = None
    gap: Annotated[
        float | None,
        option("--gap", "SPAN", "With --time: leave out so much time between.", DIVIDING),
    ] = None
    leave_one_out: Annotated[
        bool,
        option("--leave-one-out", None, "Hold out each row, or each group, in turn.", DIVIDING),
    ] = False
    bootstrap: Annotated[
        int | None,
        option(
            "--bootstrap",
            "SAMPLES",
            "Learn from so many samples with replacement, judge on the other rows, give the .632+ estimate.",
            DIVIDING,
        ),
    ] = None
    folds_in: Annotated[
        str | None,
        option("--folds-in", "COLUMN", "The values of this column are the folds.", DIVIDING),
    ] = None
    stratify: Annotated[
        bool,
        option(
            "--stratify/--no-stratify",
            None,
            "Deal every class, or small and large numbers, evenly to the folds.",
            DIVIDING,
        ),
    ] = True


PredictionsFile = Annotated[
    Path | None,
    option(
        "--predictions",
        "FILE",
        "Write what each judged row got from the model that had not seen it here, as CSV.",
        DIVIDING,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """How the answer is given."""

    as_json: Json = False
    quiet: Annotated[bool, option("--quiet -q", None, "Print no notes and no model.")] = False


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
