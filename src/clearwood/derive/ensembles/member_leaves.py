"""A member in a few lines: of a small tree each leaf, and what it answers."""

from __future__ import annotations

import numpy as np

from clearwood.models.conditions import all_of
from clearwood.models.ensemble import Member
from clearwood.models.paths import path_to
from clearwood.models.tree import Tree
from clearwood.predict.answers import node_shares
from clearwood.working.figures import Figure, Grid, GridCell


def leaves_figure(member: Member, number: int) -> tuple[Figure, ...]:
    """The leaves of a tree of classes with their answers; nothing for members of other kinds.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> leaves_figure(cw.ID3(max_depth=1).learn(table), 1)[0].grids[0].rows[0]
    ('Outlook = Overcast', 'Yes')
    """
    if not isinstance(member, Tree) or member.is_numeric:
        return ()
    nodes = member.nodes
    leaves = np.flatnonzero(nodes.end == np.arange(1, len(nodes) + 1)).tolist()
    answers = node_shares(member, None).argmax(axis=1)
    lines: list[tuple[GridCell, ...]] = [
        (all_of(path_to(member, leaf)) or "all rows", member.schema.classes[answers[leaf]]) for leaf in leaves
    ]
    grid = Grid(f"Member {number}", ("leaf", "predicted"), lines, on_sheet=("given", "given"))
    return (Figure(f"leaves of member {number}", None, grids=(grid,)),)
