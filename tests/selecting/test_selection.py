"""Selection: the list of selectors, rankings as data, a step of a recipe, refusals, odd tables."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import clearwood as cw
from clearwood.catalogue import SELECTORS
from clearwood.errors import ClearwoodError, ClearwoodWarning, LearningError, SettingError
from clearwood.learners.learner import Learner
from clearwood.models.in_words import lineage_lines
from clearwood.models.lineage import Selected
from clearwood.models.model import Model
from clearwood.table.attributes import Ignored, Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import SparseColumns, Table
from tests.learners.random_tables import random_tables
from tests.trees import tennis_table
from tests.typed import mistyped

QUICK = {"shadows": {"rounds": 2, "trees": 3}, "forward": {"folds": 2}, "backward": {"folds": 2}}


def learner_for(by: str) -> Learner[Model] | None:
    return cw.CART(max_depth=2) if SELECTORS[by].needs_learner else None


@pytest.mark.parametrize("by", SELECTORS)
@settings(max_examples=10)
@given(table=random_tables(max_rows=30, max_columns=4, max_values=12))
def test_every_selector_ranks_every_column_of_any_table_once(by: str, table: Table) -> None:
    names = {each.name for each in table.schema.inputs}
    if by == "l1" and isinstance(table.schema.target, Numeric):
        with pytest.raises(LearningError, match=r"ranks columns by classes, and 'y' is a number"):
            cw.rank_columns(table, by)
        return
    ranking = cw.rank_columns(table, by, learner=learner_for(by), **QUICK.get(by, {}))
    assert {each.name for each in ranking.columns} == names
    assert [each.rank for each in ranking.columns] == list(range(1, len(names) + 1))
    assert all(np.isfinite(each.score) for each in ranking.columns)
    json.dumps(ranking.to_json(), allow_nan=False)
    assert str(ranking)


@pytest.mark.parametrize("by", SELECTORS)
def test_every_selector_keeps_the_number_asked_for(by: str) -> None:
    quick = QUICK.get(by, {})
    assert len(cw.rank_columns(tennis_table(), by, keep=2, learner=learner_for(by), **quick).kept) == 2


@pytest.mark.parametrize("by", SELECTORS)
def test_every_selector_has_a_line_about_it_and_a_name_for_its_scores(by: str) -> None:
    assert SELECTORS[by].about.endswith(".")
    assert SELECTORS[by].score


def test_a_ranking_reads_as_a_table_and_as_json() -> None:
    ranking = cw.rank_columns(tennis_table(), "gain", keep=1)
    assert str(ranking).splitlines()[:3] == [
        "gain: 1 of 4 columns kept for PlayTennis, by 14 rows",
        "column       rank  gain in bits  kept",
        "Outlook         1        0.2467   yes",
    ]
    data = ranking.to_json()
    assert data["kept"] == ["Outlook"]
    assert data["settings"] == {"keep": 1}
    assert data["columns"][3] == {
        "name": "Temperature", "score": pytest.approx(0.029, abs=1e-3), "rank": 4, "kept": False
    }  # fmt: skip


def test_select_ignores_the_other_columns_and_says_why() -> None:
    table = cw.select(tennis_table(), "gain", keep=2)
    assert [each.name for each in table.schema.inputs] == ["Outlook", "Humidity"]
    assert table.schema["Wind"] == Ignored("Wind", "it was not selected")
    ranking = cw.rank_columns(tennis_table(), "gain", keep=2)
    assert cw.select(tennis_table(), ranking).schema == table.schema
    with pytest.raises(SettingError, match="A ranking is made already"):
        cw.select(tennis_table(), ranking, keep=3)


def test_a_recipe_selects_before_it_learns_and_its_model_says_so(tmp_path: Path) -> None:
    recipe = cw.Recipe(cw.ID3(), before=(cw.Selection("gain", 2),))
    model = recipe.learn(tennis_table())
    assert model.origin.after == (Selected("gain", ("Outlook", "Humidity"), 4, {"keep": 2}),)
    assert lineage_lines(model.origin.after) == ["2 of 4 columns selected by gain (keep = 2)."]
    again = cw.load(cw.save(model, tmp_path / "model.json"))
    assert again == model
    rows = cw.read_table({"Outlook": ["Sunny"], "Humidity": ["High"]})
    assert cw.predict(again, rows).tolist() == ["No"]


def test_a_learner_within_the_selection_is_in_the_lineage_and_its_file(tmp_path: Path) -> None:
    recipe = cw.Recipe(
        cw.ID3(), before=(cw.Selection("forward", 2, learner=cw.ID3(), settings={"folds": 3}),)
    )
    model = recipe.learn(tennis_table())
    done = model.origin.after[0]
    assert isinstance(done, Selected)
    assert done.settings["folds"] == 3
    assert cw.load(cw.save(model, tmp_path / "model.json")) == model


def noise(rows: int = 60, columns: int = 400) -> Table:
    """Columns and classes that have nothing to do with each other."""
    random = np.random.default_rng(11)
    cells = {f"n{k}": random.integers(0, 2, rows).astype(np.int32) for k in range(columns)}
    schema = Schema(tuple(Nominal(name, ("0", "1")) for name in cells), Nominal("y", ("no", "yes")))
    return Table(schema, {**cells, "y": (np.arange(rows) % 2).astype(np.int32)})


@pytest.mark.slow
@pytest.mark.parametrize("by", ["gain", "relieff", "chi2"])
def test_selecting_among_noise_is_chance_in_the_folds_and_far_too_good_before_them(by: str) -> None:
    table = noise()
    selection = cw.Selection(by, 20)
    inside = cw.cross_validate(cw.Recipe(cw.NaiveBayes(), before=(selection,)), table, folds=5).score
    outside = cw.cross_validate(cw.NaiveBayes(), cw.select(table, by, keep=20), folds=5).score
    assert 0.3 < inside < 0.7
    assert outside > 0.75


def test_one_class_tells_nothing_of_columns_and_none_is_preferred() -> None:
    table = cw.read_table({"a": ["x", "y", "z"], "b": ["u", "u", "v"], "y": ["yes"] * 3}, target="y")
    ranking = cw.rank_columns(table, "relieff")
    assert [(each.name, each.score) for each in ranking.columns] == [("a", 0.0), ("b", 0.0)]
    assert ranking.kept == ()
    assert ranking.notes == ("y is the same in all rows: no column can tell anything of it.",)
    assert cw.rank_columns(table, "relieff", keep=1).kept == ("a",)


def test_a_model_of_no_column_predicts_the_commonest_class() -> None:
    table = cw.read_table({"a": ["x", "y", "z"], "y": ["yes"] * 3}, target="y")
    model = cw.Recipe(cw.C45(), before=(cw.Selection("gain"),)).learn(table)
    assert cw.predict(model, table).tolist() == ["yes"] * 3


def test_rows_without_a_target_or_weight_do_not_rank() -> None:
    table = tennis_table()
    target = table.target.copy()
    target[:3] = -1
    weights = np.ones(14)
    weights[3:5] = 0
    ranking = cw.rank_columns(Table(table.schema, {**table.columns, "PlayTennis": target}, weights), "gain")
    assert ranking.rows == 9
    assert ranking == cw.rank_columns(table.take(np.arange(5, 14)), "gain")


def test_text_is_not_ranked_and_stays() -> None:
    table = cw.read_table(
        {"words": ["a b", "c d", "e f", "g h"], "x": list("uuvv"), "z": list("uvuv"), "y": list("ppqq")},
        target="y",
        kinds={"words": "text"},
    )
    ranking = cw.rank_columns(table, "gain", keep=1)
    assert ranking.notes == ("Text is not ranked, and stays: words.",)
    assert [each.name for each in cw.select(table, ranking).schema.inputs] == ["words", "x"]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: cw.Selection("gian"), "No selector 'gian'. Did you mean 'gain'?"),
        (lambda: cw.Selection("gain", 0), "keep must be"),
        (lambda: cw.Selection(mistyped(8)), "keep=8 keeps 8"),
        (lambda: cw.Selection("gain", settings={"bin": 3}), "Did you mean 'bins'?"),
        (lambda: cw.Selection("relieff", settings={"neighbours": 0}), "neighbours must be"),
        (lambda: cw.rank_columns(tennis_table(), keep=5), "there are only 4 columns to choose from"),
        (lambda: cw.rank_columns(mistyped({"x": [1]})), "Columns are ranked of a Table, not of dict"),
    ],
)
def test_a_wrong_request_is_refused_with_the_way_out(make: object, sentence: str) -> None:
    assert callable(make)
    with pytest.raises(ClearwoodError) as refusal:
        make()
    assert sentence in str(refusal.value)


def test_a_table_without_columns_is_refused() -> None:
    bare = Table(Schema((), Nominal("y", ("a", "b"))), {"y": np.array([0, 1], dtype=np.int32)})
    with pytest.raises(LearningError, match="no column to rank"):
        cw.rank_columns(bare)


def test_selection_inside_folds_may_lose_a_class_without_harm() -> None:
    table = cw.read_table(
        {"x": list("aabbab") * 3, "z": list("uvuvvv") * 3, "y": list("ppqqp") * 3 + ["p", "q", "r"]},
        target="y",
    )
    recipe = cw.Recipe(cw.C45(), before=(cw.Selection("relieff", 1),))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        judged = cw.cross_validate(recipe, table, folds=6)
    assert len(judged.folds) == 6


def test_sparse_columns_are_refused() -> None:
    table = cw.read_table({"x": [1.5, 2.5], "y": ["a", "b"]}, target="y")
    sparse = object.__new__(SparseColumns)
    object.__setattr__(table, "columns", sparse)
    with pytest.raises(LearningError, match="sparse table"):
        cw.rank_columns(table)


def test_a_hundred_thousand_rows_are_ranked_in_seconds() -> None:
    random = np.random.default_rng(0)
    cells = {f"x{k}": random.normal(size=100_000) for k in range(6)}
    schema = Schema(tuple(map(Numeric, cells)), Nominal("y", ("no", "yes")))
    table = Table(schema, {**cells, "y": (cells["x2"] > 0).astype(np.int32)})
    few = {"relieff": {"references": 200}}
    for by in ("gain", "mrmr", "relieff"):
        ranking = cw.Selection(by, settings=few.get(by, {})).rank(table)
        assert ranking.columns[0].name == "x2"
