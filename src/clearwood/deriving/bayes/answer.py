"""A Bayes model's answer: the product of each class, their sum, and each product's share of it.

Prediction adds logarithms, so that no product is too small for a float; here products are shown as products
where a float can hold them all, and as sums of logarithms where it cannot.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from clearwood.deriving.bayes.counted import prior_figure, priors_step
from clearwood.deriving.bayes.factors import Factor, factors_of
from clearwood.deriving.decided import PREDICTING, answered_steps
from clearwood.deriving.deriving import row_words
from clearwood.explaining.evidence import Evidence, evidence
from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import Exp, Expression, Log, Number, Over, Product, Sum, Symbol
from clearwood.models.account.account import PerCount, Places, Presence
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.model import account_of
from clearwood.predicting.batch import predict
from clearwood.predicting.columns import table_of_row
from clearwood.table.attributes import Text
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import Figure, in_decimals, named, plain

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
    products = _products_step(model, row_evidence, factors, in_logs=in_logs)
    steps = [priors_step(model, PREDICTING, in_a_grid=False), *(_cell_step(model, each) for each in factors)]
    answer = str(predict(model, table_of_row(model, row))[0])
    if row_evidence.by_limit:
        last = _limit_steps(model, row_evidence, factors, answer, in_logs=in_logs)
    else:
        last = _posterior_steps(model, row_evidence, products.figures, answer, in_logs=in_logs)
    steps += [products, *last]
    return Derivation(f"{row_words(row)}: how likely is each class?", steps)


def _finite_logs(row_evidence: Evidence) -> list[float]:
    """[class] the logarithm of its product, factors of 0 left out."""
    logs = [row_evidence.log_priors, *(piece.logs for piece in row_evidence.pieces)]
    return [math.fsum(log for log in each if log > -math.inf) for each in zip(*logs, strict=True)]


def _cell_step(model: BayesTables, factor: Factor) -> Step:
    if factor.because:
        return Step(PREDICTING, factor.title, (), factor.because)
    classes = model.schema.classes
    order = sorted(range(len(classes)), key=lambda c: -factor.logs[c])
    if factor.logs[order[0]] == factor.logs[order[-1]]:
        decision = "It favours no class over another."
    else:
        first, last = classes[order[0]], classes[order[-1]]
        two = len(classes) == 2
        decision = f"It favours {first} over {last}." if two else f"It favours {first} most, {last} least."
    return Step(PREDICTING, f"How likely is {factor.title} in each class?", factor.figures, decision)


def _products_step(
    model: BayesTables, row_evidence: Evidence, factors: list[Factor], *, in_logs: bool
) -> Step:
    formula = _LOG_PRODUCT if in_logs else _PRODUCT
    figures = []
    for c, log in enumerate(row_evidence.joint):
        own = [each.plus[c] if in_logs else each.times[c] for each in factors if each.figures]
        name = f"P({written(model.schema.classes[c])} and the row)"
        figures.append(replace(_product(model, c, name, log, own, in_logs=in_logs), formula=formula))
    likeliest = max(range(len(figures)), key=lambda c: row_evidence.joint[c])
    if row_evidence.by_limit:
        decision = "Every product is 0: no class could have made this row."
    else:
        decision = f"The largest product is that of {model.schema.classes[likeliest]}."
    if in_logs:
        decision += " Logarithms are added, since the products are too small for a decimal number."
    return Step(PREDICTING, "The product of each class", tuple(figures), decision)


_P_C: Final = Symbol("P(c)")
_P_CELL: Final = Symbol("P(cell | c)")
_PRODUCT: Final = _P_C * Over("Π", "cell", _P_CELL)
_LOG_PRODUCT: Final = Log(_P_C, "e") + Over("Σ", "cell", Log(_P_CELL, "e"))


def _product(
    model: BayesTables, c: int, name: str, log: float, own: Sequence[Expression], *, in_logs: bool
) -> Figure:
    """The prior of a class times what it has of `own`; or the logarithm, to which these are added."""
    prior = named(prior_figure(model, c))
    if in_logs:
        return Figure(f"ln {name}", log, put_in=Sum((Log(prior, "e"), *own)))
    return Figure(name, math.exp(log), put_in=Product((prior, *own)))


def _posterior_steps(
    model: BayesTables, row_evidence: Evidence, products: tuple[Figure, ...], answer: str, *, in_logs: bool
) -> list[Step]:
    joint, product = row_evidence.joint, Symbol("P(c and the row)")
    if in_logs:
        top = max(joint)
        tops: list[Expression] = [Exp(in_decimals(each) - Number(top)) for each in products]
        name, value = "Σ exp(ln P − the largest)", math.fsum(math.exp(log - top) for log in joint)
        added: Expression = Exp(Symbol("ln P(c and the row)") - Symbol("largest"))
    else:
        tops = list(map(named, products))
        name, value, added = "P(the row)", math.fsum(each.number for each in products), product
    normaliser = Figure(name, value, Over("Σ", "c", added), Sum(tuple(tops)))
    formula = product / Symbol("P(the row)")
    posteriors = (
        Figure(f"P({written(of)} | the row)", share, formula, top / named(normaliser), share_of=of)
        for of, share, top in zip(model.schema.classes, row_evidence.shares, tops, strict=True)
    )
    title = "Each product divided by their sum"
    return answered_steps(model, title, (normaliser, *posteriors), row_evidence.shares, answer)


# The limit of ever less smoothing: what is answered where every class's product is 0.


Sizes: TypeAlias = Mapping[str, Sequence[float]]  # by column, [class] what its probabilities divide by


def _limit_steps(
    model: BayesTables, evidence: Evidence, factors: Sequence[Factor], answer: str, *, in_logs: bool
) -> list[Step]:
    """Only the classes with the fewest zeros are left; each zero counts as 1 ÷ the rows of its class."""
    classes = model.schema.classes
    sizes = {
        term.name: term.sizes.tolist()
        for term in account_of(model).terms
        if isinstance(term, Places | PerCount | Presence) and term.sizes is not None
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
        put_in, because = raised[c] / whole if c in left else Number(0), ""
        if c not in left:
            because = "It has more zeros." if zeros[c] > fewest else "The row lies farther from its curves."
        called, share = f"P({written(name)} | the row)", evidence.shares[c]
        figures.append(Figure(called, share, _PART_OF_REST, put_in, because=because, share_of=name))
    decision = (
        "As smoothing goes to 0, only the classes with the fewest zeros are left. "
        f"The prediction is {answer}, with probability {evidence.shares[classes.index(answer)]:.4g}."
    )
    said = {"decided": decision, "before_costs": decision}
    return answered_steps(model, "Where every product is 0", figures, evidence.shares, answer, **said)


_PART_OF_REST: Final = Symbol("rest of c") / Symbol("Σ rest")


def _zeros(evidence: Evidence, factors: Sequence[Factor], sizes: Sizes, c: int) -> float:
    """How often a probability of 0 stands in the class's product; infinite where its prior is 0."""
    if not evidence.log_priors[c] > -math.inf:
        return math.inf
    return sum(each.often for each in factors if _is_zero(each, c) and each.name in sizes)


def _rest(
    model: BayesTables, evidence: Evidence, factors: Sequence[Factor], sizes: Sizes, c: int, *, in_logs: bool
) -> Figure:
    """The product with each zero as 1/N, or its logarithm."""
    own, log = list[Expression](), evidence.log_priors[c]
    for each in factors:
        if each.figures and not _is_zero(each, c):
            own.append(each.plus[c] if in_logs else each.times[c])
            log += each.logs[c]
        elif each.figures and each.name in sizes:
            size, often = plain(sizes[each.name][c]), plain(each.often)
            once = 1 / size if each.often == 1 else (1 / size) ** often
            own.append(-(often * Log(size, "e")) if in_logs else once)
            log -= each.often * math.log(sizes[each.name][c])
    rest = _product(model, c, f"rest of {written(model.schema.classes[c])}", log, own, in_logs=in_logs)
    because = "Each zero stands as 1/N; the factor of a number that is out of reach is left out."
    return replace(rest, because=because)


def _is_zero(factor: Factor, c: int) -> bool:
    return bool(factor.figures) and factor.logs[c] == -math.inf
