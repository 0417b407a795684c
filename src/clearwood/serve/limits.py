"""Limits: how large a request may be and how long it may take, so that none keeps others from answers."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from clearwood.errors import SettingError
from clearwood.serve.exchange import RefusalError
from clearwood.words.numbers import number

_HOPELESS: Final = 1.5  # times what is left: what is near to it is tried


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of a body, rows in it, and seconds: to send the request, to work on it, and to take the reply."""

    max_bytes: int = 8_000_000
    max_rows: int = 10_000
    timeout: float = 10.0

    def __post_init__(self) -> None:
        for name in ("max_bytes", "max_rows"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise SettingError(f"{name} is a whole number from 1, not {value!r}.")
        if not 0 < self.timeout <= 86_400:
            raise SettingError(f"timeout is in seconds, above 0 and at most a day, not {self.timeout!r}.")


class Deadline:
    """The time at which work on a request is given up; whoever works long looks at it between parts."""

    __slots__ = ("_ends", "_seconds")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ends = time.monotonic() + seconds

    def check(self) -> None:
        """Give up if it has passed."""
        if time.monotonic() > self._ends:
            raise out_of_time(self._seconds)

    def check_ahead(self, rows: int, seconds: float) -> None:
        """Give up at once if so many rows of so many seconds each have no chance, and say how many have."""
        left = max(0.0, self._ends - time.monotonic())
        if rows * seconds > _HOPELESS * left:
            raise out_of_time(
                self._seconds, f"Send fewer rows, about {max(1, int(left / seconds)):,} at once."
            )

    def share(self, rows: int, fixed: float = 0.0) -> float:
        """The seconds that the search of one row may take, where so many rows are left, each of which takes
        `fixed` seconds without the search: a fifth of what is left is kept in reserve."""
        left = self._ends - time.monotonic() - fixed * rows
        return max(0.0, 0.8 * left / rows)


def out_of_time(seconds: float, way: str = "Send fewer rows.") -> RefusalError:
    """The refusal of work that takes too long."""
    return RefusalError(
        f"This takes longer than the {number(seconds)} seconds that a request may take. {way}",
        status=503,
        because="time",
    )
