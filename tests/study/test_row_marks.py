"""The training rows are known again in whatever order they come, and by nothing less than all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood.study.judging import study_of_model
from clearwood.study.profiling import with_profile
from clearwood.study.row_marks import has_seen, joined_marks, row_marks_of
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
    assert "in another order" in turned.unjudged


@pytest.mark.parametrize("learner", [cw.ID3(), cw.NaiveBayes(), cw.CN2()])
def test_marks_come_back_from_a_file_and_older_files_have_none(learner: Any, tmp_path: Path) -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    model = with_profile(learner.learn(table), table)
    cw.save(model, tmp_path / "m.json")
    assert cw.load(tmp_path / "m.json") == model
    text = (tmp_path / "m.json").read_text()
    start = text.index('"marks"')
    end = text.index("}", start) + 1
    (tmp_path / "old.json").write_text(text[:start] + text[end:].lstrip(",\n "))
    older = cw.load(tmp_path / "old.json")
    assert older.profile is not None
    assert not older.profile.marks
