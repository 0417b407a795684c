"""The space of a rule list: the axes that its conditions cut, and each rule as a box (see `axes`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.arrays import Bools
from clearwood.audit.axes import Axis, Domains, GroupBox, axes_of, group_set
from clearwood.models.rule_list import RuleList
from clearwood.table.row import Cell


@dataclass(frozen=True, slots=True)
class Space:
    """The columns that some rule asks about, and each rule as a box; None where no row can satisfy it."""

    axes: tuple[Axis, ...]
    boxes: tuple[GroupBox | None, ...]
    takes: tuple[Bools, ...]  # [column] bool [group, rule]: does the rule's set hold the group?

    def everywhere(self) -> Domains:
        return [axis.everything for axis in self.axes]

    def within(self, *boxes: GroupBox) -> Domains:
        """The common part of boxes, column by column."""
        domains = self.everywhere()
        for box in boxes:
            for column, groups in box:
                domains[column] &= groups
        return domains

    def example(self, domains: Domains) -> dict[str, Cell]:
        """A row of this part of the space, with the columns that rules ask about."""
        return {axis.name: axis.example(groups) for axis, groups in zip(self.axes, domains, strict=True)}


def space_of(rules: RuleList) -> Space:
    """The space that these rules divide."""
    conditions = (condition for rule in rules for condition in rule.when)
    axes = axes_of(conditions, rules.schema.__getitem__, rules.schema.positions.__getitem__)
    takes = [np.ones((axis.groups, len(rules)), dtype=np.bool_) for axis in axes.all]
    places = axes.places
    boxes: list[GroupBox | None] = []
    for r, rule in enumerate(rules):
        sets: dict[int, Bools] = {}
        for condition in rule.when:
            place = places[condition.name]
            held = axes.satisfied[condition]
            sets[place] = held if place not in sets else sets[place] & held
        for place, held in sets.items():
            takes[place][:, r] = held
        box = tuple((place, group_set(held)) for place, held in sorted(sets.items()))
        boxes.append(
            None
            if any(groups == 0 for _, groups in box)
            else tuple((place, groups) for place, groups in box if groups != axes.all[place].everything)
        )
    return Space(axes.all, tuple(boxes), tuple(takes))
