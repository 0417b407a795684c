"""Derivations of trees: the books' numbers, and every step the learner took."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.catalogue import learner_of
from clearwood.datasets import TARGETS
from clearwood.errors import ClearwoodError, ColumnError, LearningError, SettingError
from clearwood.formulas.expressions import Extreme, Number, Product, Quotient, exact_of, value_of
from clearwood.table.table import Table
from clearwood.working.figures import Figure
from tests.book_tables import book_table

EXPECTED = json.loads((Path(__file__).parents[1] / "worked_examples" / "expected.json").read_text())


def table(name: str) -> Table:
    return book_table(name, target=TARGETS[name])


def number(figure: Figure) -> float:
    assert isinstance(figure.value, float)
    return figure.value


@pytest.mark.parametrize("name", ["tennis", "hire", "buys_computer"])
def test_id3_shows_the_books_entropies_and_gains(name: str) -> None:
    rows = table(name)
    steps = cw.derive(cw.ID3().learn(rows), rows)
    assert number(steps.figure("H(S)")) == pytest.approx(EXPECTED[name]["entropy"], abs=1e-9)
    for attribute, expected in EXPECTED[name]["attributes"].items():
        assert number(steps.figure(f"Gain({attribute})")) == pytest.approx(expected["gain"], abs=1e-9)
        for value, bits in expected["entropy"].items():
            branch = cw.Equals(attribute, value)
            assert number(steps.figure(f"H({branch})")) == pytest.approx(bits, abs=1e-9)


def test_every_number_of_id3_is_what_its_expression_comes_to() -> None:
    rows = table("tennis_numeric")
    for step in cw.derive(cw.ID3().learn(rows), rows):
        for figure in step.walk():
            if figure.put_in is not None:
                assert value_of(figure.put_in) == pytest.approx(number(figure), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("name", "column"), [("Humidity", "humidity"), ("Temperature", "temperature")])
def test_c45_shows_every_cut_with_its_gain_and_ratio_out_or_not(name: str, column: str) -> None:
    rows = table("tennis_numeric")
    root = cw.derive(cw.C45().learn(rows), rows)[0]
    (grid,) = next(figure for figure in root.figures if figure.name == f"Gain({name})").grids
    gain, information, ratio = (
        grid.columns.index(each) for each in ("gain", "split information", "gain ratio")
    )
    for row, expected in zip(grid.rows, EXPECTED["tennis_numeric"][column], strict=True):
        assert row[0] == str(cw.AtMost(name, expected["midpoint"]))
        assert [row[gain], row[information], row[ratio]] == pytest.approx(
            [expected["gain"], expected["split_info"], expected["gain_ratio"]], abs=1e-9
        )
    assert grid.figure_of is not None
    assert number(grid.figure_of(2)) == pytest.approx(EXPECTED["tennis_numeric"][column][2]["gain"])


def test_c45s_guards_are_told() -> None:
    rows = table("tennis_numeric")
    root = cw.derive(cw.C45().learn(rows), rows)[0]
    figures = {figure.name: figure for figure in root.walk()}
    assert figures["Gain(Temperature)"].because == (
        "Out: the charge for choosing among so many cuts leaves no gain."
    )
    assert figures["Gain(Wind) ≥ average"].value is False
    least = figures["Minimum rows per side(Temperature)"]
    tenth = Quotient(Product((Number(0.1), Number(14))), Number(2))
    assert least.value == 2
    assert least.put_in == Extreme("min", (Extreme("max", (tenth, Number(2))), Number(25)))
    (grid,) = figures["Gain(Temperature)"].grids
    assert [row[0] for row in grid.rows if row[-1] == "out"] == ["Temperature ≤ 29"]
    assert number(figures["Gain ratio(Outlook)"]) == pytest.approx(
        EXPECTED["tennis"]["attributes"]["Outlook"]["gain_ratio"], abs=1e-9
    )


def test_c45_reports_the_largest_value_not_above_the_midpoint() -> None:
    rows = table("tennis_numeric")
    (step,) = cw.derive(cw.C45(prune=False, collapse=False).learn(rows), rows, at="Outlook=Sunny")
    threshold = next(figure for figure in step.walk() if figure.name == "Threshold(Humidity)")
    assert threshold.value == 75.0
    assert threshold.under[0].value == 77.5


@pytest.mark.parametrize("name", ["Papers Published", "Years of Work", "Grade Point Average"])
def test_id3_finds_the_best_cut_of_numbers_with_ties(name: str) -> None:
    rows = table("hire_numeric")
    root = cw.derive(cw.ID3().learn(rows), rows)[0]
    figure = next(each for each in root.figures if each.name == f"Gain({name})")
    expected = EXPECTED["hire_numeric"][name]
    assert number(figure) == pytest.approx(expected["gain"], abs=1e-9)
    assert figure.under[0].name == f"H({cw.AtMost(name, expected['midpoint'])})"


@pytest.mark.parametrize("name", ["Weight", "Height"])
def test_cart_shows_the_gini_of_every_cut(name: str) -> None:
    rows = table("animals")
    root = cw.derive(cw.CART().learn(rows), rows)[0]
    figure = next(each for each in root.figures if each.name == f"Decrease({name})")
    grid = figure.grids[1]
    after = [EXPECTED["animals"]["gini"] - float(row[-2]) for row in grid.rows]  # type: ignore[arg-type]
    assert after == pytest.approx([each["weighted_gini"] for each in EXPECTED["animals"][name]])
    assert figure.exact == Fraction(1, 2)
    assert "Height has the same" in root.decision


def test_a_row_without_a_value_goes_down_by_shares_that_are_shown() -> None:
    cells = {"a": ["x"] * 6 + ["y"] * 3 + [None] * 3, "c": ["p"] * 6 + ["n"] * 3 + ["p"] * 3}
    rows = cw.read_table([{"a": a, "c": c} for a, c in zip(*cells.values(), strict=True)], target="c")
    steps = cw.derive(cw.C45(prune=False, collapse=False).learn(rows), rows)
    assert steps.figure("Share(a = x)").exact == Fraction(2, 3)
    assert steps.figure("Without a").because == "3 rows without a go down every branch, by its share."
    known = steps.figure("Gain(a)").put_in
    assert isinstance(known, Product)
    assert exact_of(known.factors[0]) == Fraction(3, 4)


def test_surrogates_show_their_agreement() -> None:
    x, twin = [1, 2, 3, 4, 5, 6, None], [1, 2, 4, 3, 5, 6, 6]
    rows = cw.read_table(
        [{"x": a, "twin": b, "c": c} for a, b, c in zip(x, twin, "pppnnnn", strict=True)], target="c"
    )
    steps = cw.derive(cw.CART(max_depth=1).learn(rows), rows)
    assert steps.figure("Agreement(twin ≤ 2.5)").exact == Fraction(5, 6)


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        (99, "No node 99: this tree has the nodes 0 to 7"),
        (
            (0, 7),
            "No branch 7 at step 2. The way ends at Outlook = Sunny, whose branches are: Humidity = High",
        ),
        (
            "Outlook=Sunny,Wind=Weak",
            "The tree has no place for 'Wind = Weak'. The way ends at Outlook = Sunny",
        ),
        ("Outlok=Sunny", "Did you mean 'Outlook'"),
        (2.5, "at is a node's number"),
    ],
)
def test_a_place_that_is_not_there_is_refused_with_where_the_way_ends(at: Any, sentence: str) -> None:
    rows = table("tennis")
    with pytest.raises(ClearwoodError, match=re.escape(sentence)):
        cw.derive(cw.ID3().learn(rows), rows, at=at)


@pytest.mark.parametrize(
    "at", [3, (0, 1), "Outlook = Sunny AND Humidity = Normal", "Humidity=Normal,Outlook=Sunny"]
)
def test_a_place_is_found_by_number_branches_or_words(at: Any) -> None:
    rows = table("tennis")
    (step,) = cw.derive(cw.ID3().learn(rows), rows, at=at)
    assert (step.node, step.title) == (3, "Outlook = Sunny AND Humidity = Normal")
    assert step.decision == "Both rows are Yes: a leaf."


def test_a_numeric_branch_is_found_by_its_printed_condition() -> None:
    rows = table("tennis_numeric")
    tree = cw.C45(prune=False, collapse=False).learn(rows)
    for at in ("Outlook = Sunny AND Humidity ≤ 75", "Outlook=Sunny,Humidity<=75"):
        assert cw.derive(tree, rows, at=at)[0].node == 2


def test_other_rows_are_refused() -> None:
    rows = table("tennis")
    tree = cw.ID3().learn(rows)
    with pytest.raises(LearningError, match="learned from other rows: 14 of them, and here are 13"):
        cw.derive(tree, rows.take(np.arange(13)))
    with pytest.raises(LearningError, match="learned from other rows: cells"):
        cw.derive(tree, rows.take(np.array([0, *range(13)])))
    assert str(cw.derive(tree, rows.take(np.arange(14)[::-1]))) == str(cw.derive(tree, rows))
    with pytest.raises(ColumnError, match="lacks a column of the model"):
        cw.derive(tree, table("hire"))
    with pytest.raises(SettingError, match="give the table it was learned from"):
        cw.derive(tree)


def test_a_tree_by_hand_has_no_derivation() -> None:
    rows = table("tennis")
    by_hand = replace(cw.ID3().learn(rows), origin=cw.Origin("by hand"))
    with pytest.raises(SettingError, match="made by 'by hand', which is no learner"):
        cw.derive(by_hand, rows)


def test_costs_come_back_from_a_models_origin() -> None:
    learner = cw.CART(costs={("Yes", "No"): 5.0}, priors={"No": 0.3, "Yes": 0.7}, max_depth=2)
    assert learner_of(learner.learn(table("tennis")).origin) == learner


def test_a_saved_tree_is_derived_from_the_file_it_was_learned_from(tmp_path: Path) -> None:
    tree = cw.C45().learn(table("tennis_numeric"))
    cw.save(tree, tmp_path / "tree.json")
    again = cw.load(tmp_path / "tree.json")
    assert len(cw.derive(again, table("tennis_numeric"))) == len(cw.derive(tree, table("tennis_numeric")))


def test_a_table_of_one_row_is_a_leaf() -> None:
    rows = cw.read_table([{"a": 1.0, "c": "yes"}], target="c")
    for learner in (cw.ID3(), cw.C45(), cw.CART()):
        (step, *_) = cw.derive(learner.learn(rows), rows)
        assert step.decision == "The one row here is yes: a leaf."


def test_a_tree_of_too_many_absolute_errors_is_refused_whole_and_derived_in_part() -> None:
    random = np.random.default_rng(1)
    x, y = random.normal(size=(6000, 2)).T
    rows = cw.Table(cw.Schema((cw.Numeric("x"),), cw.Numeric("y")), {"x": x, "y": y + (x > 2.5) * 9})
    tree = cw.CART(measure="absolute", max_depth=1).learn(rows)
    with pytest.raises(LearningError, match=r"6,000 rows with 6,000 values are too many"):
        cw.derive(tree, rows)
    (step,) = cw.derive(tree, rows, at=2)
    assert step.title == str(tree.condition(2))


def test_thousands_of_numbers_in_bins_are_not_too_many() -> None:
    random = np.random.default_rng(1)
    x, y = random.normal(size=(6000, 2)).T
    rows = cw.Table(cw.Schema((cw.Numeric("x"),), cw.Numeric("y")), {"x": x, "y": y + (x > 1.5) * 9})
    assert len(cw.derive(cw.CHAID(max_depth=1).learn(rows), rows))


@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_thousands_of_numbers_are_told_by_their_sums_however_far_from_zero(offset: float) -> None:
    random = np.random.default_rng(1)
    x, y = random.normal(size=(6000, 2)).T
    rows = cw.Table(cw.Schema((cw.Numeric("x"),), cw.Numeric("y")), {"x": x, "y": y + (x > 0.5) * 9 + offset})
    tree = cw.CART(max_depth=1).learn(rows)
    root = cw.derive(tree, rows)[0]
    figures = {figure.name: figure for figure in root.walk()}
    assert number(figures["MSE(S)"]) == pytest.approx(float(rows.target.var()), rel=1e-9)
    assert number(figures["Decrease(x)"]) == pytest.approx(float(tree.nodes.scores[0, 0]), rel=1e-9)
    for each in figures.values():
        if each.put_in is not None:
            assert value_of(each.put_in) == pytest.approx(number(each), rel=1e-9)
    assert ("c" in figures) is (offset > 0)


def test_what_is_known_against_what_is_missing_has_no_threshold() -> None:
    schema = cw.Schema((cw.Numeric("x"),), cw.Nominal("y", ("no", "yes")))
    cells = {"x": np.array([1.0, 2, 3, np.nan, np.nan]), "y": np.array([0, 0, 0, 1, 1], np.int32)}
    rows = cw.Table(schema, cells)
    first = cw.derive(cw.CART(missing="direction").learn(rows), rows)[0]
    assert "x" in first.decision
    assert "Midpoint" not in [figure.name for figure in first.walk()]


def test_one_place_is_derived_without_growing_all_of_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The root is worked out from its counts, a place below from a tree grown as far: the same steps."""
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tree = cw.CART().learn(table)
    whole = list(cw.derive(tree, table))
    depths = []
    grow = cw.CART.grow

    def counted(self: cw.CART, rows: cw.Table) -> cw.Tree:
        depths.append(self.max_depth)
        return grow(self, rows)

    monkeypatch.setattr(cw.CART, "grow", counted)
    for node in range(tree.size):
        (step,) = cw.derive(tree, table, at=node)
        assert (step.title, step.decision, step.outcome) == (
            whole[node].title,
            whole[node].decision,
            whole[node].outcome,
        )
    assert None not in depths
    assert len(depths) == tree.size - 1


def test_a_place_that_the_learner_does_not_grow_is_refused() -> None:
    """A threshold was changed by hand: neither its split nor what lies below it can be derived."""
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tree = cw.CART().learn(table)
    high, low = tree.nodes.high.copy(), tree.nodes.low.copy()
    below = int(np.flatnonzero(np.isfinite(high))[0])
    split = int(tree.nodes.parent[below])
    sides = tree.nodes.children(split)
    for limits in (high, low):
        limits[[each for each in sides if np.isfinite(limits[each])]] += 1
    changed = replace(tree, nodes=replace(tree.nodes, high=high, low=low))
    for node in (split, *sides):
        with pytest.raises(LearningError, match="makes another tree of this table"):
            cw.derive(changed, table, at=node)
    with pytest.raises(LearningError, match="makes another tree of this table"):
        list(cw.derive(changed, table))


@pytest.mark.slow
@pytest.mark.parametrize("learner", [cw.C45(max_depth=1), cw.CHAID(max_depth=1)])
def test_the_root_of_a_large_table_is_derived_in_a_few_times_the_time_of_learning_it(
    learner: cw.C45 | cw.CHAID,
) -> None:
    chance = np.random.default_rng(1)
    columns = {f"x{i}": chance.normal(size=100_000) for i in range(10)}
    columns["y"] = np.where(columns["x0"] + chance.normal(size=100_000) > 0, "yes", "no")
    rows = cw.read_table(columns, target="y")
    started = time.process_time()
    tree = learner.learn(rows)
    learned = time.process_time()
    assert cw.derive(tree, rows)[0].figures
    assert time.process_time() - learned < 10 * (learned - started)
