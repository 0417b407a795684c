"""Yardsticks by name: models that nobody reads, judged beside those that can be read."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Final, Protocol

from clearwood.arrays import Longs
from clearwood.errors import MissingExtraError
from clearwood.registry import Listed, imported
from clearwood.scoring.predictions import Predictions
from clearwood.table.table import Table

_HOME: Final = "clearwood.estimators.yardsticks"

YARDSTICKS: Final[Listed[Callable[..., Yardstick]]] = Listed(
    "yardstick", {name: f"{_HOME}:{name}" for name in ("lda", "knn", "svm", "random_forest")}
)

# Rows up to which a yardstick is tried without being named: the time of the first two grows with the square
# of the rows. What is tried must not depend on how fast a machine is.
MOST_ROWS: Final = {"svm": 5_000, "knn": 10_000, "random_forest": 10_000, "lda": 100_000}


class Yardstick(Protocol):
    """What learns and answers, but makes no model that can be read."""

    @property
    def title(self) -> str: ...

    def heeds_weights(self) -> bool:
        """Does it learn from the weights of rows?"""

    def predictions(
        self, learn: Table, judge: Table, *, places: Longs, part: int, shares: bool
    ) -> Predictions:
        """What it gives the rows that judge, learned from the others; shares of classes only if asked for."""


def yardstick_called(name: str, *, numbers: bool) -> Yardstick:
    """The yardstick of this name, for classes or for numbers; a sentence where scikit-learn is missing."""
    try:
        made: Yardstick = YARDSTICKS.find(name)(numbers=numbers)
    except MissingExtraError:
        raise MissingExtraError(
            f"'{name}' is scikit-learn's; install it: pip install 'clearwood[sklearn]'"
        ) from None
    return made


def usual_yardsticks(rows: int, *, numbers: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of those that are tried without being named, and the sentences on those that are not.

    >>> usual_yardsticks(48_842, numbers=False)[0]
    ('lda',)
    """
    if find_spec("sklearn") is None:
        return (), (
            "No reference models: they are scikit-learn's; install it: pip install 'clearwood[sklearn]'",
        )
    fitting = [name for name in YARDSTICKS if not (numbers and name == "lda")]
    few = tuple(name for name in fitting if rows <= MOST_ROWS.get(name, 0))
    many = [name for name in fitting if name not in few]
    if not many:
        return few, ()
    return few, (f"Not tried on {rows:,} rows unless named, for the time they take: {', '.join(many)}.",)


def wrapped_estimator(given: Any) -> Any | None:
    """A learner or a yardstick made of an estimator of scikit-learn's contract; None for what is none."""
    if not callable(getattr(given, "fit", None)) or not callable(getattr(given, "predict", None)):
        return None
    return imported(f"{_HOME}:estimator_as_contender")(given)
