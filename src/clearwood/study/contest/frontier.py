"""The frontier of readable models: those that nothing smaller is as good as; and what its last step costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import eq
from typing import Any, Final

from clearwood.scoring.score import Better
from clearwood.study.contest.judged import JudgedContender

_POINT: Final = 0.01  # of a share a percentage point, of another score 1 %


@dataclass(frozen=True, slots=True)
class LastPoint:
    """What the last point of the score costs: from the smallest model within it to the best one.

    `gained` is by how much the score gets better (0 or more), `times` how many times as much there is to
    read.
    """

    cheaper: str
    best: str
    gained: float
    size_of_cheaper: int
    size_of_best: int

    @property
    def times(self) -> float:
        return self.size_of_best / max(self.size_of_cheaper, 1)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "from": self.cheaper,
            "to": self.best,
            "gained": self.gained,
            "size_from": self.size_of_cheaper,
            "size_to": self.size_of_best,
        }


def better_first(judged: Iterable[JudgedContender], better: Better) -> list[JudgedContender]:
    """By score, of equal ones the smaller first; those without a score are last, as they came."""
    sign = -1 if better == "more" else 1
    known = [each for each in judged if not each.refused]
    refused = [each for each in judged if each.refused]
    size = float("inf")
    known.sort(key=lambda each: (sign * each.score, size if each.size is None else each.size))
    return known + refused


def frontier_of(
    judged: Iterable[JudgedContender], better: Better, alike: Callable[[float, float], bool] = eq
) -> tuple[JudgedContender, ...]:
    """The readable ones, from small to large, each better than all that are smaller. Scores that are `alike`,
    such as those that are printed alike, are equally good."""
    readable = [each for each in better_first(judged, better) if each.readable]
    on_it: list[JudgedContender] = []
    level = math.nan  # the best score among those alike with the last one
    for each in readable:  # the best first: whoever is better than those to come must also be smaller
        if on_it and _size(each) >= _size(on_it[-1]):
            continue
        if on_it and alike(level, each.score):
            on_it[-1] = each
        else:
            on_it.append(each)
            level = each.score
    return tuple(reversed(on_it))


def last_point(frontier: Sequence[JudgedContender], better: Better, *, is_share: bool) -> LastPoint | None:
    """From the smallest on the frontier within a point of the best; where none is, from the next one. None
    where one model alone is on it."""
    frontier = [each for each in frontier if each.size]  # of a constant answer there is no price
    if len(frontier) < 2:
        return None
    best = frontier[-1]
    point = _POINT if is_share else _POINT * abs(best.score)
    within = [each for each in frontier[:-1] if _behind(each, best, better) <= point]
    cheaper = within[0] if within else frontier[-2]
    gained = _behind(cheaper, best, better)
    return LastPoint(cheaper.name, best.name, gained, _size(cheaper), _size(best))


def _behind(one: JudgedContender, best: JudgedContender, better: Better) -> float:
    return best.score - one.score if better == "more" else one.score - best.score


def _size(judged: JudgedContender) -> int:
    assert judged.size is not None
    return judged.size
