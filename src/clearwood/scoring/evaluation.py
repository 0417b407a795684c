"""An Evaluation: how often, and where, a model's answers are wrong on a table's rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import weights_by_cell
from clearwood.errors import Advice, Part, Place, SchemaError, Sentence
from clearwood.measures.inference import wilson
from clearwood.models.model import Model, check_kind
from clearwood.models.predicted import predicted_quantile
from clearwood.predicting.batch import predict, predict_codes
from clearwood.predicting.columns import column_for, table_for
from clearwood.records import dataclass
from clearwood.scoring.costs import ExpectedCost, Matrix, expected_cost
from clearwood.table.attributes import Nominal, Ordinal, natural_order
from clearwood.table.describe import excerpt
from clearwood.table.schema import effective_rows
from clearwood.table.table import MISSING, UNSEEN, Table
from clearwood.words.columns import in_columns
from clearwood.words.numbers import count_words, in_short, with_and, with_noun


@dataclass(frozen=True, slots=True)
class ClassEvaluation:
    """Row weights by true class (down) and predicted class (across), and the figures that follow from them.

    >>> print(ClassEvaluation(("No", "Yes"), ((3.0, 2.0), (1.0, 8.0))))
    accuracy 0.7857 (0.5241 to 0.9243 at 95 %), 14 rows
    true / predicted  No  Yes  recall  precision
    No                 3    2  0.6000     0.7500
    Yes                1    8  0.8889     0.8000

    `unknown` holds, by predicted class, the weights of rows whose true class the model doesn't know (empty:
    there are none): each counts as wrong. `silent` holds, by true class and last for the unknown ones, the
    weights of rows the model leaves unanswered (empty: there are none): they are counted separately, and
    accuracy, recall and precision are of the rows answered. `left_out` rows have no true class and are not
    counted.
    `costs` [true class, predicted class] are those that the model minimises (empty: nobody gave any).
    `effective` is the number of rows that the answered ones speak for where sampling or importance weights
    make it another than their weight.
    `made_interval` and `made_cost_interval` are those of rows that belong together, or that several models
    judged, and that so are not so many; `interval_by` names how they were made ("": by Wilson).

    >>> print(ClassEvaluation(("No", "Yes"), ((3.0, 2.0), (1.0, 8.0)), (2.0, 0.0), 1))
    accuracy 0.6875 (0.4440 to 0.8584 at 95 %), 16 rows, 1 without a true value left out
    2 of them of classes that the model does not know: no prediction of these can be right
    true / predicted  No  Yes  recall  precision
    No                 3    2  0.6000     0.5000
    Yes                1    8  0.8889     0.8000
    (unknown)          2    0
    >>> print(ClassEvaluation(("No", "Yes"), ((3.0, 1.0), (0.0, 4.0)), silent=(2.0, 4.0, 0.0)))
    accuracy 0.8750 (0.5291 to 0.9776 at 95 %) of 8 rows predicted; 6 of 14 left without a prediction
    true / predicted  No  Yes  (nothing)  recall  precision
    No                 3    1          2  0.7500     1.0000
    Yes                0    4          4  1.0000     0.8000
    """

    classes: tuple[str, ...]
    confusion: Matrix
    unknown: tuple[float, ...] = ()
    left_out: int = 0
    silent: tuple[float, ...] = ()
    costs: Matrix = ()
    made_interval: tuple[float, float] | None = None
    made_cost_interval: tuple[float, float] | None = None
    interval_by: str = ""
    effective: float | None = None

    @property
    def weight(self) -> float:
        """Of all rows with a true answer, those left unanswered among them."""
        return self.weight_answered + sum(self.silent)

    @property
    def weight_answered(self) -> float:
        """Of the rows that got an answer: what accuracy is a part of."""
        return sum(map(sum, self.confusion)) + sum(self.unknown)

    @property
    def answered(self) -> float:
        """The part of the rows that the model answers."""
        return 1.0 - _part(sum(self.silent), self.weight) if self.silent else 1.0

    @property
    def right(self) -> float:
        """The weight of the rows predicted correctly."""
        return sum(row[i] for i, row in enumerate(self.confusion))

    @property
    def accuracy(self) -> float:
        """The part of the answered rows that were predicted correctly; NaN where none was answered."""
        return _part(self.right, self.weight_answered)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, at 95 %, by the effective rows of weighted ones; of groups and parts what they give."""
        if self.made_interval is not None:
            return self.made_interval
        scale = self._rows_by_weight
        low, high = wilson(self.right * scale, self.weight_answered * scale)
        return float(low), float(high)

    @property
    def cost(self) -> ExpectedCost | None:
        """Of the rows that were answered and whose class the model knows; None where it has no costs."""
        if not self.costs:
            return None
        rows = sum(map(sum, self.confusion)) * self._rows_by_weight
        cost = expected_cost(self.classes, self.confusion, self.costs, rows)
        if cost is None or self.made_cost_interval is None:
            return cost
        return replace(cost, interval=self.made_cost_interval)

    @property
    def recall(self) -> dict[str, float]:
        """By class: the part of its answered rows that were predicted as it; NaN where it has none."""
        return {
            name: _part(self.confusion[i][i], sum(self.confusion[i])) for i, name in enumerate(self.classes)
        }

    @property
    def precision(self) -> dict[str, float]:
        """By class: the part of the rows predicted as it that are of it; NaN where there are none."""
        called = [sum(column) for column in zip(*self._rows, strict=True)]
        return {name: _part(self.confusion[i][i], called[i]) for i, name in enumerate(self.classes)}

    def __str__(self) -> str:
        low, high = self.interval
        rows_counted = (
            f" of {with_noun(count_words(self.weight_answered), 'row')} predicted;"
            f" {count_words(sum(self.silent))} of {count_words(self.weight)} left without a prediction"
            if self.silent
            else f", {with_noun(count_words(self.weight), 'row')}"
        )
        by = f", by {self.interval_by}" if self.interval_by else ""
        heading = f"accuracy {self.accuracy:.4f} ({low:.4f} to {high:.4f} at 95 %{by}){rows_counted}"
        cost = [] if self.cost is None else [str(self.cost)]
        unknown = count_words(sum(self.unknown))
        beside = (
            f"{unknown} of them of classes that the model does not know: no prediction of these can be right"
        )
        lines = [*cost, heading + without_answer(self.left_out), *([beside] if any(self.unknown) else [])]
        return "\n".join([*lines, *self.matrix()])

    def matrix(self, *, with_figures: bool = True) -> list[str]:
        """The confusion matrix as lines of text, with each class's recall and precision or without.

        >>> evaluation = ClassEvaluation(("No", "Yes"), ((3.0, 2.0), (1.0, 8.0)))
        >>> print(*evaluation.matrix(with_figures=False), sep="\\n")
        true / predicted  No  Yes
        No                 3    2
        Yes                1    8
        >>> print(*ClassEvaluation(("No", "Yes"), ((0.0, 0.0), (1.0, 8.0))).matrix(), sep="\\n")
        true / predicted  No  Yes  recall  precision
        No                 0    0       –     0.0000
        Yes                1    8  0.8889     1.0000
        –: no predicted row is No
        """
        rows = [["true / predicted", *self.classes, *(["(nothing)"] if self.silent else [])]]
        for i, (name, counts) in enumerate(zip((*self.classes, "(unknown)"), self._rows, strict=False)):
            cells = [*counts, *([self.silent[i]] if self.silent else [])]
            rows.append([name, *map(count_words, cells)])
        if not with_figures:
            return in_columns(rows, "figures")
        for heading, parts in (("recall", self.recall), ("precision", self.precision)):
            figures = ["–" if math.isnan(part) else f"{part:.4f}" for part in parts.values()]
            for row, figure in zip(rows, [heading, *figures], strict=False):
                row.append(figure)
        absent = [name for name, part in self.recall.items() if math.isnan(part)]
        uncalled = [name for name, part in self.precision.items() if math.isnan(part)]
        reasons = [f"no predicted row is {in_short(absent, 'or')}"] if absent else []
        reasons += [f"no row was predicted as {in_short(uncalled, 'or')}"] if uncalled else []
        return [*in_columns(rows, "figures"), *([f"–: {'; '.join(reasons)}"] if reasons else [])]

    @property
    def _rows_by_weight(self) -> float:
        """How many rows a weight of 1 speaks for."""
        if self.effective is None or not self.weight_answered > 0:
            return 1.0
        return self.effective / self.weight_answered

    @property
    def _rows(self) -> Matrix:
        """The matrix with a last row for the classes the model doesn't know, if there are such."""
        return (*self.confusion, self.unknown) if self.unknown else self.confusion


@dataclass(frozen=True, slots=True)
class NumberEvaluation:
    """The errors of predicted numbers: Σ w, Σ w · |error|, Σ w · error², and Σ w · (y − mean y)².

    All four are of the rows answered; `silent` is the weight of those left unanswered. Of a model that
    predicts a `quantile` q of the target, `pinball` is Σ w · (q · error where the number lies above the
    answer, (q − 1) · error elsewhere), the loss that the true quantile makes least (Koenker and Bassett
    1978), and `at_or_below` the weight of the rows whose number is at most the answer. `mean` is that of y.
    """

    weight: float
    absolute: float
    squared: float
    spread: float
    left_out: int = 0
    silent: float = 0.0
    quantile: float | None = None
    pinball: float = 0.0
    at_or_below: float = 0.0
    mean: float = 0.0

    @property
    def score(self) -> tuple[str, float]:
        """The score that fits what is predicted, by its name: the RMSE of a mean, the MAE of a median, the
        quantile loss of another quantile. Each is least for what it is of."""
        if self.quantile is None:
            return "RMSE", self.rmse
        return ("MAE", self.mae) if self.quantile == 0.5 else ("quantile loss", self.quantile_loss)

    @property
    def quantile_loss(self) -> float:
        """The mean pinball loss; NaN where a mean is predicted."""
        return float("nan") if self.quantile is None else _part(self.pinball, self.weight)

    @property
    def coverage(self) -> float:
        """The part of the rows at or below their answer, which is the quantile's if that is right."""
        return float("nan") if self.quantile is None else _part(self.at_or_below, self.weight)

    @property
    def rmse(self) -> float:
        """The root of the mean squared error."""
        return math.sqrt(_part(self.squared, self.weight))

    @property
    def mae(self) -> float:
        """The mean absolute error."""
        return _part(self.absolute, self.weight)

    @property
    def r2(self) -> float:
        """The part of the spread about the mean that the model takes away."""
        return 1 - _part(self.squared, self.spread)

    def __str__(self) -> str:
        rows = with_noun(count_words(self.weight), "row")
        figures = f"RMSE {self.rmse:.6g}, MAE {self.mae:.6g}, R² {self.r2:.4f}, {rows}"
        if self.quantile == 0.5:
            figures = f"MAE {self.mae:.6g} of the median, {rows}"
        elif self.quantile is not None:
            figures = (
                f"quantile loss {self.quantile_loss:.6g} of the {self.quantile:g} quantile, "
                f"{100 * self.coverage:.1f} % of {rows} at or below it"
            )
        silent = f", {count_words(self.silent)} more left without a prediction" if self.silent else ""
        return figures + silent + without_answer(self.left_out)


Evaluation: TypeAlias = ClassEvaluation | NumberEvaluation


def evaluate(model: Model, table: Any) -> Evaluation:
    """Compare a model's predictions with the truth; rows whose target is missing are left out.

    `table` is a Table, or anything a table can be made of. A row of a class the model doesn't know
    counts as wrong: no prediction could have been right. One that is left without any, as by a rule that
    refers it, is counted separately.
    """
    check_kind("evaluate", model)
    table = table_for(model, table, with_target=True)
    if len(table) == 0:
        raise SchemaError("There are no rows to evaluate on.")
    return evaluate_answers(model, table, (predict if model.is_numeric else predict_codes)(model, table))


def evaluate_answers(model: Model, table: Table, answers: npt.NDArray[np.generic]) -> Evaluation:
    """The same where the model's answers are known: numbers, or positions in its classes."""
    truth = true_answers(model, table)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    if model.is_numeric:
        return number_evaluation(truth, answers, weights, predicted_quantile(model))
    classes = model.schema.classes
    evaluation = class_evaluation(classes, truth, answers, weights)
    answered = (np.asarray(truth) != MISSING) & (np.asarray(answers) >= 0)
    weighs = table.weights_are in ("sampling", "importance")
    effective = effective_rows(weights[answered]) if weighs else None
    return replace(evaluation, costs=model.decision.costs_kept, effective=effective)


def true_answers(model: Model, table: Table) -> npt.NDArray[np.generic]:
    """[row] The table's target as the model codes it."""
    target = model.schema.target
    if target is None or target.name not in table.columns:
        raise SchemaError("To evaluate a model the table needs the column it predicts.")
    truth = column_for(target, table)
    if isinstance(target, Nominal | Ordinal):
        _check_classes(target, table, truth)
    return truth


def _check_classes(target: Nominal | Ordinal, table: Table, truth: npt.NDArray[np.generic]) -> None:
    """Refuse rows none of which is of a class that the model knows: their classes are called otherwise."""
    codes = np.asarray(truth, dtype=np.int64)
    theirs = table.schema[target.name]
    if not (codes == UNSEEN).any() or (codes >= 0).any() or not isinstance(theirs, Nominal | Ordinal):
        return
    if set(theirs.values).isdisjoint(target.values):  # else these rows alone lack the common ones
        raise ForeignClassesError.of(target, theirs.values)


class ForeignClassesError(SchemaError):
    """No row is of a class that the model knows: 0 and 1 of an import beside good and bad of a table."""

    @classmethod
    def of(cls, target: Nominal | Ordinal, theirs: Sequence[str]) -> ForeignClassesError:
        """The sentence, with the names to give. Names that differ in case or blanks alone are matched; others
        by their order, which only a person can know to be right: of two classes both ways are given."""
        name, ours, found = target.name, target.values, natural_order(set(theirs) - set(target.values))
        parts: list[Part] = [
            f"No row has a class that the model knows: it predicts {name} as {in_short(ours)}, and the rows "
            f"have {in_short(found) or 'others'}."
        ]
        spelt = {_spelling(each): each for each in ours}
        if len(spelt) == len(ours) and found and all(_spelling(each) in spelt for each in found):
            pairs = {each: spelt[_spelling(each)] for each in found}
            parts += [f" If {_are(pairs)}: ", Advice("recode", {name: pairs}), "."]
        elif len(ours) == len(found):
            pairs = dict(zip(found, ours, strict=True))
            parts += [f" If {_are(pairs)}: ", Advice("recode", {name: pairs})]
            if len(ours) == 2:
                pairs = dict(zip(found, ours[::-1], strict=True))
                parts += [f"; if {_are(pairs)}: ", Advice("recode", {name: pairs})]
            parts += [". Of a model that was imported, name the classes when it is: "]
            parts += [Advice("classes", list(found)), ", in the order of its own."]
        else:
            parts += [" Say which is which: ", Advice("recode"), "."]
        return cls(*parts, place=Place(column=name))


def foreign_rows(target: Nominal | Ordinal, rows: int, theirs: Sequence[str]) -> Sentence:
    """What to know where some rows are of classes that the model does not know, with the names to give for
    those that differ from its own in case or blanks alone.

    >>> foreign_rows(Nominal("y", ("bad", "good")), 3, ["Good"])
    "y: 3 rows of a class that the model does not know ('Good'): no prediction of them can be right, and \
scores of probabilities leave them out. If Good is good: recode={'y': {'Good': 'good'}}."
    """
    spelt = {_spelling(each): each for each in target.values}
    pairs = {each: spelt[_spelling(each)] for each in theirs if _spelling(each) in spelt}
    way: list[Part] = [f" If {_are(pairs)}: ", Advice("recode", {target.name: pairs}), "."] if pairs else []
    shown = ", ".join(f"'{excerpt(each)}'" for each in theirs[:_SHOWN]) + ", …" * (len(theirs) > _SHOWN)
    return Sentence(
        f"{target.name}: {with_noun(f'{rows:,}', 'row')} of a class that the model does not know ({shown}): "
        "no prediction of them can be right, and scores of probabilities leave them out.",
        *way,
    )


_SHOWN: Final = 3  # classes that a sentence lists


def _spelling(name: str) -> str:
    return "".join(name.split()).casefold()


def _are(pairs: Mapping[str, str]) -> str:
    return with_and([f"{old} is {new}" for old, new in pairs.items()])


def class_evaluation(
    classes: tuple[str, ...],
    truth: npt.NDArray[np.generic],
    called: npt.NDArray[np.generic],
    weights: npt.NDArray[np.float64],
) -> ClassEvaluation:
    """Codes [row] of true and predicted classes, counted by weight; a predicted code of −1 is no answer."""
    k = len(classes)
    codes, predicted = np.asarray(truth, dtype=np.int64), np.asarray(called, dtype=np.int64)
    known = codes != MISSING
    # The last row is for the classes the model doesn't know, the last column for rows it leaves unanswered.
    cells = (np.where(codes >= 0, codes, k) * (k + 1) + np.where(predicted >= 0, predicted, k))[known]
    counted = weights_by_cell(cells, weights[known], (k + 1) ** 2).reshape(k + 1, k + 1)
    *confusion, unknown = map(tuple, counted[:, :k].tolist())
    return ClassEvaluation(
        classes,
        tuple(confusion),
        unknown if (codes == UNSEEN).any() else (),
        int((~known).sum()),
        tuple(counted[:, k].tolist()) if (predicted[known] < 0).any() else (),
    )


def number_evaluation(
    truth: npt.NDArray[np.generic],
    predicted: npt.NDArray[np.generic],
    weights: npt.NDArray[np.float64],
    quantile: float | None = None,
) -> NumberEvaluation:
    """Numbers [row], true and predicted: means, or this quantile."""
    y = np.asarray(truth, dtype=np.float64)
    numbers = np.asarray(predicted, dtype=np.float64)
    order = np.lexsort((weights, numbers, y))  # sums whose last digit does not follow the order of a file
    y, numbers, weights = y[order], numbers[order], weights[order]
    known, silent = ~np.isnan(y), np.isnan(numbers)
    unanswered = float(weights[known & silent].sum())
    y, w = y[known & ~silent], weights[known & ~silent]
    error = y - numbers[known & ~silent]
    total = float(w.sum())
    mean = float((w * y).sum()) / total if total else 0.0
    part = 0.0 if quantile is None else quantile
    return NumberEvaluation(
        total,
        float((w * np.abs(error)).sum()),
        float((w * error**2).sum()),
        float((w * (y - mean) ** 2).sum()),
        int((~known).sum()),
        unanswered,
        quantile,
        0.0 if quantile is None else float((w * np.maximum(part * error, (part - 1) * error)).sum()),
        0.0 if quantile is None else float(w[error <= 0].sum()),
        mean,
    )


def without_answer(left_out: int) -> str:
    """What a printout adds about rows that can't be judged."""
    return f", {left_out:,} without a true value left out" if left_out else ""


def _part(some: float, whole: float) -> float:
    return some / whole if whole > 0 else float("nan")
