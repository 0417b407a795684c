"""What the figures were measured on: processor, cores, memory, and the versions of everyone."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks import apart

PACKAGES = (
    *("numpy", "pandas", "scikit-learn", "lightgbm", "xgboost", "ydf", "CHAID", "python-weka-wrapper3"),
)  # fmt: skip


def machine() -> dict[str, str]:
    """One line each."""
    return {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "memory": _memory(),
        "system": platform.platform(terse=True),
        "python": sys.version.split()[0],
        "clearwood": f"{_version('clearwood')}{_commit()}",
        **{package: _version(package) for package in PACKAGES},
        **{package: apart.version(package) or "not installed" for package in ("Orange3", "wittgenstein")},
    }


def busy() -> str:
    """How busy the machine is by other work: the load of the last minute per core."""
    return f"{os.getloadavg()[0]:.2f} over the last minute" if hasattr(os, "getloadavg") else "unknown"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB"
    except (ValueError, OSError, AttributeError):
        return "unknown"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "from source" if package == "clearwood" else "not installed"


def _commit() -> str:
    """Which state of the source, where git can tell."""
    try:
        command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
        return (
            f", commit {subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()}"
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
