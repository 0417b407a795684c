"""Sentences of the library name Python's arguments; here the same advice names the command's options."""

from __future__ import annotations

import re
from typing import Final


def in_options(sentence: str) -> str:
    """The sentence with each argument as the option that a shell takes.

    >>> in_options("To keep it: kinds={'id': 'numeric'}.")
    'To keep it: --kind id=numeric.'
    >>> in_options("If its first line is data, say so: header=False.")
    'If its first line is data, say so: --no-header.'
    """
    for pattern, option in _OPTIONS:
        sentence = pattern.sub(option, sentence)
    return sentence


_OPTIONS: Final = [
    (re.compile(pattern), option)
    for pattern, option in (
        (r"kinds=\{'([^']*)': '(\w+)'(?:, …)?\}", r"--kind \1=\2"),
        (r"kinds=\{…\}", "--kind COLUMN=KIND"),
        (r"ordered=\{'([^']*)': \[([^\]]*)\]\}", r"--order \1=\2"),
        (r"header=False", "--no-header"),
        (r"header=True", "--header"),
        (r"\b(target|weight|decimal|delimiter|encoding|query|missing|schema)='([^']*)'", r"--\1 '\2'"),
        (r"\b(target|weight|decimal|delimiter|encoding|query|missing|schema)=(?=[\s,.)]|$)", r"--\1"),
        (r"\bignore=\['([^']*)'\]", r"--ignore '\1'"),
        (r"\bnames=(?=[\s,.)]|$)", "names"),
    )
]
