"""CART against R's rpart: the cost-complexity sequence and the nodes, on reference and generated tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from tests.generated_tables import generated_table
from tests.shared_data import NAMES, load_shared

from benchmarks.oracles.rpart import Grown, Job, rpart
from benchmarks.oracles.verdict import Verdict
from clearwood.learners.cart import CART

FLAVOURS = ("mixed", "nominal", "numeric", "missing", "ties")
REFERENCE = ("auto_mpg", "credit_g", "diabetes", "iris", "penguins", "titanic")
SIZES = ((20, 7), (2, 1))  # rows to split, rows in a leaf: rpart's default, and trees grown to their end


def compare(tables: int) -> Iterator[Verdict]:
    """The sequence of cost-complexity pruning: how many splits are left, and at what error."""
    named = [*_reference(), *_generated(tables)]
    _, grown = rpart([job for _, job in named])
    for (name, job), theirs in zip(named, grown, strict=True):
        ours = sequence(job)
        found = [(splits, error) for _, splits, error in ours]
        wanted = [(splits, error) for _, splits, error in theirs.cp]
        same = len(found) == len(wanted) and bool(np.allclose(found, wanted, rtol=1e-9, atol=1e-9))
        title = " ".join(str(part) for part in name.values())
        yield Verdict(title, same, f"ours {_shown(found)}, rpart's {_shown(wanted)}")


def sequence(job: Job) -> list[tuple[float, int, float]]:
    """Our path in rpart's units: (cp, splits, relative error), from the root alone to the whole tree."""
    from clearwood.simplify.cost_complexity import cost_complexity_path

    tree = CART(min_rows=job.min_rows, min_leaf=job.min_leaf).learn(job.table)
    path = cost_complexity_path(tree)
    root = path[-1].risk
    return [(step.alpha / root, step.leaves - 1, step.risk / root) for step in reversed(path)]


def figures(tables: int) -> dict[str, Any]:
    """What the tests store: complexity tables, and the nodes of trees that are not too large to read."""
    named = [*_reference(), *_generated(tables)]
    version, grown = rpart([job for _, job in named])
    rows = [
        {**name, "min_rows": job.min_rows, "min_leaf": job.min_leaf, **_figures(tree)}
        for (name, job), tree in zip(named, grown, strict=True)
    ]
    return {"program": version, "trees": rows}


def _figures(tree: Grown) -> dict[str, Any]:
    return {"cp": tree.cp, "nodes": tree.nodes if len(tree.nodes) <= 63 else len(tree.nodes)}


def _reference() -> Iterator[tuple[dict[str, Any], Job]]:
    for name in REFERENCE:
        if name in NAMES:
            yield {"reference": name}, Job(load_shared(name), *SIZES[0])


def _generated(tables: int) -> Iterator[tuple[dict[str, Any], Job]]:
    for flavour in FLAVOURS:
        for seed in range(tables):
            for regression in (False, True):
                table = generated_table(flavour, seed, regression=regression)
                for size in SIZES:
                    yield {"flavour": flavour, "seed": seed, "regression": regression}, Job(table, *size)


def _shown(pairs: list[tuple[int, float]]) -> str:
    return " ".join(f"{splits}:{error:.4g}" for splits, error in pairs[:8]) + (" …" if len(pairs) > 8 else "")
