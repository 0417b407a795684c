"""The words of a text in exported Python: the same letters and rules as `table/text.py`, without it."""

from __future__ import annotations

from typing import Final

from clearwood import _native
from clearwood.export.program.formula import LogOfWords
from clearwood.export.program.parts import program_parts
from clearwood.export.program.program import ModelProgram

_KINDS: Final = "olmipjnatfg"  # a letter for each kind of character, in the order of the native table


def words_in_python(program: ModelProgram) -> list[str]:
    """The lines that define `_words`, with the tables it needs; none where no text is read."""
    if not any(isinstance(each, LogOfWords) for each in program_parts(program.steps)):
        return []
    runs = _native.letter_runs()
    starts = [first for first, _ in runs]
    steps = [after - before for before, after in zip([0, *starts], starts, strict=False)]
    pairs = _native.case_pairs()
    return [
        "",
        "# Where the kind of characters changes, each counted from the one before, and which kind follows.",
        f"_STEPS = {' '.join(map(str, steps))!a}",
        f"_KINDS = {''.join(_KINDS[kind] for _, kind in runs)!a}",
        f"_LARGE = {''.join(chr(large) for large, _ in pairs)!a}",
        f"_SMALL = {''.join(chr(small) for _, small in pairs)!a}",
        "_STARTS = list(accumulate(map(int, _STEPS.split())))",
        "_SMALL_OF = dict(zip(_LARGE, _SMALL))",
        "_LOGS_OF = {}",
        *_FUNCTIONS.splitlines(),
    ]


_FUNCTIONS: Final = '''

def _words(cell, words, logs, base, once, lower, few, many, stops):
    by_word = _LOGS_OF.get((id(words), id(logs)))
    if by_word is None:
        by_word = _LOGS_OF[id(words), id(logs)] = dict(zip(words, logs))
    kept = [word for word in _tokens(cell, lower) if word not in stops]
    met = [" ".join(kept[i:i + n]) for n in range(few, many + 1) for i in range(len(kept) - n + 1)]
    for word in dict.fromkeys(met) if once else met:
        if word in by_word:
            base += by_word[word]
    return base


def _tokens(text, lower):
    """Runs of letters and marks, each ideograph, each pictograph with what is joined to it, each flag."""
    kinds = [_KINDS[bisect_right(_STARTS, ord(letter)) - 1] for letter in text] + ["o", "o"]
    tokens, at = [], 0
    while at < len(text):
        first, at = at, _end(text, kinds, at)
        if kinds[first] == "l":
            small = _SMALL_OF if lower else {}
            shown = [i for i in range(first, at) if kinds[i] != "n"]
            tokens.append("".join("'" if kinds[i] == "a" else small.get(text[i], text[i]) for i in shown))
        elif kinds[first] in "iptf":
            tokens.append(text[first:at])
    return tokens


def _end(text, kinds, first):
    kind, at = kinds[first], first + 1
    if kind == "l":
        while True:
            if kinds[at] in "lm":
                at += 1
            elif kinds[at] in "jna" and kinds[at + 1] in "lm":
                at += 2
            else:
                return at
    if kind in "pt":
        while True:
            if kinds[at] in "mtg":
                at += 1
            elif text[at:at + 1] == "\\u200d" and kinds[at + 1] == "p":
                at += 2
            else:
                return at
    if kind == "i":
        while kinds[at] == "m":
            at += 1
    elif kind == "f" and kinds[at] == "f":
        at += 1
    return at
'''
