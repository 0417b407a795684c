"""Numbers as a derivation writes them: so many significant digits, and whole ones whole."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from clearwood.words.numbers import superscript

Real = int | float | Fraction

DIGITS: Final = 4
_LONGEST: Final = 10**9  # a fraction of longer parts says less than its decimals
_WHOLE: Final = 10**15  # from here on, not every whole number is a float
_SMALL: Final = 1e-4


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """The digits, with a real minus; `tens` is the power of ten they are multiplied by, None without one."""

    digits: str
    tens: int | None = None

    def __str__(self) -> str:
        return self.digits if self.tens is None else f"{self.digits}×10{superscript(self.tens)}"


def written_number(value: Real, digits: int = DIGITS) -> WrittenNumber:
    """A number to so many significant digits; its whole part is always whole.

    >>> print(*(written_number(x) for x in (0.9402859, 14.0, 48842, -2.5, 12345.678, 0.99999, 0.0000123456)))
    0.9403 14 48,842 −2.5 12,345.7 1.0000 1.235×10⁻⁵
    """
    if isinstance(value, float) and not math.isfinite(value):
        return WrittenNumber("undefined" if math.isnan(value) else "∞" if value > 0 else "−∞")
    size = -value if value < 0 else value
    if size and not _SMALL <= size < _WHOLE:
        return _scientific(value, digits)
    if value == int(value):
        return WrittenNumber(_minus(f"{int(value):,}"))
    number = float(value)
    decimals = max(1, digits - 1 - math.floor(math.log10(abs(number))))
    text = f"{number:,.{decimals}f}"
    short = text.rstrip("0").rstrip(".")
    # What is not whole must not look whole.
    return WrittenNumber(_minus(short if "." in short else text))


def fraction_of(value: Real | None) -> Fraction | None:
    """The fraction to be written for a number, if it is one, neither whole nor long."""
    if not isinstance(value, Fraction) or value.denominator == 1:
        return None
    return value if max(abs(value.numerator), value.denominator) < _LONGEST else None


def _scientific(value: Real, digits: int) -> WrittenNumber:
    try:
        number = float(value)
    except OverflowError:
        return WrittenNumber("∞" if value > 0 else "−∞")
    mantissa, _, tens = f"{number:.{digits - 1}e}".partition("e")
    return WrittenNumber(_minus(mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa), int(tens))


def _minus(text: str) -> str:
    return text.replace("-", "−")
