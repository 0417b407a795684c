"""A way to balance, as the list has it: its function, and a line about it."""

from __future__ import annotations

from collections.abc import Callable

from clearwood.records import dataclass
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Balancer:
    """`balance` takes rows that all have a class and a weight, a seed, and its own settings by name.

    `draws`: does the seed matter?
    """

    balance: Callable[..., Table]
    about: str
    draws: bool = False
