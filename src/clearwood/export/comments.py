"""Comments: a text on one line that neither ends its comment nor becomes code, in each language."""

from __future__ import annotations

import re
import unicodedata


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
