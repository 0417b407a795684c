"""Walks: every row that could be lies in one settled part, and gets there what the predictor says."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.audit.axes import rows_inside
from clearwood.checking.walking.ground import ground_of
from clearwood.checking.walking.searching import Searched, settled_parts
from clearwood.checking.walking.tree_walk import walk_of
from clearwood.predict import predict
from tests.checking.random_models import random_model, random_rows


@pytest.mark.parametrize("seed", range(60))
def test_every_row_lies_in_one_settled_part_and_gets_its_answer(seed: int) -> None:
    die = np.random.default_rng(seed)
    model = random_model(die, numeric=seed % 5 == 0)
    table = random_rows(die, 1000, model.schema)
    ground, searched = ground_of([model]), Searched(budget=20_000)
    walk = walk_of(model, ground)
    parts = list(settled_parts((walk,), ground.everywhere(), lambda _: False, searched, ground.known()))
    assert searched.complete
    answers = predict(model, ground.rows(parts))
    rows, expected = ground.groups(table), predict(model, table)
    met = np.zeros(len(table), dtype=np.int64)
    for part, answer in zip(parts, answers, strict=True):
        inside = rows_inside(rows, part)
        met += inside
        own = walk.within(part).answer
        assert own is None or own[0] == answer or answer != answer
        for each in set(expected[inside].tolist()):
            assert each == answer or each != each or abs(each - answer) < 1e-9
    assert (met == 1).all()
