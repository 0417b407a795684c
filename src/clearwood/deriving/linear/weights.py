"""A linear model without a row: the iterations, the gain over no terms, each weight, each attribute."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Final, assert_never

from clearwood.catalogue import learner_of
from clearwood.deriving.bayes.counted import prior_figure
from clearwood.deriving.linear.newton_steps import CHAPTER, deviance_step, newton_step, rows_step, tail_figure
from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import (
    Applied,
    Exp,
    Expression,
    Log,
    Number,
    Over,
    Root,
    Sum,
    Symbol,
)
from clearwood.measures.inference import normal_quantile
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Gaussian
from clearwood.models.kinds.linear.linear_model import (
    AttributeTest,
    Fit,
    LinearModel,
    MissingTerm,
    NumberTerm,
    ValueTerm,
)
from clearwood.models.lineage import AsWeights
from clearwood.predicting.estimates import Estimate, estimates
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import (
    ASKED,
    GIVEN,
    Figure,
    Grid,
    GridCell,
    Rows,
    each_by,
    in_decimals,
    named,
    plain,
)


def derive_weights(model: LinearModel, table: Table | None = None) -> Derivation:
    """How the weights were found and how sure they are; with the table also how likely its rows are.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> derivation = derive_weights(cw.Logistic().learn(table), table)
    >>> round(derivation.figure("odds ratio(x | b)").value, 3)
    3.367
    >>> round(derivation.figure("likelihood ratio").value, 3)
    3.362
    """
    target = model.schema.predicted
    makers: list[Callable[[], Step]] = []
    if model.fit is not None:
        makers += [partial(newton_step, model, model.fit), partial(deviance_step, model, model.fit, table)]
        if table is not None:
            makers.append(partial(rows_step, model, table))
    elif table is not None:
        makers += from_bayes_steps(model, table)
    makers += [partial(weights_step, model, contrast) for contrast in model.contrasts]
    if model.fit is not None and model.fit.tests:
        makers.append(partial(tests_step, model, model.fit))
    return Derivation(f"Logistic regression for {target.name}", each_by(makers))


# Estimates: each weight with its standard error, Wald's test, and its odds ratio with an interval.


_CONFIDENCE: Final = 0.95
SANDWICH: Final = (
    "Robust: the variances are those of the sandwich n ÷ (n − 1) · A⁻¹ B A⁻¹, where A is the curvature of "
    "the weighted log-likelihood, B the sum over the n rows of (weight · residual)² · x xᵀ, and x a row's "
    "terms."
)
STOPPED: Final = (
    "Classes are separated, and the likelihood has no maximum: weights that grow without end, or that no row "
    "settles, are those where the search stopped, and predictions use them."
)


def weights_step(model: LinearModel, contrast: str) -> Step:
    """A contrast's weights side by side; each row shows its work."""
    own = [each for each in estimates(model, confidence=_CONFIDENCE) if each.contrast == contrast]
    rows = [_row(each) for each in own]
    grid = Grid(
        f"Weights of {contrast}",
        ("term", "weight", "std. error", "z", "p", "odds ratio", "from", "to"),
        rows,
        figure_of=lambda place: weight_figure(model, own[place], place),
        on_sheet=(*(GIVEN,) * 3, *(ASKED,) * 5),
    )
    against = "" if model.against is None else f" against {model.against}"
    figure = Figure(f"log odds of {written(contrast)}{against}", None, grids=(grid,))
    tested = [each for each in own if each.term is not None and each.p is not None]
    sure = [str(each.term) for each in tested if each.p is not None and each.p <= 1 - _CONFIDENCE]
    names = ", ".join(sure[:5]) + ("" if len(sure) <= 5 else ", …")
    decision = f"Significantly different from 0 at the 5 % level: {names or 'none'}."
    if all(each.error is None for each in own):
        decision = "These weights have no standard errors, and so no tests."
    endless = [str(each.term) for each in own if each.infinite and each.term is not None]
    if endless or any(each.infinite or not each.settled for each in own):
        which = f" Without end: {', '.join(endless)}." if endless else ""
        decision = f"{STOPPED}{which}"
    return Step(CHAPTER, f"The weights of {contrast}{against}", (figure,), decision)


_WALD: Final = "Wald's test: both sides of a normal curve are one tail of χ² with 1 degree of freedom."
_WALD_TAIL: Final = Applied("χ² tail", (Symbol("z", means="the weight in standard errors") ** 2, Number(1)))


def weight_figure(model: LinearModel, each: Estimate, place: int) -> Figure:
    """A weight and everything that follows from it."""
    name = f"{'intercept' if each.term is None else str(each.term)} | {written(each.contrast)}"
    weight = Figure(f"weight({name})", each.weight, because=_unit(model, each), on_sheet=GIVEN)
    under: list[Figure] = []
    if each.infinite or not each.settled:
        return Figure(name, None, under=(Figure(weight.name, each.weight, because=STOPPED, on_sheet=GIVEN),))
    if each.term is not None and each.weight < _LARGEST_EXPONENT:
        ratio = f"odds ratio({name})"
        under.append(Figure(ratio, each.odds_ratio, Exp(Symbol("weight")), Exp(named(weight))))
    if each.error is None or each.z is None or each.p is None or each.low is None or each.high is None:
        return Figure(name, None, under=(weight, *under))
    variance = _variance(model, each, place)
    formula, put_in = (None, None) if variance is None else (Root(Symbol("variance")), Root(Number(variance)))
    because = _source(model, variance)
    error = Figure(f"std. error({name})", each.error, formula, put_in, because=because, on_sheet=GIVEN)
    z = Figure(f"z({name})", each.z, Symbol("weight") / Symbol("std. error"), named(weight) / named(error))
    tail = Applied("χ² tail", (named(z) ** 2, Number(1)), each.p)
    p = Figure(f"p({name})", each.p, _WALD_TAIL, tail, because=_WALD)
    reach = Number(float(normal_quantile(0.5 + _CONFIDENCE / 2)))
    far, words = reach * named(error), reach * Symbol("std. error")
    low = Figure(f"lower limit({name})", each.low, Symbol("weight") - words, named(weight) - far)
    high = Figure(f"upper limit({name})", each.high, Symbol("weight") + words, named(weight) + far)
    under = [error, z, p, low, high, *under]
    if each.term is not None and each.odds_interval is not None and each.high < _LARGEST_EXPONENT:
        ends = zip((low, high), each.odds_interval, strict=True)
        under += [Figure(f"odds {end.name}", value, put_in=Exp(named(end))) for end, value in ends]
    return Figure(name, None, under=(weight, *under))


def tests_step(model: LinearModel, fit: Fit) -> Step:
    """Each attribute's weights together, against none."""
    figures = []
    for each in fit.tests:
        statistic = _statistic(model, fit, each)
        figures += [statistic, tail_figure(f"p of {written(each.name)}", statistic, each.df, each.p)]
    kept = [each.name for each in fit.tests if each.p <= 1 - _CONFIDENCE]
    decision = f"Significant at the 5 % level: {', '.join(kept) or 'none'}."
    return Step(CHAPTER, "Does each attribute matter at all?", tuple(figures), decision)


_LARGEST_EXPONENT: Final = 709.0


def _statistic(model: LinearModel, fit: Fit, test: AttributeTest) -> Figure:
    name = written(test.name)
    if test.kind == "likelihood ratio":
        full = Figure("log-likelihood", fit.log_likelihood)
        without, because = (
            fit.log_likelihood - test.statistic / 2,
            "Of a fit of its own, without this attribute.",
        )
        fewer = Figure(f"log-likelihood without {name}", without, because=because)
        formula = 2 * (Symbol("log-likelihood") - Symbol("log-likelihood without it"))
        put_in: Expression = 2 * (named(full) - named(fewer))
        return Figure(f"likelihood ratio of {name}", test.statistic, formula, put_in, under=(full, fewer))
    own = [each for each in estimates(model) if each.term is not None and each.term.name == test.name]
    if len(own) == 1 and own[0].error is not None:
        ratio = Number(own[0].weight) / Number(own[0].error)
        formula_one = (Symbol("weight") / Symbol("std. error")) ** 2
        return Figure(f"Wald statistic of {name}", test.statistic, formula_one, ratio**2)
    because = f"wᵀ C⁻¹ w of its {test.df} weights w and their covariances C."
    return Figure(f"Wald statistic of {name}", test.statistic, because=because)


def _source(model: LinearModel, variance: float | None) -> str:
    assert model.fit is not None
    kept = "" if variance is not None else "The model keeps no covariances to take it from."
    return f"{kept} {SANDWICH}".strip() if model.fit.robust else kept


def _variance(model: LinearModel, each: Estimate, place: int) -> float | None:
    """The weight's own place in the covariances, which are kept as a lower triangle."""
    assert model.fit is not None
    if not model.fit.covariance:
        return None
    at = model.contrasts.index(each.contrast) * (1 + len(model.terms)) + place
    return model.fit.covariance[at * (at + 1) // 2 + at]


def _unit(model: LinearModel, each: Estimate) -> str:
    match each.term:
        case None:
            return "The log odds of a row whose numbers are 0 and whose values are the references."
        case NumberTerm(name):
            return f"For one more of {written(name)}, in its own units."
        case ValueTerm(name):
            return f"For this value instead of {written(model.references[name])}."
        case MissingTerm():
            return "For an empty cell."
        case _:
            assert_never(each.term)


def _row(each: Estimate) -> tuple[GridCell, ...]:
    name = "(intercept)" if each.term is None else str(each.term)
    if each.infinite or not each.settled:
        return (name, each.weight, None, None, None, None, None, None)
    ratio = None if each.term is None else each.odds_ratio
    ends = each.odds_interval if each.term is not None and each.odds_interval else (None, None)
    return (name, each.weight, each.error, each.z, each.p, ratio, *ends)


# Gaussian Bayes as weights: each weight from the two means and the variance that the classes share.


_MEAN_0: Final = Symbol("mean", "0", "the mean of the reference class")
_MEAN_C: Final = Symbol("mean", "c", "the mean of class c")
_N: Final = Symbol("n", means="the number of rows")
_SUM: Final = Symbol("Σx", means="the sum of the class's values")

_CHAPTER: Final = "From Bayes to weights"
_INTERCEPT: Final = Log(Symbol("P(c)") / Symbol("P(0)"), "e") + Over(
    "Σ", "x", (_MEAN_0**2 - _MEAN_C**2) / (2 * Symbol("variance"))
)


def from_bayes_steps(model: LinearModel, table: Table) -> list[Callable[[], Step]]:
    """Steps of a model that was made by `gaussian_bayes_as_logistic`; none of another."""
    if AsWeights() not in model.origin.after:
        return []
    bayes = learner_of(model.origin).learn(table)
    numbers = [each for each in model.terms if isinstance(each, NumberTerm)]
    makers: list[Callable[[], Step]] = [partial(_column_step, model, bayes, each) for each in numbers]
    return [*makers, partial(_intercept_step, model, bayes)]


def _column_step(model: LinearModel, bayes: BayesTables, term: NumberTerm) -> Step:
    means, variance = _shared(model, bayes, term.name)
    assert model.against is not None
    first = means[model.against]
    place = model.terms.index(term)
    figures = [*means.values(), variance]
    for c, contrast in enumerate(model.contrasts):
        name, apart = f"weight({term} | {written(contrast)})", (_MEAN_C - _MEAN_0) / Symbol("variance")
        put_in = _weight(means[contrast], first, variance)
        figures.append(Figure(name, model.weights[c][place], apart, put_in))
        if MissingTerm(term.name) in model.terms:
            figures.append(_gap(model, c, term, means, variance))
    decision = f"Against {model.against}: written as P = 1 ÷ (1 + exp(w₀ + Σ w·x)), it has the other sign."
    return Step(_CHAPTER, f"The weight of {written(term.name)}", tuple(figures), decision)


def _weight(mean: Figure, first: Figure, variance: Figure) -> Expression:
    return (in_decimals(mean) - in_decimals(first)) / in_decimals(variance)


def _gap(model: LinearModel, c: int, term: NumberTerm, means: dict[str, Figure], variance: Figure) -> Figure:
    """An empty cell's weight takes back what the mean of the means would add."""
    assert model.against is not None
    contrast, empty = model.contrasts[c], MissingTerm(term.name)
    mean = Sum(tuple(map(in_decimals, means.values()))) / plain(len(means))
    name = f"mean of the means({written(term.name)})"
    middle = Figure(name, float(model.fills[term.name]), put_in=mean)
    two = means[contrast], means[model.against], variance
    put_in = 0 - (_start(*two) + _weight(*two) * in_decimals(middle))
    because = "An empty cell says nothing: this takes back what the mean of the means would add."
    name, value = f"weight({empty} | {written(contrast)})", model.weights[c][model.terms.index(empty)]
    return Figure(name, value, put_in=put_in, because=because, under=(middle,))


def _intercept_step(model: LinearModel, bayes: BayesTables) -> Step:
    classes = bayes.schema.classes
    assert model.against is not None
    priors = {name: prior_figure(bayes, classes.index(name)) for name in (model.against, *model.contrasts)}
    numbers = [each for each in model.terms if isinstance(each, NumberTerm)]
    shared = {term.name: _shared(model, bayes, term.name) for term in numbers}
    under = tuple(dict.fromkeys(f for means, v in shared.values() for f in (*means.values(), v)))
    figures = []
    for contrast, intercept in zip(model.contrasts, model.intercepts, strict=True):
        ratio = Log(named(priors[contrast]) / named(priors[model.against]), "e")
        starts = (_start(means[contrast], means[model.against], each) for means, each in shared.values())
        name, put_in = f"intercept | {written(contrast)}", Sum((ratio, *starts))
        figures.append(Figure(name, intercept, _INTERCEPT, put_in, under=under))
    decision = "It comes from the priors and the same means."
    return Step(_CHAPTER, "The intercept", (*priors.values(), *figures), decision)


def _start(mean: Figure, first: Figure, variance: Figure) -> Expression:
    top = in_decimals(first) ** 2 - in_decimals(mean) ** 2
    return top / (2 * in_decimals(variance))


def _shared(model: LinearModel, bayes: BayesTables, name: str) -> tuple[dict[str, Figure], Figure]:
    """The classes' means, and the variance about them of all their rows."""
    assert model.against is not None
    distribution = bayes[name]
    assert isinstance(distribution, Gaussian)
    means: dict[str, Figure] = {}
    about, weight = Fraction(0), Fraction(0)
    for contrast in (model.against, *model.contrasts):
        c = bayes.schema.classes.index(contrast)
        once, own = Fraction(distribution.sums[c]), Fraction(distribution.weights[c])
        about += Fraction(distribution.squares[c]) - once * once / own
        weight += own
        called, formula = f"mean({written(name)} | {written(contrast)})", _SUM / _N
        means[contrast] = Figure(called, float(once / own), formula, plain(once) / plain(own))
    squares = Figure(f"Σ (x − its mean)²({written(name)})", float(about))
    put_in, formula = in_decimals(squares) / plain(weight), Symbol("Σ (x − its mean)²") / _N
    return means, Figure(
        f"variance({written(name)})", float(about / weight), formula, put_in, Rows(float(weight)),
        because="One for all classes: about each row's own mean.", under=(squares,),
    )  # fmt: skip
