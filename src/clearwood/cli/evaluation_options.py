"""Options of evaluation and what they ask for: which rows are held out, how rows are divided and decided."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from clearwood.cli.options import DECIDING, DIVIDING, FAIRNESS, JUDGING, Output, flag, option, options
from clearwood.cli.sources import TableOptions, pairs, table_to_learn
from clearwood.errors import SettingError
from clearwood.study.designs import Bootstrap, ByTime, Design, Folds, GivenFolds, HoldOut, LeaveOneOut

if TYPE_CHECKING:
    from clearwood.table.table import Table

_FOLDS_AND_TIMES: Final = re.compile(r"([0-9]+)(?:[x×]([1-9][0-9]*))?")


def _checked_folds(text: str | None) -> str | None:
    if text is not None and _FOLDS_AND_TIMES.fullmatch(text) is None:
        raise typer.BadParameter(
            f"it takes a number of folds, such as 10, or 10x5 for five times; not {text!r}."
        )
    return text


TestPart = Annotated[float | None, option("SHARE", "Hold out this part, such as 0.3.", JUDGING)]
Samples = Annotated[int, option("N", "How often rows are resampled.", JUDGING, min=2)]
GroupColumn = Annotated[
    str | None, option("COLUMN", "Rows with the same value stay together, and none learns from it.", JUDGING)
]


@options(DIVIDING)
class Judging:
    """How the model is judged on rows it has not seen."""

    test_part: TestPart = None
    cross_validate: str | None = option(
        "FOLDS[xTIMES]",
        "Cross-validate by this many folds; 10x5: five times.",
        JUDGING,
        callback=_checked_folds,
    )
    group: str | None = option("COLUMN", "Keep rows of one value together: a customer, a patient.")
    time: str | None = option(
        "COLUMN",
        "Learn from earlier rows and test on later ones, in as many steps as --cross-validate says (5).",
    )
    window: float | None = option("SPAN", "With --time: learn only from so much time before.")
    gap: float | None = option("SPAN", "With --time: leave out so much time between.")
    leave_one_out: bool = flag("Hold out each row, or each group, in turn.")
    bootstrap: int | None = option(
        "SAMPLES", "Learn from N samples with replacement, test on the other rows, give the .632+ estimate."
    )
    folds_in: str | None = option("COLUMN", "The values of this column are the folds.")
    stratify: bool = flag(
        "Deal every class, or small and large numbers, evenly to the folds.", default=True, both=True
    )


PredictionsFile = Annotated[
    Path | None,
    option(
        "FILE",
        "Write the prediction for each test row, by the model that had not seen it, to this CSV.",
        DIVIDING,
    ),
]

Judge = Annotated[bool, flag("Evaluate on held-out rows, or learn only.", JUDGING, both=True)]


# Options of deciding: how shares become an answer, for models that are learned and for saved ones.


@options(DECIDING)
class Decisions:
    """A calibration, a cutoff, a share below which rows are referred."""

    calibrate: str | None = option("METHOD", "Calibrate the probabilities, by platt or isotonic.")
    cutoff: str | None = option(
        "CLASS:AIM",
        "Predict CLASS from a probability on: bad:0.3, bad:recall=0.8, bad:precision=0.5 or bad:cost.",
    )
    refer: str | None = option(
        "SHARE", "Refer rows whose largest probability is below this; accuracy=0.95 finds it."
    )


@options()
class DecisionsAlone(Decisions):
    """The same for a command that does nothing else: its help shows them first."""


# Options of fairness: columns that no model may ask, and the answer that people want to get.


Favourable = Annotated[
    str | None,
    option(
        "CLASS",
        "The class that people want to get, for the four-fifths rule (else the positive class).",
        FAIRNESS,
    ),
]


@options(FAIRNESS)
class Protecting:
    """Columns that are kept from the learner, and by whose values the answers are compared."""

    protected: list[str] | None = option(
        "COLUMN,…",
        "Learn without these columns; compare the predictions by their values, and look for proxies.",
    )
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


# What the options say of judging: a design, and the columns that it divides rows by.


_STEPS: Final = 5  # in time


def resampling_given(judging: Judging) -> str:
    """The option that asks for several models to be judged, "" where none does."""
    given = {
        "--cross-validate": judging.cross_validate is not None,
        "--leave-one-out": judging.leave_one_out,
        "--bootstrap": judging.bootstrap is not None,
        "--folds-in": judging.folds_in is not None,
        "--time": judging.time is not None,
    }
    return next((option for option, is_given in given.items() if is_given), "")


def check_judging(judging: Judging) -> None:
    """Refuse two ways of judging at once, and what says nothing without another option."""
    ways = {
        "--test-part": judging.test_part is not None,
        "--cross-validate": judging.cross_validate is not None and judging.time is None,
        "--time": judging.time is not None,
        "--leave-one-out": judging.leave_one_out,
        "--bootstrap": judging.bootstrap is not None,
        "--folds-in": judging.folds_in is not None,
    }
    given = [option for option, is_given in ways.items() if is_given]
    if len(given) > 1:
        raise SettingError(f"Give {given[0]} or {given[1]}, not both.")
    if judging.time is None:
        for option, value in (("--window", judging.window), ("--gap", judging.gap)):
            if value is not None:
                raise SettingError(f"{option} is for evaluation by time. Say by which column: --time COLUMN.")
    if judging.group is not None:
        if not given:
            raise SettingError(
                "--group says which rows stay together in evaluation. Say also how: --cross-validate 10."
            )
        if given[0] in ("--time", "--folds-in"):
            raise SettingError(
                f"--group has no effect beside {given[0]}, which divides the rows. Leave it out."
            )
    if not judging.stratify and (not given or given[0] not in ("--test-part", "--cross-validate")):
        raise SettingError("--no-stratify is for --test-part and --cross-validate. Leave it out.")


def with_usual_folds(judging: Judging, folds: str = "10") -> Judging:
    """The same, by so many folds where no way of judging is given: for commands that always judge."""
    if judging.test_part is not None or resampling_given(judging):
        return judging
    return replace(judging, cross_validate=folds)


def design_of(judging: Judging, seed: int | None, rows: int) -> Design | None:
    """The design that the options ask for, refused where the rows cannot be divided so; None: not said."""
    group, even, seed = judging.group, judging.stratify, seed or 0
    if judging.test_part is not None:
        _check_part(judging.test_part, rows)
        return HoldOut(judging.test_part, seed, group=group, stratified=even)
    if judging.leave_one_out:
        return LeaveOneOut(group, seed)
    if judging.bootstrap is not None:
        if judging.bootstrap < 1:
            raise SettingError(f"--bootstrap must be a number of samples from 1 up, not {judging.bootstrap}.")
        return Bootstrap(judging.bootstrap, seed, group=group)
    if judging.folds_in is not None:
        return GivenFolds(judging.folds_in, seed)
    if judging.time is not None:
        steps, times = _folds(judging.cross_validate or str(_STEPS))
        if times > 1:
            raise SettingError(
                "Splits by time cannot be repeated: give --cross-validate a number of steps, such as 5."
            )
        return ByTime(judging.time, steps, judging.window, judging.gap or 0, seed)
    if judging.cross_validate is None:
        return None
    folds, times = _folds(judging.cross_validate)
    if not 2 <= folds <= rows:
        raise SettingError(
            f"--cross-validate must be between 2 and the number of rows ({rows}), not {folds}."
        )
    return Folds(folds, seed, repeats=times, group=group, stratified=even)


def table_to_divide(data: str, source: TableOptions, judging: Judging, output: Output) -> Table:
    """The table, with the columns that rows are divided by, which reading may leave out as identifiers."""
    columns = source.columns
    said = {
        *pairs("--kind", columns.kind, "COLUMN=KIND"),
        *pairs("--order", columns.order, "COLUMN=LOW,…,HIGH"),
    }
    keys = [each for each in (judging.group, judging.folds_in) if each is not None and each not in said]
    if columns.schema is None and keys:
        kinds = [*(columns.kind or ()), *(f"{name}=nominal" for name in keys)]
        source = replace(source, columns=replace(columns, kind=kinds))
    time = None if judging.time in said or columns.schema is not None else judging.time
    return table_to_learn(data, source, output, keep=time)


def _folds(text: str) -> tuple[int, int]:
    """`10x5` as folds and repeats.

    >>> _folds("10x5"), _folds("7")
    ((10, 5), (7, 1))
    """
    parts = _FOLDS_AND_TIMES.fullmatch(text)
    assert parts is not None  # checked where it was given
    return int(parts[1]), int(parts[2] or 1)


def _check_part(part: float, rows: int) -> None:
    if rows < 2:
        raise SettingError("--test-part needs at least two rows: one to learn from and one to test on.")
    if not (0 < part < 1 and 0 < round(part * rows) < rows):
        raise SettingError(
            f"--test-part must leave rows on both sides: {part!r} of {rows} rows does not. Try 0.3."
        )


# Where predictions out of fold are written: refused where there are none, or where a file would be lost.


def check_predictions(place: Path, data: str, judging: Judging) -> None:
    """Refuse a place for the predictions of test rows, where there are none or it is the data itself."""
    from clearwood.cli.writing import check_place  # late: help needs no pictures

    if judging.test_part is None and not resampling_given(judging):
        raise SettingError(
            "--predictions writes those of rows held out. Say also how: --cross-validate 10, for example."
        )
    check_place(place, data)
