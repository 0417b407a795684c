"""A linear model in a file: one term a line, columns and values by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, assert_never

from msgspec import UNSET, Meta, UnsetType

from clearwood.models.files.forms import (
    MOST,
    Finite,
    Form,
    Misplaced,
    Share,
    Weight,
    WholeNumber,
    at,
    form_of,
    placed,
    read_form,
    refuse,
    without_point,
    write_form,
    wrong,
)
from clearwood.models.files.heading import Heading
from clearwood.models.kinds.linear.linear_model import (
    AttributeTest,
    Fit,
    LeftOut,
    LinearModel,
    MissingTerm,
    NumberTerm,
    Separation,
    Term,
    ValueTerm,
)

_FILL = Annotated[str | Finite, Meta(extra={"demand": "must be text or a finite number"})]
_ERROR = Annotated[float, Meta(gt=0, le=MOST)]

form_of(AttributeTest, rename={"name": "column"}, statistic=Weight, df=Annotated[int, Meta(ge=1)], p=Share)
form_of(Separation)
if TYPE_CHECKING:
    LeftOutForm: TypeAlias = Any
    FitForm: TypeAlias = Any
else:
    LeftOutForm = form_of(LeftOut)
    FitForm = form_of(Fit, rows=WholeNumber, weight=Weight, errors=tuple[tuple[_ERROR | None, ...], ...])


class DependentForm(Form, frozen=True, kw_only=True, rename={"is_": "is"}):
    """A term that follows from others or is held at 0, and adds nothing."""

    column: str
    is_: str | UnsetType = UNSET
    missing: bool | UnsetType = UNSET


class TermForm(Form, frozen=True, kw_only=True, rename={"is_": "is"}):
    """A number itself, or 1 where the column is a value or is missing; a weight for each contrast."""

    column: str
    is_: str | UnsetType = UNSET
    missing: bool | UnsetType = UNSET
    weights: tuple[Finite, ...]


class LinearForm(Form, frozen=True):
    """Log-odds of classes: an intercept and a weight for each term, added up. `contrasts` are the classes
    that have weights, `against` the one they are compared with, whose score is 0; null: all classes have
    weights. `fills` says what an empty cell without a term, or a value without one, is taken for; `averages`
    what each column added to each contrast, on average over the training rows."""

    contrasts: tuple[str, ...]
    against: str | None
    penalised: bool
    intercepts: tuple[Finite, ...]
    terms: tuple[TermForm, ...]
    dependent: tuple[DependentForm, ...]
    references: dict[str, str]
    fills: dict[str, _FILL]
    left_out: tuple[LeftOutForm, ...]
    averages: dict[str, tuple[Finite, ...]]
    fit: FitForm | None


def linear_to_form(model: LinearModel) -> LinearForm:
    return LinearForm(
        contrasts=model.contrasts,
        against=model.against,
        penalised=model.penalised,
        intercepts=_short(model.intercepts),
        terms=tuple(
            TermForm(**_named(term), weights=_short(row[i] for row in model.weights))
            for i, term in enumerate(model.terms)
        ),
        dependent=tuple(DependentForm(**_named(term)) for term in model.dependent),
        references=dict(model.references),
        fills={name: write_form(fill) for name, fill in model.fills.items()},
        left_out=tuple(map(write_form, model.left_out)),
        averages={name: _short(row) for name, row in model.averages.items()},
        fit=write_form(model.fit),
    )


def linear_from_form(form: LinearForm, heading: Heading) -> LinearModel:
    width = len(form.contrasts)
    for i, each in enumerate(form.terms):
        if len(each.weights) != width:
            refuse(
                f"body.terms[{i}].weights", f"must be {width} numbers, one per contrast", len(each.weights)
            )
    for name, row in form.averages.items():
        if len(row) != width:
            refuse(f"body.averages.{name}", f"must be {width} numbers, one per contrast", len(row))
    try:
        terms = at("terms", _terms, form.terms)
        dependent = at("dependent", _terms, form.dependent)
        fit = None if form.fit is None else at("fit", read_form, form.fit)
    except Misplaced as error:
        raise placed(error, "body") from None
    return LinearModel(
        schema=heading.schema,
        contrasts=form.contrasts,
        against=form.against,
        terms=terms,
        intercepts=form.intercepts,
        weights=tuple(tuple(each.weights[c] for each in form.terms) for c in range(width)),
        references=form.references,
        fills=form.fills,
        dependent=dependent,
        left_out=tuple(map(read_form, form.left_out)),
        fit=fit,
        decision=heading.decision,
        origin=heading.origin,
        penalised=form.penalised,
        averages=form.averages,
        profile=heading.profile,
    )


def _named(term: Term) -> dict[str, Any]:
    match term:
        case NumberTerm(name):
            return {"column": name}
        case ValueTerm(name, value):
            return {"column": name, "is_": value}
        case MissingTerm(name):
            return {"column": name, "missing": True}
        case _:
            assert_never(term)


def _terms(forms: tuple[Any, ...]) -> tuple[Term, ...]:
    return tuple(at(i, _term, form) for i, form in enumerate(forms))


def _term(form: TermForm | DependentForm) -> Term:
    if form.is_ is not UNSET and form.missing is not UNSET:
        raise wrong("must have 'is' or 'missing', not both", ["is", "missing"])
    if isinstance(form.is_, str):
        return ValueTerm(form.column, form.is_)
    if form.missing is not UNSET:
        if form.missing is not True:
            raise at("missing", _not_true, form.missing)
        return MissingTerm(form.column)
    return NumberTerm(form.column)


def _not_true(given: object) -> Exception:
    raise wrong("must be true", given)


def _short(numbers: Any) -> tuple[float, ...]:
    return tuple(map(without_point, numbers))
