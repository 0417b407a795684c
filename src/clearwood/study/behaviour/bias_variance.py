"""Bias and variance: is a learner wrong in the same way each time, or in another way with every sample?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Longs
from clearwood.bounds import whole
from clearwood.errors import SchemaError, SettingError
from clearwood.learners.parts import TaskCounter
from clearwood.models.model import SIZE_IN_WORDS, reading_size
from clearwood.records import json_of
from clearwood.scoring.error_parts import (
    DomingosParts,
    SquaredParts,
    answer_shares,
    domingos_parts,
    kohavi_wolpert_parts,
    squared_parts,
)
from clearwood.study.behaviour.repeated_learning import (
    Learners,
    answers_as_coded,
    asked_samples,
    named_learners,
    resampled_tables,
)
from clearwood.study.designs import HoldOut
from clearwood.study.dividing import parts_by_design, predicted_column
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table, as_counts
from clearwood.words.columns import in_columns
from clearwood.words.numbers import brief, many, percent, percent_to

_Cell = TypeVar("_Cell")
_FEWEST: Final = 2  # samples: of one no variance is seen


@dataclass(frozen=True, slots=True)
class LearnerParts:
    """A learner's mean error over the samples, the standard deviation among them, and its parts.

    Of classes the error is the part of wrong answers, `parts` are by Kohavi and Wolpert, and `domingos` by
    Domingos; of numbers it is the mean squared error. `main_error` is that of the main predictions: of a
    vote, or a mean, of all the models. `measured` is the error against the targets as they are, which is not
    `error` where the truth behind them is known. `size` is the median reading size of the models.
    """

    name: str
    parts: SquaredParts
    domingos: DomingosParts | None
    measured: float
    deviation: float
    main_error: float
    size: float

    @property
    def error(self) -> float:
        return self.parts.error


@dataclass(frozen=True, slots=True)
class BiasVariance:
    """The errors of learners, each learned from the same samples, in parts.

    Models of `samples` samples of the `rows` that were learned from answered `held_out` others; `left_out`
    held-out rows have no target, or got no number from some model. Unless `noise_known`, what is noise counts
    as bias.
    """

    learners: tuple[LearnerParts, ...]
    samples: int
    rows: int
    held_out: int
    noise_known: bool
    left_out: int = 0

    def __getitem__(self, name: str) -> LearnerParts:
        return next(each for each in self.learners if each.name == name)

    @property
    def of_classes(self) -> bool:
        return self.learners[0].domingos is not None

    def __str__(self) -> str:
        lines = [
            f"{many(self.samples, 'sample')} of {many(self.rows, 'row')} drawn with replacement, tested on "
            f"{many(self.held_out, 'row')} held out"
            + (f" ({self.left_out:,} more left out)" if self.left_out else "")
        ]
        error = "Error by Kohavi and Wolpert" if self.of_classes else "Squared error"
        noise = " + noise" if self.noise_known else ""
        heads = ["error", "±", "bias²", "variance", *self._noise("noise"), "of the main predictions", "size"]
        rows = [["", *heads]]
        for each in self.learners:
            parts = each.parts
            figures = each.error, each.deviation, parts.bias, parts.variance, *self._noise(parts.noise)
            rows.append([each.name, *map(self._figure, (*figures, each.main_error)), f"{each.size:,.0f}"])
        lines += ["", f"{error} = bias² + variance{noise}", *in_columns(rows, "figures")]
        lines.append(f"{SIZE_IN_WORDS}, the median over the samples.")
        if self.of_classes:
            noise = "noise + " if self.noise_known else ""
            lines += ["", f"Error by Domingos = {noise}bias + unbiased variance − biased variance"]
            rows = [["", "error", "bias", "unbiased variance", "biased variance", *self._noise("noise")]]
            for each in self.learners:
                own = each.domingos
                assert own is not None
                both = own.unbiased_variance, own.biased_variance
                rows.append(
                    [each.name, *map(self._figure, (own.error, own.bias, *both, *self._noise(own.noise)))]
                )
            lines += in_columns(rows, "figures")
        return "\n".join([*lines, "", _KNOWN if self.noise_known else _UNKNOWN])

    def _noise(self, cell: _Cell) -> list[_Cell]:
        """A cell about the noise, where it is known."""
        return [cell] if self.noise_known else []

    @property
    def conclusions(self) -> list[str]:
        """A sentence or two per learner: what its error comes of, and what could lessen it."""
        if self.held_out < _FEW:
            return [f"{many(self.held_out, 'row')} held out: too few to conclude anything from."]
        return [_of_error(self, each) for each in self.learners]

    def _figure(self, value: float) -> str:
        return percent_to(value) if self.of_classes else f"{value:.4g}"

    def to_json(self) -> dict[str, Any]:
        return json_of(
            self,
            "noise_known",
            noise="known" if self.noise_known else "unknown",
            conclusions=self.conclusions,
            learners=[json_of(each, error=each.error) for each in self.learners],
        )


_KNOWN: Final = "The noise is known: the truth behind the targets was given."
_UNKNOWN: Final = "The noise is not known: the error that no model could avoid counts as bias."


def bias_variance(
    learners: Learners,
    table: Table,
    *,
    samples: int = 50,
    part: float = 1 / 3,
    truth: npt.ArrayLike | None = None,
    noise: npt.ArrayLike | None = None,
    group: str | None = None,
    seed: int = 0,
) -> BiasVariance:
    """Learn from many samples of the rows, ask each model the same held-out rows, and divide the error.

    `part` of the rows is held out; the samples are drawn from the others with replacement, the same ones for
    every learner; with a `group` column whole groups are held out and drawn.

    `truth` is what is behind the targets, where it is known (as in a simulation): [row, class] the
    probabilities of the classes, or [row] the expected numbers, whose variance is `noise` (by default the
    mean square by which the held-out targets miss the truth). Without it noise counts as bias. The bias of
    so many samples holds 1 ÷ `samples` of the variance beside its own.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> parts = bias_variance([cw.ID3(max_depth=1), cw.ID3()], days, samples=20).learners[1]
    >>> abs(parts.error - (parts.parts.bias + parts.parts.variance)) < 1e-12
    True
    """
    named = named_learners("bias_variance", learners)
    whole("samples", samples, _FEWEST)
    target = predicted_column(table)
    (divided,) = parts_by_design(HoldOut(part, seed, group=group), table)
    train, test = divided.learn, divided.judge
    behind = _behind(table, truth, noise)
    has_target = ~np.isnan(table.target[test]) if isinstance(target, Numeric) else table.target[test] >= 0
    if not has_target.any():
        raise SchemaError(f"No held-out row has a value of the target '{target.name}'. Try another seed.")
    judges = test[has_target]
    pool, held = table.take(train), as_counts(table).take(judges)
    asked = asked_samples(
        tuple(named.values()),
        pool,
        (rows for _, rows in resampled_tables(pool, samples, seed, group)),
        lambda model: (answers_as_coded(model, held), reading_size(model)),
        TaskCounter(samples * len(named)),
    )
    answers = np.array([answers for answers, _ in asked]).reshape(samples, len(named), -1)
    sizes = np.array([size for _, size in asked]).reshape(samples, len(named))
    kept = ~np.isnan(answers).any(axis=(0, 1))
    if not kept.any():
        raise SchemaError("Every held-out row has no prediction by some model: no error can be divided.")
    judged = _Judged.of(table, judges[kept], behind)
    return BiasVariance(
        tuple(
            judged.parts(name, answers[:, at, kept], float(np.median(sizes[:, at])))
            for at, name in enumerate(named)
        ),
        samples=samples,
        rows=len(pool),
        held_out=int(kept.sum()),
        noise_known=behind is not None,
        left_out=len(test) - int(kept.sum()),
    )


# The truth behind the targets of all rows: probabilities [row, class], or means [row] and variances.
_Behind: TypeAlias = tuple[Floats, Floats | None]


def _behind(table: Table, truth: npt.ArrayLike | None, noise: npt.ArrayLike | None) -> _Behind | None:
    """The truth as it was given, refused where it is not one of this table."""
    if truth is None and noise is not None:
        raise SettingError("noise is the variance about the truth. Give truth as well.")
    if truth is None:
        return None
    numbers = np.asarray(truth, dtype=np.float64)
    classes = len(table.schema.classes)
    shape = (len(table), classes) if classes else (len(table),)
    if numbers.shape != shape or not np.isfinite(numbers).all():
        raise SettingError(
            f"truth must be an array of shape {shape} without gaps: "
            + ("the probability of each class, by row." if classes else "the expected number, by row.")
        )
    if classes:
        if noise is not None:
            raise SettingError("noise is for numbers; that of classes follows from truth. Leave it out.")
        if (numbers < 0).any() or not np.allclose(numbers.sum(axis=1), 1.0):
            raise SettingError("truth must have probabilities that add up to 1 in each row.")
    if noise is None:
        return numbers, None
    variances = np.broadcast_to(np.asarray(noise, dtype=np.float64), shape)
    if not (np.isfinite(variances).all() and (variances >= 0).all()):
        raise SettingError("noise must be a variance, or one by row: finite and not negative.")
    return numbers, variances


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """The rows that judge: their targets, what is behind these, and their weights."""

    classes: int  # 0: numbers
    targets: Floats  # [row]
    truth: Floats  # [row, class], or [row]
    noise: Floats  # [row], of numbers
    weights: Floats  # [row]

    @classmethod
    def of(cls, table: Table, rows: Longs, behind: _Behind | None) -> _Judged:
        classes = len(table.schema.classes)
        targets = table.target[rows].astype(np.float64)
        weights = np.ones(len(rows)) if table.weights is None else table.weights[rows]
        if not weights.any():
            raise SchemaError("The rows held out have no weight. Try another seed.")
        noise = np.zeros(len(rows))
        if behind is None:
            truth = np.eye(classes)[targets.astype(np.int64)] if classes else targets
        else:
            truth = behind[0][rows]
            if not classes:
                missed = np.average((targets - truth) ** 2, weights=weights)
                noise = np.full(len(rows), missed) if behind[1] is None else behind[1][rows]
        return cls(classes, targets, truth, noise, weights)

    def parts(self, name: str, answers: Floats, size: float) -> LearnerParts:
        """The error of one learner, divided; its answers [sample, row] are codes of classes (−1: none) or
        numbers (NaN: none)."""
        weights, domingos = self.weights, None
        if self.classes:
            codes = answers.astype(np.int64)
            shares = answer_shares(codes, self.classes)
            wrong = (codes != self.targets).astype(np.float64)
            # Of equally frequent answers the right one is the main one, as in the parts.
            at_target = shares[np.arange(len(shares)), self.targets.astype(np.int64)]
            main_wrong = (at_target < shares.max(axis=1)).astype(np.float64)
            parts = kohavi_wolpert_parts(shares, self.truth, weights)
            domingos = domingos_parts(shares, self.truth, weights)
        else:
            wrong = (answers - self.targets) ** 2
            main_wrong = (answers.mean(axis=0) - self.targets) ** 2
            parts = squared_parts(answers, self.truth, self.noise, weights)
        by_sample = np.average(wrong, axis=1, weights=weights)
        measured, deviation = float(by_sample.mean()), float(by_sample.std(ddof=1))
        main_error = float(np.average(main_wrong, weights=weights))
        return LearnerParts(name, parts, domingos, measured, deviation, main_error, size)


# What may be concluded from bias and variance.


_FEW: Final = 10  # rows: of fewer nothing is concluded
_MOSTLY: Final = 0.5  # of the error
_HARDLY: Final = 0.2


def _of_error(parts: BiasVariance, each: LearnerParts) -> str:
    total = each.parts.bias + each.parts.variance
    if not total > 0:
        return f"{each.name} makes no mistake on these rows: there is nothing to divide."
    share = each.parts.variance / total
    apart = " without the noise" if parts.noise_known else ""
    if share >= _MOSTLY:
        what = (
            f"{percent(share)} % of its error{apart} is variance, owed to the sample that it learned from: "
            "more rows, pruning or the vote of many models may lessen it."
        )
    elif share <= _HARDLY:
        what = (
            f"only {percent(share)} % of its error{apart} is variance. It errs in much the same way whatever "
            "rows it sees: other columns or a freer learner may help, more rows or many models hardly."
        )
    else:
        what = (
            f"{percent(share)} % of its error{apart} is variance, which more rows or many models may lessen; "
            "the rest is bias, which they do not touch."
        )
    figure = percent_to(each.main_error) if parts.of_classes else brief(each.main_error)
    kind = "A vote" if parts.of_classes else "The mean"
    error = percent_to(each.error) if parts.of_classes else brief(each.error)
    return f"{each.name}: {what} {kind} of all its models has the error {figure} instead of {error}."
