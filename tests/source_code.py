"""The source as syntax trees, for tests of how it is written."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import clearwood

SOURCE: Final = Path(clearwood.__file__).parent


def parsed_sources() -> Iterator[tuple[Path, ast.Module]]:
    """Every module of the package, one after another.

    None is kept, and garbage is not looked for while one is made: a million nodes would be gone through again
    and again, here and in every test after this one.
    """
    for path in sorted(SOURCE.rglob("*.py")):
        collects = gc.isenabled()
        gc.disable()
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        finally:
            if collects:
                gc.enable()
        yield path, tree
