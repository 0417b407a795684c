"""Curves edited by hand: each edit is a new model with an entry in its lineage, and has a price."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodWarning, SettingError
from clearwood.models.files import from_json, to_json
from clearwood.models.in_words import in_words
from clearwood.models.kinds.additive.additive_model import Shape
from clearwood.models.lineage import CurveEdited
from clearwood.predicting.of_additive import additive_scores_of_one
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from tests.shared_data import load_shared
from tests.typed import mistyped

pytestmark = pytest.mark.filterwarnings("ignore:.*pair:clearwood.errors.ClearwoodWarning")


@pytest.fixture(scope="module")
def model() -> cw.AdditiveModel:
    table = load_shared("diabetes")
    return cw.GAM(bags=3, rounds=30, pairs=2).learn(table.take(np.arange(500)))


def points_of(model: cw.AdditiveModel, name: str) -> list[float]:
    return list(model[name].points[0][:-2])


def is_centred(model: cw.AdditiveModel, name: str) -> bool:
    shape = model[name]
    return abs(float(np.average(shape.points[0], weights=shape.rows))) < 1e-9


def first(model: cw.AdditiveModel) -> str:
    return max(model.shapes, key=lambda shape: np.ptp(shape.points[0])).name


@pytest.mark.parametrize("direction", ["up", "down"])
def test_a_monotone_curve_never_turns_back(model: cw.AdditiveModel, direction: str) -> None:
    name = first(model)
    edited = cw.make_monotone(model, name, mistyped(direction))
    steps = np.diff(points_of(edited, name))
    assert (steps >= -1e-12).all() if direction == "up" else (steps <= 1e-12).all()
    assert is_centred(edited, name)
    assert edited[name].errors == ()
    assert edited.origin.after == (CurveEdited("monotone", (name,), f"{direction}, for tested_positive"),)
    assert edited.origin.title == "GAM, edited by hand"
    assert model.origin.after == ()


def test_a_flat_stretch_keeps_the_mean_of_its_rows(model: cw.AdditiveModel) -> None:
    name = first(model)
    cuts = model[name].cuts
    edited = cw.flatten(model, name, cuts[5], cuts[20])
    level = points_of(edited, name)[5:21]
    assert np.ptp(level) < 1e-12
    assert edited.base[0] == pytest.approx(model.base[0])
    assert np.ptp(points_of(cw.flatten(model, name), name)) < 1e-12


def test_a_smooth_curve_varies_less(model: cw.AdditiveModel) -> None:
    name = first(model)
    before, after = points_of(model, name), points_of(cw.smooth(model, name, 9), name)
    assert np.abs(np.diff(after)).sum() < np.abs(np.diff(before)).sum()


def test_points_that_are_set_change_the_answer_by_as_much(model: cw.AdditiveModel) -> None:
    name = first(model)
    cuts = model[name].cuts
    edited = cw.set_points(model, name, 5.0, low=cuts[-1] + 1)
    row = {each.name: None for each in model.schema.inputs} | {name: cuts[-1] + 1}
    low = {**row, name: cuts[0]}
    lift = [
        np.log(np.divide(*cw.shares(each, [high])[0][::-1]))
        for each in (model, edited)
        for high in (row, low)
    ]
    gap = points_of(model, name)[-1] - points_of(model, name)[0]
    assert (lift[2] - lift[3]) - (lift[0] - lift[1]) == pytest.approx(5.0 - points_of(model, name)[-1])
    assert gap != 0


def test_a_term_is_dropped_alone(model: cw.AdditiveModel) -> None:
    pair = model.pairs[0]
    assert len(cw.drop_term(model, *reversed(pair.names)).pairs) == len(model.pairs) - 1
    name = first(model)
    fewer = cw.drop_term(model, name)
    assert name not in [shape.name for shape in fewer.shapes]
    assert fewer.pairs == model.pairs


def test_edits_have_a_ledger_and_a_price_on_held_out_rows(model: cw.AdditiveModel) -> None:
    held_out = load_shared("diabetes").take(np.arange(500, 768))
    name = first(model)
    edited = cw.drop_term(cw.smooth(model, name), name)
    cost = cw.compare_curves(model, edited, held_out)
    assert [each.edit for each in cost.edits] == ["smooth", "drop"]
    before, after = cost.held_out
    assert before.log_loss is not None
    assert after.log_loss is not None
    assert after.log_loss > before.log_loss
    assert str(cost).splitlines()[1] == f"2. {name} dropped"
    with pytest.raises(SettingError, match="histories differ"):
        cw.compare_curves(edited, model, held_out)


def test_the_rows_learned_from_are_known_again_and_said_to_be_too_kind(model: cw.AdditiveModel) -> None:
    learned_from = load_shared("diabetes").take(np.arange(500))
    edited = cw.smooth(model, first(model))
    cost = cw.compare_curves(model, edited, learned_from)
    assert cost.training_rows
    assert "on the rows that it was learned from" in str(cost)
    profiled = cw.with_profile(model, learned_from)
    backwards = learned_from.take(np.arange(500)[::-1])
    assert cw.compare_curves(profiled, cw.smooth(profiled, first(model)), backwards).training_rows
    others = load_shared("diabetes").take(np.arange(500, 768))
    assert not cw.compare_curves(model, edited, others).training_rows


def test_an_edited_model_comes_back_from_its_file(model: cw.AdditiveModel) -> None:
    edited = cw.make_monotone(cw.smooth(model, first(model)), first(model))
    again = from_json(to_json(edited))
    assert again == edited
    assert in_words(again.origin.after[0]) == f"the curve of {first(model)} smoothed over 5 cells"


def test_an_edit_that_makes_no_sense_is_refused_in_a_sentence() -> None:
    nominal = cw.GAM(bags=3, rounds=10, pairs=0).learn(load_shared("iris"))
    name = nominal.shapes[0].name
    with pytest.raises(SettingError, match="Say of which class"):
        cw.make_monotone(nominal, name)
    with pytest.raises(SettingError, match="low must not be above high"):
        cw.flatten(nominal, name, 9.0, 1.0)
    with pytest.raises(SettingError, match="No curve or pair"):
        cw.drop_term(nominal, "nothing")
    tennis = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    words = cw.GAM(bags=8, min_leaf=1, seed=2, pairs=0).learn(tennis)
    with pytest.raises(SettingError, match="nominal: its values have no order"):
        cw.make_monotone(words, "Outlook")
    assert cw.set_points(words, "Outlook", 3.0, value="Rainy").origin.after[0] == CurveEdited(
        "set", ("Outlook",), "Rainy: 3 (1.96 once centred), for Yes"
    )


def test_pairs_that_still_read_a_dropped_column_are_named(model: cw.AdditiveModel) -> None:
    name = model.pairs[0].names[0]
    held = [" × ".join(pair.names) for pair in model.pairs if name in pair.names]
    with pytest.warns(ClearwoodWarning, match="still read by") as warned:
        fewer = cw.drop_term(model, name)
    assert all(each in str(warned[0].message) for each in held)
    assert name in fewer.columns
    without = cw.drop_term(model, name, with_pairs=True)
    assert name not in without.columns
    assert in_words(without.origin.after[-1]) == f"{name} dropped with {', '.join(held)}"


def test_a_curve_that_goes_one_way_while_its_pairs_do_not_is_said_to(model: cw.AdditiveModel) -> None:
    name = model.pairs[0].names[0]
    with pytest.warns(ClearwoodWarning, match="can still fall"):
        cw.make_monotone(model, name)


def test_the_ledger_says_which_stretch_and_whose_curve() -> None:
    flowers = cw.GAM(bags=3, rounds=10, pairs=0).learn(load_shared("iris"))
    name = flowers.shapes[0].name
    edited = cw.make_monotone(flowers, name, called="Iris-setosa")
    edited = cw.flatten(cw.flatten(edited, name, high=5), name, low=7.25)
    edited = cw.set_points(edited, name, 1.0, value="missing", called="Iris-virginica")
    above = max(cut for cut in flowers[name].cuts if cut < 7.25)
    assert [in_words(each) for each in edited.origin.after] == [
        f"the curve of {name} made to go up only, for Iris-setosa",
        f"the curve of {name} made level, up to 5.05",
        f"the curve of {name} made level, above {above}",
        f"points of {name} set, missing: 1 (0.67 once centred), for Iris-virginica",
    ]
    two = cw.GAM(bags=2, pairs=0).learn(cw.read_table({"x": [1, 2] * 9, "y": list("ab") * 9}, target="y"))
    with pytest.raises(SettingError, match="No class 'c'"):
        cw.make_monotone(two, "x", called="c")
    rows = {"x": [1, 2, 3, 4] * 9, "y": [0.5, 2.5, 4.5, 8.5] * 9}
    number = cw.GAM(bags=2, pairs=0).learn(cw.read_table(rows, target="y"))
    with pytest.raises(SettingError, match="leave called out"):
        cw.make_monotone(number, "x", called="b")


@pytest.mark.parametrize(
    ("ends", "words"),
    [((500, 600), "above 40"), ((30.2, 30.3), "30 to 40"), ((None, 3), "up to 20"), ((20, 25), "up to 30")],
)
def test_the_ledger_names_the_cells_that_were_changed(ends: tuple[float | None, float], words: str) -> None:
    changed = cw.set_points(TWO, "age", 1.0, low=ends[0], high=ends[1])
    assert changed.origin.after[0].how.startswith(f"{words}: 1 (")  # type: ignore[union-attr]
    assert cw.flatten(TWO, "age", *ends).origin.after[0].how == words  # type: ignore[union-attr]
    with pytest.raises(SettingError, match="low must not be above high"):
        cw.flatten(TWO, "age", 30.3, 30.2)


TWO = cw.AdditiveModel(
    Schema((Numeric("age"), Nominal("home", ("rent", "own", "none"))), Nominal("loan", ("paid", "lost"))),
    (0.25,),
    (
        Shape("age", (20.0, 30.0, 40.0), ((-0.5, -0.25, 0.5, 0.75, 0.0, 0.0),), rows=(9, 6, 6, 4, 0, 0)),
        Shape("home", (), ((-0.25, 0.5, 0.25, 0.0, 0.0),), rows=(15, 5, 5, 0, 0)),
    ),
)


@pytest.mark.parametrize(
    ("edited", "cells"),
    [
        (cw.set_points(TWO, "home", 0.9, value="own"), {"own"}),
        (cw.set_points(TWO, "home", 0.9, value="missing"), {None}),
        (cw.set_points(TWO, "age", 0.9, low=25, high=35), {25.0, 35.0}),
        (cw.flatten(TWO, "age", 25, 35), {25.0, 35.0}),
        (cw.drop_term(cw.set_points(TWO, "home", 0.9, value="own"), "age"), {"own", 10.0, 25.0, 35.0, 45.0}),
    ],
)
def test_a_row_whose_cells_nobody_edited_is_answered_as_before(
    edited: cw.AdditiveModel, cells: set[object]
) -> None:
    for age in (10.0, 25.0, 35.0, 45.0, None):
        for home in ("rent", "own", "none", "a boat", None):
            row = {"age": age, "home": home}
            before, after = (float(additive_scores_of_one(each, row)[0, 0]) for each in (TWO, edited))
            touched = age in cells or home in cells if None not in cells else home is None
            assert touched or after == pytest.approx(before, abs=1e-12)


@pytest.mark.parametrize("whose", ["paid", "lost"])
@pytest.mark.parametrize("direction", ["up", "down"])
def test_a_direction_is_that_of_the_class_that_is_named(whose: str, direction: str) -> None:
    edited = cw.make_monotone(TWO, "age", mistyped(direction), called=mistyped(whose))
    rows = [{"age": float(age), "home": "own"} for age in range(10, 60, 5)]
    steps = np.diff(cw.shares(edited, rows)[:, TWO.schema.classes.index(whose)])
    assert (steps >= 0).all() if direction == "up" else (steps <= 0).all()
    assert (np.abs(steps) > 0).any() == ((whose == "lost") == (direction == "up"))
    assert in_words(edited.origin.after[0]) == f"the curve of age made to go {direction} only, for {whose}"
    turned = cw.set_points(TWO, "home", 1.5, value="missing", called=whose)
    assert turned["home"].points[0][3] == (1.5 if whose == "lost" else -1.5)


def test_without_a_name_a_direction_is_that_of_the_positive_class() -> None:
    for classes in (("paid", "lost"), ("lost", "paid")):
        points = TWO["age"].points[0] if classes[1] == "lost" else tuple(-p for p in TWO["age"].points[0])
        model = replace(
            TWO,
            schema=Schema(TWO.schema.attributes, Nominal("loan", classes)),
            shapes=(replace(TWO["age"], points=(points,)),),
        )
        assert cw.make_monotone(model, "age", "down")["age"].points == (points,)  # of paid, the last by name


def test_the_ledger_has_the_points_that_centring_leaves() -> None:
    edited = cw.set_points(TWO, "home", 1.5, value="own")
    assert edited["home"].points[0][1] == pytest.approx(1.3)
    assert in_words(edited.origin.after[0]) == "points of home set, own: 1.5 (1.3 once centred), for lost"
    as_given = cw.set_points(TWO, "home", 1.5, value="missing")  # a cell of no row moves no mean
    assert in_words(as_given.origin.after[0]) == "points of home set, missing: 1.5, for lost"


@pytest.mark.parametrize("width", [1, 4, 0, True])
def test_a_curve_is_smoothed_over_an_odd_number_of_cells(width: int) -> None:
    with pytest.raises(SettingError, match="odd number of cells from 3 up"):
        cw.smooth(TWO, "age", width)
