"""All formats proven on all reference tables, with figures for the docs: `python -m tests.exporting.tables`.

Trees by four learners, rules, Bayes tables and logistic regression. The figures of a format that is run again
replace its old ones in `docs/exporting.json`, from which the page is made; formats may be named to run only
those.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

import clearwood as cw
from clearwood.errors import ClearwoodError
from clearwood.exporting import RUNNERS
from clearwood.exporting.proof.adversarial import AdversarialRows, rows_to_prove
from clearwood.exporting.proof.proving import proof_of, rows_given
from clearwood.exporting.running.runner import RunTask
from clearwood.models.model import Model
from clearwood.table.table import Table
from tests.exporting.every_format import variants
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


def figures_on(
    table: str, format: str, options: dict[str, Any], learners: Iterable[str] = tuple(LEARNERS)
) -> dict[str, dict[str, Any]]:
    """By learner: rows and differences of its proof on a table, or why there is none. What the format takes
    is run in one batch; where there is no model there is no figure."""
    figures: dict[str, dict[str, Any]] = {}
    tasks: dict[str, RunTask] = {}
    made: dict[str, AdversarialRows] = {}
    for learner in learners:
        model = model_of(table, learner)
        if model is None:
            continue
        try:
            exported = cw.export(model, format, **options)
        except ClearwoodError as error:
            figures[learner] = {"refused": str(error)}
            continue
        made[learner] = rows_to_prove(exported)
        given = rows_given(model, _given(table)).rows
        tasks[learner] = RunTask(exported, (*made[learner].rows, *given))
    targets = {task.exported.target for task in tasks.values()} - {""}
    outcomes = [each for target in targets for each in RUNNERS[target].run_many(list(tasks.values()))]
    for place, (learner, task) in enumerate(tasks.items()):
        rows = made[learner]
        ran = outcomes[place] if outcomes else None
        figures[learner] = _figure(proof_of(task.exported, rows, task.rows[len(rows) :], ran=ran))
    return {learner: figures[learner] for learner in learners if learner in figures}


def _given(table: str) -> Table:
    own = table_of(table)
    return own.take(np.linspace(0, len(own) - 1, min(len(own), _GIVEN)).astype(int))


def _figure(proof: cw.Proof) -> dict[str, Any]:
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
        tables[table] = figures_on(table, format, options)
        for figure in tables[table].values():
            versions |= figure.pop("versions", {})
        print(
            f"  {table}: {sum(figure.get('rows', 0) for figure in tables[table].values())} rows", flush=True
        )
    return {"versions": versions, "tables": tables}


def wrong_in(figures: dict[str, Any]) -> Iterator[str]:
    for table, by_learner in figures["tables"].items():
        for learner, figure in by_learner.items():
            if figure.get("different") or "failed" in figure:
                yield f"{table}, {learner}: {figure}"


def main(chosen: Sequence[str]) -> int:
    """Prove the formats named, or all, and write the figures."""
    warnings.simplefilter("ignore")
    titled = {
        " ".join([format, *map(str, options.values())]): (format, options) for format, options in variants()
    }
    names = {*titled, *(format for format, _ in titled.values())}
    if unknown := [each for each in chosen if each not in names]:
        print(f"There is no format '{unknown[0]}' that is run here. Those are: {', '.join(titled)}.")
        return 2
    if not NAMES:
        print("The reference tables are not here: CLEARWOOD_DATA names their folder.")
        return 2
    known = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    wrong: list[str] = []
    for title, (format, options) in titled.items():
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
