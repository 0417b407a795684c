"""Every format proven on all reference tables, and the figures for the docs: `python -m tests.export.tables`.

Trees by four learners, rules, Bayes tables and logistic regression. The figures of a format that is run again
replace its old ones in `docs/exporting.json`, from which the page is made; formats may be named to run only
those.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

import clearwood as cw
from clearwood.errors import ClearwoodError
from clearwood.models.model import Model
from clearwood.table.table import Table
from tests.export.test_random_models import variants
from tests.shared_data import NAMES, load_shared

FIGURES: Final = Path(__file__).parents[2] / "docs" / "exporting.json"
LEARNERS: Final[dict[str, Any]] = {
    "ID3": cw.ID3(max_depth=6),  # in full, one of its trees is compiled for minutes
    "C4.5": cw.C45(),
    "CART": cw.CART(),
    "CHAID": cw.CHAID(),
    "RIPPER": cw.RIPPER(),
    "Naive Bayes": cw.NaiveBayes(),
    "logistic": cw.Logistic(penalty="l2"),
}
_GIVEN: Final = 200  # rows of the table itself, beside those that are made from the model


@cache
def table_of(name: str) -> Table:
    return load_shared(name)


@cache
def model_of(table: str, learner: str) -> Model | None:
    """The model, or None where the learner cannot learn from the table."""
    try:
        return LEARNERS[learner].learn(table_of(table))  # type: ignore[no-any-return]
    except ClearwoodError:
        return None


def figure_of(table: str, learner: str, format: str, **options: Any) -> dict[str, Any] | None:
    """Rows and differences of one proof, or why there is none; None where there is no model."""
    model = model_of(table, learner)
    if model is None:
        return None
    try:
        exported = cw.export(model, format, **options)
    except ClearwoodError as error:
        return {"refused": str(error)}
    own = table_of(table)
    proof = cw.prove(exported, own.take(np.linspace(0, len(own) - 1, min(len(own), _GIVEN)).astype(int)))
    if proof.status == "not run":
        return {"not run": proof.because}
    figure: dict[str, Any] = {"rows": len(proof.rows), "different": len(proof.different)}
    if proof.status == "failed" and not proof.different:
        figure["failed"] = proof.because
    for name, counted in (
        ("changed", proof.certificate.changed),
        ("uncompared", proof.certificate.not_compared),
    ):
        if counted:
            figure[name] = sum(counted.values())
    return figure | {"versions": dict(proof.certificate.versions)}


def figures_of(format: str, options: dict[str, Any]) -> dict[str, Any]:
    """The figures of one format on all tables."""
    versions: dict[str, str] = {}
    tables: dict[str, dict[str, Any]] = {}
    for table in NAMES:
        tables[table] = {}
        for learner in LEARNERS:
            figure = figure_of(table, learner, format, **options)
            if figure is not None:
                versions |= figure.pop("versions", {})
                tables[table][learner] = figure
    return {"versions": versions, "tables": tables}


def wrong_in(figures: dict[str, Any]) -> Iterator[str]:
    for table, by_learner in figures["tables"].items():
        for learner, figure in by_learner.items():
            if figure.get("different") or "failed" in figure:
                yield f"{table}, {learner}: {figure}"


def main(chosen: Sequence[str]) -> int:
    """Prove the formats named, or all, and write the figures."""
    warnings.simplefilter("ignore")
    known = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    wrong: list[str] = []
    for format, options in variants():
        title = " ".join([format, *map(str, options.values())])
        if chosen and format not in chosen and title not in chosen:
            continue
        started = time.perf_counter()
        figures = figures_of(format, options)
        known[title] = figures
        wrong += [f"{title}: {each}" for each in wrong_in(figures)]
        print(
            f"{title}: {time.perf_counter() - started:.0f} s, {len(list(wrong_in(figures)))} wrong",
            flush=True,
        )
        FIGURES.write_text(json.dumps(known, indent=0, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
