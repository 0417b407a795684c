"""Options of judging: which rows are held out, and how they are divided."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final

import typer

from clearwood.cli.declaring import DIVIDING, JUDGING, option
from clearwood.records import dataclass

FOLDS_AND_TIMES: Final = re.compile(r"([0-9]+)(?:[x×]([1-9][0-9]*))?")


def _folds(text: str | None) -> str | None:
    if text is not None and FOLDS_AND_TIMES.fullmatch(text) is None:
        raise typer.BadParameter(
            f"it takes a number of folds, such as 10, or 10x5 for five times; not {text!r}."
        )
    return text


TestPart = Annotated[
    float | None,
    option("--test-part", "SHARE", "Hold out this part, such as 0.3.", JUDGING),
]
Samples = Annotated[int, option("--samples", "N", "How often rows are resampled.", JUDGING, min=2)]
GroupColumn = Annotated[
    str | None,
    option("--group", "COLUMN", "Rows with the same value stay together, and none learns from it.", JUDGING),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """How the model is judged on rows it has not seen."""

    test_part: TestPart = None
    cross_validate: Annotated[
        str | None,
        option(
            "--cross-validate",
            "FOLDS[xTIMES]",
            "Cross-validate by this many folds; 10x5: five times.",
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
            "Learn from earlier rows and test on later ones, in as many steps as --cross-validate says (5).",
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
            "Learn from N samples with replacement, test on the other rows, give the .632+ estimate.",
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
        "Write the prediction for each test row, by the model that had not seen it, to this CSV.",
        DIVIDING,
    ),
]

Judge = Annotated[
    bool,
    option("--judge/--no-judge", None, "Evaluate on held-out rows, or learn only.", JUDGING),
]
