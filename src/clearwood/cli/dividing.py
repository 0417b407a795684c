"""What the options say of judging: a design, and the columns that it divides rows by."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from clearwood.cli.judging_options import FOLDS_AND_TIMES, Judging
from clearwood.cli.options import Output
from clearwood.cli.source_options import Source, pairs
from clearwood.cli.sources import table_to_learn
from clearwood.errors import SettingError
from clearwood.study.designs import Bootstrap, ByTime, Design, Folds, GivenFolds, HoldOut, LeaveOneOut
from clearwood.table.table import Table

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


def table_to_divide(data: str, source: Source, judging: Judging, output: Output) -> Table:
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
    parts = FOLDS_AND_TIMES.fullmatch(text)
    assert parts is not None  # checked where it was given
    return int(parts[1]), int(parts[2] or 1)


def _check_part(part: float, rows: int) -> None:
    if rows < 2:
        raise SettingError("--test-part needs at least two rows: one to learn from and one to test on.")
    if not (0 < part < 1 and 0 < round(part * rows) < rows):
        raise SettingError(
            f"--test-part must leave rows on both sides: {part!r} of {rows} rows does not. Try 0.3."
        )
