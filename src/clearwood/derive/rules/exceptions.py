"""Exceptions: the bits that encode which rows a class's rules take falsely, and which they miss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clearwood.formulas.expressions import Applied, Binomial, Expression, Log, Sum, Symbol
from clearwood.measures.description_length import choice_bits, exception_bits
from clearwood.working.figures import Figure, plain

_LARGEST: Final = 1000  # things whose ways to be chosen a float can hold


def exceptions_figure(name: str, counts: Sequence[float]) -> Figure:
    """log₂ of the ways in which the false ones can lie among the covered, the missed among the rest."""
    covered, false, rest, missed = counts
    formula = Sum(
        (Log(Binomial(Symbol("covered"), Symbol("false"))), Log(Binomial(Symbol("rest"), Symbol("missed"))))
    )
    value = exception_bits(covered, false, rest, missed)
    because = f"{covered:g} covered, {false:g} of them falsely; {rest:g} not, {missed:g} of them missed."
    pairs = ((covered, false), (rest, missed))
    put_in: Expression
    if any(each != int(each) or each > _LARGEST for each in counts):
        put_in = Sum(tuple(Applied("log₂ C", (plain(n), plain(k)), choice_bits(n, k)) for n, k in pairs))
        because = f"{because} By the gamma function, for weights that are not whole or large."
    else:
        put_in = Sum(tuple(Log(Binomial(plain(n), plain(k))) for n, k in pairs))
    return Figure(name, value, formula, put_in, because=because)
