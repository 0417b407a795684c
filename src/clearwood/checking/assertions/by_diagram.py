"""Proofs about lists of rules by their diagrams, where rules overlap too much to be walked through."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import cast

from clearwood.audit.axes import Domains
from clearwood.checking.assertions.bounds import ROUNDING
from clearwood.checking.assertions.exactness import ProofReach
from clearwood.checking.diagrams.diagram import PAIRS_PER_BOX, STATES_PER_BOX, DiagramTooLargeError
from clearwood.checking.diagrams.of_rules import nodes_for, rule_diagram
from clearwood.checking.diagrams.product import product_of
from clearwood.checking.diagrams.ways import odd_groups, way_to_end
from clearwood.checking.walking.ground import Ground
from clearwood.models.rule_list import RuleList


@dataclass(frozen=True, slots=True)
class DiagramProof:
    """Rows that break an assertion, as a box; None: there are none."""

    wrong: Domains | None
    reach: ProofReach
    cells: tuple[int, int] | None = None  # of the column that rises, if one does


def region_proof(
    rules: RuleList,
    ground: Ground,
    start: Domains,
    about: int | None,
    allowed: Callable[[Hashable], bool],
    budget: int,
) -> DiagramProof | None:
    """Does every row of a box get what is allowed: an answer, or a share? None: the diagram is too large."""
    nodes = nodes_for([rules], ground, start)
    try:
        root = rule_diagram(rules, ground, nodes, STATES_PER_BOX * budget, about=about)
    except DiagramTooLargeError:
        return None
    reach = ProofReach(0, None, len(nodes.nodes))
    end = next((each for each in nodes.ends() if not allowed(nodes.value(each))), None)
    if end is None:
        return DiagramProof(None, reach)
    return DiagramProof(way_to_end(nodes, root, end, odd_groups(ground, nodes.order), start), reach)


def monotone_proof(
    rules: RuleList,
    ground: Ground,
    start: Domains,
    place: int,
    about: int | None,
    steps: Iterable[tuple[int, int]],
    budget: int,
) -> DiagramProof | None:
    """Does the figure never fall from the first to the second of two cells, for each of these `steps` of the
    column at `place`? It is asked first, so that each cell has a diagram of all others. None: too large."""
    nodes = nodes_for([rules], ground, start, first=place)
    size, steps_left = 0, PAIRS_PER_BOX * budget
    try:
        root = rule_diagram(rules, ground, nodes, STATES_PER_BOX * budget, about=about)
        level, children = nodes.nodes[root]
        group_of, odd = ground.axes[place].group_of, odd_groups(ground, nodes.order)
        for cells in steps if level == 0 else ():
            both = [children[nodes.order.groups[0].index(group_of[cell])] for cell in cells]
            one, other = cast("list[int]", both)
            product = product_of(nodes, one, other, odd, steps_left)
            size, steps_left = size + product.size, steps_left - product.steps
            for end in product.ends.tolist():
                before, after = cast("tuple[float | None, float | None]", product.values(end))
                if before is not None and after is not None and before > after + ROUNDING:
                    reach = ProofReach(0, None, len(nodes.nodes) + size)
                    return DiagramProof(product.way_to(end, start), reach, cells)
    except DiagramTooLargeError:
        return None
    return DiagramProof(None, ProofReach(0, None, len(nodes.nodes) + size))
