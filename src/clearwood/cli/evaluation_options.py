"""Options of evaluation and of deciding, and what they ask for: which rows are held out, how rows are
divided, and how probabilities become predictions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Final

import typer

from clearwood.cli.options import DECIDING, DIVIDING, FAIRNESS, JUDGING, Output, flag, option, options
from clearwood.cli.output import check_place
from clearwood.cli.settings import literal_choice, parsed_value
from clearwood.cli.sources import TableOptions, pairs, table_to_learn
from clearwood.errors import SettingError, check_known
from clearwood.registry import Setting
from clearwood.study.designs import Bootstrap, ByTime, Design, Folds, GivenFolds, HoldOut, LeaveOneOut

if TYPE_CHECKING:
    from clearwood.models.model import Model
    from clearwood.scoring.cutoff_aims import CutoffAim
    from clearwood.scoring.scores import Scores
    from clearwood.study.deciding.deciding_step import Deciding
    from clearwood.table.table import Table

_FOLDS_AND_TIMES: Final = re.compile(r"([0-9]+)(?:[x×]([1-9][0-9]*))?")
_STEPS: Final = 5  # in time


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

    @property
    def ways(self) -> list[str]:
        """The options given that say how to evaluate; --cross-validate beside --time counts its steps."""
        ways = {
            "--test-part": self.test_part,
            "--cross-validate": self.cross_validate if self.time is None else None,
            "--time": self.time,
            "--leave-one-out": self.leave_one_out or None,
            "--bootstrap": self.bootstrap,
            "--folds-in": self.folds_in,
        }
        return [way for way, value in ways.items() if value is not None]

    @property
    def resampling(self) -> str:
        """The option that asks for several models to be evaluated, "" where none does."""
        if self.cross_validate is not None:
            return "--cross-validate"
        return next((way for way in self.ways if way != "--test-part"), "")

    def check(self) -> None:
        """Refuse two ways of evaluating at once, and what says nothing without another option."""
        given = self.ways
        if len(given) > 1:
            raise SettingError(f"Give {given[0]} or {given[1]}, not both.")
        if self.time is None:
            for way, value in (("--window", self.window), ("--gap", self.gap)):
                if value is not None:
                    raise SettingError(
                        f"{way} is for evaluation by time. Say by which column: --time COLUMN."
                    )
        if self.group is not None:
            if not given:
                raise SettingError(
                    "--group says which rows stay together in evaluation. Say also how: --cross-validate 10."
                )
            if given[0] in ("--time", "--folds-in"):
                raise SettingError(
                    f"--group has no effect beside {given[0]}, which divides the rows. Leave it out."
                )
        if not self.stratify and (not given or given[0] not in ("--test-part", "--cross-validate")):
            raise SettingError("--no-stratify is for --test-part and --cross-validate. Leave it out.")

    def with_usual_folds(self, folds: str = "10") -> Judging:
        """The same, by so many folds where no way is given: for commands that always evaluate."""
        return self if self.test_part is not None or self.resampling else replace(self, cross_validate=folds)

    def design(self, seed: int | None, rows: int) -> Design | None:
        """The design that is asked for, refused where the rows cannot be divided so; None: not said."""
        group, even, seed = self.group, self.stratify, seed or 0
        if self.test_part is not None:
            part = self.test_part
            if rows < 2:
                raise SettingError(
                    "--test-part needs at least two rows: one to learn from and one to test on."
                )
            if not (0 < part < 1 and 0 < round(part * rows) < rows):
                raise SettingError(
                    f"--test-part must leave rows on both sides: {part!r} of {rows} rows does not. Try 0.3."
                )
            return HoldOut(part, seed, group=group, stratified=even)
        if self.leave_one_out:
            return LeaveOneOut(group, seed)
        if self.bootstrap is not None:
            if self.bootstrap < 1:
                raise SettingError(
                    f"--bootstrap must be a number of samples from 1 up, not {self.bootstrap}."
                )
            return Bootstrap(self.bootstrap, seed, group=group)
        if self.folds_in is not None:
            return GivenFolds(self.folds_in, seed)
        if self.time is not None:
            steps, times = _folds(self.cross_validate or str(_STEPS))
            if times > 1:
                raise SettingError(
                    "Splits by time cannot be repeated: give --cross-validate a number of steps, such as 5."
                )
            return ByTime(self.time, steps, self.window, self.gap or 0, seed)
        if self.cross_validate is None:
            return None
        folds, times = _folds(self.cross_validate)
        if not 2 <= folds <= rows:
            raise SettingError(
                f"--cross-validate must be between 2 and the number of rows ({rows}), not {folds}."
            )
        return Folds(folds, seed, repeats=times, group=group, stratified=even)

    def table(self, data: str, source: TableOptions, output: Output) -> Table:
        """The table, with the columns that divide its rows, which reading may leave out as identifiers."""
        columns = source.columns
        said = {
            *pairs("--kind", columns.kind, "COLUMN=KIND"),
            *pairs("--order", columns.order, "COLUMN=LOW,…,HIGH"),
        }
        keys = [each for each in (self.group, self.folds_in) if each is not None and each not in said]
        if columns.schema is None and keys:
            kinds = [*(columns.kind or ()), *(f"{name}=nominal" for name in keys)]
            source = replace(source, columns=replace(columns, kind=kinds))
        time = None if self.time in said or columns.schema is not None else self.time
        return table_to_learn(data, source, output, keep=time)


def _folds(text: str) -> tuple[int, int]:
    """`10x5` as folds and repeats.

    >>> _folds("10x5"), _folds("7")
    ((10, 5), (7, 1))
    """
    parts = _FOLDS_AND_TIMES.fullmatch(text)
    assert parts is not None  # checked where it was given
    return int(parts[1]), int(parts[2] or 1)


PredictionsFile = Annotated[
    Path | None,
    option(
        "FILE",
        "Write the prediction for each test row, by the model that had not seen it, to this CSV.",
        DIVIDING,
    ),
]

Judge = Annotated[bool, flag("Evaluate on held-out rows, or learn only.", JUDGING, both=True)]


def check_predictions(place: Path, data: str, judging: Judging) -> None:
    """Refuse a place for the predictions of test rows, where there are none or it is the data itself."""
    if judging.test_part is None and not judging.resampling:
        raise SettingError(
            "--predictions writes those of rows held out. Say also how: --cross-validate 10, for example."
        )
    check_place(place, data)


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

    def step(self, seed: int | None = None) -> Deciding | None:
        """The step that the options ask for; None where they ask for nothing."""
        if (self.calibrate, self.cutoff, self.refer) == (None, None, None):
            return None
        from clearwood.scoring.recalibration import Method  # late: most runs decide nothing
        from clearwood.study.deciding.deciding_step import Deciding

        calibrate: Method | None = None
        if self.calibrate is not None:
            calibrate = literal_choice("method", self.calibrate, Method)
        refer, accuracy = None, None
        if self.refer is not None:
            name, equals, value = self.refer.partition("=")
            if equals and name != "accuracy":
                raise SettingError(f"--refer takes a probability, or accuracy=SHARE, not '{self.refer}'.")
            number = _share("--refer", value if equals else name)
            refer, accuracy = (None, number) if equals else (number, None)
        cutoff = None if self.cutoff is None else cutoff_aim(self.cutoff)
        return Deciding(calibrate, cutoff, refer, accuracy, seed=seed or 0)


@options()
class DecisionsAlone(Decisions):
    """The same for a command that does nothing else: its help shows them first."""


def cutoff_aim(text: str) -> CutoffAim:
    """
    >>> cutoff_aim("bad:recall=0.8"), cutoff_aim("bad:0.3")
    (ForRecall(positive='bad', recall=0.8), Cutoff(positive='bad', at=0.3, costs=()))
    """
    from clearwood.models.decision import Cutoff
    from clearwood.scoring.cutoff_aims import ForCost, ForPrecision, ForRecall

    positive, colon, aim = text.rpartition(":")
    if not colon or not positive or not aim:
        raise SettingError(f"--cutoff takes CLASS:SHARE, CLASS:recall=SHARE or CLASS:cost, not '{text}'.")
    if aim == "cost":
        return ForCost(positive)
    name, equals, value = aim.partition("=")
    if not equals:
        return Cutoff(positive, _share("--cutoff", aim))
    if name not in ("recall", "precision"):
        raise SettingError(
            f"--cutoff takes recall=SHARE, precision=SHARE, cost or a probability, not '{aim}'."
        )
    share = _share("--cutoff", value)
    return ForRecall(positive, share) if name == "recall" else ForPrecision(positive, share)


def costs_in(text: str | None, name: str = "--costs") -> Mapping[tuple[str, str], float] | None:
    """What mistakes cost, by true and predicted class.

    >>> costs_in("bad/good:5")
    {('bad', 'good'): 5.0}
    """
    setting = Setting(name, (Mapping[tuple[str, str], float], NoneType), None)
    costs: Mapping[tuple[str, str], float] | None = None if text is None else parsed_value(setting, text)
    return costs


def _share(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise SettingError(f"{option} takes numbers from 0 to 1, such as 0.3, not '{text}'.")
    return value


# The class that `--positive` names, or that was guessed.


def check_named_class(positive: str, table: Table) -> None:
    """Refuse a class that there is none of, before anything is learned."""
    classes = table.schema.classes
    if not classes:
        raise SettingError("--positive names a class, but the target is a number. Leave it out.")
    check_known("class", positive, classes, plural="classes")


def note_on_positive(model: Model, named: str | None, what: str) -> list[str]:
    """Which class points, curves or effects are about, where nobody named it."""
    if named or len(model.schema.classes) != 2:
        return []
    from clearwood.scoring.positive import positive_class_of

    positive, by = positive_class_of(model)
    why = "by its name" if by == "name" else "the rarer in training, or the last by name"
    return [f"{what} about {positive} ({why}). For another class: --positive CLASS."]


def note_on_guess(judged: Scores) -> list[str]:
    """Which class the scores are about, where nobody named it and no name of a class says so."""
    if judged.guessed != "rarity":
        return []
    return [f"Recall, AUC and lift are about {judged.positive} (guessed). For another: --positive CLASS."]


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
