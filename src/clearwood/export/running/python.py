"""Python runs its exports in a process of its own, by the interpreter at hand."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.export.exported import Exported
from clearwood.export.running.runner import NotRun, Ran, Runner
from clearwood.table.row import Row

_MAIN: Final = """
import json, sys
import exported_model as model
for line in sys.stdin:
    row = json.loads(line)
    found = model._worked_out(row)
    print(json.dumps([found[0], found[1]]))
"""


def run_python(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What the exported module answers, row by row."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "exported_model.py").write_text(exported.text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {folder!r})\n{_MAIN}"],
            input="\n".join(json.dumps(dict(row)) for row in rows),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise AssertionError(f"The exported module does not run: {done.stderr}")
    answers, shares = [], []
    for line in done.stdout.splitlines():
        answer, by_class = json.loads(line)
        answers.append(answer)
        shares.append(tuple(by_class))
    versions = {"Python": platform.python_version()}
    return Ran(tuple(answers), tuple(shares) if exported.model.schema.classes else None, versions)


RUNNER = Runner("python", run_python)
