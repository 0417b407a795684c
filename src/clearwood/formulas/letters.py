"""The letters of a formula: which symbols and functions it uses, so that each can be defined once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import assert_never

from clearwood.formulas import expressions as ex


def letters_in(expression: ex.Expression) -> Iterator[str]:
    """Every symbol, with its index behind an underscore, and every function with (…), as they are read.

    >>> list(letters_in(ex.Applied("H", (ex.Quotient(ex.Symbol("n", "c"), ex.Symbol("n")),))))
    ['H(…)', 'n_c', 'n']
    """
    match expression:
        case ex.Symbol(name, below):
            yield f"{name}_{below}" if below else name
        case ex.Applied(function):
            yield f"{function}(…)"
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
