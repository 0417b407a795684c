"""Corrected impurity importance: noise is worth nothing, however many values it has."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.explaining.forest_importances import with_shuffled_copies
from clearwood.models.decision import Decision
from clearwood.table.folding import in_order_of_content
from tests.definitions.forest import tree_by_counts
from tests.typed import mistyped


def table(rows: int = 300, *, seed: int = 6) -> cw.Table:
    """One column of two values that matters, and noise of two, of 40 and of ever other values."""
    random = np.random.default_rng(seed)
    matters = random.integers(0, 2, rows)
    answer = np.where(random.uniform(size=rows) < 0.2, 1 - matters, matters)
    return cw.read_table(
        {
            "matters": np.where(matters == 1, "a", "b").tolist(),
            "noise of 2": np.where(random.integers(0, 2, rows) == 1, "a", "b").tolist(),
            "noise of 40": [f"v{each}" for each in random.integers(0, 40, rows)],
            "noise": random.uniform(size=rows),
            "y": np.where(answer == 1, "yes", "no").tolist(),
        },
        target="y",
        kinds={"noise of 40": "nominal"},
    )


def test_noise_of_many_values_is_worth_nothing_though_its_impurity_importance_is_large() -> None:
    rows = table()
    plain = cw.importances(cw.Forest(trees=200).learn(rows))
    assert plain["noise"].impurity > 0.2
    assert plain["noise"].impurity > 5 * plain["noise of 2"].impurity
    reductions = [cw.corrected_importances(cw.Forest(trees=200, seed=seed), rows) for seed in range(8)]
    for name in ("noise", "noise of 40", "noise of 2"):
        own = [each[name].reduction / each["matters"].reduction for each in reductions]
        assert abs(np.mean(own)) < 0.1, name
    assert all(each.columns[0].name == "matters" for each in reductions)


def test_it_is_what_splits_gain_less_what_splits_on_the_shuffled_copies_gain() -> None:
    rows = in_order_of_content(table(60))
    learner = cw.Forest(trees=4, seed=3)
    beside, copies = with_shuffled_copies(rows, 3)
    task = replace(learner, columns=2, out_of_bag=False).task(beside, Decision())
    gained = {name: [0.0] * 4 for name in beside.schema.positions}
    for number in range(4):
        nodes = tree_by_counts(task, number)
        for node in range(len(nodes)):
            children = [child for child in range(len(nodes)) if nodes.parent[child] == node]
            if children:
                name = beside.schema.attributes[nodes.attribute[children[0]]].name
                lost = _impurity(nodes.counts[node]) - sum(_impurity(nodes.counts[each]) for each in children)
                gained[name][number] += lost / nodes.counts[0].sum()
    worth = cw.corrected_importances(learner, rows)
    for name, copy in copies.items():
        own = [one - other for one, other in zip(gained[name], gained[copy], strict=True)]
        assert worth[name].reduction == pytest.approx(np.mean(own), abs=1e-12)
        assert worth[name].error == pytest.approx(np.std(own, ddof=1) / math.sqrt(4), abs=1e-12)


def _impurity(counts: np.ndarray) -> float:
    """Weight times Gini."""
    total = float(counts.sum())
    return total - float((counts**2).sum()) / total if total > 0 else 0.0


def test_copies_have_the_cells_of_their_columns_in_one_other_order() -> None:
    rows = table(50)
    beside, copies = with_shuffled_copies(rows, 0)
    pairs = list(zip(rows.columns["noise"].tolist(), rows.columns["noise of 40"].tolist(), strict=True))
    shuffled = [beside.columns[copies[name]].tolist() for name in ("noise", "noise of 40")]
    assert list(zip(*shuffled, strict=True)) != pairs
    assert sorted(zip(*shuffled, strict=True)) == sorted(pairs)
    assert len(beside.schema.inputs) == 8


def test_numbers_have_it_too_and_other_learners_are_refused() -> None:
    rows = table(120)
    y = (rows.columns["noise"] + 0.1 * (rows.columns["matters"] == 1)).tolist()
    numbers = cw.read_table(
        {"x": rows.columns["noise"], "z": rows.columns["noise"][::-1], "y": y}, target="y"
    )
    worth = cw.corrected_importances(cw.Forest(trees=20), numbers)
    assert (worth.measure, worth.columns[0].name) == ("squared error", "x")
    assert str(worth).startswith("column  squared error reduced by")
    with pytest.raises(SettingError, match="give a Forest, not a CART"):
        cw.corrected_importances(mistyped(cw.CART()), rows)
