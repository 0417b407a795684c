"""Whole processes: from the shell's point of view, start to exit."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def python(arguments: Sequence[str], cwd: Path | None = None) -> str:
    """Run this Python with Clearwood importable as it is here; what it printed, or its last words."""
    paths = [str(ROOT), *(path for path in sys.path if path)]
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["nothing"]
        raise RuntimeError(f"exit code {done.returncode}: {lines[-1]}")
    return done.stdout
