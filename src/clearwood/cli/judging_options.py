"""Options of judging: which rows are held out, and how they are divided."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from clearwood.cli.declaring import DECIDING, DIVIDING, FAIRNESS, JUDGING, option
from clearwood.errors import SettingError
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


# Options of deciding: how shares become an answer, for models that are learned and for saved ones.


def _calibrate(panel: str | None) -> Any:
    return option("--calibrate", "METHOD", "Calibrate the probabilities, by platt or isotonic.", panel)


def _cutoff(panel: str | None) -> Any:
    meaning = "Predict CLASS from a probability on: bad:0.3, bad:recall=0.8, bad:precision=0.5 or bad:cost."
    return option("--cutoff", "CLASS:AIM", meaning, panel)


def _refer(panel: str | None) -> Any:
    meaning = "Refer rows whose largest probability is below this; accuracy=0.95 finds it."
    return option("--refer", "SHARE", meaning, panel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """A calibration, a cutoff, a share below which rows are referred."""

    calibrate: Annotated[str | None, _calibrate(DECIDING)] = None
    cutoff: Annotated[str | None, _cutoff(DECIDING)] = None
    refer: Annotated[str | None, _refer(DECIDING)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionsAlone(Decisions):
    """The same for a command that does nothing else: its help shows them first."""

    calibrate: Annotated[str | None, _calibrate(None)] = None
    cutoff: Annotated[str | None, _cutoff(None)] = None
    refer: Annotated[str | None, _refer(None)] = None


# Options of fairness: columns that no model may ask, and the answer that people want to get.


Favourable = Annotated[
    str | None,
    option(
        "--favourable",
        "CLASS",
        "The class that people want to get, for the four-fifths rule (else the positive class).",
        FAIRNESS,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protecting:
    """Columns that are kept from the learner, and by whose values the answers are compared."""

    protected: Annotated[
        list[str] | None,
        option(
            "--protected",
            "COLUMN,…",
            "Learn without these columns; compare the predictions by their values, and look for proxies.",
            FAIRNESS,
        ),
    ] = None
    favourable: Favourable = None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, each once."""
        if self.favourable is not None and not self.protected:
            raise SettingError("--favourable is for comparing groups. Say also which: --protected COLUMN.")
        return names_in(self.protected)


def names_in(texts: Sequence[str] | None) -> tuple[str, ...]:
    """Names that were given one by one, or several with commas.

    >>> names_in(["sex,race", "age"])
    ('sex', 'race', 'age')
    """
    return tuple(dict.fromkeys(name.strip() for text in texts or () for name in text.split(",")))
