"""Answers of additive models, derived: every figure is what its expression comes to."""

from __future__ import annotations

from dataclasses import replace

import pytest

import clearwood as cw
from clearwood.models.decision import Decision
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    cell_in_words,
    curves_in_words,
    side_in_words,
)
from clearwood.models.kinds.ensemble.ensemble import Link
from tests.deriving.checking import check

ROW = {"c": "q"}


def model(points: float, *, classes: str = "ab", factors: tuple[float, ...] = ()) -> AdditiveModel:
    """A curve of one column, whose value q has these points for the last class."""
    table = cw.read_table({"c": list("pq") * 3, "y": list((classes * 3)[:6])}, target="y")
    scores = 1 if len(classes) == 2 else len(classes)
    curve = tuple((0.0, points * (score + 1 == scores), 0.0, 0.0) for score in range(scores))
    shapes, decision = (Shape("c", (), curve),), Decision(factors=factors)
    link: Link = "logistic" if scores == 1 else "softmax"
    return AdditiveModel(table.schema, (0.25,) * scores, shapes, link=link, decision=decision)


@pytest.mark.parametrize("points", [1.5, -2.0, 900.0, -900.0])
@pytest.mark.parametrize("classes", ["ab", "abc"])
@pytest.mark.parametrize("priors", [False, True])
def test_every_figure_of_an_additive_answer_is_what_its_expression_comes_to(
    points: float, classes: str, priors: bool
) -> None:
    made = model(points, classes=classes, factors=(3.0, 1.0, 2.0)[: len(classes)] if priors else ())
    derived = cw.derive(made, row=ROW)
    assert check(derived) >= 3
    shares = {each.share_of: each.value for each in derived[-1].walk() if each.share_of}
    assert shares == pytest.approx(dict(zip(made.schema.classes, cw.shares(made, [ROW])[0], strict=True)))


def test_an_additive_model_and_an_ensemble_say_the_same_of_the_same_score() -> None:
    table = cw.read_table({"x": [1, 2, 3, 4, 5, 6] * 5, "y": list("aababb") * 5}, target="y")
    additive = cw.derive(cw.GAM(bags=3, pairs=0).learn(table), row={"x": 6})
    boosted = cw.derive(cw.Boosting(trees=3).learn(table), row={"x": 6})
    formulas = [
        [each.formula for each in derived[-1].walk() if each.share_of] for derived in (additive, boosted)
    ]
    assert formulas[0] == formulas[1]


def test_a_model_without_a_curve_says_why() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    made = replace(cw.GAM(bags=3).learn(table), shapes=(), pairs=())
    text = str(cw.derive(made, table))
    assert "No column has a curve: no step lowered the loss on the out-of-bag rows" in text
    assert len(cw.derive(made, table)) == 1


def test_missing_and_unseen_cells_are_called_what_they_are() -> None:
    """In words, as in prediction, the cell behind the known ones is the missing one, and then the unseen."""
    schema = cw.Schema((cw.Numeric("x"), cw.Nominal("c", ("p", "q"))), cw.Numeric("y"))
    curves = (Shape("x", (1.0,), ((1.0, 2.0, 3.0, 4.0),)), Shape("c", (), ((10.0, 20.0, 30.0, 40.0),)))
    pair = PairShape(("c", "x"), ((), (1.0,)), (tuple(100.0 * at for at in range(16)),))
    model = cw.AdditiveModel(schema, (0.0,), curves, (pair,), link="identity")
    assert [side_in_words(model, "x", (1.0,), at) for at in range(4)] == ["≤ 1", "> 1", "missing", "unseen"]
    assert [side_in_words(model, "c", (), at) for at in range(4)] == ["p", "q", "missing", "unseen"]
    assert side_in_words(model, "x", (1.0, 2.0), 1) == "1 to 2"
    assert cell_in_words(model, curves[0], 0) == "≤ 1"
    assert curves_in_words(model) == "2 curves and 1 pair"
    assert curves_in_words(replace(model, pairs=())) == "2 curves"
    assert cell_in_words(model, pair, 4 * 2 + 0) == "missing, ≤ 1"
    assert cell_in_words(model, pair, 4 * 3 + 2) == "unseen, missing"
    empty, unseen = cw.predict(model, [{"c": None, "x": 1.0}, {"c": "never met", "x": None}]).tolist()
    assert (empty, unseen) == (1.0 + 30.0 + 800.0, 3.0 + 40.0 + 1400.0)
