"""A Language: how formulas, tests and steps are spelled where there are variables, functions and lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """The spellings of one language.

    `numbers`, `wholes` and `texts` declare a list outside by its name and entries. `functions` are the names
    of what the file defines or imports for `exp`, `log`, `abs`, `floor`, `interval`, `place`, `bells` and
    `words`. What has a default is spelled as C does, and many after it.
    """

    name: str
    number: Callable[[float], str]
    text: Callable[[str], str]
    same_text: Callable[[str, str], str]  # a variable and a literal
    is_no_text: Callable[[str], str]
    never: str
    always: str
    largest: Callable[[Sequence[str]], str]
    functions: dict[str, str]
    assign: Callable[[str, str, bool], str]  # name, value, whole: a statement
    declare: Callable[[str, bool], str]  # a variable that is set below; empty where none is needed
    comment: Callable[[str], str]  # of a text without line breaks
    numbers: Callable[[str, Sequence[str]], str]
    wholes: Callable[[str, Sequence[str]], str]
    texts: Callable[[str, Sequence[str]], str]
    choice: Callable[[str, str, str], str] = (  # test, then, otherwise
        lambda test, then, otherwise: f"({test} ? {then} : {otherwise})"
    )
    both: str = "&&"
    either: str = "||"
    equals: str = "=="
    at: Callable[[str, str], str] = lambda entries, place: f"{entries}[{place}]"  # at a whole number
    if_: Callable[[str], str] = lambda test: f"if ({test}) {{"
    else_if: Callable[[str], str] = lambda test: f"}} else if ({test}) {{"
    else_: str = "} else {"
    end: str = "}"
    has_words: bool = False
    sigil: str = ""  # before every variable, as in Perl and PHP
