"""What the options say of deciding: a calibration, the aim of a cutoff, whether rows are referred."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import TYPE_CHECKING

from clearwood.cli.evaluation_options import Decisions
from clearwood.cli.learning import literal_choice
from clearwood.cli.settings import parsed_value
from clearwood.errors import SettingError, no_such
from clearwood.models.decision import Cutoff
from clearwood.models.model import Model
from clearwood.registry import Setting, costs_of
from clearwood.scoring.positive import positive_class_of
from clearwood.scoring.scores import Scores
from clearwood.table.table import Table

if TYPE_CHECKING:
    from clearwood.scoring.cutoff_aims import CutoffAim
    from clearwood.study.deciding.deciding_step import Deciding


def deciding_of(decisions: Decisions, seed: int | None = None) -> Deciding | None:
    """What the options ask for; None where they ask for nothing."""
    if (decisions.calibrate, decisions.cutoff, decisions.refer) == (None, None, None):
        return None
    from clearwood.scoring.recalibration import Method  # late: most runs decide nothing
    from clearwood.study.deciding.deciding_step import Deciding

    calibrate: Method | None = None
    if decisions.calibrate is not None:
        calibrate = literal_choice("method", decisions.calibrate, Method)
    refer, accuracy = None, None
    if decisions.refer is not None:
        name, equals, value = decisions.refer.partition("=")
        if equals and name != "accuracy":
            raise SettingError(f"--refer takes a probability, or accuracy=SHARE, not '{decisions.refer}'.")
        number = _share("--refer", value if equals else name)
        refer, accuracy = (None, number) if equals else (number, None)
    cutoff = None if decisions.cutoff is None else cutoff_aim(decisions.cutoff)
    return Deciding(calibrate, cutoff, refer, accuracy, seed=seed or 0)


def cutoff_aim(text: str) -> CutoffAim:
    """
    >>> cutoff_aim("bad:recall=0.8"), cutoff_aim("bad:0.3")
    (ForRecall(positive='bad', recall=0.8), Cutoff(positive='bad', at=0.3, costs=()))
    """
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


def costs_in(text: str) -> Mapping[tuple[str, str], float]:
    """
    >>> costs_in("bad/good:5")
    {('bad', 'good'): 5.0}
    """
    costs: Mapping[tuple[str, str], float] = costs_of(
        "costs", parsed_value(Setting("costs", (Mapping[tuple[str, str], float], NoneType), None), text)
    )
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
    if positive not in classes:
        raise SettingError(no_such("class", positive, classes, plural="classes"))


def note_on_positive(model: Model, named: str | None, what: str) -> list[str]:
    """Which class points, curves or effects are about, where nobody named it."""
    if named or len(model.schema.classes) != 2:
        return []
    positive, by = positive_class_of(model)
    why = "by its name" if by == "name" else "the rarer in training, or the last by name"
    return [f"{what} about {positive} ({why}). For another class: --positive CLASS."]


def note_on_guess(judged: Scores) -> list[str]:
    """Which class the scores are about, where nobody named it and no name of a class says so."""
    if judged.guessed != "rarity":
        return []
    return [f"Recall, AUC and lift are about {judged.positive} (guessed). For another: --positive CLASS."]
