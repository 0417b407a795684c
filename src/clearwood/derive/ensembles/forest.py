"""A forest: the rows that each tree drew, the columns drawn at the first root, and the out-of-bag error."""

from __future__ import annotations

from clearwood.catalogue import learner_of
from clearwood.derive.ensembles.drawing import drawing_steps
from clearwood.derive.ensembles.forest_root import root_step
from clearwood.derive.ensembles.shared import rows_learned_from, title_of
from clearwood.learners.class_order import by_name, with_classes_of
from clearwood.learners.ensembles.forest import class_weights
from clearwood.learners.ensembles.native_forest import times_drawn_by_trees
from clearwood.models.ensemble import Ensemble
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation


def derive_forest(model: Ensemble, table: Table) -> Derivation:
    """The draws of the first trees, the first split of the first, and the out-of-bag error of all.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> model = cw.Forest(trees=5).learn(table)
    >>> derive_forest(model, table).figure("out-of-bag error").value == model.out_of_bag.values[-1]
    True
    """
    learner = learner_of(model.origin)
    table = by_name(table)
    model = with_classes_of(model, table.schema)
    rows = rows_learned_from(learner, table, reads_text=False)
    task = learner.task(rows, model.decision, class_weights(rows))
    steps = drawing_steps(model, rows, times_drawn_by_trees(task, model.size))
    return Derivation(title_of(model), [*steps[:-1], *root_step(model, task), steps[-1]])
