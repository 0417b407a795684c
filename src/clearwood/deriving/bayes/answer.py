"""A Bayes model's answer: the product of each class, their sum, and each product's share of it.

Prediction adds logarithms, so that no product is too small for a float; here products are shown as products
where a float can hold them all, and as sums of logarithms where it cannot.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from clearwood.deriving.bayes.counted import prior_figure, priors_step
from clearwood.deriving.bayes.factors import Factor, factors_of
from clearwood.deriving.decided import costs_step
from clearwood.deriving.deriving import row_words
from clearwood.explaining.evidence import Evidence, evidence
from clearwood.formulas.expressions import Exp, Expression, Log, Number, Over, Product, Sum, Symbol, ValueOf
from clearwood.formulas.spelling import written
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import ByValue, Presence, Times, terms_of
from clearwood.predicting.batch import predict
from clearwood.predicting.columns import table_of_row
from clearwood.table.attributes import Text
from clearwood.working.derivation import Answered, Derivation, Step
from clearwood.working.figures import Figure, named, plain

_SMALLEST_LOG: Final = -650.0  # of a product whose quotients a float still holds in full


def derive_bayes_answer(model: BayesTables, row: Mapping[str, Any]) -> Derivation:
    """How the model answers for one row: priors, a factor for each cell, products, posteriors.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    >>> row = {"age": "<=30", "income": "medium", "student": "yes", "credit_rating": "fair"}
    >>> answer = derive_bayes_answer(cw.NaiveBayes().learn(table), row)
    >>> answer.figure("P(yes and the row)").exact, round(answer.figure("P(yes | the row)").value, 4)
    (Fraction(105, 3872), 0.7678)
    """
    row_evidence = evidence(model, row)
    in_logs = min(_finite_logs(row_evidence)) < _SMALLEST_LOG
    texts = {
        each.name: None if row.get(each.name) is None else str(row[each.name])
        for each in model.schema.inputs
        if isinstance(each, Text)
    }
    factors = list(factors_of(model, row_evidence, texts, in_logs=in_logs))
    steps = [priors_step(model, _CHAPTER, in_a_grid=False), *(_cell_step(model, each) for each in factors)]
    answer = str(predict(model, table_of_row(model, row))[0])
    if row_evidence.by_limit:
        steps.append(_products_step(model, row_evidence, factors, in_logs=in_logs))
        steps.append(limit_step(model, row_evidence, factors, answer, _CHAPTER, in_logs=in_logs))
    else:
        products = _products_step(model, row_evidence, factors, in_logs=in_logs)
        steps += [products, _posterior_step(model, row_evidence, products.figures, answer, in_logs=in_logs)]
    if model.decision.costs:
        steps.append(
            costs_step(row_evidence.classes, row_evidence.shares, model.decision.costs, answer, _CHAPTER)
        )
    return Derivation(f"{row_words(row)}: how likely is each class?", steps)


_CHAPTER: Final = "Predicting"


def _finite_logs(row_evidence: Evidence) -> list[float]:
    """[class] the logarithm of its product, factors of 0 left out."""
    logs = [row_evidence.log_priors, *(piece.logs for piece in row_evidence.pieces)]
    return [math.fsum(log for log in each if log > -math.inf) for each in zip(*logs, strict=True)]


def _cell_step(model: BayesTables, factor: Factor) -> Step:
    if factor.because:
        return Step(_CHAPTER, factor.title, (), factor.because)
    classes = model.schema.classes
    order = sorted(range(len(classes)), key=lambda c: -factor.logs[c])
    if factor.logs[order[0]] == factor.logs[order[-1]]:
        decision = "It favours no class over another."
    else:
        first, last = classes[order[0]], classes[order[-1]]
        two = len(classes) == 2
        decision = f"It favours {first} over {last}." if two else f"It favours {first} most, {last} least."
    return Step(_CHAPTER, f"How likely is {factor.title} in each class?", factor.figures, decision)


def _products_step(
    model: BayesTables, row_evidence: Evidence, factors: list[Factor], *, in_logs: bool
) -> Step:
    figures = []
    informative = [each for each in factors if each.figures]
    for c, log in enumerate(row_evidence.joint):
        name = f"P({written(model.schema.classes[c])} and the row)"
        prior = named(prior_figure(model, c))
        if in_logs:
            terms: list[Expression] = [Log(prior, "e"), *(each.plus[c] for each in informative)]
            formula: Expression = Log(_P_C, "e") + Over("Σ", "cell", Log(_P_CELL, "e"))
            figures.append(Figure(f"ln {name}", log, formula, Sum(tuple(terms))))
        else:
            product = Product((prior, *(each.times[c] for each in informative)))
            formula = _P_C * Over("Π", "cell", _P_CELL)
            figures.append(Figure(name, math.exp(log), formula, product))
    likeliest = max(range(len(figures)), key=lambda c: row_evidence.joint[c])
    if row_evidence.by_limit:
        decision = "Every product is 0: no class could have made this row."
    else:
        decision = f"The largest product is that of {model.schema.classes[likeliest]}."
    if in_logs:
        decision += " Logarithms are added, since the products are too small for a decimal number."
    return Step(_CHAPTER, "The product of each class", tuple(figures), decision)


_P_C: Final = Symbol("P(c)")
_P_CELL: Final = Symbol("P(cell | c)")


def _posterior_step(
    model: BayesTables, row_evidence: Evidence, products: tuple[Figure, ...], answer: str, *, in_logs: bool
) -> Step:
    classes = model.schema.classes
    if in_logs:
        top = max(row_evidence.joint)
        raised = [Exp(ValueOf(each.name, _value(each)) - Number(top)) for each in products]
        normaliser = Figure(
            "Σ exp(ln P − the largest)",
            math.fsum(math.exp(log - top) for log in row_evidence.joint),
            Over("Σ", "c", Exp(Symbol("ln P(c and the row)") - Symbol("largest"))),
            Sum(tuple(raised)),
        )
        tops: list[Expression] = list(raised)
    else:
        normaliser = Figure(
            "P(the row)",
            math.fsum(map(_value, products)),
            Over("Σ", "c", Symbol("P(c and the row)")),
            Sum(tuple(map(named, products))),
        )
        tops = list(map(named, products))
    whole = named(normaliser)
    posteriors = tuple(
        Figure(
            f"P({written(name)} | the row)",
            share,
            Symbol("P(c and the row)") / Symbol("P(the row)"),
            part / whole,
            share_of=name,
        )
        for name, share, part in zip(classes, row_evidence.shares, tops, strict=True)
    )
    share = row_evidence.shares[row_evidence.classes.index(answer)]
    decision = f"The prediction is {answer}, with probability {share:.4g}."
    if model.decision.costs:
        decision = f"{row_evidence.answer} is most probable; the prediction depends on the costs."
    outcome = None if model.decision.costs else Answered(answer)
    return Step(_CHAPTER, "Each product divided by their sum", (normaliser, *posteriors), decision, outcome)


def _value(figure: Figure) -> float:
    assert isinstance(figure.value, float)
    return figure.value


# The limit of ever less smoothing: what is answered where every class's product is 0.


Sizes: TypeAlias = Mapping[str, Sequence[float]]  # by column, [class] what its probabilities divide by


def limit_step(
    model: BayesTables,
    evidence: Evidence,
    factors: Sequence[Factor],
    answer: str,
    chapter: str,
    *,
    in_logs: bool,
) -> Step:
    """Only the classes with the fewest zeros are left; each zero counts as 1 ÷ the rows of its class."""
    classes = model.schema.classes
    sizes = {
        term.name: term.sizes.tolist()
        for term in terms_of(model)
        if isinstance(term, ByValue | Times | Presence)
    }
    zeros = [_zeros(evidence, factors, sizes, c) for c in range(len(classes))]
    figures = [
        Figure(f"zeros of {written(name)}", count, put_in=plain(count))
        for name, count in zip(classes, zeros, strict=True)
    ]
    rest = [_rest(model, evidence, factors, sizes, c, in_logs=in_logs) for c in range(len(classes))]
    fewest = min(zeros)
    left = [c for c, count in enumerate(zeros) if count == fewest and evidence.shares[c] > 0]
    figures += [rest[c] for c in left]
    parts = {c: named(rest[c]) for c in left}
    if in_logs:
        largest = Number(max(float(part.value) for part in parts.values()))
        raised: dict[int, Expression] = {c: Exp(part - largest) for c, part in parts.items()}
    else:
        raised = dict(parts)
    whole = Sum(tuple(raised.values()))
    for c, name in enumerate(classes):
        if c in left:
            put_in: Expression = raised[c] / whole
            because = ""
        else:
            put_in = Number(0)
            because = "It has more zeros." if zeros[c] > fewest else "The row lies farther from its curves."
        figures.append(
            Figure(
                f"P({written(name)} | the row)",
                evidence.shares[c],
                Symbol("rest of c") / Symbol("Σ rest"),
                put_in,
                because=because,
                share_of=name,
            )
        )
    decision = (
        "As smoothing goes to 0, only the classes with the fewest zeros are left. "
        f"The prediction is {answer}, with probability {evidence.shares[classes.index(answer)]:.4g}."
    )
    outcome = None if model.decision.costs else Answered(answer)
    return Step(chapter, "Where every product is 0", tuple(figures), decision, outcome)


def _zeros(evidence: Evidence, factors: Sequence[Factor], sizes: Sizes, c: int) -> float:
    """How often a probability of 0 stands in the class's product; infinite where its prior is 0."""
    if not evidence.log_priors[c] > -math.inf:
        return math.inf
    return sum(each.often for each in factors if _is_zero(each, c) and each.name in sizes)


def _rest(
    model: BayesTables, evidence: Evidence, factors: Sequence[Factor], sizes: Sizes, c: int, *, in_logs: bool
) -> Figure:
    """The product with each zero as 1/N, or its logarithm."""
    prior = named(prior_figure(model, c))
    times: list[Expression] = [prior]
    plus: list[Expression] = [Log(prior, "e")]
    log = evidence.log_priors[c]
    for each in factors:
        if each.figures and not _is_zero(each, c):
            times.append(each.times[c])
            plus.append(each.plus[c])
            log += each.logs[c]
        elif each.figures and each.name in sizes:
            size = plain(sizes[each.name][c])
            part: Expression = 1 / size
            times.append(part if each.often == 1 else part ** plain(each.often))
            plus.append(-(plain(each.often) * Log(size, "e")))
            log -= each.often * math.log(sizes[each.name][c])
    name = written(model.schema.classes[c])
    because = "Each zero stands as 1/N; the factor of a number that is out of reach is left out."
    if in_logs:
        return Figure(f"ln rest of {name}", log, put_in=Sum(tuple(plus)), because=because)
    return Figure(f"rest of {name}", math.exp(log), put_in=Product(tuple(times)), because=because)


def _is_zero(factor: Factor, c: int) -> bool:
    return bool(factor.figures) and factor.logs[c] == -math.inf
