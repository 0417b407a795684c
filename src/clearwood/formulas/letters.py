"""The letters of a formula: which symbols and functions it uses, so that each can be defined once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import assert_never

from clearwood.formulas.expressions import (
    Applied,
    Binomial,
    Compared,
    Exp,
    Expression,
    Extreme,
    Log,
    Negative,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    ValueOf,
)


def letters_in(expression: Expression) -> Iterator[str]:
    """Every symbol, with its index behind an underscore, and every function with (…), as they are read.

    >>> list(letters_in(Applied("H", (Quotient(Symbol("n", "c"), Symbol("n")),))))
    ['H(…)', 'n_c', 'n']
    """
    match expression:
        case Symbol(name, below):
            yield f"{name}_{below}" if below else name
        case Applied(function):
            yield f"{function}(…)"
        case Number() | ValueOf() | Sum() | Negative() | Product() | Quotient() | Power() | Exp() | Log():
            pass  # its parts may have some
        case Root() | Binomial() | Extreme() | Over() | Compared():
            pass
        case _:
            assert_never(expression)
    for field in fields(expression):
        value = getattr(expression, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if is_dataclass(part) and not isinstance(part, type):
                yield from letters_in(part)  # type: ignore[arg-type]
