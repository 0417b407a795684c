"""Walks: every row that could be lies in one settled part, and gets there what the predictor says."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.models.space.input_space import input_space_of
from clearwood.models.space.settling import Searched, settled_parts
from clearwood.models.space.walk_of import walk_of
from clearwood.predicting import predict
from clearwood.predicting.in_space import groups_of_rows, rows_inside
from tests.checking.random_models import random_model, random_rows


@pytest.mark.parametrize("seed", range(60))
def test_every_row_lies_in_one_settled_part_and_gets_its_answer(seed: int) -> None:
    die = np.random.default_rng(seed)
    model = random_model(die, numeric=seed % 5 == 0)
    table = random_rows(die, 1000, model.schema)
    space, searched = input_space_of([model]), Searched(budget=20_000)
    walk = walk_of(model, space)
    parts = list(settled_parts((walk,), space.everywhere(), lambda _: False, searched, space.known()))
    assert searched.complete
    answers = predict(model, space.rows(parts))
    rows, expected = groups_of_rows(space.axes, table), predict(model, table)
    met = np.zeros(len(table), dtype=np.int64)
    for part, answer in zip(parts, answers, strict=True):
        inside = rows_inside(rows, part)
        met += inside
        own = walk.within(part).answer
        assert own is None or own[0] == answer or answer != answer
        for each in set(expected[inside].tolist()):
            assert each == answer or each != each or abs(each - answer) < 1e-9
    assert (met == 1).all()
