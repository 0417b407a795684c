"""Which rows of a long grid are shown: those around the chosen one."""

from __future__ import annotations

from typing import Final

MOST_ROWS: Final = 12  # unless set otherwise


def shown_rows(rows: int, chosen: int | None, most: int | None) -> range:
    """At most so many rows next to each other, with the chosen one among them; all of them for None.

    >>> shown_rows(5, None, 12), shown_rows(50, None, 12), shown_rows(50, 20, 12), shown_rows(50, 49, 12)
    (range(0, 5), range(0, 12), range(14, 26), range(38, 50))
    """
    if most is None or rows <= most:
        return range(rows)
    first = 0 if chosen is None else min(max(chosen - most // 2, 0), rows - most)
    return range(first, first + most)
