"""The input space of a list of rules: what it asks of rows, and each rule as a box of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from clearwood.formulas.conditions import Condition, IsMissing, bounds_of
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.space.axes import Ask, Domains, GroupBox
from clearwood.models.space.model_space import ColumnLimits, all_with_a_place
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.words.numbers import with_and

_NAMED: Final = 8  # rules in a sentence


@dataclass(frozen=True, slots=True)
class RulesSpace:
    """Rules divide their space by conditions: answers turn at their limits only."""

    rules: RuleList

    def limits(self) -> Iterator[ColumnLimits]:
        return ((condition.name, bounds_of(condition)) for condition in self.conditions())

    def spans(self) -> dict[str, tuple[float, float]]:
        return {}

    def columns(self) -> set[str]:
        return {condition.name for condition in self.conditions()}

    def pairs(self) -> tuple[()]:
        return ()

    def asked(self, column: str) -> Iterator[str]:
        numbers = [
            place
            for place, rule in enumerate(self.rules, 1)
            if any(each.name == column for each in rule.when)
        ]
        shown = [str(each) for each in numbers[:_NAMED]]
        listed = with_and([*shown, "more"] if len(numbers) > len(shown) else shown)
        yield f"in {'rule' if len(numbers) == 1 else 'rules'} {listed}"

    def takes_missing(self) -> set[str]:
        return {
            each.name
            for each in self.conditions()
            if isinstance(each, IsMissing) or getattr(each, "or_missing", False)
        }

    def without_a_place(self, attribute: Nominal | Ordinal) -> list[bool]:
        return all_with_a_place(attribute)

    def unusable(self, _: str) -> str:
        return "such a cell satisfies no condition"

    def usual(self, _: str) -> None:
        return None

    def conditions(self) -> Iterator[Condition]:
        """All that the rules ask of a row."""
        return (condition for rule in self.rules for condition in rule.when)

    def sets(self, asked: Callable[[Condition], Ask], everywhere: Sequence[int]) -> list[GroupBox]:
        """[rule] for each column that it asks about the groups that satisfy all it asks, perhaps none."""
        return [_sets([asked(condition) for condition in rule.when], everywhere) for rule in self.rules]

    def boxes(self, asked: Callable[[Condition], Ask], everywhere: Sequence[int]) -> list[GroupBox | None]:
        """[rule] the rows that satisfy it; None where there can be none."""
        return [
            tuple((column, groups) for column, groups in sets if groups != everywhere[column])
            if all(groups for _, groups in sets)
            else None
            for sets in self.sets(asked, everywhere)
        ]


def _sets(asks: Sequence[Ask], everywhere: Sequence[int]) -> GroupBox:
    sets: dict[int, int] = {}
    for column, groups in asks:
        sets[column] = sets.get(column, everywhere[column]) & groups
    return tuple(sorted(sets.items()))


def possible_boxes(boxes: Sequence[GroupBox | None]) -> list[tuple[GroupBox, int]]:
    """The rules that some row can satisfy: what each asks, and its place."""
    return [(box, place) for place, box in enumerate(boxes) if box is not None]


def outside(box: Domains, rule: GroupBox) -> Iterator[Domains]:
    """The parts of a box whose rows do not satisfy a rule: in its first column, or in its second though not
    in its first, and so on.

    >>> list(outside([0b11, 0b111], ((0, 0b01), (1, 0b011))))
    [[2, 7], [1, 4]]
    """
    for column, groups in rule:
        held = box[column]
        if held & ~groups:
            yield [*box[:column], held & ~groups, *box[column + 1 :]]
        if not held & groups:
            return
        box = [*box[:column], held & groups, *box[column + 1 :]]
