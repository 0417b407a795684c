"""What must hold of every derivation: its figures are what their expressions come to."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from clearwood.formulas.expressions import Expression, ValueOf, value_of
from clearwood.working.derivation import Derivation
from clearwood.working.figures import Figure


def check(derivation: Derivation) -> int:
    """Every figure, also of every grid's rows, equals its expression; returns how many had one.

    Every number named is that of a figure under it, in its step or before.
    """
    checked = 0
    met: dict[str, float] = {}
    for step in derivation:
        beside = {each.name: _number(each) for each in step.walk()}
        for figure in step.walk():
            checked += _check_figure(figure, met | beside)
            in_grids = list(figure.in_grids())
            near = met | beside | {each.name: _number(each) for each in in_grids}
            checked += sum(_check_figure(each, near) for each in in_grids)
        met |= beside
    return checked


def _check_figure(figure: Figure, known: dict[str, float]) -> int:
    if figure.put_in is None:
        return 0
    _check_value(figure)
    near = known | {each.name: _number(each) for each in figure.walk() if each is not figure}
    for each in _named(figure.put_in):
        assert each.name in near, f"{figure.name} names {each.name}, which is nowhere"
        assert math.isclose(float(each.value), near[each.name], rel_tol=1e-9, abs_tol=1e-300), each
    return 1


def _check_value(figure: Figure) -> None:
    assert figure.put_in is not None
    number = value_of(figure.put_in)
    value = _number(figure)
    assert math.isclose(number, value, rel_tol=1e-9, abs_tol=1e-12), (
        figure.name,
        number,
        value,
        figure.put_in,
    )
    if figure.exact is not None:
        assert math.isclose(float(figure.exact), value, rel_tol=1e-9, abs_tol=1e-12), figure.name


def _number(figure: Figure) -> float:
    return float(figure.value) if isinstance(figure.value, int | float) else math.nan


def _named(expression: Expression) -> Iterator[ValueOf]:
    if isinstance(expression, ValueOf):
        yield expression
    for field in fields(expression):
        inside: Any = getattr(expression, field.name)
        for each in inside if isinstance(inside, tuple) else (inside,):
            if is_dataclass(each):
                yield from _named(each)  # type: ignore[arg-type]
