"""Writes letters.inc, the table behind tokens.cpp, from the Unicode data that Python carries.

python native/core/reading/make_letters.py > native/core/reading/letters.inc

The table is kept, not made at build time: words must not depend on the Python a wheel is built with.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator

KINDS = (
    "other",
    "letter",
    "mark",
    "ideograph",
    "pictograph",
    "joiner",
    "invisible",
    "apostrophe",
    "tone",
    "flag",
    "tag",
)
# Scripts written without blanks, of which each character is a word.
SINGLE = (
    "CJK UNIFIED",
    "CJK COMPATIBILITY IDEOGRAPH",
    "HIRAGANA",
    "KATAKANA",
    "HALFWIDTH KATAKANA",
    "TANGUT",
)
PICTURES = ((0x2300, 0x23FF), (0x2600, 0x27BF), (0x2B00, 0x2BFF), (0x1F000, 0x1FBFF))
ALONE = {
    **dict.fromkeys((0x27, 0x2019, 0xFF07), "apostrophe"),
    **dict.fromkeys((0x200C, 0x200D), "joiner"),
    **dict.fromkeys((0xAD, 0x61C, 0x200E, 0x200F, 0x2060), "invisible"),
    **dict.fromkeys(range(0x1F3FB, 0x1F400), "tone"),
    **dict.fromkeys(range(0x1F1E6, 0x1F200), "flag"),
    **dict.fromkeys(range(0xE0020, 0xE0080), "tag"),
}


def kind(code: int) -> str:
    if code in ALONE:
        return ALONE[code]
    category = unicodedata.category(chr(code))
    if category[0] == "M":
        return "mark"
    if category[0] in "LN":
        name = unicodedata.name(chr(code), "")
        return "ideograph" if category[0] == "L" and name.startswith(SINGLE) else "letter"
    if category == "So" and any(first <= code <= last for first, last in PICTURES):
        return "pictograph"
    return "other"


def folded(code: int) -> int:
    """Simple case folding: the one character that a letter becomes, where it is one."""
    for lower in (chr(code).casefold(), chr(code).lower()):
        if len(lower) == 1:
            return ord(lower)
    return code


def runs() -> Iterator[tuple[int, str]]:
    before = None
    for code in range(sys.maxunicode + 1):
        its_kind = kind(code)
        if its_kind != before:
            yield code, its_kind
        before = its_kind


def cases() -> Iterator[tuple[int, int, int, int]]:
    """Runs of letters with one way to their lower case: the first, the last, how far apart, how far to go."""
    run: tuple[int, int, int, int] | None = None
    for code in range(sys.maxunicode + 1):
        far = folded(code) - code
        if far == 0:
            continue
        if run is not None:
            first, last, step, offset = run
            # Upper and lower case stand side by side, or in turns.
            if far == offset and code - last in ((1, 2) if first == last else (step,)):
                run = (first, code, code - last, far)
                continue
            yield run
        run = (code, code, 1, far)
    if run is not None:
        yield run


def wrapped(items: Iterable[str]) -> Iterator[str]:
    line = " "
    for item in items:
        if len(line) + len(item) > 116:
            yield line
            line = " "
        line += f" {item},"
    yield line


if __name__ == "__main__":
    print(f"// Made by make_letters.py from Unicode {unicodedata.unidata_version}. Do not edit.")
    print("// Where each run of characters of one kind begins.")
    print("constexpr Run runs[] = {")
    print(*wrapped(f"{{{code:#x}, {KINDS.index(its_kind)}}}" for code, its_kind in runs()), sep="\n")
    print("};")
    print("// Letters from the first to the last, every so many, and how far away their lower case is.")
    print("constexpr Cases lower_of[] = {")
    print(*wrapped(f"{{{a:#x}, {b:#x}, {step}, {far}}}" for a, b, step, far in cases()), sep="\n")
    print("};")
