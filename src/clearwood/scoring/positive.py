"""What scores are about, and compared with: the positive class, and the baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import LARGEST_COST
from clearwood.errors import SettingError, check_known
from clearwood.models.kinds.kind import QUANTILES, NumbersProfile, ValuesProfile, kind_of
from clearwood.models.model import Model
from clearwood.models.predicted import predicted_quantile
from clearwood.records import dataclass
from clearwood.scoring import Stakes
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions
from clearwood.table.attributes import natural_order
from clearwood.words.numbers import amount, percent_to

if TYPE_CHECKING:
    from clearwood.models.kinds.kind import kind_of


# What tables call the class that one looks for. Where just one of two classes is called so, it is that.
_LOOKED_FOR: Final = frozenset(
    [
        *("yes", "y", "true", "t", "1", "positive", "pos", "+", "present", "event", "case", "high", "risk"),
        *("bad", "default", "defaulted", "fraud", "churn", "churned", "spam", "fail", "failed", "failure"),
        *("abnormal", "malignant", "cancer", "disease", "diseased", "sick", "ill", "died", "dead"),
    ]
)


_DENIALS: Final = ("don't ", "do not ", "does not ", "did not ", "not ", "not_", "no ", "no_", "non-", "non ")

_EQUAL: Final = 1e-9  # sums of weights in another order differ by less

GuessedBy: TypeAlias = Literal["", "name", "rarity"]


def guessed_positive(classes: tuple[str, ...], weights: Floats) -> tuple[str, GuessedBy]:
    """Of two classes the one whose name says that it is looked for, or that the other denies; else the rarer
    by these weights, and of equally common ones the last by name: in whatever order rows and classes come.

    >>> guessed_positive(("No", "Yes"), np.array([5.0, 9.0]))
    ('Yes', 'name')
    >>> guessed_positive(("Play", "Don't Play"), np.array([9.0, 5.0]))
    ('Play', 'name')
    >>> guessed_positive(("<=50K", ">50K"), np.array([24720.0, 7841.0]))
    ('>50K', 'rarity')
    >>> guessed_positive(("a", "b"), np.ones(2)), guessed_positive(("b", "a"), np.ones(2))
    (('b', 'rarity'), ('b', 'rarity'))
    """
    names = [name.strip().lower() for name in classes]
    denied = {name.removeprefix(no) for name in names for no in _DENIALS if name.startswith(no)}
    looked_for = [
        each for each, name in zip(classes, names, strict=True) if name in _LOOKED_FOR or name in denied
    ]
    if len(looked_for) == 1:
        return looked_for[0], "name"
    least = weights <= weights.min() * (1 + _EQUAL)
    return natural_order(each for each, is_rare in zip(classes, least, strict=True) if is_rare)[-1], "rarity"


def positive_class_of(model: Model, named: str | None = None) -> tuple[str, GuessedBy]:
    """The class of two that a sign or a direction of this model is about: the one that is named, or the one
    that its name or its training rows make the positive one; without their profile as if all were as common.

    >>> import clearwood as cw
    >>> positive_class_of(cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")))
    ('Yes', 'name')
    """
    schema = model.schema
    if named:
        check_positive(named, schema.classes)
        return named, ""
    profile = None if model.profile is None or schema.target is None else model.profile.columns
    column = None if profile is None or schema.target is None else profile.get(schema.target.name)
    counts = column.counts if isinstance(column, ValuesProfile) else (1.0,) * len(schema.classes)
    return guessed_positive(schema.classes, np.array(counts, dtype=np.float64))


def about_positive(model: Model, named: str | None = None) -> Model:
    """The model as it is shown: the weights or curves of two classes for the positive one."""
    about = kind_of(model).about
    if about is None or len(model.schema.classes) != 2:
        return model
    turned: Model = about(model, positive_class_of(model, named)[0])
    return turned


def positive_for(predictions: ClassPredictions, model: Model | None) -> tuple[str, GuessedBy]:
    """The class of two that scores of these predictions are about: by the model's training rows where they
    are known, so that the guess is the same for all rows that it predicts, else by the rows themselves."""
    if model is not None and model.profile is not None and model.schema.classes == predictions.classes:
        return positive_class_of(model)
    return guessed_positive(predictions.classes, weights_of_classes(predictions))


def positive_code(predictions: ClassPredictions, stakes: Stakes) -> int | None:
    """The position of the positive class: named, or of two classes guessed; None of more than two."""
    classes = predictions.classes
    if stakes.positive:
        check_positive(stakes.positive, classes)
        return classes.index(stakes.positive)
    if len(classes) != 2:
        return None
    return classes.index(guessed_positive(classes, weights_of_classes(predictions))[0])


def weights_of_classes(predictions: ClassPredictions) -> Floats:
    """[class] The weight of the rows that are of it."""
    known = predictions.truth >= 0
    weights = np.bincount(
        predictions.truth[known], predictions.weights[known], minlength=len(predictions.classes)
    )
    return weights.astype(np.float64)


def check_positive(positive: str, classes: tuple[str, ...]) -> None:
    """Refuse a class that there is none of."""
    check_known("class", positive, classes, plural="classes")


def check_stakes(stakes: Stakes, classes: tuple[str, ...]) -> None:
    """Refuse a class that there is none of, a cost that is no number, a beta that weighs nothing."""
    if stakes.positive:
        check_positive(stakes.positive, classes)
    for (true, called), cost in (stakes.costs or {}).items():
        check_positive(true, classes)
        check_positive(called, classes)
        if not abs(cost) <= LARGEST_COST:
            raise SettingError(f"The cost of {true}/{called} must be a number, not {cost!r}.")
    if not (math.isfinite(stakes.beta) and stakes.beta > 0):
        raise SettingError(f"beta must be a number above 0, not {stakes.beta!r}.")


# The baseline: what every row gets from who knows nothing of it but how often the answers come.


RowsOf: TypeAlias = Literal["training rows", "these rows"]


@dataclass(frozen=True, slots=True)
class ConstantClasses:
    """Every row gets the commonest class, and the classes' shares."""

    classes: tuple[str, ...]
    shares: tuple[float, ...]
    of: RowsOf

    @property
    def commonest(self) -> int:
        """The position of the class that is answered; of equally common ones the first."""
        return int(np.argmax(self.shares))

    def cheapest(self, costs: Floats) -> int:
        """The position of the class that costs [true class, predicted class] least by the shares, first of
        equals: what is answered where answers have costs.

        >>> ConstantClasses(("bad", "good"), (0.3, 0.7), "training rows").cheapest(np.array([[0, 5], [1, 0]]))
        0
        """
        return int(np.argmin(np.array(self.shares) @ costs))

    def __str__(self) -> str:
        most = self.commonest
        return f"always {self.classes[most]}, {percent_to(self.shares[most])} of the {rows_in_words(self.of)}"


@dataclass(frozen=True, slots=True)
class ConstantNumber:
    """Every row gets the mean, or the quantile that is predicted."""

    number: float
    quantile: float | None
    of: RowsOf

    def __str__(self) -> str:
        what = "mean" if self.quantile is None else f"{self.quantile:g} quantile"
        rows = rows_in_words(self.of)
        return f"always {amount(self.number)}, the {'median' if self.quantile == 0.5 else what} of the {rows}"


Baseline: TypeAlias = ConstantClasses | ConstantNumber


def rows_in_words(of: RowsOf) -> str:
    """Which rows a baseline is of, as a sentence names them."""
    return "training rows" if of == "training rows" else "rows evaluated"


def baseline_of(model: Model | None, predictions: Predictions) -> Baseline:
    """Of the training rows where the model's profile tells of them, else of the rows judged."""
    known = None if model is None else _baseline_of_training(model)
    if known is not None:
        return known
    if isinstance(predictions, ClassPredictions):
        return constant_classes(predictions.classes, weights_of_classes(predictions), "these rows")
    return ConstantNumber(
        _middle(predictions.truth, predictions.weights, predictions.quantile),
        predictions.quantile,
        "these rows",
    )


def constant_classes(
    classes: tuple[str, ...], weights: Floats | Sequence[float], of: RowsOf
) -> ConstantClasses:
    """The baseline of classes that come so often."""
    weights = np.asarray(weights, dtype=np.float64)
    total = float(weights.sum())
    shares = weights / total if total > 0 else np.full(len(classes), 1 / max(1, len(classes)))
    return ConstantClasses(classes, tuple(shares.tolist()), of)


def baseline_predictions(
    baseline: Baseline, predictions: Predictions, costs: Floats | None = None
) -> Predictions:
    """What the baseline gives the same rows; with costs [true, predicted] it answers the cheapest class."""
    rows = len(predictions)
    if isinstance(predictions, NumberPredictions):
        assert isinstance(baseline, ConstantNumber)
        return replace(predictions, answers=np.full(rows, baseline.number))
    assert isinstance(baseline, ConstantClasses)
    shares = np.array(baseline.shares)
    answer = baseline.commonest if costs is None else baseline.cheapest(costs)
    return replace(
        predictions,
        answers=np.full(rows, answer, dtype=np.int64),
        shares=np.repeat(shares[None], rows, axis=0),
    )


def _baseline_of_training(model: Model) -> Baseline | None:
    target = model.schema.target
    column = None if model.profile is None or target is None else model.profile.columns.get(target.name)
    if isinstance(column, ValuesProfile) and sum(column.counts) > 0:
        return constant_classes(model.schema.classes, column.counts, "training rows")
    if isinstance(column, NumbersProfile) and column.mean is not None:
        quantile = predicted_quantile(model)
        if quantile is None:
            return ConstantNumber(column.mean, None, "training rows")
        if column.quantiles:
            at = np.interp(quantile, np.arange(QUANTILES) / (QUANTILES - 1), column.quantiles)
            return ConstantNumber(float(at), quantile, "training rows")
    return None


def _middle(numbers: Floats, weights: Floats, quantile: float | None) -> float:
    total = float(weights.sum())
    if not total > 0:
        return float("nan")
    if quantile is None:
        return float(numbers @ weights) / total
    order = np.argsort(numbers, kind="stable")
    reached = np.cumsum(weights[order])
    return float(numbers[order][min(int(np.searchsorted(reached, quantile * total)), len(order) - 1)])
