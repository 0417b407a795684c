"""An audit of curves is exact: its directions are those of every row there could be."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.models.kinds.additive.additive_model import AdditiveModel, PairShape, Shape
from clearwood.models.kinds.kind import kind_of
from clearwood.predicting.of_additive import additive_scores_of_one
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema

SCHEMA = Schema(
    (Numeric("x"), Ordinal("size", ("S", "M", "L")), Nominal("c", ("p", "q"))), Nominal("y", ("n", "y"))
)
CELLS: dict[str, list[Any]] = {
    "x": [None, 0.0, 1.0, 1.5, 2.0, 3.0],
    "size": [None, "S", "M", "L", "other"],
    "c": [None, "p", "q", "other"],
}
FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def models(draw: st.DrawFn) -> AdditiveModel:
    def points(cells: int) -> tuple[tuple[float, ...]]:
        small = st.sampled_from([-1.0, 0.0, 0.0, 0.5, 1.0])
        steps = draw(st.lists(small, min_size=cells, max_size=cells))
        return (tuple(np.cumsum(np.abs(steps)).tolist() if draw(st.booleans()) else steps),)

    shapes = (
        Shape("x", (0.5, 1.5), points(5)),
        Shape("size", (), points(5)),
        Shape("c", (), points(4)),
    )
    pairs = [
        PairShape(("x", "c"), ((1.0,), ()), points(16)),
        PairShape(("size", "x"), ((), (1.5,)), points(20)),
    ]
    chosen = tuple(pair for pair in pairs if draw(st.booleans()))
    return AdditiveModel(SCHEMA, (0.25,), shapes, chosen)


@FEW
@given(model=models())
def test_directions_are_those_of_every_row_there_could_be(model: AdditiveModel) -> None:
    (score,) = cw.audit_curves(model).scores
    found = {each.name: each.model for each in score.columns}
    everything = [dict(zip(CELLS, row, strict=True)) for row in itertools.product(*CELLS.values())]
    scores = [float(additive_scores_of_one(model, row)[0, 0]) for row in everything]
    assert score.lowest <= min(scores) + 1e-9
    assert score.highest >= max(scores) - 1e-9
    if not model.pairs:
        assert (score.lowest, score.highest) == (min(scores), max(scores)) or np.allclose(
            (score.lowest, score.highest), (min(scores), max(scores))
        )
    for name, ordered in (("x", [0.0, 1.0, 1.5, 2.0, 3.0]), ("size", ["S", "M", "L"])):
        others = [each for each in CELLS if each != name]
        rises = falls = False
        for rest in itertools.product(*(CELLS[each] for each in others)):
            row = dict(zip(others, rest, strict=True))
            along = [additive_scores_of_one(model, {**row, name: cell})[0, 0] for cell in ordered]
            steps = np.diff(along)
            rises, falls = rises or bool((steps > 1e-9).any()), falls or bool((steps < -1e-9).any())
        expected = "both ways" if rises and falls else "up" if rises else "down" if falls else "level"
        assert found[name] == expected
    assert found["c"] == "no order"


def test_an_audit_is_about_the_positive_class_however_classes_are_declared() -> None:
    rows = {"x": [1, 2, 3, 4, 5, 6] * 5, "y": ["bad", "bad", "good", "bad", "good", "good"] * 5}
    model = cw.GAM(bags=3).learn(cw.read_table(rows, target="y"))
    turned = [kind_of(model).about(model, name) for name in ("bad", "good")]  # type: ignore[misc]
    assert [each.schema.classes for each in turned] == [("good", "bad"), ("bad", "good")]
    said = {str(cw.audit_curves(each)) for each in turned}
    assert len(said) == 1
    assert said.pop().startswith("log odds of bad:")
