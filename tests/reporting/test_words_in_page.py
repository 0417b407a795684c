"""The page words conditions and amounts as Python does."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

from clearwood.formulas.conditions import Condition, never_holds, written
from clearwood.models.files.conditions import condition_to_form
from clearwood.models.kinds.tree.tree import Tree, path_to
from clearwood.words.numbers import number, percent, rows
from tests.trees import trees

_MANY = settings(max_examples=15)
_LETTERS = st.text(st.characters(codec="utf-8", max_codepoint=0x2FF), max_size=12)
_NAMES = _LETTERS | st.sampled_from(["", "is known", "a  b", " a", "#1", "# 1", 'say "ah"', "x\u2003y", "or"])


@_MANY
@given(names=st.lists(_NAMES, min_size=1, max_size=30))
def test_names_stand_in_quotes_where_they_do_in_python(run_module: Any, names: list[str]) -> None:
    completed = run_module("condition_words.js", "(names) => names.map(nameInWords)", names)
    assert completed == [written(name) for name in names]


@_MANY
@given(numbers=st.lists(st.floats(allow_nan=False), min_size=1, max_size=50))
def test_numbers_are_written_as_in_python(run_module: Any, numbers: list[float]) -> None:
    completed = run_module("condition_words.js", "(numbers) => numbers.map(numberText)", numbers)
    assert completed == [number(each) for each in numbers]


@_MANY
@given(shares=st.lists(st.floats(0, 1) | st.sampled_from([0.005, 0.625, 0.995, 1.0]), min_size=1))
def test_shares_are_rounded_as_in_python(run_module: Any, shares: list[float]) -> None:
    completed = run_module("amounts.js", "(shares) => shares.map(percent)", shares)
    assert completed == [f"{percent(share)} %" for share in shares]


@_MANY
@given(weights=st.lists(st.integers(0, 9999).map(lambda n: n / 16), min_size=1))
def test_weights_are_rounded_as_in_python(run_module: Any, weights: list[float]) -> None:
    completed = run_module("amounts.js", "(weights) => weights.map(rowsText)", weights)
    assert [each.replace(",", "") for each in completed] == [rows(weight) for weight in weights]


@_MANY
@given(tree=trees())
def test_the_way_to_a_node_is_said_as_in_python(run_module: Any, tree: Tree) -> None:
    ways = []
    for node in range(1, tree.size):
        steps: list[Condition] = []
        at = node
        while at > 0:
            steps.insert(0, tree.condition(at))
            at = int(tree.nodes.parent[at])
        way = path_to(tree, node)
        if not any(map(never_holds, way)):
            ways.append((steps, [str(each) for each in way]))
    given = [[to_builtins(condition_to_form(each)) for each in steps] for steps, _ in ways]
    completed = run_module(
        "why_tree.js", "(ways) => ways.map((way) => merged(way).map(conditionText))", given
    )
    assert completed == [answers for _, answers in ways]
