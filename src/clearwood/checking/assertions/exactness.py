"""What was proved: all rows that could be, those with few odd cells, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from clearwood.audit.axes import Domains
from clearwood.checking.walking.ground import Ground, ground_of
from clearwood.checking.walking.searching import Searched
from clearwood.errors import SettingError
from clearwood.models.conditions import Condition
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.words.numbers import many

WhichRows: TypeAlias = Literal["all", "known"]


@dataclass(frozen=True, slots=True)
class ProofReach:
    """How far a proof came: parts of the space, and from how many odd cells on rows were left out. Where it
    is by decision diagrams, their `nodes` stand for all parts."""

    parts: int
    open_from: int | None
    nodes: int | None = None

    @property
    def is_whole(self) -> bool:
        return self.open_from is None

    def __str__(self) -> str:
        if self.nodes is not None:
            return f"exact, over all rows that could be, by decision diagrams of {many(self.nodes, 'node')}"
        over = f"over {many(self.parts, 'part')} of all rows that could be"
        if self.open_from is None:
            return f"exact, {over}"
        if self.open_from == 0:
            return "not settled within the budget"
        return (
            f"exact but for rows with {many(self.open_from, 'missing cell')} or more, of which the budget "
            "left some out"
        )


def proof_reach(searches: Sequence[Searched]) -> ProofReach:
    """All of these searches together."""
    left = [each.open_from for each in searches if each.open_from is not None]
    return ProofReach(sum(each.settled for each in searches), min(left) if left else None)


def known_only(ground: Ground, start: Domains) -> Domains | None:
    """The part of a box in which every cell is a number or a known value; None where there is none."""
    known = [usual & groups for usual, groups in zip(ground.known(), start, strict=True)]
    return known if all(known) else None


def check_possible(
    model: Tree | RuleList, when: str, conditions: tuple[Condition, ...], rows: WhichRows
) -> None:
    """Refuse conditions that no row can satisfy: whatever is asserted would hold of all these rows."""
    ground = ground_of((model,), conditions)
    start = ground.within(conditions)
    if start is None:
        raise SettingError(f"No row can satisfy '{when}': its conditions exclude each other. Mend when.")
    if rows == "known" and known_only(ground, start) is None:
        raise SettingError(f"No row of known cells can satisfy '{when}'. Leave rows out, or mend when.")


def check_which(rows: str) -> None:
    """Refuse what is neither all rows nor those whose cells are known."""
    if rows not in ("all", "known"):
        raise SettingError(f"rows is 'all' or 'known' (no empty cell, no value never met), not '{rows}'.")
