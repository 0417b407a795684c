"""A linear model as text: a table of weights with what is known of them, and the equation itself."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from clearwood.errors import SettingError
from clearwood.models.in_words import decision_words, with_weights
from clearwood.models.kinds.linear.linear_model import Fit, LinearModel, NumberTerm, Term, ValueTerm
from clearwood.models.model import check_kind
from clearwood.predicting.estimates import Estimate, Per, deviation_of, estimates, model_likelihood_ratio
from clearwood.words.columns import in_columns, named_columns, printable
from clearwood.words.numbers import in_digits, many, p_value

_NEAR_ONE: Final = 0.01  # a ratio: what it differs from 1 by would be cut off
_MOST_DECIMALS: Final = 12
ROBUST: Final = "robust (sandwich) standard errors: rows are weighted"


def draw_linear(model: LinearModel, *, confidence: float = 0.95, per: Per = "unit") -> str:
    """Heading, one table per contrast, tests of whole attributes, what was left out and why.

    With `per` "sd" numbers are in standard deviations of the training rows.

    log odds of exam = yes against no  weight  std. error  odds ratio    95 % interval      z       p
    (intercept)                        −4.249       3.388                               −1.25  0.2098
    hours                               1.214      0.9126       3.367  0.5629 to 20.14   1.33  0.1834
    """
    found = estimates(model, confidence=confidence, per=per)
    blocks = [_heading(model)]
    for contrast in model.contrasts:
        own = [each for each in found if each.contrast == contrast]
        blocks.append(_table(model, contrast, own, confidence, per))
    if model.fit and model.fit.tests:
        tests = model.fit.tests
        statistic = "Wald" if tests[0].kind == "wald" else tests[0].kind
        columns = {
            "attribute": [printable(each.name) for each in tests],
            statistic: [in_digits(each.statistic) for each in tests],
            "df": [str(each.df) for each in tests],
            "p": [p_value(each.p) for each in tests],
        }
        blocks.append(named_columns(columns))
    if model.left_out:
        left = [f"  {printable(each.what)}: {printable(each.because)}" for each in model.left_out]
        blocks.append(["Left out:", *left])
    if model.fit:
        blocks.append([printable(note) for note in model.fit.notes])
    return "\n\n".join("\n".join(block) for block in blocks if block)


def equation_text(model: LinearModel, digits: int = 5) -> str:
    """One line per contrast: the sum; under it, which weights are only where the search stopped."""
    lines = []
    unsure = [each for each in estimates(model) if each.infinite or not each.settled]
    sums = contrast_sums(model, digits)
    for contrast, (compared, intercept, terms) in zip(model.contrasts, sums, strict=True):
        added = "".join(f" {sign} {size} · {factor}" for sign, size, factor in terms)
        lines.append(f"{compared}: {intercept}{added}")
        own = [printable(str(each.term or "intercept")) for each in unsure if each.contrast == contrast]
        if own:
            lines.append(f"  (no finite estimate, shown where the search stopped: {', '.join(own)})")
    return "\n".join(lines)


def contrast_sums(
    model: LinearModel, digits: int = 5
) -> Iterator[tuple[str, str, list[tuple[str, str, str]]]]:
    """Of each contrast what is compared, the intercept, and what is added: sign, size, factor."""
    for contrast, intercept, weights in zip(model.contrasts, model.intercepts, model.weights, strict=True):
        terms = []
        for term, weight in zip(model.terms, weights, strict=True):
            factor = printable(str(term)) if isinstance(term, NumberTerm) else f"[{printable(str(term))}]"
            if weight:
                terms.append(("−" if weight < 0 else "+", in_digits(abs(weight), digits), factor))
        yield f"log odds of {_compared(model, contrast)}", in_digits(intercept, digits), terms


def ratio_texts(ratios: Iterable[float], digits: int = 4) -> list[str]:
    """An odds ratio and the ends of its interval; near 1, where one unit of a column changes little, with as
    many decimals as tell the nearest of them from 1.

    >>> ratio_texts([1.000142, 1.000036, 1.000248]), ratio_texts([3.3671, 0.99998, 11.2])
    (['1.000142', '1.000036', '1.000248'], ['3.367', '0.999980', '11.2'])
    """
    ratios = list(ratios)
    near = [abs(ratio - 1) for ratio in ratios if 0 < abs(ratio - 1) < _NEAR_ONE]
    decimals = min(_MOST_DECIMALS, max((math.floor(-math.log10(each)) + 2 for each in near), default=0))
    return [
        f"{ratio:.{decimals}f}" if abs(ratio - 1) < _NEAR_ONE and near else in_digits(ratio, digits)
        for ratio in ratios
    ]


def odds_texts(each: Estimate, digits: int = 4) -> tuple[str, str]:
    """The odds ratio of a weight and its interval; none of an intercept, which is a log-odds by itself."""
    if each.term is None:
        return "", ""
    ratio, *ends = ratio_texts([each.odds_ratio, *(each.odds_interval or ())], digits)
    return ratio, " to ".join(ends)


def term_text(model: LinearModel, term: Term | None, per: Per = "unit") -> str:
    """The term, and for a value what it is against; for a number, if it is not 1, what one of it is."""
    if term is None:
        return "(intercept)"
    text = printable(str(term))
    if isinstance(term, ValueTerm) and term.name in model.references:
        return f"{text}  (against {printable(model.references[term.name])})"
    if isinstance(term, NumberTerm) and per == "sd":
        return f"{text}  (per standard deviation, {in_digits(deviation_of(model, term.name))})"
    return text


def has_robust_errors(fit: Fit | None) -> bool:
    """Are there standard errors, and are they the sandwich's?"""
    return fit is not None and fit.robust and any(error is not None for row in fit.errors for error in row)


def _heading(model: LinearModel) -> list[str]:
    fit = model.fit
    decided = [printable(each) for each in decision_words(model)]
    if fit is None:
        return decided
    rows = many(fit.rows, "row")
    if fit.weight != fit.rows:
        rows += f" of weight {in_digits(fit.weight, 6)}"
    steps = f"{len(fit.iterations)} iteration{'' if len(fit.iterations) == 1 else 's'}"
    likelihood = f"log-likelihood {in_digits(fit.log_likelihood, 7)}"
    lines = [f"{likelihood}, {rows}{with_weights(model.origin)}, {steps}"]
    ratio = model_likelihood_ratio(model)
    if ratio is not None and ratio[1]:
        statistic, df, p = ratio
        p_text = "" if math.isnan(p) else f", p {p_value(p)}"
        if fit.robust:
            p_text = " (no p: its distribution is not known of weighted rows)"
        lines.append(
            f"against no terms (log-likelihood {in_digits(fit.null_log_likelihood, 7)}): likelihood ratio "
            f"{in_digits(statistic)}, {df} {'degree' if df == 1 else 'degrees'} of freedom{p_text}"
        )
    if has_robust_errors(fit):
        lines.append(ROBUST)
    return [*lines, *decided]


def _table(model: LinearModel, contrast: str, own: list[Estimate], confidence: float, per: Per) -> list[str]:
    sure = any(each.error is not None for each in own)
    interval_head = f"{100 * confidence:g} % interval"
    tests = ["std. error", "odds ratio", interval_head, "z", "p"] if sure else ["odds ratio"]
    rows = [[f"log odds of {_compared(model, contrast)}", "weight", *tests]]
    for each in own:
        weight, error, test = in_digits(each.weight), "–", ["–"] * 3
        ratio, interval = odds_texts(each)
        if each.infinite:
            weight = "+∞" if each.infinite > 0 else "−∞"
        elif not each.settled:
            weight, ratio = "no estimate", "–"
        elif each.error is not None and each.z is not None and each.p is not None:
            error, test = in_digits(each.error), [interval, in_digits(each.z, 3), p_value(each.p)]
        rows.append([term_text(model, each.term, per), weight, *([error, ratio, *test] if sure else [ratio])])
    return in_columns(rows, "figures")


def _compared(model: LinearModel, contrast: str) -> str:
    target = printable(model.schema.target.name) if model.schema.target else ""
    against = f" against {printable(model.against)}" if model.against is not None else ""
    return f"{target} = {printable(contrast)}{against}"


# Linear models side by side: the same terms, each model's weights in a column.


def side_by_side(models: Mapping[str, LinearModel]) -> str:
    """One table with a row for each term and a column for each model; – if a model has no such term.

    >>> from clearwood.learners.linear.bayes_as_logistic import gaussian_bayes_as_logistic
    >>> from clearwood.learners.linear.logistic import Logistic
    >>> from clearwood.table import read_table
    >>> table = read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> print(side_by_side({"fitted": Logistic().learn(table), "Bayes": gaussian_bayes_as_logistic(table)}))
    y = b against a  fitted  Bayes
    (intercept)      −4.249  −5.25
    x                 1.214    1.5
    """
    if not models:
        raise SettingError("side_by_side takes at least one model, by the name its column gets.")
    for model in models.values():
        check_kind("side_by_side", model, LinearModel)
    first = next(iter(models.values()))
    for name, model in models.items():
        if model.schema.target != first.schema.target or model.against != first.against:
            raise SettingError(f"'{name}' does not tell the same classes apart, against the same one.")
    contrasts = list(dict.fromkeys(c for model in models.values() for c in model.contrasts))
    terms: list[Term] = list(dict.fromkeys(term for model in models.values() for term in model.terms))
    blocks = []
    for contrast in contrasts:
        rows = [[_compared(first, contrast), *map(printable, models)]]
        for term in (None, *terms):
            rows.append([term_text(first, term), *(_weight(m, contrast, term) for m in models.values())])
        blocks.append("\n".join(in_columns(rows, "figures")))
    return "\n\n".join(blocks)


def _weight(model: LinearModel, contrast: str, term: Term | None) -> str:
    if contrast not in model.contrasts or (term is not None and term not in model.terms):
        return "–"
    c = model.contrasts.index(contrast)
    return in_digits(model.intercepts[c] if term is None else model.weights[c][model.terms.index(term)])
