"""GAM's native boosting makes the very tables of the definition, on any table and any number of threads."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from clearwood import _native
from clearwood.learners.ensembles.gam import GAM, NATIVE, Engine, learn_curves
from clearwood.learners.training import usable_rows
from clearwood.models.decision import Decision
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.lineage import Origin
from clearwood.table.attributes import Numeric, Ordinal
from clearwood.table.table import Table
from tests.definitions.gam import boost, rank
from tests.learners.random_tables import random_tables

DEFINITION = Engine(boost, rank)
LEARNERS = {
    "as it comes, fewer rounds": GAM(rounds=4, bags=2, pairs=2, min_leaf=1, smoothing=2),
    "large steps": GAM(rounds=6, bags=2, pairs=1, rate=1, leaves=3, l2=0.01, min_leaf=1, smoothing=0),
    "few bins, another seed": GAM(rounds=3, bags=3, pairs=3, bins=4, seed=9, patience=1),
}
many = settings(
    max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "25")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def learned(learner: GAM, table: Table, engine: Engine, signs: dict[str, int] | None = None) -> AdditiveModel:
    rows = usable_rows(learner, table)
    assert learner.pairs is not None
    assert learner.bags is not None
    return learn_curves(learner, rows, engine, signs or {}, Decision(), Origin("GAM"))


@pytest.mark.slow
@pytest.mark.parametrize("which", LEARNERS)
@many
@given(table=random_tables(max_rows=40, max_columns=4, max_values=40))
def test_native_tables_are_those_of_the_definition(which: str, table: Table) -> None:
    assert learned(LEARNERS[which], table, NATIVE) == learned(LEARNERS[which], table, DEFINITION)


@pytest.mark.slow
@many
@given(
    table=random_tables(("nominal", "numeric"), max_rows=40, max_columns=4, max_classes=2, max_values=40),
    which=st.sampled_from(list(LEARNERS)),
    rising=st.booleans(),
)
def test_with_directions_native_tables_are_those_of_the_definition_and_no_curve_turns(
    table: Table, which: str, rising: bool
) -> None:
    assume(len(table.schema.classes) < 3)
    limited = [each.name for each in table.schema.inputs if isinstance(each, Numeric | Ordinal)][:2]
    assume(limited)
    signs = dict.fromkeys(limited, 1 if rising else -1)
    curves = learned(LEARNERS[which], table, NATIVE, signs)
    assert curves == learned(LEARNERS[which], table, DEFINITION, signs)
    for shape in curves.shapes:
        if shape.name in signs:
            assert (np.diff(shape.points[0][:-2]) * signs[shape.name] >= 0).all()
    assert not any(set(pair.names) & set(signs) for pair in curves.pairs)


def test_the_number_of_threads_changes_nothing() -> None:
    random = np.random.default_rng(4)
    table = _wave(random, 3000)
    models = []
    for threads in (1, 2, 5):
        _native.set_thread_count(threads)
        try:
            models.append(GAM(bags=5, rounds=20, pairs=1).learn(table))
        finally:
            _native.set_thread_count(0)
    assert models[0] == models[1] == models[2]


def _wave(random: np.random.Generator, rows: int) -> Table:
    from clearwood.table import read_table

    x, z = random.uniform(-3, 3, rows), random.normal(size=rows)
    y = np.where(np.sin(2 * x) + 0.5 * z + random.normal(size=rows) > 0, "up", "down")
    return read_table({"x": x, "z": z, "y": y.tolist()}, target="y")


def test_weights_that_are_counts_are_as_good_as_repeated_rows_for_the_base() -> None:
    table = _wave(np.random.default_rng(1), 60)
    twice = replace(table, weights=np.full(60, 2.0))
    one, two = GAM(pairs=0, rounds=1).learn(table), GAM(pairs=0, rounds=1).learn(twice)
    assert one["x"].cuts == two["x"].cuts
    assert sum(two["x"].rows) == pytest.approx(2 * sum(one["x"].rows))
