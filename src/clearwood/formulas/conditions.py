"""Conditions: what a branch or a rule asks of a row. The condition printed is the condition evaluated."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

from clearwood.records import InWords, dataclass
from clearwood.words.numbers import number

# Names and values as rules write them: bare, and in quotes where they would be taken for something else.

KEYWORDS: Final = frozenset(
    (
        "if",
        "always",
        "then",
        "otherwise",
        "else",
        "and",
        "or",
        "in",
        "is",
        "not",
        "missing",
        "known",
        "nothing",
    )
)
MARKS: Final = "<>=≤≥≠&{}(),"  # what ends a bare word, beside a blank and a quote

_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t"}
_ESCAPED: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
_UNSAFE: Final = re.compile(rf'["{re.escape(MARKS)}]|^ | $|  |(?:^| )#')


@lru_cache(maxsize=1 << 12)
def written(text: str) -> str:
    """The text as it stands in a rule; `read_word` takes the quotes off again.

    >>> print(written("Don't Play"), written("10 or more"), written("Temp (C)"), written(""), sep=" · ")
    Don't Play · "10 or more" · "Temp (C)" · ""
    """
    if text and text.isprintable() and not _UNSAFE.search(text) and KEYWORDS.isdisjoint(_folded_words(text)):
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def read_word(quoted: str) -> str:
    """What stands between the quotes; ValueError names an escape that isn't one.

    >>> read_word(r'"say \\"ah\\""')
    'say "ah"'
    """
    return _ESCAPED.sub(_unescaped, quoted[1:-1])


def _folded_words(text: str) -> list[str]:
    return text.lower().split(" ")


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _unescaped(match: re.Match[str]) -> str:
    short, long, letter = match.groups()
    if letter is None:
        code = int(short or long, 16)
        if code > 0x10FFFF:
            raise ValueError(f"There is no character {match[0]}.")
        return chr(code)
    if letter in _LETTERS or letter in _ESCAPES:
        return _LETTERS.get(letter, letter)
    raise ValueError(
        f'\\{letter} is no escape; \\" \\\\ \\n \\r \\t and \\u00e9 are. Write \\\\ for a \\ itself.'
    )


# The conditions.

# Limits: the end of an interval as people write it (`x < 21`) and as it is evaluated (x ≤ 20.99…, the
# double before 21).
#
# All evaluation is of intervals low < x ≤ high, so that native code has one kind of them; a limit that is
# not of this form becomes the neighbouring number, which is the same of every cell.


_DIGITS: Final = 15  # decimals of so many digits are all different as doubles


class Limit(NamedTuple):
    """The end of an interval, and whether a number equal to it lies inside."""

    number: float
    included: bool


def low_bound(limit: Limit) -> float:
    """The bound with low < x of the same numbers.

    >>> low_bound(Limit(21.0, False)), low_bound(Limit(21.0, True))
    (21.0, 20.999999999999996)
    """
    return math.nextafter(limit.number, -math.inf) if limit.included else limit.number


def high_bound(limit: Limit) -> float:
    """The bound with x ≤ high of the same numbers."""
    return limit.number if limit.included else math.nextafter(limit.number, -math.inf)


def low_limit(bound: float) -> Limit:
    """The numbers above a bound as people write them: > 20, or ≥ 21 where the bound is just below 21.

    >>> low_limit(20.0), low_limit(20.999999999999996)
    (Limit(number=20.0, included=False), Limit(number=21.0, included=True))
    """
    after = _short_after(bound)
    return Limit(bound, False) if after is None else Limit(after, True)


def high_limit(bound: float) -> Limit:
    """The numbers up to a bound as people write them: ≤ 20, or < 21 where the bound is just below 21."""
    after = _short_after(bound)
    return Limit(bound, True) if after is None else Limit(after, False)


def _short_after(bound: float) -> float | None:
    """The next number, where it has few digits and this one too many to have been meant."""
    if not math.isfinite(bound):
        return None
    after = math.nextafter(bound, math.inf)
    if after == 0.0:
        return 0.0
    is_intended = _is_short(bound) or not math.isfinite(after) or not _is_short(after)
    return None if is_intended else after


def _is_short(value: float) -> bool:
    return float(f"{value:.{_DIGITS}g}") == value


@dataclass(frozen=True, slots=True)
class Equals(InWords):
    """`Outlook = Sunny`"""

    name: str
    value: str

    def __str__(self) -> str:
        return f"{written(self.name)} = {written(self.value)}"


@dataclass(frozen=True, slots=True)
class OneOf(InWords):
    """`Outlook in {Sunny, Rainy}`, with `or_missing` also a missing cell: `Outlook = Sunny or missing`."""

    name: str
    values: tuple[str, ...]
    or_missing: bool = False

    def __str__(self) -> str:
        if self.or_missing and len(self.values) == 1:
            return f"{written(self.name)} = {written(self.values[0])} or missing"
        values = ", ".join(map(written, self.values))
        return f"{written(self.name)} in {{{values}}}" + _or_missing(self.or_missing)


@dataclass(frozen=True, slots=True)
class AtMost(InWords):
    """`Humidity ≤ 75`; with an infinite limit `Humidity is known`."""

    name: str
    limit: float
    or_missing: bool = False

    def __str__(self) -> str:
        test = "is known" if self.limit == math.inf else f"≤ {number(self.limit)}"
        return f"{written(self.name)} {test}" + _or_missing(self.or_missing)


@dataclass(frozen=True, slots=True)
class Below(InWords):
    """`Age < 21`"""

    name: str
    limit: float
    or_missing: bool = False

    def __str__(self) -> str:
        return f"{written(self.name)} < {number(self.limit)}" + _or_missing(self.or_missing)


@dataclass(frozen=True, slots=True)
class Above(InWords):
    """`Humidity > 75`"""

    name: str
    limit: float
    or_missing: bool = False

    def __str__(self) -> str:
        return f"{written(self.name)} > {number(self.limit)}" + _or_missing(self.or_missing)


@dataclass(frozen=True, slots=True)
class AtLeast(InWords):
    """`Age ≥ 21`"""

    name: str
    limit: float
    or_missing: bool = False

    def __str__(self) -> str:
        return f"{written(self.name)} ≥ {number(self.limit)}" + _or_missing(self.or_missing)


@dataclass(frozen=True, slots=True)
class Between(InWords):
    """`23 < Age ≤ 31`; each end may be included or not, and `Age = 23` is from 23 to 23."""

    name: str
    low: float
    high: float
    or_missing: bool = False
    low_included: bool = False
    high_included: bool = True

    def __str__(self) -> str:
        low, high = limits_of(self)
        if low == high and low.included:
            return f"{written(self.name)} = {number(low.number)}" + _or_missing(self.or_missing)
        signs = ["≤" if each.included else "<" for each in (low, high)]
        ends = f"{number(low.number)} {signs[0]} {written(self.name)} {signs[1]} {number(high.number)}"
        return ends + _or_missing(self.or_missing)


@dataclass(frozen=True, slots=True)
class IsMissing(InWords):
    """`Humidity is missing`"""

    name: str

    def __str__(self) -> str:
        return f"{written(self.name)} is missing"


OnNumbers: TypeAlias = AtMost | Below | Above | AtLeast | Between
LimitSign: TypeAlias = Literal["<", "<=", ">", ">="]
Condition: TypeAlias = Equals | OneOf | OnNumbers | IsMissing


def holds(condition: Condition, value: str | float | None) -> bool:
    """Does this cell satisfy the condition? None and NaN are missing.

    >>> holds(AtMost("Humidity", 75.0), 70.0), holds(OneOf("Wind", ("Weak",), or_missing=True), None)
    (True, True)
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return isinstance(condition, IsMissing) or getattr(condition, "or_missing", False)
    match condition:
        case IsMissing():
            return False
        case Equals(_, equal_to):
            return value == equal_to
        case OneOf(_, values, _):
            return value in values
        case AtMost(_, limit, _):
            return float(value) <= limit
        case Below(_, limit, _):
            return float(value) < limit
        case Above(_, limit, _):
            return float(value) > limit
        case AtLeast(_, limit, _):
            return float(value) >= limit
        case Between(_, low, high, _, low_included, high_included):
            above = float(value) >= low if low_included else float(value) > low
            return above and (float(value) <= high if high_included else float(value) < high)
        case _:
            assert_never(condition)


def all_of(conditions: Sequence[Condition]) -> str:
    """The conditions joined by AND, those with an alternative in brackets where there are several.

    >>> print(all_of((OneOf("Wind", ("Weak",), or_missing=True), Above("Humidity", 75.0))))
    (Wind = Weak or missing) AND Humidity > 75
    """
    if len(conditions) == 1:
        return str(conditions[0])
    return " AND ".join(
        f"({each})" if getattr(each, "or_missing", False) else str(each) for each in conditions
    )


def takes_missing(condition: Condition) -> bool:
    """Does an empty cell satisfy it?"""
    return isinstance(condition, IsMissing) or getattr(condition, "or_missing", False)


def values_of(condition: Condition) -> frozenset[str]:
    """The values that satisfy it; none for a condition on numbers."""
    match condition:
        case Equals(_, value):
            return frozenset((value,))
        case OneOf(_, values, _):
            return frozenset(values)
        case AtMost() | Below() | Above() | AtLeast() | Between() | IsMissing():
            return frozenset()
        case _:
            assert_never(condition)


def bounds_of(condition: Condition) -> tuple[float, float]:
    """The numbers low < x ≤ high that satisfy it, as they are evaluated; (inf, −inf) where there are none.

    >>> bounds_of(AtMost("Age", 21.0)), bounds_of(Below("Age", 21.0))
    ((-inf, 21.0), (-inf, 20.999999999999996))
    """
    match condition:
        case AtMost() | Below() | Above() | AtLeast() | Between():
            low, high = limits_of(condition)
            return low_bound(low), high_bound(high)
        case Equals() | OneOf() | IsMissing():
            return math.inf, -math.inf
        case _:
            assert_never(condition)


def limits_of(condition: OnNumbers) -> tuple[Limit, Limit]:
    """Its lower and its upper end as they are written."""
    match condition:
        case AtMost(_, limit):
            return _NO_LOW, Limit(limit, True)
        case Below(_, limit):
            return _NO_LOW, Limit(limit, False)
        case Above(_, limit):
            return Limit(limit, False), _NO_HIGH
        case AtLeast(_, limit):
            return Limit(limit, True), _NO_HIGH
        case Between(_, low, high, _, low_included, high_included):
            return Limit(low, low_included), Limit(high, high_included)
        case _:
            assert_never(condition)


def comparisons(condition: OnNumbers) -> tuple[tuple[LimitSign, float], ...]:
    """What a number is compared with, as it is written: a sign and a limit, or two that both hold.

    >>> comparisons(AtMost("Age", 21.0)), comparisons(Between("Age", 18.0, 21.0, low_included=True))
    ((('<=', 21.0),), (('>=', 18.0), ('<=', 21.0)))
    """
    low, high = limits_of(condition)
    above: tuple[LimitSign, float] = (">=" if low.included else ">", low.number)
    below: tuple[LimitSign, float] = ("<=" if high.included else "<", high.number)
    if isinstance(condition, Between):
        return above, below
    return (below,) if isinstance(condition, AtMost | Below) else (above,)


def never_holds(condition: Condition) -> bool:
    """Is there no cell that satisfies it? Two conditions that exclude each other merge to such a one.

    >>> never_holds(OneOf("Wind", ())), never_holds(Between("Age", 50.0, 30.0))
    (True, True)
    """
    if getattr(condition, "or_missing", False):
        return False
    match condition:
        case OneOf(_, values):
            return not values
        case AtMost() | Below() | Above() | AtLeast() | Between():
            low, high = bounds_of(condition)
            return low >= high
        case Equals() | IsMissing():
            return False
        case _:
            assert_never(condition)


def exclude_each_other(one: Condition, other: Condition) -> bool:
    """Is there no cell that satisfies both?

    >>> exclude_each_other(AtMost("Age", 21.0), Above("Age", 21.0))
    True
    """
    if one.name != other.name or (takes_missing(one) and takes_missing(other)):
        return False
    if isinstance(one, IsMissing) or isinstance(other, IsMissing):
        return True
    if isinstance(one, Equals | OneOf) and isinstance(other, Equals | OneOf):
        return values_of(one).isdisjoint(values_of(other))
    (low, high), (other_low, other_high) = bounds_of(one), bounds_of(other)
    return high <= other_low or other_high <= low


def one_of(name: str, values: tuple[str, ...], or_missing: bool = False) -> Condition:
    """The condition for these values: one, several, or none but a missing cell."""
    if not values:
        return IsMissing(name)
    return Equals(name, values[0]) if len(values) == 1 and not or_missing else OneOf(name, values, or_missing)


def interval(name: str, low: float, high: float, or_missing: bool = False) -> Condition:
    """The condition low < x ≤ high, with an infinite bound left unsaid.

    >>> print(interval("Age", 18.0, 20.999999999999996))
    18 < Age < 21
    """
    if low == math.inf:
        return IsMissing(name)
    return between_limits(name, low_limit(low), high_limit(high), or_missing)


def between_limits(name: str, low: Limit, high: Limit, or_missing: bool = False) -> OnNumbers:
    """The condition that a number lies between two limits, an infinite one left unsaid."""
    if low.number == -math.inf:
        upper = AtMost if high.included or high.number == math.inf else Below
        return upper(name, high.number, or_missing)
    if high.number == math.inf:
        return (AtLeast if low.included else Above)(name, low.number, or_missing)
    return Between(name, low.number, high.number, or_missing, low.included, high.included)


def _or_missing(joined: bool) -> str:
    return " or missing" if joined else ""


_NO_LOW: Final = Limit(-math.inf, False)
_NO_HIGH: Final = Limit(math.inf, True)
