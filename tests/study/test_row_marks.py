"""The training rows are known again in whatever order they come, and by nothing less than all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood._native import row_hashes, row_marks, set_thread_count
from clearwood.catalogue import PRUNERS
from clearwood.errors import ModelFileError, SettingError
from clearwood.study.comparing.models import why_too_good
from clearwood.study.designs import TrainingRows
from clearwood.study.known_rows import has_seen, joined_marks, learned_among, row_marks_of
from clearwood.study.profiling import with_profile
from clearwood.study.recipe import Pruning
from clearwood.study.study import study_of, study_of_model
from tests.learners.random_tables import random_tables


def _words(cells: Any) -> list[int]:
    """The bits of each cell: of a code as it is, of a number without the sign of zero and of NaN."""
    if cells.dtype == np.int32:
        return [code % 2**64 for code in cells.tolist()]
    numbers = [float("nan") if cell != cell else cell + 0.0 for cell in cells.tolist()]
    return [int(word) for word in np.array(numbers, dtype=np.float64).view(np.uint64)]


def _spread(word: int) -> int:
    word = (word * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) % 2**64
    return word ^ word >> 32


def test_marks_and_hashes_are_the_same_by_one_thread_and_by_several() -> None:
    random, rows = np.random.default_rng(0), 40_000
    columns = [random.integers(-2, 9, rows).astype(np.int32), *random.normal(size=(9, rows))]
    columns[1][:3] = [np.nan, -0.0, 0.0]
    by_threads = []
    for threads in (1, 4):
        set_thread_count(threads)
        try:
            by_threads.append((row_marks(columns, columns[0]), row_hashes(columns, rows).tolist()))
        finally:
            set_thread_count(0)
    assert by_threads[0] == by_threads[1]
    last = row_hashes([each[-5:] for each in columns], 5)
    assert by_threads[0][1][-5:] == last.tolist()


@given(table=random_tables(("nominal", "numeric"), max_rows=20))
def test_a_mark_is_the_sum_of_squared_cells_mixed_with_their_answers(table: cw.Table) -> None:
    assert table.schema.target is not None
    beside = [_spread(word) for word in _words(table.columns[table.schema.target.name])]
    for name, mark in row_marks_of(table).items():
        mixed = [_spread(word ^ side) for word, side in zip(_words(table.columns[name]), beside, strict=True)]
        assert mark == sum(each**2 for each in mixed) % 2**64


@given(table=random_tables(("nominal",), max_rows=30), seed=st.integers(0, 99), cut=st.integers(0, 30))
def test_no_order_changes_the_marks_and_those_of_blocks_add_up(table: cw.Table, seed: int, cut: int) -> None:
    order = np.random.default_rng(seed).permutation(len(table))
    blocks = table.take(order[:cut]), table.take(order[cut:])
    assert joined_marks(row_marks_of(blocks[0]), row_marks_of(blocks[1])) == row_marks_of(table)


def test_rows_with_another_cell_or_another_answer_are_other_rows() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    tree = with_profile(cw.ID3().learn(table), table)
    assert has_seen(tree, table.take(np.arange(14)[::-1]))
    for name in ("Outlook", "PlayTennis"):
        other = table.take(np.arange(14))
        other.columns[name][:] = np.roll(other.columns[name], 1)
        assert not has_seen(tree, other)
    assert not has_seen(tree, table.take(np.arange(13)))
    assert not has_seen(cw.ID3().learn(table), table), "without a profile nobody knows"


def test_a_report_on_the_training_rows_in_another_order_does_not_judge_by_them() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    tree = with_profile(cw.ID3().learn(table), table)
    turned = study_of_model(tree, table.take(np.arange(14)[::-1]))
    assert turned.judged is None
    assert turned.unjudged is not None
    assert "These are the rows that the model was learned from" in turned.unjudged


@pytest.mark.parametrize("learner", [cw.ID3(), cw.NaiveBayes(), cw.CN2()])
def test_marks_come_back_from_a_file_and_a_file_without_them_is_refused(learner: Any, tmp_path: Path) -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    model = with_profile(learner.learn(table), table)
    cw.save(model, tmp_path / "m.json")
    assert cw.load(tmp_path / "m.json") == model
    text = (tmp_path / "m.json").read_text()
    start = text.index('"marks"')
    end = text.index("}", start) + 1
    (tmp_path / "cut.json").write_text(text[:start] + text[end:].lstrip(",\n "))
    with pytest.raises(ModelFileError, match="profile: 'marks' is missing"):
        cw.load(tmp_path / "cut.json")


def _rows(seed: int, rows: int = 120) -> cw.Table:
    chance = np.random.default_rng(seed)
    x = chance.normal(size=rows).round(2)
    y = np.where(x + chance.normal(size=rows) > 0, "yes", "no")
    return cw.read_table({"x": x, "z": chance.choice(["a", "b"], rows), "y": y}, target="y")


def test_the_table_of_which_a_part_was_held_out_is_known_again_in_any_order(tmp_path: Path) -> None:
    table = _rows(0)
    model = study_of(cw.NaiveBayes(), table, cw.HoldOut(0.25)).model
    cw.save(model, tmp_path / "m.json")
    model = cw.load(tmp_path / "m.json")
    turned = table.take(np.arange(120)[::-1])
    assert learned_among(model, turned) == 90
    said = "learned from 90 of these 120 rows"
    assert said in cw.scores(model, turned).notes[0]
    assert said in why_too_good(model, turned)
    assert said in str(study_of_model(model, turned).unjudged)
    with pytest.raises(SettingError, match=said):
        cw.calibrate(model, turned)
    assert learned_among(model, _rows(1)) == 0
    assert cw.scores(model, _rows(1)).notes == ()
    all_rows = study_of(cw.NaiveBayes(), table, cw.Folds(3)).model
    assert all_rows.profile is not None
    assert all_rows.profile.whole_rows == 0, "of all rows there is no other table"


def test_rows_kept_back_to_prune_by_are_rows_of_the_table_too() -> None:
    table = _rows(0)
    recipe = cw.Recipe(cw.C45(prune=False), (Pruning("reduced-error", PRUNERS["reduced-error"], {}),))
    model = study_of(recipe, table, TrainingRows()).model
    assert 0 < learned_among(model, table) < 120


@pytest.mark.parametrize("how", ["calibrate", "cutoff", "refer", "step"])
def test_rows_that_chose_are_known_in_any_order(how: str, tmp_path: Path) -> None:
    model, fresh = cw.NaiveBayes().learn(_rows(0)), _rows(1)
    decided = {
        "calibrate": lambda: cw.calibrate(model, fresh),
        "cutoff": lambda: cw.with_cutoff(model, "yes", table=fresh, recall=0.8),
        "refer": lambda: cw.with_refer(model, table=fresh, accuracy=0.7),
        "step": lambda: cw.Deciding(calibrate="platt", cutoff=cw.ForCost("yes")).on_fresh_rows(model, fresh),
    }[how]()
    cw.save(decided, tmp_path / "d.json")
    turned = fresh.take(np.arange(120)[::-1])
    assert "These rows chose the" in cw.scores(cw.load(tmp_path / "d.json"), turned).notes[0]
    assert cw.scores(decided, _rows(2)).notes == ()
