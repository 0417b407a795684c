"""GAM beside InterpretML's EBM on adult's training rows: 14 bags and 10 pairs on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Size, entrant, faster
from benchmarks.reference import ADULT
from clearwood.learners.ensembles.gam import GAM


def _adult(size: Size) -> Sequence[Entrant]:
    rows = ADULT.table(size)
    return [
        Contestant(OURS, lambda: GAM().learn(rows)),
        entrant("EBM", "interpret", lambda: _ebm(rows)),
    ]


def _ebm(rows: Any) -> Any:
    import pandas as pd
    from interpret.glassbox import ExplainableBoostingClassifier

    names = [each.name for each in rows.schema.inputs]
    frame = pd.DataFrame({name: rows.columns[name] for name in names})
    kinds = ["continuous" if rows.columns[name].dtype.kind == "f" else "nominal" for name in names]
    return ExplainableBoostingClassifier(feature_types=kinds, interactions=10).fit(frame, rows.target)


COMPARISONS = (
    Comparison(
        "gam",
        f"An additive model of {ADULT.called}: 14 bags and 10 pairs, EBM by its other defaults",
        _adult,
        (faster("EBM", 40),),
    ),
)
