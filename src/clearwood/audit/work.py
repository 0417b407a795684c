"""What the parts of an audit share: the space, the answers as numbers, and the budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood.audit.axes import Domains, GroupBox
from clearwood.audit.search import Budget, TooLongError, find_outside
from clearwood.audit.space import Space, space_of
from clearwood.errors import SettingError
from clearwood.models.rule_list import RuleList

_EACH: Final = 20  # one search may use this part of the budget
_MOST_CELLS: Final = 1 << 29  # of groups times rules, a byte each


@dataclass(slots=True)
class Work:
    space: Space
    answers: npt.NDArray[np.int64]  # [rule] the code of its answer
    otherwise: int  # the code of the default answer
    budget: Budget
    unsettled: list[str] = field(default_factory=list)

    @property
    def boxes(self) -> tuple[GroupBox | None, ...]:
        return self.space.boxes

    def outside(self, domains: Domains, rules: range | list[int]) -> Domains | None:
        """A part of `domains` that none of these rules takes; None where they take it all."""
        return find_outside(domains, [box for r in rules if (box := self.boxes[r]) is not None], self.budget)

    def settle(self, domains: Domains, rules: range | list[int]) -> bool | None:
        """Is there a row outside of these rules? None: not within the budget."""
        try:
            return self.outside(domains, rules) is not None
        except TooLongError:
            return None


def work_for(rules: RuleList, budget: int) -> Work:
    space = space_of(rules)
    if sum(takes.size for takes in space.takes) > _MOST_CELLS:
        raise SettingError(
            f"{len(rules):,} rules with so many different limits and values need more than"
            f" {_MOST_CELLS >> 20} MB to audit. Audit a part of the list."
        )
    codes = {then: code for code, then in enumerate(dict.fromkeys(rule.then for rule in rules))}
    then = rules.otherwise.then
    otherwise = codes.get(then, -1 if then is None else -2)
    answers = np.array([codes[rule.then] for rule in rules], dtype=np.int64)
    return Work(space, answers, otherwise, Budget(max(1, budget // _EACH), budget))


def rule_numbers(rules: list[int]) -> str:
    """Rules, by their place, as a sentence names them: counted from 1.

    >>> rule_numbers([0, 4]), rule_numbers(list(range(30)))
    ('rules 1 and 5', '30 rules, 1, 2, 3, … among them')
    """
    names = [str(r + 1) for r in rules]
    if len(names) > 10:
        return f"{len(names):,} rules, {', '.join(names[:3])}, … among them"
    if len(names) == 1:
        return f"rule {names[0]}"
    return f"rules {', '.join(names[:-1])} and {names[-1]}"
