"""Whatever is registered has its settings explained, read back and completed."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from clearwood.cli.meanings import MEANINGS, meaning_of
from clearwood.cli.registry import LEARNERS, PRUNERS, Entry
from clearwood.cli.settings import settings_of, shown, value_of
from clearwood.learners.trees.pruning import PRUNERS as SIMPLIFY
from clearwood.measures import ERRORS, IMPURITIES

ENTRIES = {**LEARNERS, **PRUNERS}


@pytest.mark.parametrize(("owner", "entry"), ENTRIES.items(), ids=list(ENTRIES))
def test_every_setting_has_a_meaning_and_reads_back_its_default(owner: str, entry: Entry) -> None:
    for name, setting in settings_of(entry.load()).items():
        assert meaning_of(owner, name).endswith((".", "COST."))
        if setting.default is not None:
            assert value_of(setting, shown(setting.default)) == setting.default


def test_no_meaning_is_left_of_a_setting_that_is_gone() -> None:
    told = {
        f"{owner}.{name}" if f"{owner}.{name}" in MEANINGS else name
        for owner, entry in ENTRIES.items()
        for name in settings_of(entry.load())
    }
    assert set(MEANINGS) == told


@pytest.mark.parametrize("owner", ENTRIES)
def test_a_meaning_names_no_other_learner(owner: str) -> None:
    said = " ".join(meaning_of(owner, name) for name in settings_of(ENTRIES[owner].load()))
    assert not [other for other in LEARNERS if other != owner and f" {other}" in said.lower()]


def test_the_words_a_measure_takes_are_listed() -> None:
    assert all(word in meaning_of("cart", "measure") for word in ("auto", *IMPURITIES, *ERRORS))
    assert all(word in meaning_of("id3", "measure") for word in IMPURITIES)


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
        ("bayes", "distributions=Age:kernel,Wage:cuts", {"Age": "kernel", "Wage": "cuts"}),
        ("bayes", "m_prior=Wind/Weak:0.6,Wind/Strong:0.4", {"Wind": {"Weak": 0.6, "Strong": 0.4}}),
        ("bayes", "smoothing=2", 2.0),
        ("bayes", "ngrams=1,2", (1, 2)),
        ("bayes", "stop_words=the,a", ("the", "a")),
        ("bayes", "max_documents=0.5", 0.5),
        ("logistic", "reference=Outlook:Sunny", {"Outlook": "Sunny"}),
        ("logistic", "reference=most common", "most common"),
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
