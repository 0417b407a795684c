"""Literals: numbers without loss and texts whose every character arrives."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from clearwood.errors import SettingError

_LARGEST: Final = 1.7976931348623157e308
_EXACT: Final = 2**53  # whole numbers up to this are doubles


def with_exponent(infinity: str = "") -> Callable[[float], str]:
    """Literals that are doubles because they have an exponent; without one they would be decimals.

    >>> [with_exponent()(each) for each in (2.45, 30.0, -1e-07)]
    ['2.45e0', '30e0', '-1e-07']
    """

    def literal(value: float) -> str:
        value = within_doubles(value) if not infinity else value
        if math.isinf(value):
            return f"CAST('{'-' if value < 0 else ''}{infinity}' AS DOUBLE)"
        written = shortest_digits(value)
        return written if "e" in written else f"{written}e0"

    return literal


def shortest_digits(value: float) -> str:
    """The shortest digits that are this double.

    >>> shortest_digits(30.0), shortest_digits(0.1), shortest_digits(1e22)
    ('30', '0.1', '1e+22')
    """
    written = repr(value)
    return written.removesuffix(".0")


def within_doubles(value: float) -> float:
    """An infinite limit as the largest number, where there is no infinity: no cell is above it."""
    return math.copysign(_LARGEST, value) if math.isinf(value) else value


def of_sqlite(value: float) -> str:
    """A number as SQLite reads it to the last bit.

    SQLite reads up to 53 bits of digits and divides by a power of ten once; on some machines in 64 bits and
    then again to 53. Digits for which that may miss are spelled as a quotient of two whole numbers.

    >>> of_sqlite(2.45), of_sqlite(30.0), of_sqlite(1 / 3)
    ('2.45', '30.0', '0.3333333333333333')
    >>> of_sqlite(0.1 + 0.2)
    '(1351079888211149.0 / 4503599627370496.0)'
    """
    value = within_doubles(value)
    written = repr(value)
    if _read_rightly(written, value):
        return written if "." in written or "e" in written else f"{written}.0"
    over, under = value.as_integer_ratio()
    if abs(over) >= _EXACT:
        factor = over & -over
        return _product(str(over // factor), "*", factor)
    return _product(str(over), "/", under)


def _product(start: str, sign: str, power: int) -> str:
    """A whole number times or over a power of two, which is taken in steps that are whole doubles."""
    parts = [f"{start}.0"]
    while power > 1:
        step = min(power, 2**62)
        parts.append(f"{step}.0")
        power //= step
    return f"({f' {sign} '.join(parts)})"


def _read_rightly(written: str, value: float) -> bool:
    digits, _, exponent = written.lstrip("-").partition("e")
    whole, _, rest = digits.partition(".")
    rest = rest.rstrip("0")
    number, power = int(whole + rest), int(exponent or 0) - len(rest)
    if number >= _EXACT or abs(power) > 22:
        return number == 0
    if value == 0 or power >= 0:
        return int(number * 10 ** max(power, 0)) < _EXACT
    # Not nearer to the middle of two doubles than the first rounding can move it.
    exact = Fraction(number, 10**-power)
    ulp = Fraction(math.ulp(value))
    off = abs(exact - Fraction(abs(value)))
    safe: bool = ulp / 2 - off > exact / 2**61
    return safe


def doubled(quote: str, before: str = "") -> Callable[[str], str]:
    """A text between quotes, with those in it written twice."""
    return lambda text: f"{before}{quote}{_whole(text).replace(quote, quote * 2)}{quote}"


def with_backslashes(*, double_quotes: bool = False, lines: bool = False) -> Callable[[str], str]:
    """A text where a backslash begins an escape; `lines`: a literal must not hold line breaks."""

    def literal(text: str) -> str:
        written = _whole(text).replace("\\", "\\\\").replace("'", "''" if double_quotes else "\\'")
        if lines:
            written = written.replace("\n", "\\n").replace("\r", "\\r")
        return f"'{written}'"

    return literal


def of_sql_server(text: str) -> str:
    """A text in Unicode. A backslash before a line break would join the lines."""
    written = doubled("'", "N")(text)
    return f"({written})".replace("\\\n", "\\' + N'\n") if "\\\n" in written else written


def quoted_name(quote: str) -> Callable[[str], str]:
    """A name between quotes, with those in it written twice."""
    return lambda name: doubled(quote)(_name(name))


def bracketed(name: str) -> str:
    """A name as SQL Server quotes it."""
    return f"[{_name(name).replace(']', ']]')}]"


def of_bigquery(name: str) -> str:
    r"""A name as BigQuery quotes it: with the escapes of a text.

    >>> print(of_bigquery("a`b\\c"))
    `a\`b\\c`
    """
    escapes = {"\\": "\\\\", "`": "\\`", "\n": "\\n", "\r": "\\r"}
    return f"`{''.join(escapes.get(each, each) for each in _name(name))}`"


def _name(name: str) -> str:
    if not name:
        raise SettingError(
            "SQL has no columns without a name, but one here has none. Name it in the table and learn again."
        )
    return _whole(name)


def _whole(text: str) -> str:
    if "\0" in text or any("\ud800" <= each <= "\udfff" for each in text):
        raise SettingError(
            f"The text {text!r} holds a character that SQL cannot write. Learn from a table without it."
        )
    return text
