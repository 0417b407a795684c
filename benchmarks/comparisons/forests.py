"""Forests of full trees: many columns, and many rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Size, entrant, faster
from benchmarks.tables import cover_like, normal_table

ROWS = 1_000_000


def _clearwood(x: Any, y: Any, trees: int, *, out_of_bag: bool = False) -> Any:
    from clearwood.learners.ensembles.forest import Forest
    from clearwood.table import learn_table

    return Forest(trees=trees, out_of_bag=out_of_bag).learn(learn_table(x, y))


def _scikit_learn(x: Any, y: Any, trees: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(trees, n_jobs=-1, random_state=0).fit(x, y)


def _ydf(x: Any, y: Any, trees: int) -> Any:
    import ydf

    columns = {f"x{i}": x[:, i] for i in range(x.shape[1])}
    learner = ydf.RandomForestLearner(
        label="y", num_trees=trees, max_depth=-1, min_examples=1, winner_take_all=False,
        compute_oob_performances=False,
    )  # fmt: skip
    return learner.train({**columns, "y": y}, verbose=0)


def _nodes(model: Any) -> str:
    if hasattr(model, "trees"):
        return f"{len(model.trees.nodes):,} nodes"
    if hasattr(model, "estimators_"):
        return f"{sum(each.tree_.node_count for each in model.estimators_):,} nodes"
    return f"{model.num_nodes():,} nodes"


def _wide(size: Size) -> Sequence[Entrant]:
    x, y = cover_like(size.rows(100_000))
    return [
        Contestant(OURS, lambda: _clearwood(x, y, 100), _nodes),
        Contestant(
            f"{OURS}, out-of-bag error as well", lambda: _clearwood(x, y, 100, out_of_bag=True), _nodes
        ),
        entrant("scikit-learn", "sklearn.ensemble", lambda: _scikit_learn(x, y, 100), _nodes),
    ]


def _long(size: Size) -> Sequence[Entrant]:
    x, y = normal_table(size.rows(ROWS))
    return [
        Contestant(OURS, lambda: _clearwood(x, y, 20), _nodes),
        Contestant(
            f"{OURS}, out-of-bag error as well", lambda: _clearwood(x, y, 20, out_of_bag=True), _nodes
        ),
        entrant("YDF", "ydf", lambda: _ydf(x, y, 20), _nodes),
        entrant("scikit-learn", "sklearn.ensemble", lambda: _scikit_learn(x, y, 20), _nodes),
    ]


COMPARISONS = (
    Comparison(
        "forest",
        "A forest of 100 full trees, 100,000 × 54 (10 of numbers, 44 of zeros and ones), seven classes",
        _wide,
        (faster("scikit-learn", 3),),
    ),
    Comparison(
        "long-forest",
        "A forest of 20 full trees, 1,000,000 × 20 float32, two classes",
        _long,
        (faster("YDF", 4), faster("scikit-learn", 10)),
    ),
)
