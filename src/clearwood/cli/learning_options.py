"""Options of learning: which learner, and how it is set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from clearwood.catalogue import LEARNERS, PRUNERS, trees
from clearwood.cli.declaring import LEARNING, option
from clearwood.records import dataclass
from clearwood.study.default_learner import FOR_CLASSES, FOR_NUMBERS

BY_DEFAULT: Final = f"Usually {FOR_CLASSES} or {FOR_NUMBERS}."


def _names_of_learners() -> list[str]:
    return list(LEARNERS)


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
