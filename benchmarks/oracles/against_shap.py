"""SHAP values against the `shap` package: trees of scikit-learn and XGBoost, written as ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tests.explaining.foreign_trees import values_of_foreign

from benchmarks.apart import ask
from benchmarks.oracles.verdict import Verdict

SCRIPT = Path(__file__).with_name("shap_trees.py")


def compare(tables: int) -> Iterator[Verdict]:
    """As many seeds as tables are asked for; the values agree to a millionth of the largest."""
    for seed in range(tables):
        for name, model in ask(SCRIPT, {"seed": seed})["models"].items():
            base, ours = values_of_foreign(model)
            theirs = np.array(model["values"])
            most = max(float(np.abs(ours - theirs).max()), abs(base - model["base"]))
            yield Verdict(f"{name} {seed}", most < 1e-6 * max(1.0, np.abs(theirs).max()), f"up to {most:.2g}")


def figures(tables: int) -> dict[str, Any]:  # noqa: ARG001 (one seed is enough to hold the values)
    """What the tests store."""
    return ask(SCRIPT, {"seed": 0})
