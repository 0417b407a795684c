"""The letters of a formula, each with the meaning that this formula gives it, so that it can be defined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import assert_never

from clearwood.formulas import expressions as ex


@dataclass(frozen=True, slots=True)
class FormulaLetter:
    """A symbol, or the name of a function; a word may have no meaning but its own."""

    symbol: ex.Symbol
    is_function: bool = False

    @property
    def means(self) -> str:
        return self.symbol.means

    @property
    def name(self) -> str:
        """With its index behind an underscore."""
        return f"{self.symbol.name}_{self.symbol.below}" if self.symbol.below else self.symbol.name

    def __str__(self) -> str:
        return f"{self.name}(…)" if self.is_function else self.name


def letters_in(expression: ex.Expression) -> Iterator[FormulaLetter]:
    """Every symbol and every function, as they are read.

    >>> share = ex.Quotient(ex.Symbol("n", "c", "the number of rows of class c"), ex.Symbol("n"))
    >>> [str(each) for each in letters_in(ex.Applied("H", (share,)))]
    ['H(…)', 'n_c', 'n']
    >>> [each.means for each in letters_in(share)]
    ['the number of rows of class c', '']
    """
    match expression:
        case ex.Symbol():
            yield FormulaLetter(expression)
        case ex.Applied(function, means=means):
            yield FormulaLetter(ex.Symbol(function, means=means), is_function=True)
        case ex.Number() | ex.ValueOf() | ex.Sum() | ex.Negative() | ex.Product() | ex.Quotient():
            pass  # its parts may have some
        case ex.Power() | ex.Exp() | ex.Log() | ex.Root() | ex.Binomial():
            pass
        case ex.Extreme() | ex.Over() | ex.Compared():
            pass
        case _:
            assert_never(expression)
    for field in fields(expression):
        value = getattr(expression, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if is_dataclass(part) and not isinstance(part, type):
                yield from letters_in(part)  # type: ignore[arg-type]
