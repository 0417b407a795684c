"""Dealing rows out: of every few rows of a kind in turn, one at random is held back."""

from __future__ import annotations

import numpy as np

from clearwood.models.nodes import Bools


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
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        x = self.state
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
        x ^= x >> 31
        return (x >> 32) * limit >> 32

    def hold_back(self, rows: Bools, positive: Bools, folds: int) -> Bools:
        """[row] held back: one of every `folds` positive rows in turn, then of the others; a rest stays.

        >>> rows = np.ones(7, dtype=np.bool_)
        >>> Dealer(1).hold_back(rows, np.arange(7) < 3, 3).tolist()
        [False, True, False, False, False, True, False]
        """
        held = np.zeros(len(rows), dtype=np.bool_)
        for kind in (rows & positive, rows & ~positive):
            places = np.flatnonzero(kind)
            for first in range(0, len(places) - folds + 1, folds):
                held[places[first + self.below(folds)]] = True
        return held
