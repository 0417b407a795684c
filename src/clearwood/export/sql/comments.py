"""Comments: a rule beside the place where it ends, on one line and no longer than helps."""

from __future__ import annotations

import re
from typing import Final

from clearwood.export.comments import one_line

_MOST: Final = 100
_VALUES: Final = 3


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
