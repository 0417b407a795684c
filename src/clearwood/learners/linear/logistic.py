"""Logistic regression: the weights under which the classes of the rows are most likely."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Final, Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import Checked, Least, Whole, choice
from clearwood.errors import Advice, ClearwoodWarning, LearningError, Sentence, SettingError, no_such
from clearwood.learners.directions import Directions, directions_of, with_directions
from clearwood.learners.linear.fit_figures import fit_of
from clearwood.learners.linear.likelihood import Likelihood
from clearwood.learners.linear.newton import (
    MOST_IN_A_MATRIX,
    MOST_UNDER_A_LASSO,
    Found,
    NewtonFit,
    found_within,
    newton_fit,
)
from clearwood.learners.linear.terms import (
    DesignMatrix,
    MissingCells,
    ReferenceValues,
    design_matrix,
    following,
)
from clearwood.learners.training import class_weights, decision_of, origin_of, usable_rows
from clearwood.models.kinds.linear.linear_model import Fit, LinearModel, NumberTerm, Term
from clearwood.registry import CheckedSettings, Costs, Letter, OnlyWith, Priors
from clearwood.table.folding import in_order_of_content
from clearwood.table.table import Table

_MANY_ROWS: Final = 200_000  # from here on a part of the rows shows where to start
_EVERY: Final = 32
SQUARES: Final = Advice("penalty", "l2", setting=True)
_WAYS_ON: Final = {
    None: Sentence("Raise max_iterations, or use ", SQUARES, "."),
    "l1": Sentence("Raise max_iterations or strength, or use ", SQUARES, "."),
    "l2": "Raise max_iterations or strength.",
}


def _reference(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        if not all(isinstance(k, str) and isinstance(v, str) for k, v in value.items()):
            raise SettingError(f"{name} must name a value by column, both text, not {value!r}.")
        return dict(value)
    return choice(name, value, ("most common", "first"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Logistic(CheckedSettings):
    """Maximum likelihood; with a penalty, `strength` times the penalty is subtracted from the log-likelihood.

    Numbers enter as they are, in the user's units (they are standardised inside); each value of a nominal or
    ordinal column gets a weight against the column's `reference` value: the most common, the first that
    occurs, or by name {"Outlook": "Sunny"} (the most common where none is named). Two classes have one row of
    weights: the log-odds of the other class against the class `against` (by default the first of the schema).
    More classes have one row each against it.

    An empty cell is handled by `missing`. "indicator" (the default) gives empty cells of a column a weight of
    their own, beside its mean or, for values, instead of a value; "fill" takes them for the column's mean or
    most common value; "drop" leaves such rows out of learning. A column that was never empty in learning, and
    a value that did not occur there, are filled when predicting.

    `penalty` "l2" takes off strength · ½ Σ w², "l1" strength · Σ |w|; scikit-learn's C is 1 ÷ strength. With
    `standardise` (the default) w is the weight of a number in standard deviations; without, in its own units,
    as scikit-learn has it when nothing is scaled before. Intercepts are free. More than two classes are
    penalised each by their own weights; under "l1" these are what the model shows (`against` is None).

    Without a penalty the model has standard errors, intervals, odds ratios and tests: by `test` "wald" or by
    "likelihood ratio" (one more fit for each attribute). With one it has none: they would
    mislead. Under sampling weights (`weights_are`) the errors are robust, the sandwich of Huber and White,
    and tests are Wald's. Columns that are constant, or that follow from
    columns before them, are left out and listed. `monotone` {"duration": "up:bad"}, of two classes, holds the
    weight of a numeric column at 0 where it would have the other sign.
    Where values or numbers separate classes no finite weight is best: the model names them, shows ±∞ (or no
    estimate, where nothing else settles a weight), and predicts with the weights where the search stopped.
    More than 1,500 weights are found by conjugate gradients, without a matrix: such a model has no standard
    errors. "l1" goes up to 4,000.

    >>> from clearwood.table.attributes import Nominal, Numeric
    >>> from clearwood.table.schema import Schema
    >>> hours = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    >>> exam = np.array([0, 0, 1, 0, 1, 1], dtype=np.int32)
    >>> schema = Schema((Numeric("hours"),), Nominal("exam", ("failed", "passed")))
    >>> print(Logistic().learn(Table(schema, {"hours": hours, "exam": exam})).equation())
    log odds of exam = passed against failed: −4.2491 + 1.214 · hours
    """

    learns_numbers: ClassVar[bool] = False
    directs_numbers_alone: ClassVar[bool] = True  # values have a weight each, and so no direction

    penalty: Annotated[
        Literal["l1", "l2"] | None,
        Letter("penalty"),
        "Penalise large weights: l2 by their squares, l1 by their absolute values; none.",
    ] = None
    strength: Annotated[
        float,
        Least(0),
        Letter("strength"),
        OnlyWith("penalty", ("l2", "l1"), at_the_shell=True),
        "Weight of the penalty; scikit-learn's C is 1 over it.",
    ] = 1.0
    standardise: Annotated[
        bool, "Penalise the weights of standardised numbers, not of numbers in their own units."
    ] = True
    missing: Annotated[
        MissingCells,
        "indicator: a weight for missing cells; fill: the mean or most common value; drop: the row.",
    ] = "indicator"
    reference: Annotated[
        ReferenceValues,
        Checked(_reference),
        "The value with which a column's others are compared: most common, first, or by name.",
    ] = "most common"
    against: Annotated[
        str | None,
        Checked(lambda _, value: str(value)),
        "The class against which log odds are computed; none: the first.",
    ] = None
    test: Annotated[
        Literal["wald", "likelihood ratio"],
        "The test of whole columns: wald, or likelihood ratio (slower, better with few rows).",
    ] = "wald"
    tolerance: Annotated[
        float, Least(1e-12), "Stop when no weight changes by more than this fraction of its size."
    ] = 1e-6
    max_iterations: Annotated[int, Whole(1), "Most iterations."] = 100
    monotone: Annotated[
        Directions,
        "Numeric columns whose rise may only raise (up) or lower (down) the probability of a class: "
        "COLUMN:up:CLASS.",
    ] = None
    priors: Priors = None
    costs: Costs = None

    def learn(self, table: Table) -> LinearModel:
        rows = in_order_of_content(usable_rows(self, table))
        self = with_directions(self, rows)  # every class is named from here on
        design = design_matrix(rows, self.missing, self.reference)
        contrasts, against, codes, by_class = self._classes(design.rows)
        self._check_width(design, len(contrasts))
        likelihood = self._likelihood(design, codes, by_class, len(contrasts))
        if likelihood.robust and self.penalty is None and self.test == "likelihood ratio":
            raise LearningError(
                "With sampling weights a likelihood ratio has no known distribution: rows that stand for "
                "others have no likelihood of their own. Use ",
                Advice("test", "wald", setting=True),
                ", which has robust standard errors.",
            )
        limits = {
            NumberTerm(each.column): each for each in directions_of(self.monotone, rows, of_numbers=True)
        }
        found = found_within(
            design,
            likelihood,
            {term: each.sign(contrasts[0]) for term, each in limits.items()},
            {term: f"its weight is held at 0, so that {each}" for term, each in limits.items()},
            lambda part: self._found(part, likelihood),
        )
        design, likelihood, maximum = found.design, found.likelihood, found.fit
        fit = fit_of(
            design,
            likelihood,
            maximum,
            test=None if self.penalty else self.test,
            without=lambda terms: self._log_likelihood_without(design, likelihood, terms),
        )
        fit = replace(fit, notes=self._notes(design, fit, likelihood.size, len(rows), len(found.held)))
        decision = decision_of(rows.schema, class_weights(design.rows), self.priors, self.costs)
        centres, scales = design.units()
        weights = maximum.theta / scales
        intercepts = maximum.theta[:, 0] - weights[:, 1:] @ centres[1:]
        return LinearModel(
            schema=table.schema,
            contrasts=contrasts,
            against=against,
            terms=design.terms,
            intercepts=tuple(intercepts.tolist()),
            weights=tuple(map(tuple, weights[:, 1:].tolist())),
            references=design.references,
            fills=design.fills,
            dependent=design.dependent,
            left_out=design.left_out,
            fit=fit,
            decision=decision,
            origin=origin_of(self, table),
            penalised=self.penalty is not None,
            averages=_averages(design, weights),
        )

    def _found(self, design: DesignMatrix, whole: Likelihood) -> Found:
        """The weights of these terms, of which those that follow from others are left out."""
        likelihood = self._likelihood(design, whole.target, whole.by_class, whole.vectors)
        start, first = likelihood.null(), None
        if len(design.rows) >= _MANY_ROWS:
            part, squares = likelihood.every(_EVERY), design.squares() / _EVERY
            start = newton_fit(part, part.null(), squares, tolerance=1e-2, max_iterations=20).theta
        if self.penalty is None and likelihood.size <= MOST_IN_A_MATRIX:
            first = likelihood.curved(start)
            width = likelihood.width
            follows = following(design, first[2][:width, :width])
            if follows:
                kept = [0, *(i + 1 for i, term in enumerate(design.terms) if term not in follows)]
                design, start, first = design.without(follows), start[:, kept], None
                likelihood = self._likelihood(design, whole.target, whole.by_class, whole.vectors)
        return Found(design, likelihood, self._newton_fit(likelihood, start, design, first))

    def _classes(self, rows: Table) -> tuple[tuple[str, ...], str | None, Any, Floats]:
        """Which classes have weights, against which; the rows' codes in that order, classes' weights."""
        names = rows.schema.classes
        weights = class_weights(rows)
        met = np.flatnonzero(weights > 0).tolist()
        if len(met) < 2:
            only = f"Every row is of one class, '{names[met[0]]}'"
            dropped = " once rows with empty cells are dropped" if self.missing == "drop" else ""
            raise LearningError(f"{only}{dropped}: there is nothing to learn. Logistic needs two classes.")
        against = names[met[0]] if self.against is None else self.against
        if against not in names:
            raise SettingError(f"against: {no_such('class', against, names, plural='classes')}")
        if names.index(against) not in met:
            raise SettingError(f"against: no row is of the class '{against}'. Choose one that rows have.")
        own = self.penalty == "l1" and len(met) > 2
        order = [*(code for code in met if own or names[code] != against)]
        order += [] if own else [names.index(against)]
        place = np.full(len(names), -1, dtype=np.int32)
        place[order] = np.arange(len(order))
        contrasts = tuple(names[code] for code in order[: len(order) - (not own)])
        return contrasts, None if own else against, place[rows.target], weights[order]

    def _check_width(self, design: DesignMatrix, vectors: int) -> None:
        width, rows = 1 + len(design.terms), len(design.rows)
        weight = rows if design.rows.weights is None else float(design.rows.weights.sum())
        if self.penalty is None and width > max(rows, weight):
            raise LearningError(
                f"{rows:,} rows cannot settle {width:,} weights (intercept and terms). "
                "Leave columns out, or hold the weights down: ",
                SQUARES,
                ".",
            )
        if self.penalty == "l1" and vectors * width > MOST_UNDER_A_LASSO:
            raise LearningError(
                f"penalty='l1' is offered for up to {MOST_UNDER_A_LASSO:,} weights; here are "
                f"{vectors * width:,}. Use ",
                SQUARES,
                ", or leave columns with many values out.",
            )

    def _likelihood(self, design: DesignMatrix, codes: Any, by_class: Floats, vectors: int) -> Likelihood:
        _, scales = design.units()
        rows = design.rows
        # Sampling weights that are all equal are as good as none.
        unequal = rows.weights is not None and bool(rows.weights.min() < rows.weights.max())
        held = np.full(len(scales), float(self.strength))
        held[0] = 0.0
        none = np.zeros(len(scales))
        return Likelihood(
            columns=design.native(),
            target=codes,
            weights=rows.weights,
            by_class=by_class,
            vectors=vectors,
            width=len(scales),
            ridge=none if self.penalty != "l2" else held if self.standardise else held / scales**2,
            lasso=none if self.penalty != "l1" else held if self.standardise else held / scales,
            robust=unequal and rows.weights_are == "sampling",
        )

    def _newton_fit(
        self, likelihood: Likelihood, start: Floats, design: DesignMatrix, first: Any
    ) -> NewtonFit:
        return newton_fit(
            likelihood,
            start,
            design.squares(),
            tolerance=self.tolerance,
            max_iterations=self.max_iterations,
            first=first,
        )

    def _log_likelihood_without(
        self, design: DesignMatrix, likelihood: Likelihood, dropped: tuple[Term, ...]
    ) -> float:
        """The log-likelihood of a fit without these terms."""
        fewer = design.without(dict.fromkeys(dropped, ""))
        part = self._likelihood(fewer, likelihood.target, likelihood.by_class, likelihood.vectors)
        return self._newton_fit(part, part.null(), fewer, None).log_likelihoods[-1]

    def _notes(self, design: DesignMatrix, fit: Fit, weights: int, usable: int, held: int) -> tuple[str, ...]:
        """What the reader of the model should know; what the user should know at once is also a warning."""
        urgent, notes = list[str](), list[str]()
        if fit.separation is not None:
            kind = "completely" if fit.separation.complete else "in part"
            urgent.append(
                Sentence(
                    f"The classes are {kind} separated: some weights have no finite estimate. "
                    f"{' '.join(fit.separation.because)} Leave the column out, merge values, or use ",
                    SQUARES,
                    ".",
                )
            )
        if not fit.converged:
            steps = "1 iteration" if self.max_iterations == 1 else f"{self.max_iterations:,} iterations"
            urgent.append(Sentence(f"The weights still moved after {steps}. ", _WAYS_ON[self.penalty]))
        dropped = usable - len(design.rows)
        if dropped:
            notes.append(f"{dropped:,} {'row' if dropped == 1 else 'rows'} with an empty cell left out.")
        if weights > MOST_IN_A_MATRIX and self.penalty is None:
            notes.append(f"{weights:,} weights are too many for standard errors.")
        if held and fit.errors:
            notes.append("Standard errors and tests are those of the model without the weights held at 0.")
        for each in urgent:
            warnings.warn(each, ClearwoodWarning, stacklevel=3)
        return (*urgent, *notes)


def _averages(design: DesignMatrix, weights: Floats) -> dict[str, tuple[float, ...]]:
    """By column what its terms add to each contrast, on average over the rows."""
    added = weights * design.means()
    averages: dict[str, Floats] = {}
    for place, term in enumerate(design.terms, 1):
        averages[term.name] = averages.get(term.name, 0.0) + added[:, place]
    return {name: tuple(each.tolist()) for name, each in averages.items()}
