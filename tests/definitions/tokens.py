"""The words of a text, character by character: the definition of the native tokens."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from functools import cache
from itertools import islice
from typing import Final

from clearwood import _native

(
    _OTHER,
    _LETTER,
    _MARK,
    _IDEOGRAPH,
    _PICTOGRAPH,
    _JOINER,
    _INVISIBLE,
    _APOSTROPHE,
    _TONE,
    _FLAG,
    _TAG,
) = range(11)
_LINKS: Final = (_JOINER, _INVISIBLE, _APOSTROPHE)
_ZERO_WIDTH_JOINER: Final = "\u200d"


def tokens(text: str, *, lower: bool = True) -> list[str]:
    """Its words.

    Letters are not composed: é and e with an accent behind it differ, unless the text is brought to one form
    before. A capital without a single small letter (İ) stays as it is.

    >>> tokens("Rock’n’roll, 日本 and 👍🏽 for 2!")
    ["rock'n'roll", '日', '本', 'and', '👍🏽', 'for', '2']
    >>> tokens("caf\\u00e9") == tokens("cafe\\u0301"), tokens("İZMİR")
    (False, ['İzmİr'])
    """
    actual = []
    kinds = [_kind(letter) for letter in text] + [_OTHER] * 2
    at = 0
    while at < len(text):
        first, at = at, _end(text, kinds, at)
        if kinds[first] == _LETTER:
            actual.append(_word(text, kinds, first, at, lower))
        elif kinds[first] in (_IDEOGRAPH, _PICTOGRAPH, _TONE, _FLAG):
            actual.append(text[first:at])
    return actual


def ngrams(words: list[str], lengths: tuple[int, int], stop_words: Collection[str] = ()) -> list[str]:
    """Neighbours joined by blanks, of those words that are no stop words; short ones first.

    >>> ngrams(["not", "at", "all"], (1, 2), {"at"})
    ['not', 'all', 'not all']
    """
    kept = [word for word in words if word not in stop_words]
    few, many = lengths
    return [
        " ".join(each)
        for n in range(few, many + 1)
        for each in zip(*(islice(kept, i, None) for i in range(n)), strict=False)
    ]


def _end(text: str, kinds: list[int], at: int) -> int:
    """Where the word that begins here ends, or the character that is none."""
    kind = kinds[at]
    at += 1
    if kind == _LETTER:
        while True:
            if kinds[at] in (_LETTER, _MARK):
                at += 1
            elif kinds[at] in _LINKS and kinds[at + 1] in (_LETTER, _MARK):
                at += 2
            else:
                return at
    if kind == _IDEOGRAPH:
        while kinds[at] == _MARK:
            at += 1
    elif kind in (_PICTOGRAPH, _TONE):
        while True:
            if kinds[at] in (_MARK, _TONE, _TAG):
                at += 1
            elif text[at : at + 1] == _ZERO_WIDTH_JOINER and kinds[at + 1] == _PICTOGRAPH:
                at += 2
            else:
                return at
    elif kind == _FLAG and kinds[at] == _FLAG:
        at += 1
    return at


def _word(text: str, kinds: list[int], first: int, stop: int, lower: bool) -> str:
    cases = _cases() if lower else {}
    letters = []
    for at in range(first, stop):
        if kinds[at] == _APOSTROPHE:
            letters.append("'")
        elif kinds[at] != _INVISIBLE:
            letters.append(cases.get(text[at], text[at]))
    return "".join(letters)


def _kind(letter: str) -> int:
    starts, kinds = _runs()
    return kinds[bisect_right(starts, ord(letter)) - 1]


@cache
def _runs() -> tuple[list[int], list[int]]:
    runs = _native.letter_runs()
    return [first for first, _ in runs], [kind for _, kind in runs]


@cache
def _cases() -> dict[str, str]:
    return {chr(letter): chr(lower) for letter, lower in _native.case_pairs()}
