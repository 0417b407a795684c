"""Numbers as people read them: exactly, in few digits, as shares, and as so many of something.

Which one? `number` where it must read back; `figure` beside a tree or in a table, `figures` for a column
of them; `in_digits` for weights
and odds, which may be negative or infinite; `told_apart` for two that are compared; `amount` on a page;
`brief` and `short` inside sentences; `percent` for shares.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

_WRITTEN_OUT: Final = 1e9  # whole numbers up to here
_NOISE: Final = 1e-9  # of the largest number beside it
_MILLION: Final = 1_000_000
_UP: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float) -> str:
    """A number as a person writes it, and never so short that it reads back as another one.

    >>> number(75.0), number(0.1), number(2.4500000476837163)
    ('75', '0.1', '2.4500000476837163')
    """
    if not math.isfinite(value):
        return repr(value)
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def exact_sum(value: int | Fraction) -> str:
    """An exact sum: whole, or in six digits.

    >>> exact_sum(12345678), exact_sum(Fraction(1, 3))
    ('12345678', '0.333333')
    """
    return f"{float(value):.6g}" if isinstance(value, Fraction) else number(value)


def digits_of(value: float, digits: int) -> str:
    """A number in so many digits; one that has more before its point is written out, up to a billion.

    >>> digits_of(23.45678, 4), digits_of(35894.27, 4), digits_of(0.000012345, 2), digits_of(3.5e12, 4)
    ('23.46', '35894', '1.2e-05', '3.5e+12')
    """
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e+" in text and abs(value) < _WRITTEN_OUT else text


def figure(value: float) -> str:
    """A number in four digits, whole where it is whole.

    >>> figure(23.0), figure(23.45678), figure(35894.27)
    ('23', '23.46', '35894')
    """
    return f"{value:.0f}" if float(value).is_integer() and abs(value) < _WRITTEN_OUT else digits_of(value, 4)


def figures(values: Sequence[float]) -> list[str]:
    """Numbers of one column; what is only rounding error beside the largest of them is 0.

    >>> figures([-8.6072e-14, 0.25, 1.0])
    ['0', '0.25', '1']
    """
    noise = _NOISE * max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    return [figure(0.0 if abs(value) < noise else value) for value in values]


def count_words(count: float) -> str:
    """A count that weights, or rows judged several times, may have made broken: in at most one decimal.

    >>> count_words(34.66666667), count_words(74.00000000001), count_words(1234567)
    ('34.7', '74', '1234567')
    """
    return f"{round(count, 1):.10g}"


def told_apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers in four digits, or in as many as show that they differ.

    >>> told_apart(0.2412, 0.2398), told_apart(0.241237, 0.241221), told_apart(0.0, 0.25)
    (('0.2412', '0.2398'), ('0.24124', '0.24122'), ('0', '0.25'))
    """
    for digits in range(4, 17):
        texts = digits_of(one, digits), digits_of(other, digits)
        if texts[0] != texts[1] or one == other:
            return texts
    return number(one), number(other)


def brief(value: float) -> str:
    """A number in four digits, of a part of one in two; a whole one as it is.

    >>> brief(12315.0), brief(17.2259), brief(0.35714)
    ('12315', '17.23', '0.36')
    """
    if abs(value) < _WRITTEN_OUT and value == int(value):
        return number(value)
    return digits_of(value, 4) if abs(value) >= 1 else f"{value:.2g}"


def short(value: float) -> str:
    """A number as a derivation's sentence writes it: three decimals, or three digits where those are all 0.

    >>> short(0.24674981977443933), short(1.0), short(0.0000123456), short(0.0)
    ('0.247', '1', '1.23×10⁻⁵', '0')
    """
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    if abs(value) >= 0.001 or not math.isfinite(value):
        return f"{value:.3f}"
    digits, _, tens = f"{value:.3g}".partition("e")
    return digits if not tens else f"{digits}×10{superscript(int(tens))}"


def in_digits(value: float, digits: int = 4) -> str:
    """A number in so many digits, with a real minus.

    >>> in_digits(-0.012346), in_digits(1234567.0), in_digits(math.inf)
    ('−0.01235', '1234567', '∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = digits_of(value, digits)
    return "−" + text[1:] if text.startswith("-") else text


def amount(value: float) -> str:
    """A number of rows, or any other, in as few digits as it needs.

    >>> amount(32561.4), amount(2.5714), amount(float("nan"))
    ('32,561', '2.571', '–')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    large = 1e3 <= abs(value) < 1e15 or (float(value).is_integer() and abs(value) < 1e15)
    text = f"{value:,.0f}" if large else f"{value:.4g}"
    return text.replace("-", "−")


def part_of(some: int, whole: int, noun: str) -> str:
    """So many of so many; the plural of a noun ends in s.

    >>> part_of(3, 14, "round of the pairs"), part_of(1, 1, "tree")
    ('3 of 14 rounds of the pairs', '1 of 1 tree')
    """
    first, _, rest = noun.partition(" ")
    return f"{some:,} of {whole:,} {first}{'' if whole == 1 else 's'} {rest}".rstrip()


def superscript(whole: int) -> str:
    return str(whole).translate(_UP)


def p_value(p: float) -> str:
    """A p-value as papers print it.

    >>> p_value(0.0314159), p_value(1e-9)
    ('0.0314', '<0.0001')
    """
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def percent(share: float) -> str:
    """Whole per cent without the sign, but never 0 or 100 for what is only close to it.

    >>> percent(0.643), percent(0.999), percent(1.0)
    ('64', '>99', '100')
    """
    text = f"{100 * share:.0f}"
    return "<1" if text == "0" and share > 0 else ">99" if text == "100" and share < 1 else text


def percent_to(share: float, digits: int = 1) -> str:
    """Per cent to so many decimals, with the sign.

    >>> percent_to(0.76777), percent_to(1.0), percent_to(0.0004), percent_to(0.997, 0)
    ('76.8 %', '100 %', '<0.1 %', '>99 %')
    """
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    least = 10.0**-digits
    text = f"{100 * share:.{digits}f}"
    rounded = float(text)
    return f"<{least:g} %" if rounded == 0 else f">{100 - least:g} %" if rounded == 100 else f"{text} %"


def rows(weight: float) -> str:
    """A weight to one decimal, whole where it is whole.

    >>> rows(14.0), rows(2.57)
    ('14', '2.6')
    """
    return f"{weight:.1g}" if 0 < weight < 0.05 else f"{weight:.1f}".removesuffix(".0")


def row_count(weight: float) -> str:
    """A number of rows with its word.

    >>> row_count(1.0), row_count(48842.0), row_count(2.57)
    ('1 row', '48,842 rows', '2.6 rows')
    """
    text = f"{weight:,.0f}" if weight >= 1000 else rows(weight)
    return f"{text} row" if text == "1" else f"{text} rows"


def exact_row_count(weight: float) -> str:
    """5 rows, 1 row, rows of weight 2.5: what a derivation counts is not rounded in silence."""
    return row_count(weight) if weight == int(weight) else f"rows of weight {short(weight)}"


def many(count: int, one: str, several: str = "") -> str:
    """A number of things.

    >>> many(1, "leaf", "leaves"), many(1200, "leaf", "leaves"), many(2, "rule")
    ('1 leaf', '1,200 leaves', '2 rules')
    """
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def many_in_words(count: int, one: str, several: str = "") -> str:
    """The same where it may be so large that its digits are of no use to anybody.

    >>> many_in_words(1200, "leaf", "leaves"), many_in_words(1_879_917, "rule"), many_in_words(2**53, "rule")
    ('1,200 leaves', 'more than a million rules', 'more than a billion rules')
    """
    if count <= _MILLION:
        return many(count, one, several)
    size = "million" if count <= 1000 * _MILLION else "billion"
    return f"more than a {size} {several or one + 's'}"


def with_noun(text: str, one: str, several: str = "") -> str:
    """A number that is written already, with its noun.

    >>> with_noun("1", "row"), with_noun("2.5", "row"), with_noun("3", "leaf", "leaves")
    ('1 row', '2.5 rows', '3 leaves')
    """
    return f"{text} {one if text == '1' else several or one + 's'}"


# Several names in a sentence.


def with_and(names: Iterable[str]) -> str:
    """Names with commas between, and "and" before the last.

    >>> with_and(["ID3", "CART", "CHAID"]), with_and(["CART"])
    ('ID3, CART and CHAID', 'CART')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def in_short(names: Sequence[str], joined: str = "and", most: int = 6) -> str:
    """The first of many names, and how many more there are.

    >>> in_short(["a", "b"], "or"), in_short("abcdefgh", most=3)
    ('a or b', 'a, b, c and 5 more')
    """
    left = len(names) - most
    if left > 0:
        return f"{', '.join(names[:most])} {joined} {left:,} more"
    return f" {joined} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
