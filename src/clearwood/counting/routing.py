"""Routing: which rows of a region go down which branch, and with what weight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from clearwood.arrays import Bools, Longs
from clearwood.counting.limits import bounds_below
from clearwood.counting.question import Question, Takes, takes
from clearwood.counting.task import Region, Task
from clearwood.models.routing import Route, first_that_holds, route, sent
from clearwood.table.table import Column

CellTest: TypeAlias = tuple[int, Takes]  # an attribute, by its place, and the cells it takes

# A share this small would only spread crumbs of rows over the tree.
_CRUMB: Final = 1e-6


def send(task: Task, question: Question, region: Region) -> list[Region]:
    """A region per branch, with the parts of the rows that follow it (`models/routing.py`)."""
    gone = sent(question_route(question), _taking(task, region), len(region.rows))
    regions = []
    tested = region.tested | {question.attribute}
    for branch in range(len(question.branches)):
        weights = region.weights * gone.part(branch)
        here = weights > 0
        regions.append(Region(region.rows[here], weights[here], region.depth + 1, tested))
    if task.limits is None:
        return regions
    bounds = bounds_below(task, question, region, regions)
    return [replace(each, bounds=own) for each, own in zip(regions, bounds, strict=True)]


def question_route(question: Question) -> Route[CellTest]:
    """The question's tests in order, and where the rest goes."""
    return route(
        _branches(question),
        [((by.attribute, by.when), (by.attribute, by.other), by.then) for by in question.surrogates],
        None if question.otherwise < 0 else question.otherwise,
        question.shares,
        least=_CRUMB,
    )


def taken_by(task: Task, question: Question, region: Region) -> Longs:
    """[row] The first branch whose condition holds; −1 where none does."""
    return first_that_holds(_branches(question), _taking(task, region), len(region.rows))


def _branches(question: Question) -> list[CellTest]:
    return [(question.attribute, each) for each in question.branches]


def _taking(task: Task, region: Region) -> Callable[[CellTest], Bools]:
    """Which rows of the region have a cell that a test takes; each column is looked up once."""
    columns: dict[int, Column] = {}

    def taken(test: CellTest) -> Bools:
        place, condition = test
        if place not in columns:
            columns[place] = task.cells(place, region)
        return takes(task.schema.attributes[place], condition, columns[place])

    return taken
