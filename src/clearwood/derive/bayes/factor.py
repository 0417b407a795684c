"""A Factor: what one cell of a row, or one word of a text, multiplies each class's product by."""

from __future__ import annotations

from dataclasses import dataclass

from clearwood.formulas.expressions import Expression, Log, Number, Power, Product, Quotient, ValueOf
from clearwood.working.figures import Figure, less, named, plain


@dataclass(frozen=True, slots=True)
class Factor:
    """A cell's figures by class, as they stand in the product and in the sum of logarithms.

    A factor without influence has none, and `because` gives the reason.
    """

    title: str
    name: str
    figures: tuple[Figure, ...] = ()
    times: tuple[Expression, ...] = ()  # [class]
    plus: tuple[Expression, ...] = ()  # [class] in natural logarithms
    logs: tuple[float, ...] = ()  # [class]
    often: float = 1.0  # how many times the same probability counts
    because: str = ""


def in_powers(
    title: str,
    name: str,
    figures: tuple[Figure, ...],
    often: float,
    logs: tuple[float, ...],
    *,
    inverted: bool,
) -> Factor:
    """Each class's figure counts so often; `inverted`, as complement has it, 1 ÷ that."""
    times: list[Expression] = []
    plus: list[Expression] = []
    for figure in figures:
        power: Expression = raw(figure) if often == 1 else Power(raw(figure), plain(often))
        log: Expression = Log(raw(figure), "e")
        log = log if often == 1 else Product((plain(often), log))
        if inverted:
            times.append(Quotient(Number(1), power))
            plus.append(less(Number(0), log))
        else:
            times.append(power)
            plus.append(log)
    return Factor(title, name, figures, tuple(times), tuple(plus), logs, often)


def each_its_own(title: str, name: str, figures: tuple[Figure, ...], logs: tuple[float, ...]) -> Factor:
    """Each class's figure is its factor."""
    plus = tuple(Log(each, "e") for each in map(raw, figures))
    return Factor(title, name, figures, tuple(map(named, figures)), plus, logs)


def raw(figure: Figure) -> ValueOf:
    """A figure's value as a decimal number, where it goes into a logarithm."""
    assert isinstance(figure.value, float)
    return ValueOf(figure.name, figure.value)
