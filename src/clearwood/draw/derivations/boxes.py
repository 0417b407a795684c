"""From an expression to boxes, laid out as it will be written before any format is chosen: brackets where
they are needed, fractions, and the places where a long calculation may be broken."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Literal, TypeAlias, assert_never

from clearwood.draw.derivations.sheet import DIGITS, Real, fraction_of, written_number
from clearwood.formulas import expressions as ex
from clearwood.words.columns import display_width

# Boxes: an expression laid out as it will be written, before any format knows of it.


@dataclass(frozen=True, slots=True)
class Atom:
    """What stands in one piece: a number, a letter, a word, the name of a function, or a mark between them.

    A *sign* has space around it, as + has; a *mark* has none, as · and / have.
    """

    text: str
    kind: Literal["number", "letter", "word", "function", "sign", "mark"]


@dataclass(frozen=True, slots=True)
class Line:
    """Boxes one after another."""

    of: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Fenced:
    """In round brackets."""

    of: Box


@dataclass(frozen=True, slots=True)
class Stacked:
    """One above the other with a line between."""

    top: Box
    bottom: Box


@dataclass(frozen=True, slots=True)
class Superscript:
    base: Box
    up: Box


@dataclass(frozen=True, slots=True)
class Subscript:
    base: Box
    down: Box


@dataclass(frozen=True, slots=True)
class Rooted:
    of: Box


@dataclass(frozen=True, slots=True)
class BinomialBox:
    """One above the other in brackets: a binomial coefficient."""

    of: Box
    taken: Box


@dataclass(frozen=True, slots=True)
class Ranging:
    """Σ, Π, max and their like, with their index below, before what they range over."""

    sign: str
    index: str
    of: Box


Box: TypeAlias = Atom | Line | Fenced | Stacked | Superscript | Subscript | Rooted | BinomialBox | Ranging


@dataclass(frozen=True, slots=True)
class Style:
    """How numbers are written, and whether fractions are stacked or stand in one line."""

    digits: int = DIGITS
    stacked: bool = False


def arranged(expression: ex.Expression, style: Style) -> Box:
    """The expression as boxes."""
    return _placed(expression, style)[0]


class _Binds(IntEnum):
    """How firmly the parts of a box hold together, loosely to firmly."""

    COMPARED = 0
    ADDED = 1
    NEGATED = 2
    MULTIPLIED = 3
    DIVIDED = 4  # by a stroke within the line
    PREFIXED = 5  # a function or a root without brackets, a sum over an index
    RAISED = 6
    STACKED = 7
    WHOLE = 8


_Placed = tuple[Box, _Binds]

_MINUS: Final = Atom("−", "mark")
_TIMES: Final = Atom("·", "mark")
_LOGS: Final[dict[ex.Base, Box]] = {
    "2": Subscript(Atom("log", "function"), Atom("2", "number")),
    "e": Atom("ln", "function"),
    "10": Subscript(Atom("log", "function"), Atom("10", "number")),
}


def _placed(expression: ex.Expression, style: Style) -> _Placed:
    expression = ex.of_figure(expression)
    match expression:
        case ex.Number(value) | ex.ValueOf(_, value):
            return _number(value, style)
        case ex.Symbol(name, below):
            letter = _named(name)
            return (Subscript(letter, _named(below)) if below else letter), _Binds.WHOLE
        case ex.Sum(terms):
            return _sum(terms, style)
        case ex.Negative(of):
            return Line((_MINUS, _at_least(_Binds.MULTIPLIED, of, style))), _Binds.NEGATED
        case ex.Product(factors):
            return _product(factors, style)
        case ex.Quotient(top, bottom):
            return _quotient(top, bottom, style)
        case ex.Power(base, exponent):
            raised = Superscript(_at_least(_Binds.WHOLE, base, style), arranged(exponent, style))
            return raised, _Binds.RAISED
        case ex.Exp(of):
            if style.stacked:
                return Superscript(Atom("e", "letter"), arranged(of, style)), _Binds.RAISED
            return _call("exp", (of,), style)
        case ex.Log(of, base):
            return _prefixed(_LOGS[base], of, style)
        case ex.Root(of):
            if style.stacked:
                return Rooted(arranged(of, style)), _Binds.WHOLE
            return _prefixed(Atom("√", "mark"), of, style)
        case ex.Binomial(of, taken):
            if style.stacked:
                return BinomialBox(arranged(of, style), arranged(taken, style)), _Binds.WHOLE
            return _call("C", (of, taken), style)
        case ex.Extreme(which, of):
            return _call(which, of, style)
        case ex.Applied(function, to, _):
            return _call(function, to, style)
        case ex.Over(sign, index, of):
            return Ranging(sign, index, _at_least(_Binds.MULTIPLIED, of, style)), _Binds.PREFIXED
        case ex.Compared(left, sign, right):
            sides = _at_least(_Binds.ADDED, left, style), _at_least(_Binds.ADDED, right, style)
            return Line((sides[0], Atom(sign, "sign"), sides[1])), _Binds.COMPARED
        case _:
            assert_never(expression)


def _at_least(binds: _Binds, expression: ex.Expression, style: Style) -> Box:
    """The expression, in brackets if its parts hold together less firmly than this."""
    box, firmly = _placed(expression, style)
    return box if firmly >= binds else Fenced(box)


def _number(value: Real, style: Style) -> _Placed:
    fraction = fraction_of(value)
    if fraction is not None:
        top, bottom = ex.Number(abs(fraction.numerator)), ex.Number(fraction.denominator)
        box, binds = _quotient(top, bottom, style)
    else:
        written = written_number(-value if value < 0 else value, style.digits)
        box, binds = Atom(written.digits, "number"), _Binds.WHOLE
        if written.tens is not None:
            tens = Superscript(Atom("10", "number"), _number(written.tens, style)[0])
            box, binds = Line((box, Atom("×", "mark"), tens)), _Binds.MULTIPLIED
    return (Line((_MINUS, box)), _Binds.NEGATED) if value < 0 else (box, binds)


def _named(name: str) -> Atom:
    return Atom(name, "letter" if len(name) == 1 else "word")


def _sum(terms: tuple[ex.Expression, ...], style: Style) -> _Placed:
    if len(terms) < 2:
        return _placed(terms[0] if terms else ex.Number(0), style)
    boxes: list[Box] = [_at_least(_Binds.NEGATED, terms[0], style)]
    for term in terms[1:]:
        away = _taken_away(term)
        boxes.append(Atom("+" if away is None else "−", "sign"))
        boxes.append(_at_least(_Binds.MULTIPLIED, term if away is None else away, style))
    return Line(tuple(boxes)), _Binds.ADDED


def _taken_away(term: ex.Expression) -> ex.Expression | None:
    """What a negative term takes away."""
    term = ex.of_figure(term)
    match term:
        case ex.Negative(of):
            return of
        case ex.Number(value) if value < 0:
            return ex.Number(-value)
        case ex.ValueOf(name, value) if value < 0:
            return ex.ValueOf(name, -value)
        case ex.Number() | ex.ValueOf() | ex.Symbol() | ex.Sum() | ex.Product() | ex.Quotient() | ex.Power():
            return None
        case ex.Exp() | ex.Log() | ex.Root() | ex.Binomial():
            return None
        case ex.Extreme() | ex.Applied() | ex.Over() | ex.Compared():
            return None
        case _:
            assert_never(term)


def _product(factors: tuple[ex.Expression, ...], style: Style) -> _Placed:
    if len(factors) < 2:
        return _placed(factors[0] if factors else ex.Number(1), style)
    boxes: list[Box] = []
    for place, factor in enumerate(factors):
        box, binds = _placed(factor, style)
        # A function without brackets would take in what is multiplied after it.
        open_ended = binds == _Binds.PREFIXED and place < len(factors) - 1
        bare = binds >= _Binds.MULTIPLIED and binds != _Binds.DIVIDED and not open_ended
        boxes += [*([_TIMES] if boxes else []), box if bare else Fenced(box)]
    return Line(tuple(boxes)), _Binds.MULTIPLIED


def _quotient(top: ex.Expression, bottom: ex.Expression, style: Style) -> _Placed:
    if style.stacked:
        return Stacked(arranged(top, style), arranged(bottom, style)), _Binds.STACKED
    over, binds = _placed(top, style)
    if binds < _Binds.MULTIPLIED or binds in (_Binds.DIVIDED, _Binds.PREFIXED):
        over = Fenced(over)
    below = _at_least(_Binds.RAISED, bottom, style)
    return Line((over, Atom("/", "mark"), below)), _Binds.DIVIDED


def _prefixed(sign: Box, of: ex.Expression, style: Style) -> _Placed:
    box, binds = _placed(of, style)
    if binds >= _Binds.STACKED:
        space = () if isinstance(sign, Atom) and sign.kind == "mark" else (Atom(" ", "mark"),)
        return Line((sign, *space, box)), _Binds.PREFIXED
    return Line((sign, Fenced(box))), _Binds.RAISED


def _call(function: str, to: tuple[ex.Expression, ...], style: Style) -> _Placed:
    name = Atom(function, "letter" if len(function) == 1 else "function")
    if not to:
        return name, _Binds.WHOLE
    inside: list[Box] = []
    for each in to:
        inside += [*([Atom(", ", "mark")] if inside else []), arranged(each, style)]
    return Line((name, Fenced(Line(tuple(inside))))), _Binds.WHOLE


# Where a long calculation is broken: before the signs of its outermost sum or product.


def broken(box: Box, width: int) -> list[Box]:
    """The box in parts of about this width in characters; each but the first begins with a sign."""
    if not isinstance(box, Line):
        return [box]
    parts: list[list[Box]] = [[]]
    used = 0
    for before, group in _groups(box):
        wide = sum(map(width_of, group))
        if used and used + wide > width and before:
            parts.append([])
            used = 0
        parts[-1] += group
        used += wide
    return [Line(tuple(part)) for part in parts]


def width_of(box: Box) -> int:
    """About how many characters wide it stands."""
    match box:
        case Atom(text, kind):
            return display_width(text) + (2 if kind == "sign" else 0)
        case Line(of):
            return sum(map(width_of, of))
        case Fenced(of) | Rooted(of):
            return width_of(of) + 2
        case Stacked(top, bottom) | BinomialBox(top, bottom):
            return max(width_of(top), width_of(bottom)) + 1
        case Superscript(base, small) | Subscript(base, small):
            return width_of(base) + (width_of(small) + 1) // 2
        case Ranging(sign, _, of):
            return len(sign) + 1 + width_of(of)


def _groups(line: Line) -> list[tuple[bool, list[Box]]]:
    """What must stay together, and whether a line may begin with it."""
    groups: list[tuple[bool, list[Box]]] = [(False, [])]
    for box in line.of:
        # The factors of a product within a sum stand in a line of their own, and stay together.
        if isinstance(box, Atom) and (box.kind == "sign" or box.text == "·"):
            groups.append((True, []))
        groups[-1][1].append(box)
    return groups
