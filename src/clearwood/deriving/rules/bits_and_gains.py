"""Description length as figures: the bits that encode a class's rules, and then the rows they get wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from clearwood.counting.ties import TIE, better
from clearwood.formulas.expressions import Expression, Log, Number, Sum, Symbol
from clearwood.learners.rules.ripper_definition import foil_gain
from clearwood.learners.rules.ripper_search import (
    number_bits,
    ripper_exception_bits,
    ripper_rule_bits,
    subset_bits,
)
from clearwood.words.numbers import with_noun
from clearwood.working.figures import Figure, Rows, named, plain

_HALF: Final = Number(1) / 2


@dataclass(frozen=True, slots=True)
class Theory:
    """What the description of a class's rules costs: the conditions of each, and the rows right and wrong."""

    lengths: tuple[int, ...]  # [rule] its conditions
    possible: float  # how many conditions there are to choose from
    right: float  # covered, of the class
    false: float  # covered, of others
    missed: float  # of the class, not covered
    rest: float


def length_figure(when: str, theory: Theory) -> Figure:
    """Σ bits of the rules + bits of the exceptions; `when` names the moment."""
    rules = [_rule_bits(k, theory.possible) for k in dict.fromkeys(theory.lengths)]
    by_length = dict(zip(dict.fromkeys(theory.lengths), rules, strict=True))
    exceptions = _exceptions(when, theory)
    parts: list[Expression] = [named(by_length[k]) for k in theory.lengths]
    value = sum(ripper_rule_bits(k, theory.possible) for k in theory.lengths) + exceptions.number
    formula = Symbol("Σ bits of rules") + Symbol("bits of exceptions")
    put_in, under = Sum((*parts, named(exceptions))), (*rules, exceptions)
    return Figure(f"bits {when}", value, formula, put_in, unit="bits", under=under)


def _rule_bits(conditions: int, possible: float) -> Figure:
    """½ · (bits of k + bits to choose k of n)."""
    name = f"bits of a rule of {conditions} {'condition' if conditions == 1 else 'conditions'}"
    k, n = float(conditions), max(float(possible), float(conditions))
    because = "log₂ k + log₂ log₂ k + …, while above 0 (Rissanen)."
    number = Figure(f"bits of the number {conditions}", number_bits(k), because=because, alias="bits of k")
    which = subset_figure(f"bits to choose {conditions} of {n:g}", n, k, k / n, plain(k) / plain(n))
    which = replace(which, alias="bits to choose k of n")
    formula = _HALF * (Symbol(number.alias) + Symbol(which.alias))
    return Figure(
        name, ripper_rule_bits(conditions, possible), formula, _HALF * (named(number) + named(which)),
        because="Half, since the order of the conditions does not matter.",
        alias="bits of a rule of k conditions", under=(number, which),
    )  # fmt: skip


_K: Final = Symbol("k", means="how many are chosen")
_OF: Final = Symbol("n", means="the number they are chosen from")
_RATE: Final = Symbol("rate", means="the expected proportion of chosen ones")
_SUBSET: Final = -(_K * Log(_RATE)) - (_OF - _K) * Log(1 - _RATE)


def subset_figure(name: str, size: float, marked: float, rate: float, put_rate: Expression) -> Figure:
    """−k · log₂ rate − (n − k) · log₂(1 − rate)."""
    terms: list[Expression] = []
    if marked > TIE * size:
        terms.append(-(plain(marked) * Log(put_rate)))
    if size - marked > TIE * size:
        terms.append(-(plain(size - marked) * Log(1 - put_rate)))
    put_in = Sum(tuple(terms)) if terms else Number(0)
    return Figure(name, subset_bits(size, marked, rate), _SUBSET, put_in)


def _exceptions(when: str, theory: Theory) -> Figure:
    """log₂(rows + 1) and which of the covered rows, and of the others, are answered wrongly."""
    covered, uncovered = theory.right + theory.false, theory.missed + theory.rest
    total, errors = covered + uncovered, theory.false + theory.missed
    share = (theory.right + theory.missed) / total
    own = plain(theory.right + theory.missed) / plain(total)
    more_covered = better(covered, uncovered, total)
    count = Log(plain(total) + 1)
    parts = [Figure(f"bits of the number of errors {when}", math.log2(total + 1), put_in=count)]
    # Of the larger part as many errors are expected as its share says; of the other they are known.
    sides: tuple[tuple[str, float, float, float, Expression, bool], ...] = (
        ("positives", covered, theory.false, share, own, more_covered),
        ("negatives", uncovered, theory.missed, 1 - share, 1 - own, not more_covered),
    )
    for name, size, wrong, part, put_part, is_larger in sides:
        if size > 0:
            rate = (part * errors if is_larger else wrong) / size
            put = (put_part * plain(errors) if is_larger else plain(wrong)) / plain(size)
            parts.append(subset_figure(f"bits of the false {name} {when}", size, wrong, rate, put))
    taken = f"{with_noun(f'{covered:g}', 'row')} covered, {theory.false:g} falsely"
    because = f"{taken}; {theory.missed:g} missed of {uncovered:g}."
    value = ripper_exception_bits(covered, uncovered, theory.false, theory.missed, share)
    put_in = Sum(tuple(map(named, parts)))
    return Figure(f"bits of exceptions {when}", value, put_in=put_in, because=because, under=tuple(parts))


# FOIL's gain, by which RIPPER grows a rule, and the worth by which it prunes one.


_P: Final = Symbol("p", means="the number of rows of the class that are covered")
_N: Final = Symbol("n", means="the number of rows of other classes that are covered")
_P_NEW: Final = Symbol("p", "new", "the number of rows of the class covered with the new condition")


def foil_gain_figure(
    name: str, before: tuple[float, float], after: tuple[float, float], rows: Rows
) -> Figure:
    """The bits that a condition saves on the rows of the class that it takes.

    `before` and `after` are the weights of the class and of others.
    """
    (p, n), (p_new, n_new) = before, after
    later = Log((plain(p_new) + 1) / (plain(p_new + n_new) + 1))
    earlier = Log((plain(p) + 1) / (plain(p + n) + 1))
    put_in = plain(p_new) * (later - earlier)
    because = f"{p:g} of the class and {n:g} of others before, {p_new:g} and {n_new:g} after."
    return Figure(name, foil_gain(p, n, p_new, n_new), _FOIL, put_in, rows, because=because)


def worth_figure(name: str, p: float, n: float, *, in_list: bool) -> Figure:
    """(p + 1) ÷ (p + n + 2) of a rule by itself, p − n of one that serves within the list."""
    if in_list:
        return Figure(name, p - n, _P - _N, plain(p) - plain(n))
    two = Number(2)
    formula: Expression = (_P + 1) / (_P + _N + two)
    put_in = (plain(p) + 1) / (plain(p) + plain(n) + two)
    return Figure(name, (p + 1) / (p + n + 2), formula, put_in)


_FOIL: Final = _P_NEW * (
    Log((_P_NEW + 1) / (Symbol("t", "new", "the number of all rows covered with it") + 1))
    - Log((_P + 1) / (Symbol("t", means="the number of all rows that are covered") + 1))
)
