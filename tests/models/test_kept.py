"""What is worked out of a model once: by whom it is asked, how long it stays."""

from __future__ import annotations

import gc
from typing import Any
from weakref import ref

import pytest

import clearwood as cw
from clearwood import _native
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import kept

TABLE = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
ROW = {"Outlook": "Sunny", "Temperature": 24, "Humidity": 80, "Wind": "Weak"}


def test_a_model_is_worked_out_once_and_another_that_is_equal_by_itself() -> None:
    asked: list[int] = []

    @kept
    def size(tree: Tree) -> int:
        asked.append(id(tree))
        return tree.size

    one, two = cw.C45().learn(TABLE), cw.C45().learn(TABLE)
    assert [size(one), size(two), size(one), size(two)] == [one.size] * 4
    assert asked == [id(one), id(two)]


def test_a_model_that_nobody_holds_is_not_kept_alive() -> None:
    forest = cw.Forest(trees=3).learn(TABLE)
    cw.explain(forest, ROW)
    cw.predict(forest, TABLE)
    tree = cw.C45().learn(TABLE)
    cw.explain(tree, ROW)
    watched: list[Any] = [ref(forest), ref(tree)]
    del forest, tree
    gc.collect()
    assert [each() for each in watched] == [None, None]


def test_models_that_are_asked_in_turn_are_each_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    forests = [cw.Forest(trees=3, seed=seed).learn(TABLE) for seed in (1, 2)]
    compiled = []
    own: Any = _native.compile_trees

    def counting(*arguments: Any) -> Any:
        compiled.append(arguments)
        return own(*arguments)

    monkeypatch.setattr(_native, "compile_trees", counting)
    for _ in range(3):
        for forest in forests:
            cw.explain(forest, ROW)
            cw.predict(forest, TABLE)
    assert len(compiled) == 2
