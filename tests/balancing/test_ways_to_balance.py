"""Ways to balance: what each does to the rows, again and again the same, and when it refuses."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.balancing.sampling import class_totals
from clearwood.catalogue import BALANCERS
from clearwood.errors import ClearwoodWarning, LearningError, MissingExtraError, SettingError
from clearwood.learners.training import fingerprint
from clearwood.registry import settings_of
from clearwood.table.attributes import Nominal, Numeric, Text
from clearwood.table.folding import in_order_of_content
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Table
from tests.balancing.rare_classes import numbers_only, rare_table

WAYS = list(BALANCERS)
BY_NEIGHBOURS = ["smote", "smote-nc", "tomek", "enn"]


def _totals(table: Table) -> list[float]:
    return [round(each, 9) for each in class_totals(table).tolist()]


@pytest.mark.parametrize("by", WAYS)
def test_every_way_gives_the_same_rows_again(by: str) -> None:
    table = rare_table()
    assert fingerprint(cw.balanced(table, by, seed=3)) == fingerprint(cw.balanced(table, by, seed=3))


@pytest.mark.parametrize("by", [name for name in WAYS if BALANCERS[name].draws])
def test_another_seed_gives_other_rows(by: str) -> None:
    table = rare_table()
    assert fingerprint(cw.balanced(table, by, seed=3)) != fingerprint(cw.balanced(table, by, seed=4))


@pytest.mark.parametrize("by", WAYS)
def test_what_comes_out_is_a_table_of_the_same_schema(by: str) -> None:
    table = rare_table()
    made = cw.balanced(table, by)
    again = Table(made.schema, dict(made.columns), made.weights)  # it checks every column
    assert made.schema == table.schema
    assert len(again) == len(made)
    assert made.columns["x"].dtype == table.columns["x"].dtype


@pytest.mark.parametrize("by", WAYS)
def test_the_table_that_is_balanced_stays_as_it_is(by: str) -> None:
    table = rare_table()
    before = fingerprint(table)
    cw.balanced(table, by)
    assert fingerprint(table) == before


def test_class_weights_are_as_n_to_k_times_n_c_and_add_up_to_kishs_effective_number() -> None:
    table = rare_table()
    n, counts = len(table), np.bincount(table.target)
    textbook = (n / (2 * counts))[table.target]
    weights = cw.balanced(table).weights
    assert weights is not None
    assert np.ptp(weights / textbook) == pytest.approx(0)
    assert weights.sum() == pytest.approx(textbook.sum() ** 2 / (textbook**2).sum())
    assert _totals(cw.balanced(table))[0] == pytest.approx(_totals(cw.balanced(table))[1])


def test_a_weight_that_counts_equal_rows_is_as_good_as_the_rows() -> None:
    table = rare_table(100)
    counted = replace(table, weights=np.full(100, 3.0), weights_are="counts")
    repeated = cw.balanced(table.take(np.repeat(np.arange(100), 3)))
    assert class_totals(cw.balanced(counted)) == pytest.approx(class_totals(repeated))


def test_class_weights_multiply_the_weights_that_rows_have() -> None:
    table = replace(rare_table(), weights=np.linspace(0.5, 2, 300), weights_are="importance")
    balanced = cw.balanced(table)
    assert _totals(balanced)[0] == pytest.approx(_totals(balanced)[1])
    given = cw.balanced(table, "weights", by_class={"rare": 4})
    odds = class_totals(given) / (class_totals(table) * [1, 4])
    assert odds[0] == pytest.approx(odds[1])


def test_under_sampling_keeps_rows_as_they_are_and_every_rare_one() -> None:
    table = rare_table()
    counts = np.bincount(table.target)
    less = cw.balanced(table, "under")
    assert _totals(less) == [counts[1], counts[1]]
    assert less.places is not None
    assert len(np.unique(less.places)) == len(less)
    assert set(np.flatnonzero(table.target == 1)) <= set(less.places)
    half = cw.balanced(table, "under", ratio=0.5)
    assert _totals(half) == [2 * counts[1], counts[1]]


def test_over_sampling_keeps_every_row_and_repeats_rare_ones() -> None:
    table = rare_table()
    counts = np.bincount(table.target)
    more = cw.balanced(table, "over")
    assert _totals(more) == [counts[0], counts[0]]
    assert more.places is not None
    assert more.places[: len(table)].tolist() == list(range(len(table)))
    assert set(table.target[more.places[len(table) :]]) == {1}
    assert _totals(cw.balanced(table, "over", ratio=0.5))[1] == round(counts[0] / 2)


@pytest.mark.parametrize("by", ["under", "over"])
def test_sampling_balances_the_weight_of_weighted_rows(by: str) -> None:
    random = np.random.default_rng(0)
    table = replace(rare_table(), weights=random.uniform(0.5, 1.5, 300), weights_are="counts")
    common, rare = _totals(cw.balanced(table, by))
    assert common == pytest.approx(rare, abs=1)


def test_a_ratio_that_holds_already_changes_nothing() -> None:
    table = rare_table()
    for by in ("under", "over", "smote"):
        assert _totals(cw.balanced(table, by, ratio=0.1)) == _totals(table)


def test_smote_is_imbalanced_learns_on_standardised_numbers() -> None:
    over_sampling = pytest.importorskip("imblearn.over_sampling")
    table = in_order_of_content(numbers_only())  # what is drawn does not follow the order of a file
    x = np.stack([table.columns["x"], table.columns["income"]], axis=1)
    centre, scale = x.mean(axis=0), x.std(axis=0)
    made, target = over_sampling.SMOTE(random_state=7).fit_resample((x - centre) / scale, table.target)
    ours = cw.balanced(table, "smote", seed=7)
    assert np.allclose(np.stack([ours.columns["x"], ours.columns["income"]], axis=1), made * scale + centre)
    assert ours.target.tolist() == target.tolist()


def test_tomek_and_edited_neighbours_are_imbalanced_learns_on_standardised_numbers() -> None:
    under_sampling = pytest.importorskip("imblearn.under_sampling")
    table = numbers_only()
    x = np.stack([table.columns["x"], table.columns["income"]], axis=1)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    for by, sampler in (
        ("tomek", under_sampling.TomekLinks()),
        ("enn", under_sampling.EditedNearestNeighbours()),
    ):
        sampler.fit_resample(z, table.target)
        kept = cw.balanced(table, by).places
        assert kept is not None
        assert kept.tolist() == sorted(sampler.sample_indices_.tolist())


def test_rows_that_smote_makes_lie_between_rows_of_the_rare_class() -> None:
    table = rare_table()
    made = cw.balanced(table, "smote")
    new = made.take(np.arange(len(table), len(made)))
    rare = table.take(table.target == 1)
    assert set(new.target) == {1}
    for name in ("x", "age", "size"):
        assert rare.columns[name].min() <= new.columns[name].min()
        assert new.columns[name].max() <= rare.columns[name].max()
    assert (new.columns["age"] == np.rint(new.columns["age"])).all()
    assert set(new.columns["color"]) <= set(rare.columns["color"])
    assert new.row_number(0) == len(table) + 1  # no row of the table has this number


def test_smote_takes_nominal_columns_alone_and_a_missing_value_as_one_of_them() -> None:
    whole = rare_table()
    color = whole.columns["color"].copy()
    color[::7] = MISSING
    schema = Schema((whole.schema["color"], Nominal("class2", ("a", "b"))), whole.schema.target)
    columns = {"color": color, "class2": (color > 0).astype(np.int32), "class": whole.target}
    made = cw.balanced(Table(schema, columns), "smote")
    assert _totals(made)[0] == _totals(made)[1]
    assert set(made.columns["color"]) <= {MISSING, 0, 1, 2}


def test_smote_names_the_column_with_a_missing_number_and_the_way_out() -> None:
    table = rare_table()
    x = table.columns["x"].copy()
    x[4] = np.nan
    holey = replace(table, columns={**table.columns, "x": x})
    with pytest.raises(LearningError, match=r"column 'x' is missing in row 5\. .*ignore=\['x'\], fill it"):
        cw.balanced(holey, "smote")
    for by in ("weights", "under", "over", "tomek", "enn"):
        assert len(cw.balanced(holey, by)) > 0


def test_smote_cannot_make_text() -> None:
    table = numbers_only()
    schema = Schema((*table.schema.attributes, Text("note")), table.schema.target)
    with_text = Table(schema, {**table.columns, "note": np.array(["a"] * 300, dtype=object)})
    with pytest.raises(LearningError, match="cannot make the text of column 'note'"):
        cw.balanced(with_text, "smote")
    assert len(cw.balanced(with_text, "over")) > 300


def test_smote_nc_is_for_both_kinds_of_columns() -> None:
    with pytest.raises(LearningError, match=r"this one has numbers alone\. Balance by smote"):
        cw.balanced(numbers_only(), "smote-nc")


@pytest.mark.parametrize("by", BY_NEIGHBOURS)
def test_neighbours_know_no_weights(by: str) -> None:
    table = replace(rare_table(), weights=np.full(300, 2.0), weights_are="counts")
    with pytest.raises(LearningError, match=r"these have weights\. Balance by weights, under or over"):
        cw.balanced(table, by)


def test_a_class_with_too_few_rows_for_smote_is_named() -> None:
    table = rare_table()
    few = table.take(
        np.concatenate([np.flatnonzero(table.target == 0), np.flatnonzero(table.target == 1)[:3]])
    )
    with pytest.raises(LearningError, match="'rare' has only 3 rows: take k = 2 or less, or balance by over"):
        cw.balanced(few, "smote")
    common, rare = _totals(cw.balanced(few, "smote", k=2))
    assert common == rare
    one = few.take(np.arange(len(few) - 2))
    with pytest.raises(LearningError, match="'rare' has only 1 row: balance by over or weights"):
        cw.balanced(one, "smote")


def test_edited_neighbours_leave_no_class_out() -> None:
    schema = Schema((Numeric("x"),), Nominal("class", ("a", "b")))
    x, target = np.arange(12.0), np.tile([0, 1], 6).astype(np.int32)
    target[0] = 1
    with pytest.raises(LearningError, match="ENN would leave no row of the class"):
        cw.balanced(Table(schema, {"x": x, "class": target}), "enn")


@pytest.mark.parametrize("by", WAYS)
def test_a_number_is_not_balanced(by: str) -> None:
    table = Table(Schema((), Numeric("price")), {"price": np.array([1.0, 2.0])})
    with pytest.raises(SettingError, match="'price' is a number"):
        cw.balanced(table, by)


@pytest.mark.parametrize("by", WAYS)
def test_rows_of_one_class_stay_as_they_are(by: str) -> None:
    table = rare_table()
    one = table.take(table.target == 0)
    with pytest.warns(ClearwoodWarning, match="Every row is of one class, 'common'"):
        assert fingerprint(cw.balanced(one, by)) == fingerprint(one)


@pytest.mark.parametrize("by", ["weights", "under", "over"])
def test_rows_without_a_class_or_a_weight_are_left_out(by: str) -> None:
    table = rare_table()
    target = table.target.copy()
    target[:10] = MISSING
    weights = np.ones(300)
    weights[10:20] = 0
    rows = replace(table, columns={**table.columns, "class": target}, weights=weights, weights_are="counts")
    made = cw.balanced(rows, by)
    assert made.places is not None
    assert made.places.min() >= 20
    with pytest.raises(LearningError, match="nothing to balance"):
        cw.balanced(rows.take(np.arange(20)), by)


def test_three_rows_can_be_balanced() -> None:
    schema = Schema((Numeric("x"),), Nominal("class", ("a", "b", "c")))
    table = Table(schema, {"x": np.array([1.0, 2, 3]), "class": np.array([0, 0, 1], dtype=np.int32)})
    assert class_totals(cw.balanced(table)) == pytest.approx([4 / 3, 4 / 3, 0])
    assert _totals(cw.balanced(table, "under")) == [1, 1, 0]
    assert _totals(cw.balanced(table, "over")) == [2, 2, 0]
    with pytest.raises(LearningError, match="ENN looks at 3 neighbours of a row, and there are 3 rows"):
        cw.balanced(table, "enn")


def test_without_imbalanced_learn_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("imblearn", "imblearn.over_sampling", "imblearn.under_sampling"):
        monkeypatch.setitem(sys.modules, module, None)
    for by in ("smote", "enn"):
        with pytest.raises(MissingExtraError, match=r"pip install 'clearwood\[balance\]'"):
            cw.balanced(rare_table(), by)
    assert len(cw.balanced(rare_table(), "over")) > 300


@pytest.mark.parametrize(
    ("by", "settings", "sentence"),
    [
        ("smotte", {}, "Did you mean 'smote'"),
        ("under", {"ratio": 0}, "ratio must lie above 0 and at most 1"),
        ("under", {"k": 3}, "No setting of under called 'k'"),
        ("tomek", {"k": 3}, "tomek has no settings"),
        ("smote", {"k": 0}, "k must be"),
        ("weights", {"by_class": {"rare": 0}}, "number above 0 by class"),
        ("weights", {"by_class": 3}, "number above 0 by class"),
    ],
)
def test_a_wrong_setting_is_refused_when_a_balance_is_made(by: str, settings: Any, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        cw.Balance(by, settings)


def test_an_unknown_class_is_refused_by_name() -> None:
    with pytest.raises(SettingError, match="Did you mean 'rare'"):
        cw.balanced(rare_table(), "weights", by_class={"rar": 3})


@pytest.mark.parametrize("by", WAYS)
def test_every_setting_of_a_way_has_a_meaning_and_a_default(by: str) -> None:
    for setting in settings_of(BALANCERS[by].balance).values():
        assert setting.meaning
        assert not setting.required
