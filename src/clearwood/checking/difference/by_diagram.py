"""Regions in which two lists of rules differ, by their diagrams: all rows at once, however rules overlap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from clearwood.audit.axes import Domains, rows_inside
from clearwood.checking.diagrams.diagram import (
    PAIRS_PER_BOX,
    STATES_PER_BOX,
    DiagramTooLargeError,
    odd_groups,
)
from clearwood.checking.diagrams.of_rules import nodes_for, rule_diagram
from clearwood.checking.diagrams.product import DiagramProduct, count_boxes, product_of, widened_at
from clearwood.checking.difference.by_rows import differ
from clearwood.checking.difference.difference import Given
from clearwood.checking.walking.ground import Ground
from clearwood.models.rule_list import RuleList


@dataclass(frozen=True, slots=True)
class DiagramDifference:
    """Some wide regions, and how many boxes hold all rows that change; no two of these share a row."""

    regions: tuple[tuple[tuple[Given, Given], Domains], ...]
    boxes: int
    pairs: int


def diagram_difference(
    old: RuleList,
    new: RuleList,
    ground: Ground,
    lying: npt.NDArray[np.int32] | None,
    *,
    most: int,
    budget: int,
) -> DiagramDifference | None:
    """All rows that change; None where the diagrams are too large. Of the regions twice as many are made as
    are listed, so that those with the most rows are among them: around rows of the data, by the groups that
    they are `lying` in, then one for each answer that became another."""
    everywhere = ground.everywhere()
    nodes = nodes_for([old, new], ground, everywhere)
    try:
        roots = [rule_diagram(each, ground, nodes, STATES_PER_BOX * budget) for each in (old, new)]
        product = product_of(
            nodes, roots[0], roots[1], odd_groups(ground, nodes.order), PAIRS_PER_BOX * budget
        )
    except DiagramTooLargeError:
        return None
    answers = {end: cast("tuple[Given, Given]", product.values(end)) for end in product.ends.tolist()}
    if not all(_are_different(*pair) for pair in answers.values()):
        return None
    regions = tuple((answers[end], box) for end, box in _regions(product, lying, everywhere, 2 * most))
    return DiagramDifference(regions, count_boxes(product), product.size)


def _are_different(before: Given, after: Given) -> bool:
    """Numbers may be the same but for rounding."""
    if isinstance(before, float) and isinstance(after, float):
        return bool(differ(np.array([before]), np.array([after]))[0])
    return before != after


def _regions(
    product: DiagramProduct, lying: npt.NDArray[np.int32] | None, everywhere: Domains, most: int
) -> Iterator[tuple[int, Domains]]:
    """Around rows of the data first, then one of each end that none of these has come to."""
    left = np.zeros((0, len(everywhere)), dtype=np.int32) if lying is None else lying
    ends: list[int] = []
    while len(left) and len(ends) < most:
        row = [1 << int(group) for group in left[0]]
        end, left = product.end_of(row), left[1:]
        if end is not None:
            region = widened_at(product, row, end, everywhere)
            left = left[~rows_inside(left, region)]
            ends.append(end)
            yield end, region
    others = [end for end in product.ends.tolist() if end not in ends]
    for end in others[: most - len(ends)]:
        yield end, widened_at(product, product.way_to(end, everywhere), end, everywhere)
