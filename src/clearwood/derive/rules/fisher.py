"""Fisher's exact test as a sum: the tables of these margins at most as likely as the one observed."""

from __future__ import annotations

import math
from typing import Final

from clearwood.formulas.expressions import Binomial, Number, Over, Product, Quotient, Sum, Symbol
from clearwood.learners.rules.simplifying.ledger import ConditionTest
from clearwood.working.figures import Figure, less

_MOST_TABLES: Final = 60  # written out in one sum
_LARGEST_TOTAL: Final = 1000  # rows whose ways to be chosen a float can hold


def fisher_figure(test: ConditionTest, because: str) -> Figure:
    """Σ C(column, x) · C(other column, row − x) ÷ C(all, row) over the tables at most as likely."""
    name = f"p({test.condition})"
    cells = [cell for row in test.observed for cell in row]
    x, first, second = (
        Symbol("x", means="the count where the condition holds, in the first column"),
        Symbol("column", "1", "the total of the first column"),
        Symbol("column", "2", "the total of the second column"),
    )
    row, whole = (
        Symbol("row", means="the total of the first row"),
        Symbol("all", means="the total of the table"),
    )
    ways_of_x = Product((Binomial(first, x), Binomial(second, less(row, x))))
    formula = Over("Σ", "x", Quotient(ways_of_x, Binomial(whole, row)))
    reason = f"{because} Over the tables with these margins that are at most as likely as the one observed."
    if any(cell != int(cell) for cell in cells):
        return Figure(
            name, test.p, formula, because=f"{reason} (Its cells are not whole: no numbers put in.)"
        )
    a, b, c, d = map(int, cells)
    if not (a + b and c + d and a + c and b + d):
        reason = f"{because} A margin is 0: there is one such table only."
        return Figure(name, test.p, put_in=Number(1), because=reason)
    across, one, other, total = a + b, a + c, b + d, a + b + c + d
    ways = {
        k: math.comb(one, k) * math.comb(other, across - k)
        for k in range(max(0, across - other), min(across, one) + 1)
    }
    rare = [k for k, count in ways.items() if count <= ways[a] * (1 + 1e-7)]
    if len(rare) > _MOST_TABLES or total > _LARGEST_TOTAL:
        return Figure(name, test.p, formula, because=reason)
    terms = [
        Product((Binomial(Number(one), Number(k)), Binomial(Number(other), Number(across - k)))) for k in rare
    ]
    put_in = Quotient(Sum(tuple(terms)), Binomial(Number(total), Number(across)))
    return Figure(name, test.p, formula, put_in, because=reason)
