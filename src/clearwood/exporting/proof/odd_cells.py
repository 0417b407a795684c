"""Edge cases: cells of a column that programs which read a model may misread."""

import math
import sys
import unicodedata
from collections.abc import Sequence
from typing import Final

import numpy as np

ODD_TEXTS: Final = (
    "",
    " ",
    "never met",
    "O'Hara",
    'the "best"',
    "back\\slash",
    "two\nlines",
    "a\ttab",
    "semi;colon, comma",
    "100 %",
    "{brace} $dollar `tick`",
    "<b>&amp;</b>",
    "NULL",
    "nan",
    "None",
    "true",
    "0",
    "-1.5",
    "=1+1",
    "größer",
    "e\u0301",
    "日本語",
    "👩\u200d🔬",
    "\u200b",
    "'; DROP TABLE rows; --",
)
_LARGEST: Final = sys.float_info.max
_SMALLEST: Final = math.ulp(0.0)
EXTREME_NUMBERS: Final = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    _SMALLEST,
    -_SMALLEST,
    sys.float_info.min,
    0.1 + 0.2,
    1 / 3,
    2.0**53 + 2,
    1e15 + 0.5,
    -123456789.12345678,
    1e22,
    1e200,
    -1e200,
    _LARGEST,
    -_LARGEST,
)


def around(cut: float, *, single: bool = False) -> tuple[float, ...]:
    """A cut and its neighbours either way; with `single` also those in single precision.

    >>> around(75.0)
    (75.0, 74.99999999999999, 75.00000000000001)
    """
    if not math.isfinite(cut):
        return ()
    numbers = [cut, math.nextafter(cut, -math.inf), math.nextafter(cut, math.inf)]
    if single:
        with np.errstate(over="ignore"):
            narrow = np.float32(cut)
            ways = (
                narrow,
                np.nextafter(narrow, np.float32(-np.inf)),
                np.nextafter(narrow, np.float32(np.inf)),
            )
        numbers += [float(each) for each in ways]
    return tuple(each for each in dict.fromkeys(numbers) if math.isfinite(each))


def beside(values: Sequence[str]) -> tuple[str, ...]:
    """Texts that are nearly a column's values: in another case, with blanks around, composed otherwise.

    >>> beside(["Sunny"])
    ('sunny', 'SUNNY', ' Sunny', 'Sunny ')
    """
    made: dict[str, None] = {}
    for value in values:
        forms = [value.lower(), value.upper(), f" {value}", f"{value} "]
        forms += [unicodedata.normalize(form, value) for form in ("NFC", "NFD")]
        made.update(dict.fromkeys(forms))
    return tuple(each for each in made if each not in values)


def odd_sentences(words: Sequence[str]) -> tuple[str, ...]:
    """Texts of known words, and of what stands between and within words."""
    some = [*words[:40:4], "never", "met"]
    joined = " ".join(some)
    return (
        joined,
        joined.upper(),
        ", ".join(some) + "!",
        "".join(f"({each})" for each in some),
        "\n".join(some),
        "'".join(some[:3]),
        "’".join(some[:3]),
        "_".join(some[:3]),
        f"{some[0]} " * 3,
        *(f"{each} {text}" for each, text in zip(some * 9, ODD_TEXTS, strict=False)),
        "don't rock’n’roll",
        "日本 and 👍🏽 for 2 🇩🇪🇫🇷 é e\u0301 İZMİR ΣΑΣ ǅ",
        "a\u00adb c\u200cd x\u200dy",
    )
