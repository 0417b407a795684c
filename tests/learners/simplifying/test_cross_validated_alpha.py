"""Cross-validated α: rpart's xerror and xstd on the same folds, and what the two rules choose."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.pruning.weakest_links import cross_validated_alpha
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table

RPART = json.loads((Path(__file__).parent / "rpart_figures.json").read_text())["tables"]
SETS = {"iris": load_iris, "breast_cancer": load_breast_cancer, "diabetes": load_diabetes}


def table_of(name: str) -> Table:
    data = SETS[name]()
    columns = {f"x{i}": column.copy() for i, column in enumerate(data.data.T)}
    numeric = name == "diabetes"
    target = Numeric("y") if numeric else Nominal("y", tuple(f"c{i}" for i in range(data.target.max() + 1)))
    y = data.target.astype(np.float64 if numeric else np.int32)
    return Table(Schema(tuple(map(Numeric, columns)), target), {**columns, "y": y})


def dealt(rows: int) -> list[tuple[np.ndarray, np.ndarray]]:
    fold = np.arange(rows) * 7 % 10
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(10)]


@pytest.mark.parametrize("name", RPART)
def test_rparts_errors_on_the_same_folds(name: str) -> None:
    table = table_of(name)
    chosen = cross_validated_alpha(CART(min_rows=20, min_leaf=7), table, folds=dealt(len(table)))
    root = chosen.path.risks[-1]
    ours = [chosen.path.relative, chosen.path.leaves - 1, chosen.path.risks / root, chosen.errors / root]
    for column, figures in zip([*ours, chosen.deviations / root], np.array(RPART[name][::-1]).T, strict=True):
        assert column == pytest.approx(figures, abs=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_one_standard_error_buys_a_smaller_tree(name: str) -> None:
    table = table_of(name)
    learner = CART(min_leaf=3)
    best, frugal = (cross_validated_alpha(learner, table, rule=rule) for rule in ("min", "1se"))
    assert best.errors[best.chosen] == best.errors.min()
    assert frugal.errors[frugal.chosen] <= best.errors.min() + best.deviations[best.chosen]
    assert frugal.path.leaves[frugal.chosen] <= best.path.leaves[best.chosen]
    leaves = [CART(min_leaf=3, alpha=alpha).learn(table).leaves for alpha in ("cv", "1se", best.alpha, 1e9)]
    assert leaves == [best.path.leaves[best.chosen], frugal.path.leaves[frugal.chosen], leaves[0], 1]
    assert leaves[0] < learner.learn(table).leaves
    assert str(best).count("← chosen") == 1


def test_the_root_alone_errs_as_the_mean_of_the_other_folds_does() -> None:
    table = table_of("diabetes")
    pairs = dealt(len(table))
    chosen = cross_validated_alpha(CART(min_leaf=20), table, folds=pairs)
    losses = np.concatenate([(table.target[test] - table.target[train].mean()) ** 2 for train, test in pairs])
    assert chosen.errors[-1] == pytest.approx(losses.mean())
    assert chosen.deviations[-1] == pytest.approx(losses.std() / len(losses) ** 0.5)


def test_priors_and_costs_weigh_the_errors() -> None:
    """With a dear mistake, the root alone costs what calling all rows the dear class costs."""
    table = table_of("breast_cancer")
    learner = CART(costs={("c0", "c1"): 10.0}, min_leaf=7)
    chosen = cross_validated_alpha(learner, table, folds=dealt(len(table)))
    share = (table.target == 1).mean()
    assert chosen.errors[-1] == pytest.approx(share)
    assert chosen.path.risks[-1] == pytest.approx(share)
