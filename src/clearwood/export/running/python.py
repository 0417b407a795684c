"""Python runs its exports in a process of its own, by the interpreter at hand."""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.export.exported import Exported
from clearwood.export.running.processes import as_lines, output_of, ran_from_lines
from clearwood.export.running.runner import NotRun, Ran, Runner
from clearwood.table.row import Row

_MAIN: Final = """
import json, sys
import exported_model as model
for line in sys.stdin:
    row = json.loads(line)
    by_class = list(model.shares(row).values()) if model.CLASSES else []
    by_class += [model.points(row)] if hasattr(model, "points") else []
    print(json.dumps([model.predict(row), by_class, model.explain(row)]))
"""


def run_python(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What the exported module answers, row by row."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "exported_model.py").write_bytes(exported.data)
        main = f"import sys; sys.path.insert(0, {folder!r})\n{_MAIN}"
        lines = output_of([sys.executable, "-I", "-c", main], given=as_lines(rows))
    return ran_from_lines(exported, lines, {"Python": platform.python_version()})


RUNNER: Final = Runner("python", run_python)
