"""Routing: which rows of a region go down which branch, and with what weight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clearwood.counting.question import Question, takes
from clearwood.counting.task import Longs, Region, Task, sums


def send(task: Task, question: Question, region: Region) -> list[Region]:
    """A region per branch: the first that takes the cell; else a stand-in; `otherwise`; all by share."""
    branch = taken_by(task, question, region)
    for stand_in in question.stand_ins:
        cells = task.cells(stand_in.attribute, region)
        attribute = task.schema.attributes[stand_in.attribute]
        lost = branch < 0
        branch = np.where(lost & takes(attribute, stand_in.when, cells), stand_in.then, branch)
        branch = np.where(lost & takes(attribute, stand_in.other, cells), 1 - stand_in.then, branch)
    if question.otherwise >= 0:
        branch = np.where(branch < 0, question.otherwise, branch)
    regions = []
    asked = region.asked | {question.attribute}
    for i, share in enumerate(question.shares):
        # A share this small would only spread crumbs of rows over the tree.
        part = share if share > 1e-6 else 0.0
        weights = np.where(branch == i, region.weights, np.where(branch < 0, region.weights * part, 0.0))
        here = weights > 0
        regions.append(Region(region.rows[here], weights[here], region.depth + 1, asked))
    return regions


def taken_by(task: Task, question: Question, region: Region) -> Longs:
    """[row] The first branch whose condition holds; −1 where none does."""
    cells = task.cells(question.attribute, region)
    attribute = task.schema.attributes[question.attribute]
    branch = np.full(len(cells), -1, dtype=np.int64)
    for i, each in enumerate(question.branches):
        branch = np.where((branch < 0) & takes(attribute, each, cells), i, branch)
    return branch


def reshare(task: Task, question: Question, region: Region) -> Question:
    """The question with its shares taken anew from another region; even if no cell is known there."""
    branch = taken_by(task, question, region)
    known = branch >= 0
    weight = sums(branch[known], region.weights[known], len(question.branches))
    even = np.full(len(weight), 1 / len(weight))
    return replace(question, shares=tuple((weight / weight.sum() if weight.sum() > 0 else even).tolist()))
