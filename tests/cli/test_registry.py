"""Whatever is registered has its settings explained, read back and completed."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from clearwood.cli.meanings import MEANINGS
from clearwood.cli.registry import LEARNERS, PRUNERS, Entry
from clearwood.cli.settings import settings_of, shown, value_of
from clearwood.simplify import PRUNERS as SIMPLIFY

ENTRIES = list({**LEARNERS, **PRUNERS}.values())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_setting_has_a_meaning_and_reads_back_its_default(entry: Entry) -> None:
    for name, setting in settings_of(entry.load()).items():
        assert MEANINGS[name].endswith((".", "COST."))
        if setting.default is not None:
            assert value_of(setting, shown(setting.default)) == setting.default


def test_no_meaning_is_left_of_a_setting_that_is_gone() -> None:
    assert set(MEANINGS) == {name for entry in ENTRIES for name in settings_of(entry.load())}


def test_the_command_line_knows_every_pruner() -> None:
    assert {entry.name for entry in PRUNERS.values()} == set(SIMPLIFY)


@pytest.mark.parametrize(
    ("learner", "text", "value"),
    [
        ("cart", "alpha=1se", "1se"),
        ("cart", "alpha=0.01", 0.01),
        ("cart", "alpha=none", None),
        ("cart", "priors=equal", "equal"),
        ("cart", "priors=no:0.2,yes:0.8", {"no": 0.2, "yes": 0.8}),
        ("cart", "costs=no/yes:5,yes/no:1", {("no", "yes"): 5.0, ("yes", "no"): 1.0}),
        ("c45", "prune=off", False),
        ("chaid", "max_depth=4", 4),
    ],
)
def test_settings_are_read_by_their_declared_type(learner: str, text: str, value: Any) -> None:
    from clearwood.cli.settings import parse

    name = text.partition("=")[0]
    assert parse(learner, [text], LEARNERS[learner].load()) == {name: value}


def test_shells_complete_the_names_of_learners() -> None:
    environment = {
        **os.environ,
        "_CLEARWOOD_COMPLETE": "complete_bash",
        "COMP_WORDS": "clearwood fit x.csv --learner ",
        "COMP_CWORD": "4",
    }
    command = [sys.executable, "-m", "clearwood"]
    told = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert told.stdout.split() == list(LEARNERS)
