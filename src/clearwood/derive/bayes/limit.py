"""The limit of ever less smoothing: what is answered where every class's product is 0."""

from __future__ import annotations

import math
from collections.abc import Sequence

from clearwood.derive.bayes.factors import Factor
from clearwood.derive.bayes.priors import prior_figure
from clearwood.derive.derivation import Step
from clearwood.derive.expressions import Expression, Number, Power, Product, Quotient, Sum, Symbol
from clearwood.derive.figures import Figure
from clearwood.derive.outcomes import Answer
from clearwood.derive.shorthand import named, plain
from clearwood.explain.evidence import Evidence
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.words import written
from clearwood.predict.bayes_terms import ByValue, Presence, Times, terms_of


def limit_step(
    model: BayesTables, found: Evidence, factors: Sequence[Factor], answer: str, chapter: str
) -> Step:
    """Only the classes with the fewest zeros are left; each zero counts as 1 ÷ the rows of its class."""
    classes = model.schema.classes
    sizes = {
        term.name: term.sizes.tolist()
        for term in terms_of(model)
        if isinstance(term, ByValue | Times | Presence)
    }
    figures: list[Figure] = []
    zeros: list[float] = []
    products: list[Figure] = []
    for c, name in enumerate(classes):
        gone = [each for each in factors if each.figures and each.logs[c] == -math.inf and each.name in sizes]
        count = math.inf if not found.log_priors[c] > -math.inf else sum(each.often for each in gone)
        zeros.append(count)
        figures.append(Figure(f"zeros of {written(name)}", count, put_in=plain(count)))
        parts: list[Expression] = [named(prior_figure(model, c))]
        log = found.log_priors[c]
        for each in factors:
            if not each.figures:
                continue
            if each.logs[c] > -math.inf:
                parts.append(each.times[c])
                log += each.logs[c]
            elif each.name in sizes:
                part: Expression = Quotient(Number(1), plain(sizes[each.name][c]))
                parts.append(part if each.often == 1 else Power(part, plain(each.often)))
                log -= each.often * math.log(sizes[each.name][c])
        because = "Each zero stands as 1/N; the factor of a number that is out of reach is left out."
        product = Figure(
            f"rest of {written(name)}", math.exp(log), put_in=Product(tuple(parts)), because=because
        )
        products.append(product)
    fewest = min(zeros)
    left = [c for c, count in enumerate(zeros) if count == fewest and found.shares[c] > 0]
    figures += [products[c] for c in left]
    whole = Sum(tuple(named(products[c]) for c in left))
    for c, name in enumerate(classes):
        if c in left:
            put_in: Expression = Quotient(named(products[c]), whole)
            because = ""
        else:
            put_in = Number(0)
            because = "It has more zeros." if zeros[c] > fewest else "The row lies farther from its curves."
        figures.append(
            Figure(
                f"P({written(name)} | the row)",
                found.shares[c],
                Quotient(Symbol("rest of c"), Symbol("Σ rest")),
                put_in,
                because=because,
            )
        )
    decision = (
        "As smoothing grows less and less, only the classes with the fewest zeros are left. "
        f"The answer is {answer}, with probability {found.shares[classes.index(answer)]:.4g}."
    )
    outcome = None if model.decision.costs else Answer(answer)
    return Step(chapter, "Where every product is 0", tuple(figures), decision, outcome)
