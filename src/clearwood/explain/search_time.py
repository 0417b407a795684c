"""Search time: the moment at which a search ends, done or not, for callers who cannot wait."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from clearwood.errors import SettingError


@dataclass(frozen=True, slots=True)
class SearchTime:
    """`ends` is a moment of `time.monotonic`; a search looks at it between its steps."""

    ends: float = math.inf

    @property
    def is_over(self) -> bool:
        return self.ends < math.inf and time.monotonic() >= self.ends


def search_time(seconds: float | None) -> SearchTime:
    """So many seconds from now; None is without an end.

    >>> search_time(None).is_over, search_time(0).is_over
    (False, True)
    """
    if seconds is None:
        return SearchTime()
    if not seconds >= 0:
        raise SettingError(f"seconds is the time that the search may take, 0 or more, not {seconds!r}.")
    return SearchTime(time.monotonic() + seconds)
