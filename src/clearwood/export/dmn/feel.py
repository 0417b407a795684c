"""FEEL: conditions as unary tests, numbers and texts as literals, columns as names.

FEEL has no exponents, so numbers are written out; a missing cell is `null`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, assert_never

from clearwood.models.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
)

ANYTHING: Final = "-"
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_KEYWORDS: Final = re.compile(
    "and|between|context|date|day|days|duration|else|every|external|false|for|function|if|in|instance|int|list"
    "|months|not|null|number|of|or|range|return|satisfies|some|string|then|time|true|years",
    re.IGNORECASE,
)


def feel_test(condition: Condition | None) -> str:
    """A condition as a unary test.

    >>> feel_test(Between("Age", 23.0, 31.0, or_missing=True)), feel_test(OneOf("Wind", ("a", 'b"')))
    ('(23..31], null', '"a", "b\\\\""')
    """
    match condition:
        case None:
            return ANYTHING
        case IsMissing():
            return "null"
        case Equals(_, value):
            written = feel_text(value)
        case OneOf(_, values):
            written = ", ".join(map(feel_text, values))
        case AtMost(_, limit):
            written = "not(null)" if limit == math.inf else f"<= {feel_number(limit)}"
        case Below(_, limit):
            written = f"< {feel_number(limit)}"
        case Above(_, limit):
            written = f"> {feel_number(limit)}"
        case AtLeast(_, limit):
            written = f">= {feel_number(limit)}"
        case Between(_, low, high, _, low_included, high_included):
            opens, closes = "[" if low_included else "(", "]" if high_included else ")"
            written = f"{opens}{feel_number(low)}..{feel_number(high)}{closes}"
        case _:
            assert_never(condition)
    if not getattr(condition, "or_missing", False):
        return written
    return ANYTHING if written == "not(null)" else f"{written}, null"


def feel_number(value: float) -> str:
    """A number without an exponent, as short as it reads back.

    >>> feel_number(75.0), feel_number(-1e-07), feel_number(1e22)
    ('75', '-0.0000001', '10000000000000000000000')
    """
    if math.isinf(value):  # larger than any double
        return ("-" if value < 0 else "") + "1" + "0" * 309
    written = format(Decimal(repr(float(value))), "f")
    return written.removesuffix(".0")


def feel_text(text: str) -> str:
    """A text in quotes."""
    return '"' + "".join(_ESCAPES.get(letter, letter) for letter in text) + '"'


def unwritable(texts: Sequence[str]) -> str | None:
    """The first text with a character that XML cannot hold; FEEL engines do not read all escapes of them."""
    return next((text for text in texts if _UNWRITABLE.search(text)), None)


def feel_names(names: Sequence[str]) -> dict[str, str]:
    """A name of letters, digits and _ for each, no two alike.

    >>> feel_names(["Humidity", "in come", "in_come", "if", "日"])
    {'Humidity': 'Humidity', 'in come': 'in_come', 'in_come': 'in_come_2', 'if': 'if_', '日': 'x'}
    """
    made: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "x"
        plain = f"x_{plain}" if plain[0].isdigit() else plain
        plain = f"{plain}_" if _KEYWORDS.fullmatch(plain) else plain
        tried, number = plain, 1
        while tried in made.values():
            number += 1
            tried = f"{plain}_{number}"
        made[name] = tried
    return made


_UNWRITABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
