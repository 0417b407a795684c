"""Evidence: what each cell of one row adds for and against each class; the pieces add up to the answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, assert_never

import numpy as np

from clearwood import shown
from clearwood.arrays import Floats
from clearwood.errors import ColumnError, SettingError, check_known, no_such
from clearwood.explaining.reference import AVERAGE, MEAN, Reference, compared_with, reference_for
from clearwood.explaining.shap import shap_values
from clearwood.models.account.account import ByWord, Places
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import log_of
from clearwood.models.kinds.bayes.word_terms import known_words_of
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.model import account_of, check_kind
from clearwood.models.space.space_of import columns_used, space_of
from clearwood.predicting.added import added_by
from clearwood.predicting.batch import shares
from clearwood.predicting.columns import table_of_row
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import MISSING, Table

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
        check_known("class", name, self.classes, plural="classes")
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
    for name in row:
        if name not in model.schema.positions and name != getattr(model.schema.target, "name", None):
            columns = model.schema.positions if isinstance(model, Ensemble) else space_of(model).columns()
            raise ColumnError(no_such("column", str(name), columns))
    _check_against(model, against)
    if model.is_numeric:
        raise SettingError("This model predicts a number: evidence is for and against classes. Use explain.")
    table = table_of_row(model, row)
    probabilities = tuple(shares(model, table)[0].tolist())
    beyond: Floats | None = None
    match model:
        case LinearModel():
            begins, beyond = reference_for(model, against, probabilities)
        case AdditiveModel():
            begins = AVERAGE
        case BayesTables():
            begins = "prior"
        case Ensemble():
            begins = MEAN
        case _:
            assert_never(model)
    start, terms = (
        _of_sum(model, table) if isinstance(model, Ensemble) else _of_account(model, table, row, beyond)
    )
    if model.decision.factors and not isinstance(model, BayesTables):  # which has them in its priors
        start = start + log_of(np.array(model.decision.factors))
    joint, pieces = start, []
    for term in terms:
        piece = term if isinstance(term, Piece) else _piece(model, table, row, *term)
        joint = joint + piece.logs
        pieces.append(piece)
    by_limit = bool(np.isneginf(joint).all())
    sums = tuple(start.tolist()), tuple(pieces), tuple(joint.tolist())
    return Evidence(model.schema.classes, *sums, probabilities, by_limit, begins)


def _check_against(model: SumModel, against: Reference) -> None:
    """Refuse what a row cannot be compared with."""
    if against is None or isinstance(model, LinearModel):
        return
    if isinstance(model, AdditiveModel):
        if against == "average":
            return
        raise SettingError(
            "The points of an additive model are against the average row, where each curve is 0: "
            "leave against out."
        )
    rest = "Leave it out."
    if isinstance(model, BayesTables):
        rest = "A Bayes model's evidence is set against nothing but the other classes: leave it out."
    raise SettingError(
        f"against is for linear models, whose intercept depends on the coding of the columns. {rest}"
    )


def check_adds_up(model: Ensemble) -> None:
    """Refuse an ensemble whose classes are not those of scores that are added up."""
    if model.combined_by != "sum" or model.is_numeric:
        raise SettingError(
            "Evidence is log odds that add up, and this ensemble "
            + ("predicts numbers" if model.is_numeric else "averages or counts what its members predict")
            + ". Explain shows what each column adds to one of its predictions."
        )


# Where a model's sum begins, and what each column, pair or word of a row adds to it.


SumModel: TypeAlias = BayesTables | LinearModel | Ensemble | AdditiveModel
SumTerm: TypeAlias = tuple[Sequence[str], Floats]  # its columns, and [class] what it adds


def _piece(
    model: SumModel, table: Table, row: Mapping[str, Any], names: Sequence[str], added: Floats
) -> Piece:
    values = [_value(model, table, name, row) for name in names]
    standings = [_standing(table, name) for name in names]
    standing: Standing = next((each for each in standings if each != "known"), "known")
    value = values[0] if len(names) == 1 else ", ".join(map(_written, values))
    return Piece(" × ".join(names), value, standing, tuple(added.tolist()))


def _of_sum(model: Ensemble, table: Table) -> tuple[Floats, list[SumTerm | Piece]]:
    """The mean score, then by column its SHAP values; of two classes the first one's score is 0."""
    values = shap_values(model, table)
    added, base = values.contributions[0], values.base
    if len(base) == 1:
        added = np.concatenate([np.zeros_like(added), added], axis=1)
        base = np.concatenate([[0.0], base])
    used = columns_used(model)
    terms = zip(values.columns, added, strict=True)
    return base, [((name,), logs) for name, logs in terms if name in used]


def _standing(table: Table, name: str) -> Standing:
    cell = table.columns[name][0]
    if isinstance(table.schema[name], Numeric):
        return "missing" if np.isnan(cell) else "known"
    return "missing" if cell == MISSING else "known" if cell >= 0 else "unseen"


def _of_account(
    model: BayesTables | LinearModel | AdditiveModel,
    table: Table,
    row: Mapping[str, Any],
    beyond: Floats | None,
) -> tuple[Floats, list[SumTerm | Piece]]:
    """Where the sum begins, and by term, of a text by word, what the row adds `beyond` a reference."""
    account = account_of(model)
    start, terms = account.start, list[SumTerm | Piece]()
    if beyond is not None:
        start = start + beyond.sum(axis=0)
    for number, term in enumerate(account.terms):
        if isinstance(term, ByWord):
            terms += _word_pieces(term, table.columns[term.name][0])
            continue
        names = [side.name for side in term.sides] if isinstance(term, Places) else [term.name]
        if isinstance(term, Places):
            logs = term.added[term.place({name: _value(model, table, name, row) for name in names})]
        else:
            logs = added_by(model.schema, term, table)[0]
        terms.append((names, logs if beyond is None else logs - beyond[number]))
    return start, terms


def _written(value: str | float | None) -> str:
    return "missing" if value is None else f"{value:g}" if isinstance(value, float) else value


def _word_pieces(term: ByWord, text: str | None) -> list[Piece]:
    """What each word of a text adds; with bernoulli first what their absence would."""
    nothing = (0.0,) * len(term.base)
    if text is None:
        return [Piece(term.name, None, "missing", nothing)]
    known_words = known_words_of(term, text)
    pieces = [Piece(term.name, WITHOUT_WORDS, "known", tuple(term.base.tolist()))] if term.once else []
    pieces += [Piece(term.name, str(each), "known", each.logs) for each in known_words]
    return pieces or [Piece(term.name, WITHOUT_WORDS, "unseen", nothing)]


def _value(model: SumModel, table: Table, name: str, row: Mapping[str, Any]) -> str | float | None:
    """The cell as the model reads it; a value it does not know, as it was given."""
    cell = table.columns[name][0]
    attribute = model.schema[name]
    if isinstance(attribute, Nominal | Ordinal):
        return None if cell == MISSING else attribute.values[cell] if cell >= 0 else str(row[name])
    return None if np.isnan(cell) else float(cell)


def _difference(one: float, other: float) -> float:
    """Of two logs; 0 where both are −∞, for then neither is favoured."""
    return 0.0 if one == other else one - other
