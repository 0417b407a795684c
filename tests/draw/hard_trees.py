"""Trees whose pictures are hard to draw: long names, names from right to left, wide letters."""

from __future__ import annotations

import clearwood as cw
from clearwood.models.kinds.tree.tree import Tree

_LONG = (
    "Professional, scientific and technical services, including research and development",
    "Public administration and defence; compulsory social security",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
)
_HEBREW = ("חורף קר מאוד", "סתיו (מוקדם)", "אביב 2024")
_JAPANESE = ("非常に寒い冬の日", "夏", "秋の初め")


def hard_trees() -> dict[str, Tree]:
    """By name, each of three values and a number."""
    return {
        "long": _tree(
            _LONG,
            "Economic activity of the main employer (NACE section)",
            "Opinion on the programme after twelve months",
            ("Would strongly recommend it to friends and family", "Neither agrees nor disagrees"),
        ),
        "right-to-left": _tree(_HEBREW, "עונה", "תשובה", ("כן", "לא בטוח (אולי)")),
        "wide": _tree(_JAPANESE, "季節", "遊ぶ", ("はい", "いいえ")),
    }


def _tree(values: tuple[str, ...], column: str, target: str, classes: tuple[str, str]) -> Tree:
    rows = [{column: values[i % 3], "x": float(i), target: classes[i % 3 == 0 or i > 60]} for i in range(90)]
    return cw.C45().learn(cw.read_table(rows, target=target))
