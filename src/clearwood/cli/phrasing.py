"""Sentences of the library name Python's arguments; here the same advice names the command's options."""

from __future__ import annotations

import re
from shlex import quote
from typing import Final


def in_options(sentence: str) -> str:
    """The sentence with each argument as the option that a shell takes.

    >>> in_options("To keep it: kinds={'id': 'numeric'}.")
    'To keep it: --kind id=numeric.'
    >>> in_options("If its first line is data, say so: header=False.")
    'If its first line is data, say so: --no-header.'
    >>> in_options("Give its values from low to high, ordered={'size': ['medium', 'small']}.")
    'Give its values from low to high, --order size=medium,small.'
    >>> in_options("Numbers have a decimal comma. If not: decimal='.'.")
    "Numbers have a decimal comma. If not: --decimal '.'."
    >>> in_options("If that means missing: missing='n. a.'")
    "If that means missing: --missing 'n. a.'"
    """
    for pattern, option in _OPTIONS:
        sentence = pattern.sub(option, sentence)
    return sentence


def _kind(found: re.Match[str]) -> str:
    return f"--kind {quote(f'{found[1]}={found[2]}')}"


def _order(found: re.Match[str]) -> str:
    values = re.findall(r"'([^']*)'|(…)", found[2])
    return "--order " + quote(f"{found[1]}={','.join(value or more for value, more in values)}")


def _plain(found: re.Match[str]) -> str:
    # A lone mark is quoted though a shell needs no quotes: beside a full stop it would be lost.
    value = quote(found[2]) if any(map(str.isalnum, found[2])) else f"'{found[2]}'"
    return f"--{found[1]} {value}"


_OPTIONS: Final = [
    (re.compile(pattern), option)
    for pattern, option in (
        (r"kinds=\{'([^']*)': '(\w+)'(?:, …)?\}", _kind),
        (r"kinds=\{…\}", "--kind COLUMN=KIND"),
        (r"ordered=\{'([^']*)': \[([^\]]*)\]\}", _order),
        (r"\bfold=(\d+)", r"--fold \1"),
        (r"row=\{…\}", "--row COLUMN=VALUE,…"),
        (r"header=False", "--no-header"),
        (r"header=True", "--header"),
        (
            r"\b(target|weight|decimal|thousands|dates|delimiter|encoding|query|missing|schema)='([^']*)'",
            _plain,
        ),
        (
            r"\b(target|weight|decimal|thousands|dates|delimiter|encoding|query|missing|schema)=(?=[\s,.)]|$)",
            r"--\1",
        ),
        (r"\bweights_are='([^']*)'", r"--weights-are \1"),
        (r"\bweights_are(?=: )", "--weights-are"),
        (r"\bmax_bytes='([^']*)'", r"--max-bytes \1"),
        (r"\bmax_bytes(?= must be)", "--max-bytes"),
        (r"\bignore=\['([^']*)'\]", r"--ignore '\1'"),
        (r"choose another way to cut\.", "another way to cut: --set cuts=width, or frequency."),
        (r"\bpenalty='l2'", "--set penalty=l2"),
        (r"\bnames=(?=[\s,.)]|$)", "names"),
    )
]
