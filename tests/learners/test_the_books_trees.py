"""The trees the books work out by hand, and the rules each learner is defined by, one small table each."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clearwood.datasets import TARGETS, path
from clearwood.errors import LearningError, SettingError
from clearwood.formulas.conditions import Equals, IsMissing
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.id3 import ID3
from clearwood.models.kinds.tree.tree import Node, Split, Tree
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.definitions.trees import learn_by_counts
from tests.typed import values_of

EXPECTED = json.loads((Path(__file__).parents[1] / "worked_examples" / "expected.json").read_text())
NAN = float("nan")


def shipped(name: str) -> Table:
    with path(name).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return table({key: [row[key] for row in rows] for key in rows[0]}, TARGETS[name])


def table(
    cells: Mapping[str, Any],
    target: str,
    *,
    ordinal: tuple[str, ...] = (),
) -> Table:
    """Columns of words or numbers as a table; None is an empty cell."""
    attributes: dict[str, Attribute] = {}
    columns: dict[str, Any] = {}
    for name, values in cells.items():
        try:
            columns[name] = np.array([NAN if v is None else float(v) for v in values])
            attributes[name] = Numeric(name)
        except ValueError:
            words = tuple(dict.fromkeys(v for v in values if v is not None))
            attributes[name] = (
                Ordinal(name, tuple(sorted(words))) if name in ordinal else Nominal(name, words)
            )
            order = values_of(attributes[name])
            columns[name] = np.array([-1 if v is None else order.index(v) for v in values], dtype=np.int32)
    goal = attributes.pop(target)
    assert isinstance(goal, Nominal | Ordinal | Numeric)
    return Table(Schema(tuple(attributes.values()), goal), columns)


def words(tree: Tree, node: Node) -> Any:
    """A tree as nested dicts of words, like the book's."""
    if not isinstance(node, Split):
        return tree.schema.classes[int(np.argmax(node.counts))]
    name = node.branches[0].when.name
    return {name: {b.when.value: words(tree, b.then) for b in node.branches if isinstance(b.when, Equals)}}


def conditions(tree: Tree) -> list[str]:
    return [str(tree.condition(node)) for node in tree if node]


@pytest.mark.parametrize("name", ["tennis", "buys_computer"])
def test_id3_grows_the_books_tree(name: str) -> None:
    tree = learn_by_counts(ID3(), shipped(name))
    assert words(tree, tree.root) == EXPECTED[name]["id3_tree"]


def test_id3_prints_the_books_gains() -> None:
    tree = learn_by_counts(ID3(), shipped("tennis"))
    expected = [
        EXPECTED["tennis"]["attributes"]["Outlook"]["gain"],
        EXPECTED["tennis"]["sunny_gains"]["Humidity"],
    ]
    actual = tree.nodes.scores[:, 0]
    assert actual[~np.isnan(actual)][:2].tolist() == pytest.approx(expected, abs=1e-9)


def test_id3_makes_missing_a_branch_and_gives_an_absent_value_an_empty_leaf() -> None:
    schema = Schema((Nominal("a", ("x", "y", "never")),), Nominal("c", ("no", "yes")))
    columns = {"a": np.array([0, 0, 1, 1, -1, -1], np.int32), "c": np.array([0, 0, 1, 1, 1, 0], np.int32)}
    tree = learn_by_counts(ID3(), Table(schema, columns))
    assert conditions(tree) == ["a = x", "a = y", "a = never", "a is missing"]
    assert tree.nodes.counts[3].tolist() == [0, 0]
    assert tree.condition(4) == IsMissing("a")


def test_id3_cuts_a_number_again_but_asks_about_a_word_once() -> None:
    cells = {"x": [1, 2, 3, 4], "w": list("aabb"), "c": ["p", "n", "p", "n"]}
    tree = learn_by_counts(ID3(), table(cells, "c"))
    tested = tree.nodes.attribute[1:].tolist()
    assert tree.leaves == 4
    assert tested.count(0) > 2


@pytest.mark.parametrize("learn", [lambda learner, table: learner.learn(table), learn_by_counts])
def test_id3_asks_on_where_no_single_question_gains_as_in_exclusive_or(learn: Any) -> None:
    cells = {"a": ["0", "0", "1", "1"], "b": ["0", "1", "0", "1"], "c": ["no", "yes", "yes", "no"]}
    tree = learn(ID3(), table(cells, "c"))
    assert (tree.leaves, tree.depth) == (4, 2)
    assert tree.root.score["gain"] == pytest.approx(0.0)
    assert learn(ID3(min_gain=0), table(cells, "c")).leaves == 1


def test_c45_prints_the_largest_value_of_the_whole_table_below_the_midpoint() -> None:
    tree = learn_by_counts(C45(), shipped("tennis_numeric"))
    assert "Humidity ≤ 75" in conditions(tree)
    assert "Humidity ≤ 77.5" in conditions(
        learn_by_counts(C45(threshold="midpoint"), shipped("tennis_numeric"))
    )


def test_c45s_guards_keep_the_single_hot_day_from_the_root() -> None:
    tree = learn_by_counts(C45(), shipped("tennis_numeric"))
    assert isinstance(tree.root, Split)
    assert tree.root.branches[0].when.name == "Outlook"
    assert tree.root.score["gain"] == pytest.approx(EXPECTED["tennis_numeric"]["gain_outlook"], abs=1e-9)


def test_c45_sends_a_missing_row_down_every_branch_by_its_share() -> None:
    cells = {"a": ["x"] * 6 + ["y"] * 3 + [None] * 3, "c": ["p"] * 6 + ["n"] * 3 + ["p"] * 3}
    tree = learn_by_counts(C45(), table(cells, "c"))
    assert tree.nodes.share[1:].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert tree.nodes.counts[1:].tolist() == [pytest.approx([8, 0]), pytest.approx([1, 3])]


def test_c45_joins_values_when_asked() -> None:
    cells = {"a": list("uuuvvvwwwxxx"), "c": list("pppnnnpppnnn")}
    tree = learn_by_counts(C45(group_values=True), table(cells, "c"))
    assert conditions(tree) == ["a in {u, w}", "a in {v, x}"]


def test_cart_takes_the_first_of_the_animals_two_perfect_cuts() -> None:
    tree = learn_by_counts(CART(), shipped("animals"))
    assert conditions(tree) == ["Weight ≤ 12.5", "Weight > 12.5"]
    assert tree.nodes.scores[0, 0] == pytest.approx(EXPECTED["animals"]["gini"])


def test_cart_solves_what_no_single_split_improves() -> None:
    cells = {"x": [0, 0, 1, 1], "y": [0, 1, 0, 1], "c": list("pnnp")}
    assert learn_by_counts(CART(), table(cells, "c")).leaves == 4
    assert learn_by_counts(CART(min_decrease=0.01), table(cells, "c")).leaves == 1


def test_cart_sends_a_row_without_the_splits_value_by_the_surrogate() -> None:
    cells = {"x": [1, 2, 3, 4, 5, 6, None], "twin": [1, 2, 4, 3, 5, 6, 6], "c": list("pppnnnn")}
    tree = learn_by_counts(CART(max_depth=1), table(cells, "c"))
    assert isinstance(tree.root, Split)
    (surrogate,) = tree.root.surrogates
    assert (str(surrogate.when), surrogate.then) == ("twin ≤ 2.5", 0)
    assert surrogate.agreement == pytest.approx(5 / 6)
    assert tree.nodes.counts[2].tolist() == [0, 4]


def test_cart_learns_the_side_of_the_missing() -> None:
    cells = {"x": [1, 2, 3, 4, None, None], "c": list("ppnnpp")}
    tree = learn_by_counts(CART(missing="direction"), table(cells, "c"))
    assert conditions(tree) == ["x ≤ 2.5 or missing", "x > 2.5"]


def test_priors_and_costs_choose_carts_splits() -> None:
    cells = {"x": [1, 1, 1, 2, 2, 2, 2, 2], "c": list("nnpppppn")}
    even = learn_by_counts(CART(priors="equal"), table(cells, "c"))
    assert even.decision.factors == pytest.approx((8 / 6, 8 / 10))
    assert even.nodes.counts[0].tolist() == [3, 5]
    with pytest.raises(SettingError, match="above 0"):
        learn_by_counts(CART(priors={"n": 0, "p": 1}), table(cells, "c"))


def test_a_regression_tree_holds_weight_mean_and_error() -> None:
    cells = {"x": [1, 2, 3, 4], "y": [1.0, 3.0, 10.0, 10.0]}
    tree = learn_by_counts(CART(max_depth=1), table(cells, "y"))
    assert tree.nodes.counts.tolist() == [[4, 6, 66], [2, 2, 2], [2, 10, 0]]
    median = learn_by_counts(CART(max_depth=1, measure="absolute"), table(cells, "y"))
    assert median.nodes.counts[0].tolist() == [4, 6.5, 16]


def test_id3_and_c45_refuse_a_number() -> None:
    for learner in (ID3(), C45()):
        with pytest.raises(LearningError, match="is a number"):
            learn_by_counts(learner, table({"x": [1, 2], "y": [1.0, 3.0]}, "y"))


def chaid_cells() -> dict[str, list[str]]:
    counts = {"1": (30, 30), "2": (30, 30), "3": (55, 5)}
    return {
        "a": [f"v{k}" for k, (p, n) in counts.items() for _ in range(p + n)],
        "c": [c for p, n in counts.values() for c in ["p"] * p + ["n"] * n],
    }


@pytest.mark.parametrize(("ordinal", "adjusted"), [((), 1.2308e-7), (("a",), 8.205e-8)])
def test_chaid_gives_the_worked_values(ordinal: tuple[str, ...], adjusted: float) -> None:
    tree = learn_by_counts(CHAID(), table(chaid_cells(), "c", ordinal=ordinal))
    assert conditions(tree) == ["a in {v1, v2}", "a = v3"]
    statistic, p, adjusted_p = tree.nodes.scores[0].tolist()
    assert statistic == pytest.approx(30.100, abs=1e-3)
    assert p == pytest.approx(4.1026e-8, rel=1e-4)
    assert adjusted_p == pytest.approx(adjusted, rel=1e-4)


def test_chaid_absorbs_a_child_that_is_too_small_or_stays_a_leaf() -> None:
    cells = {"a": ["x"] * 60 + ["y"] * 60 + ["z"] * 20, "c": ["p"] * 60 + ["n"] * 60 + ["n", "p"] * 10}
    assert conditions(learn_by_counts(CHAID(min_leaf=10), table(cells, "c"))) == ["a = x", "a = y", "a = z"]
    assert len(conditions(learn_by_counts(CHAID(), table(cells, "c")))) == 2
    assert conditions(learn_by_counts(CHAID(min_leaf=100), table(cells, "c"))) == []


def test_chaid_lets_the_missing_float_to_the_group_they_resemble() -> None:
    x = [*range(100), *([None] * 60)]
    c = ["p" if i < 50 else "n" for i in range(100)] + ["n"] * 60
    tree = learn_by_counts(CHAID(min_leaf=10), table({"x": x, "c": c}, "c"))
    assert conditions(tree) == ["x ≤ 49", "x > 49 or missing"]


def test_chaid_sends_values_it_did_not_meet_somewhere_sensible() -> None:
    schema = Schema(
        (Ordinal("o", tuple("abcdef")), Nominal("n", ("u", "v", "never"))), Nominal("c", ("p", "n"))
    )
    o = np.repeat(np.array([0, 4], np.int32), [60, 70])
    columns = {"o": o, "n": (o // 4).astype(np.int32), "c": (o // 4).astype(np.int32)}
    tree = learn_by_counts(CHAID(), Table(schema, columns))
    assert conditions(tree) == ["o in {a, b, c}", "o in {d, e, f}"]
    assert tree.nodes.otherwise[0] == 1
    only = Schema(schema.attributes[1:], schema.target)
    assert conditions(learn_by_counts(CHAID(), Table(only, columns))) == ["n = u", "n in {v, never}"]


def test_chaid_tests_numbers_by_variance_and_ordered_classes_by_row_effects() -> None:
    a = ["x"] * 60 + ["y"] * 60
    number = learn_by_counts(
        CHAID(), table({"a": a, "y": [float(i % 7) + (i >= 60) for i in range(120)]}, "y")
    )
    assert number.leaves == 2
    grades = ["a", "b"] * 30 + ["b", "c"] * 30
    ordered = learn_by_counts(CHAID(), table({"a": a, "y": grades}, "y", ordinal=("y",)))
    plain = learn_by_counts(CHAID(), table({"a": a, "y": grades}, "y"))
    assert ordered.nodes.scores[0, 0] != pytest.approx(plain.nodes.scores[0, 0])


@pytest.mark.parametrize("learn", [lambda learner, table: learner.learn(table), learn_by_counts])
@pytest.mark.parametrize("measure", ["gini", "entropy"])
def test_a_direction_for_the_missing_may_be_all_that_is_known_against_them(learn: Any, measure: str) -> None:
    nan = float("nan")
    cells = {"x": [1.0, 2.0, 3.0, nan, nan, nan], "c": ["a", "a", "a", "b", "b", "b"]}
    tree = learn(CART(measure=measure, missing="direction"), table(cells, "c"))
    assert [str(branch.when) for branch in tree.root.branches] == ["x is known", "x is missing"]
    one_value = {"x": [1.0, 1.0, nan, nan], "c": ["a", "a", "b", "b"]}
    assert learn(CART(measure=measure, missing="direction"), table(one_value, "c")).leaves == 2


@pytest.mark.parametrize("measure", ["squared", "absolute"])
def test_numbers_too_are_parted_by_what_is_missing(measure: str) -> None:
    cells = {"x": [1.0, 2.0, float("nan"), float("nan")], "y": [5.0, 5.0, 9.0, 9.0]}
    tree = CART(measure=measure, missing="direction").learn(table(cells, "y"))
    assert isinstance(tree.root, Split)
    assert [str(branch.when) for branch in tree.root.branches] == ["x is known", "x is missing"]
