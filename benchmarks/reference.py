"""The reference tables some goals are set on, or a table of their shape where they are not at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from tests.shared_data import NAMES, load_shared

from benchmarks.comparison import Size
from benchmarks.stand_ins import adult_like, car_like, mushroom_like, nursery_like, sms_like, whole_adult_like
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Reference:
    """A table by name, what its size is called, what stands in for it; its training rows alone, or all."""

    name: str
    size: str
    stand_in: Callable[[], Table]
    train: bool = True

    @property
    def called(self) -> str:
        """What the report calls it: never by the name of a table that was not used.

        >>> NURSERY.called
        'a table made like nursery (12,960 × 8)'
        """
        whole = f"{self.name} ({self.size})"
        return whole if self.name in NAMES else f"a table made like {whole}"

    def table(self, size: Size) -> Table:
        """The rows, or evenly spread ones, as many as the size asks for."""
        table = load_shared(self.name, train=self.train) if self.name in NAMES else self.stand_in()
        if size == Size():
            return table
        # Not the first rows: made tables are in order, and would show one class only.
        return table.take(np.linspace(0, len(table) - 1, size.rows(len(table))).astype(np.int64))


ADULT = Reference("adult", "32,561 training rows × 14", adult_like)
WHOLE_ADULT = Reference("adult", "48,842 × 14", whole_adult_like, train=False)
CAR = Reference("car", "1,728 × 6", car_like)
MUSHROOM = Reference("mushroom", "8,124 × 22", mushroom_like)
NURSERY = Reference("nursery", "12,960 × 8", nursery_like)
SMS = Reference("sms_spam", "5,574 messages", sms_like)
