"""A core and named extras: every room is one or the other, and the architecture names them all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from dev.weigh import PACKAGE, ROOT, by_folder, core_and_extras, core_table, sources_here

TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_every_room_is_of_the_core_or_an_extra() -> None:
    rooms = {path.relative_to(ROOT / PACKAGE).parts[0] for path in (ROOT / PACKAGE).rglob("*.py")}
    core, extras = core_and_extras()
    assert not set(core) & set(extras)
    assert {room.removesuffix(".py") for room in rooms} - {"__init__", "__main__"} == {*core, *extras}


def test_the_architecture_has_the_table_that_weighing_prints() -> None:
    named = [line.split("|")[1:3] for line in core_table(by_folder(sources_here())).splitlines()]
    assert all(f"|{name}|{about}|" in TEXT for name, about in named)


def test_learning_predicting_explaining_and_deriving_load_no_extra() -> None:
    code = (
        "import sys, clearwood as cw;"
        "table = cw.read_table(cw.datasets.path('tennis'), target='PlayTennis');"
        "tree = cw.C45().learn(table);"
        "cw.predict(tree, table);"
        "cw.explain(tree, {'Outlook': 'Sunny', 'Humidity': 'High'});"
        "len([step.decision for step in cw.derive(tree, table)]);"
        "print(*{each.split('.')[1] for each in sys.modules if each.startswith('clearwood.')})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=Path.home()
    )
    assert not {*done.stdout.split()} & {*core_and_extras()[1]}
