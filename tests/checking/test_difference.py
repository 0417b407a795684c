"""The difference of two models: a row lies in a changed region if, and only if, the predictors differ."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.audit.axes import rows_inside
from clearwood.checking.difference.by_rows import differ
from clearwood.checking.difference.exact import _changed_parts
from clearwood.checking.walking.ground import ground_of
from clearwood.checking.walking.joining import joined
from clearwood.checking.walking.searching import Searched
from clearwood.predict import predict
from tests.checking.random_models import random_model, random_rows


@pytest.mark.parametrize("seed", range(80))
def test_a_row_lies_in_a_changed_region_if_and_only_if_the_predictors_differ(seed: int) -> None:
    die = np.random.default_rng(seed)
    numeric = seed % 6 == 0
    old, new = random_model(die, numeric=numeric), random_model(die, numeric=numeric)
    table = random_rows(die, 2000, old.schema)
    ground, searched = ground_of((old, new)), Searched(200_000)
    changed, _ = _changed_parts(old, new, ground, searched, None)
    assert searched.complete
    before, after = predict(old, table), predict(new, table)
    lying, met = ground.groups(table), np.zeros(len(table), dtype=np.int64)
    for (one, other), parts in changed.items():
        for part in joined(parts):
            inside = rows_inside(lying, part)
            met += inside
            for given, named in ((before, one), (after, other)):
                assert all(
                    each == named or (named is None and each != each) or abs(each - named) < 1e-9
                    for each in set(given[inside].tolist())
                )
    assert met.max(initial=0) <= 1
    assert ((met > 0) == differ(before, after)).all()
