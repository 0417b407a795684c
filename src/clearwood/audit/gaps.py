"""Gaps: the parts of the space that no rule takes, each as wide as it can be."""

from __future__ import annotations

from clearwood.audit.axes import Axis, Domains, GroupBox
from clearwood.audit.findings import Falling, Gap
from clearwood.audit.regions import region_text
from clearwood.audit.search import TooLongError, find_outside, widened
from clearwood.audit.table_rows import RowWeights
from clearwood.audit.work import Work
from clearwood.table.attributes import Numeric


def gaps_of(work: Work, most: int, weights: RowWeights | None) -> tuple[tuple[Gap, ...], bool]:
    """Up to `most` gaps for rows whose every cell is known, then one for each column where it takes an empty
    cell or a value never met to fall through; and whether there are more of the first kind."""
    boxes = [box for box in work.boxes if box is not None]
    everywhere = work.space.everywhere()
    known = [axis.groups_of(range(axis.known)) for axis in work.space.axes]
    regions: list[tuple[Falling, Domains]] = []
    more = False
    try:
        while (part := find_outside(known, boxes, work.budget)) is not None:
            if len(regions) == most:
                more = True
                break
            wide = widened(part, _rules(work), everywhere)
            regions.append(("known", wide))
            boxes.append(_box(wide, everywhere))
        else:
            _add_strange(work, boxes, known, regions)
    except TooLongError:
        work.unsettled.append(
            f"Not settled within the budget: whether there are gaps beside these {len(regions)}."
        )
        more = True
    gaps = [
        Gap(
            region_text(work.space.axes, wide),
            work.space.example(_preferred(wide, known)),
            because,
            None if weights is None else weights.within(wide),
        )
        for because, wide in regions
    ]
    return tuple(gaps), more


def _add_strange(
    work: Work, boxes: list[GroupBox], known: Domains, regions: list[tuple[Falling, Domains]]
) -> None:
    """Column by column, a gap that only rows with an empty cell or a value never met fall into."""
    everywhere = work.space.everywhere()
    for column, axis in enumerate(work.space.axes):
        for because, cell in _strange_cells(axis):
            only = 1 << axis.group_of[cell]
            if only & known[column]:
                continue  # some known cell fares alike
            for others in (known, everywhere):
                domains = [*others[:column], only, *others[column + 1 :]]
                part = find_outside(domains, boxes, work.budget)
                if part is not None:
                    wide = widened(part, _rules(work), everywhere)
                    regions.append((because, wide))
                    boxes.append(_box(wide, everywhere))
                    break


def _strange_cells(axis: Axis) -> list[tuple[Falling, int]]:
    last = len(axis.cells) - 1
    missing: tuple[Falling, int] = ("missing", last)
    return [missing] if isinstance(axis.attribute, Numeric) else [("never met", last - 1), missing]


def _rules(work: Work) -> list[GroupBox]:
    return [box for box in work.boxes if box is not None]


def _box(domains: Domains, everywhere: Domains) -> GroupBox:
    return tuple((c, groups) for c, groups in enumerate(domains) if groups != everywhere[c])


def _preferred(domains: Domains, known: Domains) -> Domains:
    """The known part where there is one, so that an example is an everyday row."""
    return [groups & usual or groups for groups, usual in zip(domains, known, strict=True)]
