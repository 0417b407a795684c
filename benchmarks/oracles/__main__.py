"""`python -m benchmarks.oracles weka`: an oracle beside Clearwood; `--write` stores its figures for tests."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console

from benchmarks.oracles.verdict import Verdict

ORACLES = {
    "weka": "j48",
    "rpart": "rpart",
    "sklearn": None,
    "chaid": None,
    "jrip": "ripper",
    "statsmodels": "logistic",
    "prism": "prism",
    "one_r": "one_r",
    "orange": "orange_cn2",
    "shap": "shap",
}  # → the file of stored figures
FIGURES = Path(__file__).resolve().parents[2] / "tests" / "figures"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.oracles", description=__doc__)
    parser.add_argument("oracle", nargs="+", choices=[*ORACLES, "all"])
    parser.add_argument("--tables", type=int, default=6, help="generated tables of each flavour")
    parser.add_argument("--write", action="store_true", help="store the oracle's figures under tests/figures")
    given = parser.parse_args()
    wrong = 0
    for name in ORACLES if "all" in given.oracle else given.oracle:
        try:
            oracle = importlib.import_module(f"benchmarks.oracles.against_{name}")
        except ImportError as missing:
            Console().print(f"{name}: skipped, {missing}. benchmarks/README.md says how to get it.")
            continue
        if given.write and ORACLES[name]:
            place = FIGURES / f"{ORACLES[name]}.json"
            place.write_text(_compact(oracle.figures(given.tables)), encoding="utf-8")
            Console().print(f"{name}: wrote {place.name}")
        else:
            wrong += _run(name, oracle.compare(given.tables))
    return 1 if wrong else 0


def _run(name: str, verdicts: Iterable[Verdict]) -> int:
    same = 0
    differ = []
    for verdict in verdicts:
        same += verdict.same
        if not verdict.same:
            differ.append(verdict)
    for verdict in differ:
        Console().print(f"[red]{name}: {verdict.table} differs[/]: {verdict.detail}")
    Console().print(f"{name}: {same} of {same + len(differ)} models are the same")
    return len(differ)


def _compact(figures: dict[str, object]) -> str:
    """One line per table, so that a change shows as one line."""
    parts = []
    for key, value in figures.items():
        if isinstance(value, list):
            rows = ",\n".join("  " + json.dumps(row) for row in value)
            parts.append(f' "{key}": [\n{rows}\n ]')
        elif isinstance(value, dict):
            rows = ",\n".join(f'  "{name}": {json.dumps(each)}' for name, each in value.items())
            parts.append(f' "{key}": {{\n{rows}\n }}')
        else:
            parts.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main())
