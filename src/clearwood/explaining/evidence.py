"""Evidence: what each cell of one row adds for and against each class; the pieces add up to the answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, assert_never

import numpy as np

from clearwood import shown
from clearwood.arrays import Floats
from clearwood.errors import ColumnError, SettingError, no_such
from clearwood.explaining.reference import AVERAGE, MEAN, Reference, compared_with, reference_for
from clearwood.explaining.shap import shap_values
from clearwood.models.columns_used import columns_used
from clearwood.models.deciding import adjusted
from clearwood.models.kept import check_kind
from clearwood.models.kinds.additive.additive_model import AdditiveModel, name_of, sides_of
from clearwood.models.kinds.additive.additive_model import curves_in as terms_of_curves
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import log_of, log_priors, terms_of
from clearwood.models.kinds.bayes.word_terms import ByWord, known_words_of
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.predicting.batch import shares_of_ensemble
from clearwood.predicting.bayes import added, shares_of_bayes, term_cells
from clearwood.predicting.columns import table_of_row
from clearwood.predicting.of_additive import contributions_of_one, shares_of_additive
from clearwood.predicting.of_linear import linear_contributions, shares_of_linear
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import MISSING, UNSEEN, Table

WITHOUT_WORDS: Final = "(none of its words)"

Standing: TypeAlias = Literal["known", "missing", "unseen"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One cell, or one word of a text: the log of its probability, or a number's density, under each class;
    0 if it is missing."""

    name: str
    value: str | float | None
    standing: Standing
    logs: tuple[float, ...]  # [class]

    @property
    def factors(self) -> tuple[float, ...]:
        """The same as factors of the product."""
        return tuple(math.exp(log) for log in self.logs)


@dataclass(frozen=True, slots=True)
class Bar:
    """A step from the prior odds to the posterior ones: how far it moves the log odds."""

    name: str
    value: str | float | None
    log_odds: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """The parts of a row's prediction: `log_priors` and the logs of all pieces add up exactly to `joint`.

    `shares` are e^joint over their sum. Where all of `joint` is −∞ (each class has a probability of 0), they
    are the limit of ever less smoothing, and `by_limit` says so.
    """

    classes: tuple[str, ...]
    log_priors: tuple[float, ...]
    pieces: tuple[Piece, ...]
    joint: tuple[float, ...]
    shares: tuple[float, ...]
    by_limit: bool = False
    begins: str = "prior"  # what `log_priors` are: of a linear model the log odds of the reference

    @property
    def compared(self) -> str:
        """What each cell is compared with, as the end of a sentence; "" where it stands by itself."""
        return compared_with(self.begins)

    @property
    def answer(self) -> str:
        """The class of the largest share, first of equals."""
        return self.classes[max(range(len(self.classes)), key=self.shares.__getitem__)]

    @property
    def products(self) -> tuple[float, ...]:
        """The prior times every factor, by class; 0 where a double cannot hold so small a number."""
        return tuple(math.exp(log) for log in self.joint)

    def bars(self, called: str | None = None, against: str | None = None) -> tuple[Bar, ...]:
        """The log odds of a class against another, step by step: the prior first, then each cell.

        They add up to log(share ÷ share of the other). Without names it is the answer against the runner-up.
        """
        ranked = sorted(range(len(self.classes)), key=lambda c: -self.shares[c])
        if len(ranked) < 2:
            raise SettingError("The model knows one class only; there is nothing to set it against.")
        yes = ranked[0] if called is None else self._place(called)
        no = next(c for c in ranked if c != yes) if against is None else self._place(against)
        if yes == no:
            raise SettingError(f"'{self.classes[yes]}' cannot be set against itself.")
        prior = Bar(self.begins, None, _difference(self.log_priors[yes], self.log_priors[no]))
        return (prior, *(Bar(p.name, p.value, _difference(p.logs[yes], p.logs[no])) for p in self.pieces))

    def __str__(self) -> str:
        return shown.text(self)

    def _place(self, name: str) -> int:
        if name not in self.classes:
            raise SettingError(no_such("class", str(name), self.classes, plural="classes"))
        return self.classes.index(name)


def evidence(
    model: BayesTables | LinearModel | Ensemble | AdditiveModel,
    row: Mapping[str, Any],
    *,
    against: Reference = None,
) -> Evidence:
    """What each cell of one row, given by column name, adds to its prediction; absent ones are missing.

    Of a linear model a piece is what the cell adds to each class's score beyond what a reference adds:
    `against` is "average" (what the column adds on average over the training rows; the default, where the
    model keeps averages), "best" (the cell that speaks most for the runner-up against the predicted class, so
    that every piece is a reason for the prediction), another row, or "zero" (weight × value by itself). The
    pieces begin where the reference stands, and add up to the prediction by any of them.

    Of an ensemble that adds up log odds or scores of classes the pieces are SHAP values, from the mean score.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    >>> row = {"age": "<=30", "income": "medium", "student": "yes", "credit_rating": "fair"}
    >>> why = evidence(cw.NaiveBayes().learn(table), row)
    >>> why.answer, round(max(why.shares), 3), [round(each, 4) for each in why.products]
    ('yes', 0.768, [0.0082, 0.0271])
    >>> [f"{bar.name} {bar.log_odds:+.2f}" for bar in why.bars("yes")]
    ['prior +0.59', 'age -0.69', 'income +0.11', 'student +0.80', 'credit_rating +0.40']
    """
    check_kind("evidence", model, BayesTables, LinearModel, Ensemble, AdditiveModel)
    if isinstance(model, Ensemble):
        check_adds_up(model)
        columns: Iterable[str] = model.schema.positions
    else:
        columns = model.columns() if isinstance(model, LinearModel) else model.columns
    for name in row:
        if name not in model.schema.positions and name != getattr(model.schema.target, "name", None):
            raise ColumnError(no_such("column", str(name), columns))
    table = table_of_row(model, row)
    match model:
        case LinearModel():
            return _of_weights(model, table, row, against)
        case AdditiveModel():
            if against not in (None, "average"):
                raise SettingError(
                    "The points of an additive model are against the average row, where each curve is 0: "
                    "leave against out."
                )
            return _of_curves(model, table, row)
        case BayesTables():
            if against is not None:
                raise SettingError(
                    "against is for linear models, whose intercept depends on the coding of the columns. "
                    "A Bayes model's evidence is "
                    "set against nothing but the other classes: leave it out."
                )
            return _of_tables(model, table, row)
        case Ensemble():
            if against is not None:
                raise SettingError(
                    "against is for linear models, whose intercept depends on the coding of the columns. "
                    "Leave it out."
                )
            return _of_sum(model, table, row)
        case _:
            assert_never(model)


def check_adds_up(model: Ensemble) -> None:
    """Refuse an ensemble whose classes are not those of scores that are added up."""
    if model.combined_by != "sum" or model.is_numeric:
        raise SettingError(
            "Evidence is log odds that add up, and this ensemble "
            + ("predicts numbers" if model.is_numeric else "averages or counts what its members predict")
            + ". Explain shows what each column adds to one of its predictions."
        )


def _of_sum(model: Ensemble, table: Table, row: Mapping[str, Any]) -> Evidence:
    """The mean score, then by column its SHAP values; of two classes the first one's score is 0."""
    values = shap_values(model, table)
    added, base = values.contributions[0], values.base
    if len(base) == 1:
        added = np.concatenate([np.zeros_like(added), added], axis=1)
        base = np.concatenate([[0.0], base])
    if model.decision.factors:
        base = base + log_of(np.array(model.decision.factors))
    used = columns_used(model)
    pieces = [
        Piece(name, _value(model, table, name, row), _standing(table, name), tuple(logs))
        for name, logs in zip(values.columns, added.tolist(), strict=True)
        if name in used
    ]
    return Evidence(
        model.schema.classes,
        tuple(base.tolist()),
        tuple(pieces),
        tuple((base + added.sum(axis=0)).tolist()),
        tuple(adjusted(shares_of_ensemble(model, table), model.decision)[0].tolist()),
        begins=MEAN,
    )


def _standing(table: Table, name: str) -> Standing:
    cell = table.columns[name][0]
    if isinstance(table.schema[name], Numeric):
        return "missing" if np.isnan(cell) else "known"
    return "missing" if cell == MISSING else "known" if cell >= 0 else "unseen"


def _of_tables(model: BayesTables, table: Table, row: Mapping[str, Any]) -> Evidence:
    """Priors, then the logs of the chances by column, and of a text's by word."""
    priors = log_priors(model)
    joint = priors.copy()
    pieces = []
    for term in terms_of(model):
        cells = term_cells(model, term, table)
        if isinstance(term, ByWord):
            for piece in _word_pieces(term, cells[0]):
                joint = joint + piece.logs
                pieces.append(piece)
            continue
        logs = added(term, cells)[0]
        joint = joint + logs
        standing: Standing = "known"
        if cells[0] == MISSING if cells.dtype == np.int32 else np.isnan(cells[0]):
            standing = "missing"
        elif cells.dtype == np.int32 and cells[0] < 0:
            standing = "unseen"
        pieces.append(Piece(term.name, _value(model, table, term.name, row), standing, tuple(logs.tolist())))
    return Evidence(
        model.schema.classes,
        tuple(priors.tolist()),
        tuple(pieces),
        tuple(joint.tolist()),
        tuple(adjusted(shares_of_bayes(model, table), model.decision)[0].tolist()),
        by_limit=bool(np.isneginf(joint).all()),
    )


def _of_curves(model: AdditiveModel, table: Table, row: Mapping[str, Any]) -> Evidence:
    """Where the average row stands, then the points of each column and pair."""
    if model.is_numeric:
        raise SettingError("This model predicts a number: evidence is for and against classes. Use explain.")
    values = {name: _value(model, table, name, row) for name in model.columns}
    start = np.array(_scores_by_class(model, model.base))
    if model.decision.factors:
        start += log_of(np.array(model.decision.factors))
    joint = start.copy()
    pieces = []
    for term, points in zip(terms_of_curves(model), contributions_of_one(model, values), strict=True):
        logs = _scores_by_class(model, points)
        joint = joint + logs
        names = [name for name, _ in sides_of(term)]
        standings = [_standing(table, name) for name in names]
        standing: Standing = next((each for each in standings if each != "known"), "known")
        value = values[names[0]] if len(names) == 1 else ", ".join(_written(values[name]) for name in names)
        pieces.append(Piece(name_of(term), value, standing, tuple(logs)))
    return Evidence(
        model.schema.classes,
        tuple(start.tolist()),
        tuple(pieces),
        tuple(joint.tolist()),
        tuple(adjusted(shares_of_additive(model, table), model.decision)[0].tolist()),
        begins=AVERAGE,
    )


def _scores_by_class(model: AdditiveModel, scores: tuple[float, ...]) -> tuple[float, ...]:
    """[class] of [score]: of two classes the first has 0."""
    return (0.0, *scores) if model.link == "logistic" else scores


def _written(value: str | float | None) -> str:
    return "missing" if value is None else f"{value:g}" if isinstance(value, float) else value


def _of_weights(model: LinearModel, table: Table, row: Mapping[str, Any], against: Reference) -> Evidence:
    """Where the reference stands, then by column what the row adds beyond it; a class without weights cannot
    be."""
    columns = model.columns()
    own = linear_contributions(model, table)[0]
    shares = tuple(adjusted(shares_of_linear(model, table), model.decision)[0].tolist())
    reference = reference_for(model, against, shares)
    start = _by_class(model, np.array(model.intercepts) + reference.added.sum(axis=0))
    start[[name not in (*model.contrasts, model.against) for name in model.schema.classes]] = -np.inf
    if model.decision.factors:
        start += log_of(np.array(model.decision.factors))
    joint = start.copy()
    pieces = []
    for column, added_by_row, added_by_reference in zip(columns, own, reference.added, strict=True):
        logs = _by_class(model, added_by_row - added_by_reference)
        joint = joint + logs
        cell = table.columns[column][0]
        empty = np.isnan(cell) if isinstance(model.schema[column], Numeric) else cell == MISSING
        standing: Standing = "missing" if empty else "unseen" if cell == UNSEEN else "known"
        pieces.append(Piece(column, _value(model, table, column, row), standing, tuple(logs.tolist())))
    return Evidence(
        model.schema.classes,
        tuple(start.tolist()),
        tuple(pieces),
        tuple(joint.tolist()),
        shares,
        begins=reference.name,
    )


def _by_class(model: LinearModel, by_contrast: Floats) -> Floats:
    """[class] of numbers [contrast]; 0 of the others."""
    scores = np.zeros(len(model.schema.classes))
    scores[[model.schema.classes.index(name) for name in model.contrasts]] = by_contrast
    return scores


def _word_pieces(term: ByWord, text: str | None) -> list[Piece]:
    """What each word of a text adds; with bernoulli first what their absence would."""
    nothing = (0.0,) * len(term.base)
    if text is None:
        return [Piece(term.name, None, "missing", nothing)]
    known_words = known_words_of(term, text)
    pieces = [Piece(term.name, WITHOUT_WORDS, "known", tuple(term.base.tolist()))] if term.once else []
    pieces += [Piece(term.name, str(each), "known", each.logs) for each in known_words]
    return pieces or [Piece(term.name, WITHOUT_WORDS, "unseen", nothing)]


def _value(
    model: BayesTables | LinearModel | Ensemble | AdditiveModel,
    table: Table,
    name: str,
    row: Mapping[str, Any],
) -> str | float | None:
    """The cell as the model reads it; a value it does not know, as it was given."""
    cell = table.columns[name][0]
    attribute = model.schema[name]
    if isinstance(attribute, Nominal | Ordinal):
        return None if cell == MISSING else attribute.values[cell] if cell >= 0 else str(row[name])
    return None if np.isnan(cell) else float(cell)


def _difference(one: float, other: float) -> float:
    """Of two logs; 0 where both are −∞, for then neither is favoured."""
    return 0.0 if one == other else one - other
