"""The limit of ever less smoothing: what is answered where every class's product is 0."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from clearwood.derive.bayes.factor import Factor
from clearwood.derive.bayes.priors import prior_figure
from clearwood.explain.evidence import Evidence
from clearwood.formulas.expressions import (
    Exp,
    Expression,
    Log,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
)
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.words import written
from clearwood.predict.bayes_terms import ByValue, Presence, Times, terms_of
from clearwood.working.derivation import Answered, Step
from clearwood.working.figures import Figure, less, named, plain

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
        raised: dict[int, Expression] = {c: Exp(less(part, largest)) for c, part in parts.items()}
    else:
        raised = dict(parts)
    whole = Sum(tuple(raised.values()))
    for c, name in enumerate(classes):
        if c in left:
            put_in: Expression = Quotient(raised[c], whole)
            because = ""
        else:
            put_in = Number(0)
            because = "It has more zeros." if zeros[c] > fewest else "The row lies farther from its curves."
        figures.append(
            Figure(
                f"P({written(name)} | the row)",
                evidence.shares[c],
                Quotient(Symbol("rest of c"), Symbol("Σ rest")),
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
            part: Expression = Quotient(Number(1), size)
            times.append(part if each.often == 1 else Power(part, plain(each.often)))
            plus.append(Negative(Product((plain(each.often), Log(size, "e")))))
            log -= each.often * math.log(sizes[each.name][c])
    name = written(model.schema.classes[c])
    because = "Each zero stands as 1/N; the factor of a number that is out of reach is left out."
    if in_logs:
        return Figure(f"ln rest of {name}", log, put_in=Sum(tuple(plus)), because=because)
    return Figure(f"rest of {name}", math.exp(log), put_in=Product(tuple(times)), because=because)


def _is_zero(factor: Factor, c: int) -> bool:
    return bool(factor.figures) and factor.logs[c] == -math.inf
