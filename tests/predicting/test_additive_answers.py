"""An additive model's answers: the native sums are the definition's, row by row and cell by cell."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings

import clearwood as cw
from clearwood.models.files import from_json, to_json
from clearwood.predicting.of_additive import additive_scores_of_one, scores_of_additive
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table
from tests.learners.random_tables import random_tables
from tests.typed import values_of

FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def rows_of(model: cw.AdditiveModel, table: Table) -> list[dict[str, object]]:
    rows = []
    for r in range(len(table)):
        row: dict[str, object] = {}
        for each in model.schema.inputs:
            cell = table.columns[each.name][r]
            if isinstance(each, Numeric):
                row[each.name] = None if np.isnan(cell) else float(cell)
            else:
                row[each.name] = None if cell == -1 else values_of(each)[cell]
        rows.append(row)
    return rows


@FEW
@given(table=random_tables(max_rows=40))
def test_native_sums_are_those_of_the_definition_and_survive_a_file(table: Table) -> None:
    model = cw.GAM(bags=2, rounds=4, pairs=3, min_leaf=1).learn(table)
    batch = scores_of_additive(model, table)
    one_by_one = [additive_scores_of_one(model, row)[0].tolist() for row in rows_of(model, table)]
    assert batch.tolist() == one_by_one
    again = from_json(to_json(model))
    assert again == model
    assert list(cw.predict(again, table)) == list(cw.predict(model, table))
    predictor = cw.row_predictor(model)
    assert [predictor(row) for row in rows_of(model, table)] == list(cw.predict(model, table))
