"""A user without a compiler installs the wheel into an empty environment, and works: run by `make wheel`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from dev.wheels import DIST, environment, pythons

TRIAL = """
import clearwood as cw
table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
tree = cw.C45().learn(table)
assert cw.evaluate(tree, table).accuracy == 1
assert len(cw.rules_of(tree)) == 5
print(cw.__file__)
"""

BUILT = "CLEARWOOD_WHEELS" in os.environ
PYTHONS = pythons() if BUILT else {(3, 11): Path()}
pytestmark = pytest.mark.skipif(
    not BUILT,
    reason="Wheels take minutes to build and install: `make wheel` builds them and tries them by this test.",
)


@pytest.mark.parametrize("version", PYTHONS, ids=lambda version: ".".join(map(str, version)))
def test_a_wheel_works_in_an_empty_environment(version: tuple[int, int], tmp_path: Path) -> None:
    python = environment(PYTHONS[version], tmp_path / "empty")
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--only-binary",
        ":all:",
        "--find-links",
        str(DIST),
    ]
    subprocess.run([*install, "clearwood"], check=True, cwd=tmp_path)
    command = python.parent / "clearwood"
    subprocess.run([command, "learners"], check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
    where = subprocess.check_output([python, "-c", TRIAL], text=True, cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(tmp_path)
