"""The letters of a formula: which symbols and functions it uses, so that each can be defined once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from clearwood.formulas.expressions import Applied, Expression, Symbol


def letters_in(expression: Expression) -> Iterator[str]:
    """Every symbol, with its index behind an underscore, and every function with (…), as they are read.

    >>> from clearwood.formulas.expressions import Quotient
    >>> list(letters_in(Applied("H", (Quotient(Symbol("n", "c"), Symbol("n")),))))
    ['H(…)', 'n_c', 'n']
    """
    match expression:
        case Symbol(name, below):
            yield f"{name}_{below}" if below else name
        case Applied(function):
            yield f"{function}(…)"
    for field in fields(expression):
        value = getattr(expression, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if is_dataclass(part) and not isinstance(part, type):
                yield from letters_in(part)  # type: ignore[arg-type]
