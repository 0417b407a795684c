"""A LinearModel: a weight for each number and each value, added up to the log-odds of a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import ClassVar, Final, Literal, TypeAlias

from clearwood import shown
from clearwood.errors import ColumnError, SchemaError, no_such
from clearwood.models.decision import Decision
from clearwood.models.kinds.kind import BaseModel, Profile
from clearwood.models.lineage import BY_HAND, Origin
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema


@dataclass(frozen=True, slots=True)
class NumberTerm:
    """The column's number itself, in its own units."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ValueTerm:
    """1 where the column has this value, else 0: the step from the reference value to this one."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"{self.name} = {self.value}"


@dataclass(frozen=True, slots=True)
class MissingTerm:
    """1 where the column's cell is empty, else 0."""

    name: str

    def __str__(self) -> str:
        return f"{self.name} is missing"


Term: TypeAlias = NumberTerm | ValueTerm | MissingTerm
WeightSign: TypeAlias = Literal[-1, 0, 1]
_TURNED: Final[Mapping[WeightSign, WeightSign]] = {-1: 1, 0: 0, 1: -1}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A column, a value or a term that got no weight, and the reason."""

    what: str
    because: str


@dataclass(frozen=True, slots=True)
class AttributeTest:
    """Does the attribute matter at all? All its weights against none, by Wald or by likelihood ratio."""

    name: str
    kind: Literal["wald", "likelihood ratio"]
    statistic: float
    df: int
    p: float


@dataclass(frozen=True, slots=True)
class Separation:
    """Weights that no data can end: the likelihood grows for ever in `directions` [contrast][0, then terms].

    The weights in the model are where the search stopped; a direction of ±1 says that the estimate is ±∞.
    """

    complete: bool
    directions: tuple[tuple[WeightSign, ...], ...]
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fit:
    """How the weights were found, and how sure they are.

    `errors` [contrast][intercept, then terms] are standard errors in the user's units; None where there is
    none (separation, a penalty, too many weights). `covariance` is the lower triangle, row by row, of the
    same order; empty beyond a hundred weights. `robust`: the rows had sampling weights, and both
    are the sandwich's (Huber and White), as are the tests; likelihood ratios then have no known distribution.
    """

    rows: int
    weight: float
    log_likelihood: float
    null_log_likelihood: float
    iterations: tuple[float, ...]
    converged: bool
    errors: tuple[tuple[float | None, ...], ...] = ()
    covariance: tuple[float, ...] = ()
    tests: tuple[AttributeTest, ...] = ()
    separation: Separation | None = None
    notes: tuple[str, ...] = ()
    robust: bool = False


@dataclass(frozen=True)
class LinearModel(BaseModel):
    """Log-odds of each class of `contrasts` against the class `against`: intercept + Σ weight · term.

    With `against` None every class has its own weights, and only differences between classes count. The
    shares are exp(score) over their sum; a class that is in neither has probability 0. `references` names the
    value that each nominal column's weights are against; `fills` says what an empty cell without a
    `MissingTerm`, or a value without a term, is taken for. `dependent` terms follow from others, or are
    held at 0 by `monotone`: they add nothing. `penalised`: were the weights held down by a penalty, so that
    they have no standard errors?
    `averages` has what each column contributed to each contrast, on average over the training rows.

    >>> schema = Schema((Numeric("hours"),), Nominal("exam", ("failed", "passed")))
    >>> model = LinearModel(
    ...     schema, ("passed",), "failed", (NumberTerm("hours"),), (-4.0,), ((1.5,),), fills={"hours": 3.0}
    ... )
    >>> print(model.equation())
    log odds of exam = passed against failed: −4 + 1.5 · hours
    """

    kind: ClassVar = "linear"
    schema: Schema
    contrasts: tuple[str, ...]
    against: str | None
    terms: tuple[Term, ...]
    intercepts: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]
    references: Mapping[str, str] = field(default_factory=dict)
    fills: Mapping[str, float | str] = field(default_factory=dict)
    dependent: tuple[Term, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    fit: Fit | None = None
    decision: Decision = field(default_factory=Decision)
    origin: Origin = field(default_factory=lambda: Origin(BY_HAND))
    penalised: bool = False
    averages: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    profile: Profile | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "references", MappingProxyType(dict(self.references)))
        object.__setattr__(self, "fills", MappingProxyType(dict(self.fills)))
        object.__setattr__(self, "averages", MappingProxyType(dict(self.averages)))
        check_linear(self)

    def __reduce__(self) -> tuple[type[LinearModel], tuple[object, ...]]:
        # A view cannot be pickled or copied: what it shows can.
        fields = (self.schema, self.contrasts, self.against, self.terms, self.intercepts, self.weights)
        remarks = (dict(self.references), dict(self.fills), self.dependent, self.left_out)
        since = (self.penalised, dict(self.averages), self.profile)
        return LinearModel, (*fields, *remarks, self.fit, self.decision, self.origin, *since)

    def columns(self) -> tuple[str, ...]:
        """The columns with a weight, in the schema's order."""
        used = {term.name for term in self.terms}
        return tuple(attribute.name for attribute in self.schema.attributes if attribute.name in used)

    def equation(self) -> str:
        """The model as sums, one line a contrast."""
        return shown.equation(self)

    def __repr__(self) -> str:
        weights = len(self.terms) * len(self.contrasts)
        return f"<LinearModel {self.origin.title}: {weights:,} {'weight' if weights == 1 else 'weights'}>"

    def _repr_latex_(self) -> str:
        return shown.latex(self)


def averaged_columns(model: LinearModel) -> tuple[str, ...]:
    """The columns whose unusable cells add the column's average: a number's are taken for its mean."""
    return tuple(
        name
        for name in model.columns()
        if name in model.averages and not isinstance(model.schema[name], Numeric)
    )


def values_with_a_place(model: LinearModel, attribute: Nominal | Ordinal) -> list[str]:
    """The values that are the reference or have a term, in the schema's order."""
    name = attribute.name
    terms = (*model.terms, *model.dependent)
    own = {term.value for term in terms if isinstance(term, ValueTerm) and term.name == name}
    return [value for value in attribute.values if value in own or value == model.references.get(name)]


def weights_about(model: LinearModel, positive: str) -> LinearModel:
    """The same model of two classes, its weights for this class against the other.

    >>> schema = Schema((Numeric("hours"),), Nominal("exam", ("failed", "passed")))
    >>> model = LinearModel(
    ...     schema, ("passed",), "failed", (NumberTerm("hours"),), (-4.0,), ((1.5,),), fills={"hours": 3.0}
    ... )
    >>> print(weights_about(model, "failed").equation())
    log odds of exam = failed against passed: 4 − 1.5 · hours
    """
    if positive != model.against or len(model.contrasts) != 1:
        return model
    fit = model.fit
    if fit is not None and fit.separation is not None:
        turned: tuple[tuple[WeightSign, ...], ...] = tuple(
            tuple(_TURNED[sign] for sign in row) for row in fit.separation.directions
        )
        fit = replace(fit, separation=replace(fit.separation, directions=turned))
    return replace(
        model,
        contrasts=(positive,),
        against=model.contrasts[0],
        intercepts=tuple(0.0 - each for each in model.intercepts),
        weights=tuple(tuple(0.0 - each for each in row) for row in model.weights),
        fit=fit,
        averages={name: tuple(0.0 - each for each in row) for name, row in model.averages.items()},
    )


def check_linear(model: LinearModel) -> None:
    """Refuse terms, classes or sizes that do not fit the schema and each other."""
    classes = model.schema.classes
    if not classes:
        raise SchemaError("A linear model's schema must name a target with classes.")
    named = (*model.contrasts, *([] if model.against is None else [model.against]))
    for name in named:
        if name not in classes:
            raise SchemaError(no_such("class", name, classes, plural="classes"))
    if len(set(named)) != len(named) or len(named) < 2 or not model.contrasts:
        raise SchemaError(f"A linear model needs at least two different classes, not {named}.")
    terms = (*model.terms, *model.dependent)
    if len(set(terms)) != len(terms):
        raise SchemaError("A linear model has a term twice.")
    if len(model.intercepts) != len(model.contrasts) or len(model.weights) != len(model.contrasts):
        raise SchemaError("A linear model has an intercept and a row of weights for each contrast.")
    for row in model.weights:
        if len(row) != len(model.terms):
            raise SchemaError(f"A contrast has {len(model.terms)} weights, one per term, not {len(row)}.")
    # As sets: a column of many values has as many terms, each looked up among all of them.
    listed = {a.name: frozenset(a.values) for a in model.schema.inputs if isinstance(a, Nominal | Ordinal)}
    for term in terms:
        _check_term(model, term, listed)
    for term in terms:
        if isinstance(term, ValueTerm) and term.name not in model.references:
            raise SchemaError(f"'{term}' has nothing to be compared with: references lack '{term.name}'.")
        if term.name not in model.fills:
            raise SchemaError(f"fills lack '{term.name}': the value that replaces a missing cell.")
    if model.fit is not None:
        _check_fit(model, model.fit)
    for name, value in (*model.references.items(), *model.fills.items()):
        _check_fill(model.schema, name, value)


def _check_term(model: LinearModel, term: Term, listed: Mapping[str, frozenset[str]]) -> None:
    if term.name not in model.schema.positions:
        raise ColumnError(no_such("column", term.name, model.schema.positions))
    attribute = model.schema[term.name]
    match term, attribute:
        case (NumberTerm(), Numeric()) | (MissingTerm(), Nominal() | Ordinal() | Numeric()):
            return
        case ValueTerm(name, value), Nominal(_, values) | Ordinal(_, values):
            if value not in listed[name]:
                raise SchemaError(no_such(f"value of {name} called", value, values, plural="values"))
            if model.references.get(name) == value:
                raise SchemaError(f"'{term}' is the reference of its column, and has no weight of its own.")
        case _:
            raise SchemaError(f"The column '{term.name}' is {attribute.kind}; it has no term '{term}'.")


def _check_fit(model: LinearModel, fit: Fit) -> None:
    lines, width = len(model.contrasts), 1 + len(model.terms)
    tables = [("errors", fit.errors)] if fit.errors else []
    if fit.separation is not None:
        tables.append(("directions", fit.separation.directions))
    for name, table in tables:
        if len(table) != lines or any(len(row) != width for row in table):
            raise SchemaError(f"{name} must be {lines} rows of {width}: the intercept, then the terms.")
    size = lines * width
    if fit.covariance and len(fit.covariance) != size * (size + 1) // 2:
        raise SchemaError(f"covariance must be the lower triangle of {size} by {size} numbers.")


def _check_fill(schema: Schema, name: str, value: float | str) -> None:
    if name not in schema.positions:
        raise ColumnError(no_such("column", name, schema.positions))
    attribute = schema[name]
    match attribute, value:
        case Numeric(), float() | int():
            return
        case Nominal(_, values) | Ordinal(_, values), str():
            if value not in values:
                raise SchemaError(no_such(f"value of {name} called", value, values, plural="values"))
        case _:
            raise SchemaError(f"The column '{name}' is {attribute.kind}; it cannot be {value!r}.")
