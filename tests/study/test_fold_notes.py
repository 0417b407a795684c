"""A note of a fold says so: which fold, how many, and with the row numbers of the table."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import Advice, ClearwoodWarning, LearningError
from clearwood.learners.parts import sentences_of
from clearwood.models.kinds.tree.tree import Tree
from clearwood.study.cross_validation import cross_validate
from clearwood.table.folding import folds
from clearwood.table.table import Table
from tests.trees import tennis_table


@dataclass(frozen=True)
class Noting:
    """Warns of what is true of its rows alone, and of what is always true."""

    def learn(self, table: Table) -> Tree:
        warnings.warn("Text is left out.", ClearwoodWarning, stacklevel=2)
        if table.row_number(0) > 1:
            warnings.warn(f"The first row is row {table.row_number(0)}.", ClearwoodWarning, stacklevel=2)
        return cw.ID3().learn(table)


def test_a_note_names_its_fold_and_equal_ones_are_joined() -> None:
    table = tennis_table()
    pairs = folds(table, 5, 0)
    without_first = next(i for i, (train, _) in enumerate(pairs, 1) if train[0] > 0)
    with pytest.warns(ClearwoodWarning) as caught:
        cross_validate(Noting(), table, folds=5)
    assert {str(each.message) for each in caught} == {
        "In each of the 5 folds: Text is left out.",
        f"In fold {without_first} of 5: The first row is row {pairs[without_first - 1][0][0] + 1}.",
    }


def test_many_folds_are_counted_and_few_are_named() -> None:
    assert sentences_of({"Odd.": [1, 3]}, 10) == ["In 2 of 10 folds (1, 3): Odd."]
    assert sentences_of({"Odd.": [1, 3, 4, 5, 6, 9]}, 10) == ["In 6 of 10 folds: Odd."]


def test_a_separation_in_one_fold_is_not_said_of_the_table() -> None:
    drawing = np.random.default_rng(1)
    colour = np.array(["red"] * 40 + ["green"] * 40 + ["blue"] * 3)
    good = np.where(drawing.random(83) < 0.5, "yes", "no")
    good[80:] = ["yes", "yes", "no"]
    table = cw.read_table({"colour": colour, "good": good}, target="good")
    held = [np.array([82]), np.array([0, 1, 2])]
    pairs = [(np.setdiff1d(np.arange(83), each), each) for each in held]
    with pytest.warns(ClearwoodWarning) as caught:
        cross_validate(cw.Logistic(), table, folds=pairs)
    (note,) = [str(each.message) for each in caught]
    assert note.startswith("In fold 1 of 2: The classes are in part separated")
    assert "Every training row with colour = blue (2) is 'yes'." in note
    assert isinstance(caught[0].message, ClearwoodWarning)
    assert Advice("penalty", "l2", setting=True) in caught[0].message.advice  # each reader's words for it


def test_a_refusal_names_the_fold_and_the_row_of_the_table() -> None:
    amounts = np.arange(20.0)
    amounts[15] = 1e200
    rows = {"amount": amounts, "class": np.array(list("ab" * 10))}
    table = cw.read_table(rows, target="class")
    pairs = [(np.arange(10, 20), np.arange(10))]
    with pytest.raises(LearningError, match="In fold 1: Column 'amount', row 16: 1e"):
        cross_validate(cw.NaiveBayes(), table, folds=pairs)
    with pytest.raises(LearningError, match="In fold 1: Column 'amount', row 16: 1e"):
        cross_validate(cw.Logistic(), table, folds=pairs)
