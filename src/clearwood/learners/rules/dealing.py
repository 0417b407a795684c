"""Dealing rows out: of the rows of each kind, one in so many is held back at random."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Bools
from clearwood.mixing import GOLDEN, mixed


class Dealer:
    """Random numbers from a seed, the same on every machine: splitmix64 (Steele, Lea and Flood 2014).

    >>> dealer = Dealer(1)
    >>> [dealer.below(3) for _ in range(8)]
    [1, 2, 2, 1, 1, 2, 2, 1]
    """

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        """A whole number from 0 up to, but not including, the limit."""
        self.state = (self.state + GOLDEN) % 2**64
        return (mixed(self.state) >> 32) * limit >> 32

    def hold_back(self, rows: Bools, positive: Bools, folds: int) -> Bools:
        """[row] held back: one in `folds` of the positive rows, rounded down, and then of the others.

        Each choice is equally likely: a row is held back with the chance (still needed) / (rows to come).

        >>> rows = np.ones(7, dtype=np.bool_)
        >>> Dealer(1).hold_back(rows, np.arange(7) < 3, 3).tolist()
        [False, False, True, False, False, False, True]
        """
        held = np.zeros(len(rows), dtype=np.bool_)
        for kind in (rows & positive, rows & ~positive):
            places = np.flatnonzero(kind)
            to_hold = len(places) // folds
            for i, row in enumerate(places.tolist()):
                if self.below(len(places) - i) < to_hold:
                    held[row] = True
                    to_hold -= 1
        return held
