"""Python runs its exports in a process of its own, by the interpreter at hand."""

import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.exporting.running.runner import (
    Ran,
    Runner,
    RunTask,
    as_lines,
    output_of,
    ran_from_lines,
    seconds_for,
)

_MAIN: Final = """
import importlib, json, sys
def asked(model, row):
    by_class = list(model.shares(row).values()) if model.CLASSES else []
    by_class += [model.points(row)] if hasattr(model, "points") else []
    return [model.predict(row), by_class, model.explain(row)]
for place, line in enumerate(sys.stdin):
    model = importlib.import_module(f"exported_model_{place}")
    print(json.dumps([asked(model, row) for row in json.loads(line)]))
"""


def run_python(tasks: Sequence[RunTask]) -> list[Ran]:
    """What the exported modules answer, row by row."""
    with tempfile.TemporaryDirectory() as folder:
        for place, task in enumerate(tasks):
            Path(folder, f"exported_model_{place}.py").write_bytes(task.exported.data)
        main = f"import sys; sys.path.insert(0, {folder!r})\n{_MAIN}"
        command = [sys.executable, "-I", "-c", main]
        lines = output_of(command, given=as_lines(tasks), seconds=seconds_for(len(tasks)))
    return ran_from_lines(tasks, lines, {"Python": platform.python_version()})


RUNNER: Final = Runner("python", run_python, most=100)
