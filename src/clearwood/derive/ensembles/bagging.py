"""Bagging: the rows that each member drew, and what members answer to those they did not."""

from __future__ import annotations

from clearwood.catalogue import learner_of
from clearwood.derive.ensembles.drawing import drawing_steps
from clearwood.derive.ensembles.shared import rows_learned_from, title_of
from clearwood.learners.ensembles.member_rows import times_drawn
from clearwood.models.ensemble import Ensemble
from clearwood.table.row_keys import rows_by_content
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation


def derive_bagging(model: Ensemble, table: Table) -> Derivation:
    """The draws of the first members, their answers out of bag, and the out-of-bag error of all.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> model = cw.Bagging(trees=5).learn(table)
    >>> derive_bagging(model, table).figure("out-of-bag error").value == model.out_of_bag.values[-1]
    True
    """
    learner = learner_of(model.origin)
    rows = rows_learned_from(learner, table)
    order = rows_by_content(rows)
    drawn = (times_drawn(rows, learner.seed, member, order) for member in range(model.size))
    return Derivation(title_of(model), drawing_steps(model, rows, drawn))
