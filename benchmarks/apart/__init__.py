"""Peers in an environment of their own: a script of theirs, JSON in and JSON out, timed where they run.

They need older libraries than we are tested with. `make bench` makes the environment, `.venv-peers`, from
`requirements.txt` beside this file; PEERS_PYTHON names another interpreter.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, assert_never

import numpy as np

from benchmarks.processes import ROOT
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Table

PYTHON = os.environ.get("PEERS_PYTHON") or str(ROOT / ".venv-peers" / "bin" / "python")


@cache
def version(library: str) -> str | None:
    """Which version of the library that environment has; None where there is none."""
    code = f"import importlib.metadata as m; print(m.version({library!r}))"
    try:
        done = subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def ask(script: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the script answers, or its last words."""
    done = subprocess.run([PYTHON, script], input=json.dumps(given), capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["nothing"]
        raise RuntimeError(f"{script.name} ended with exit code {done.returncode}: {lines[-1]}")
    return dict(json.loads(done.stdout))


def as_numbers(table: Table) -> dict[str, Any]:
    """The table as JSON: a number of values or null for each column, and rows with the class last."""
    parts: list[np.ndarray] = []
    kinds: list[int | None] = []
    for attribute in table.schema.inputs:
        column = table.columns[attribute.name].astype(np.float64)
        match attribute:
            case Numeric():
                kinds.append(None)
            case Nominal(_, values) | Ordinal(_, values):
                kinds.append(len(values))
                column = np.where(column < 0, np.nan, column)
            case Text() | Ignored():
                raise ValueError(f"Column '{attribute.name}' is neither numeric nor nominal.")
            case _:
                assert_never(attribute)
        parts.append(column)
    cells = np.column_stack([*parts, table.target])
    return {
        "kinds": kinds,
        "classes": len(table.schema.classes),
        "rows": [[None if np.isnan(cell) else cell for cell in row] for row in cells.tolist()],
    }
