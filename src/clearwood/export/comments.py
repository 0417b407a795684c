"""Comments: a text on one line that neither ends its comment nor becomes code, in each language.

A rule stands in one beside the place where it ends, no longer than helps.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_MOST: Final = 100
_VALUES: Final = 3


def one_line(text: str) -> str:
    r"""What stands behind `#`, `//` or `--`: no line break of any kind, control character or half of a pair.

    >>> one_line("a\nb\u2028c \0d")
    'a b c �d'
    """
    spaced = " ".join(text.split())
    return "".join("�" if unicodedata.category(each) in ("Cc", "Cs") else each for each in spaced)


def comment_in_c(text: str) -> str:
    r"""What stands between `/*` and `*/`: it ends no comment, begins none, and joins no lines.

    >>> print(comment_in_c("a */ b \\"))
    a * / b \\
    """
    plain = one_line(text).replace("*/", "* /").replace("/*", "/ *")
    return plain.replace("\\", "\\\\")


def comment_in_java(text: str) -> str:
    r"""What stands behind `//` in ASCII. Java reads `\u` as an escape even there, so a blank divides it.

    >>> print(comment_in_java("C:\\users größe"))
    C:\ users gru+00f6u+00dfe
    """
    plain = "".join(each if each.isascii() else f"u+{ord(each):04x}" for each in one_line(text))
    return re.sub(r"\\(?=u)", r"\\ ", plain)


def in_brief(rule: str) -> str:
    """A rule on one line; long lists of values lose their end and long rules their beginning, which stands
    in the conditions around it.

    >>> in_brief("IF size in {S, M, L, XL, XXL} AND age > 3 THEN yes")
    'IF size in {S, M, L, … 2 more} AND age > 3 THEN yes'
    """
    line = re.sub(r"\{([^{}]*)\}", _fewer, one_line(rule))
    conditions = line.removeprefix("IF ").split(" AND ")
    while len(conditions) > 1 and sum(len(each) + 5 for each in conditions) > _MOST:
        conditions = conditions[1:]
        line = "IF … AND " + " AND ".join(conditions)
    return line


def _fewer(found: re.Match[str]) -> str:
    values = found[1].split(", ")
    if len(values) <= _VALUES + 1:
        return found[0]
    return f"{{{', '.join(values[:_VALUES])}, … {len(values) - _VALUES} more}}"
