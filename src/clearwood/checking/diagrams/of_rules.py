"""The diagram of a list of rules: of its answers, or of a figure such as the share of a class."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.audit.axes import Domains
from clearwood.checking.diagrams.column_order import column_order
from clearwood.checking.diagrams.diagram import DiagramNodes, order_within
from clearwood.checking.diagrams.first_match import first_match
from clearwood.checking.diagrams.rule_sets import sets_by_level
from clearwood.checking.diagrams.unfolding import Unfolds, unfolded
from clearwood.checking.diagrams.voting import Ballot, Votes, VotesForTheMost
from clearwood.checking.walking.ground import Ground
from clearwood.checking.walking.rule_walks import boxes_of, rule_outcomes
from clearwood.checking.walking.walk import Identities
from clearwood.models.rule_list import RuleList
from clearwood.predict.answers import divided
from clearwood.predict.deciding import BY_SHARES, adjusted, decided
from clearwood.predict.of_rules import rule_weights

_EXACT: Final = 2**50  # sums of whole numbers up to here are exact, and so is the order of their shares


def nodes_for(
    lists: Sequence[RuleList], ground: Ground, within: Domains, *, first: int | None = None
) -> DiagramNodes:
    """No nodes yet, for diagrams of these lists over the rows of a box, asked in an order that keeps them
    small; the column `first`, if there is one, before all others."""
    columns = column_order([[box for box, _ in boxes_of(each, ground)] for each in lists])
    if first is not None:
        columns = (first, *(each for each in columns if each != first))
    return DiagramNodes(order_within(columns, within))


def rule_diagram(
    rules: RuleList, ground: Ground, nodes: DiagramNodes, most: int, *, about: int | None = None
) -> int:
    """The root of the diagram whose ends are what rows get: the answer, or the share of the class `about`.

    Of rules that predict numbers it is the number; None stands for no answer.
    """
    possible = boxes_of(rules, ground)
    sets = sets_by_level([box for box, _ in possible], nodes.order)
    outcomes = rule_outcomes(rules, Identities(), about)
    values: list[Hashable] = [each.answer if about is None else each.figure for each in outcomes]
    own = [place for _, place in possible]
    states: Unfolds
    if rules.matching == "first":
        states = first_match(sets, [values[place] for place in own], values[-1])
        return unfolded(states, nodes, most)
    weights = rule_weights(rules)[own]
    ballots, unit = _whole(weights)
    if about is None and unit is not None and rules.decision.is_plain and not rules.decision.costs:
        states = VotesForTheMost(sets, ballots, values[-1], rules.schema.classes)
        return unfolded(states, nodes, most)

    def counted(sums: Ballot) -> Hashable:
        if unit is None:
            held = weights[[place for place in range(len(own)) if sums[0] >> place & 1]]
            added: Floats = np.add.accumulate(held, axis=0)[-1:]  # one by one, as the predictor adds them
        else:
            added = np.array([sums], dtype=np.float64) / unit
        shares = adjusted(divided(added), rules.decision)
        if about is not None:
            return float(shares[0, about])
        code = decided(shares, rules.decision, rules.schema.classes, np.array([BY_SHARES], dtype=np.int32))
        return None if code[0] < 0 else rules.schema.classes[code[0]]

    return unfolded(Votes(sets, ballots, values[-1], counted), nodes, most)


def _whole(weights: Floats) -> tuple[Sequence[Ballot], float | None]:
    """The votes of each rule as whole numbers of a unit (so many make one); where rounding would matter, a
    number of its own for each set of rules, and None."""
    ratios = [[each.as_integer_ratio() for each in row] for row in weights.tolist()]
    unit = max((below for row in ratios for _, below in row), default=1)  # powers of two
    ballots = [tuple(above * (unit // below) for above, below in row) for row in ratios]
    if sum(map(sum, ballots)) < _EXACT:
        return ballots, float(unit)
    return [(1 << place,) for place in range(len(ratios))], None
