"""Settings written as text: read by the type they are declared with, and read back as they are shown."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from clearwood.catalogue import LEARNERS, PRUNERS
from clearwood.cli.settings import bounded_words_for, default_text, parse, parsed_value
from clearwood.measures import ERRORS, IMPURITIES
from clearwood.registry import settings_of
from tests.cli.conftest import Command

MAKERS = {
    **{name: entry.load() for name, entry in LEARNERS.items()},
    **{name: pruner.prune for name, pruner in PRUNERS.items()},
}


@pytest.mark.parametrize("owner", MAKERS)
def test_every_default_reads_back(owner: str) -> None:
    for setting in settings_of(MAKERS[owner]).values():
        if setting.default is not None:
            assert parsed_value(setting, default_text(setting.default)) == setting.default


def test_the_words_a_measure_takes_are_listed() -> None:
    cart, id3 = (settings_of(MAKERS[owner])["measure"] for owner in ("cart", "id3"))
    assert all(word in bounded_words_for(cart) for word in ("auto", *IMPURITIES, *ERRORS))
    assert all(word in bounded_words_for(id3) for word in IMPURITIES)


@pytest.mark.parametrize(
    ("owner", "setting", "words"),
    [
        ("c45", "confidence", "a number between 0 and 1"),
        ("cn2", "alpha", "a number above 0 and at most 1"),
        ("id3", "max_depth", "a whole number from 0 up or none"),
        ("c45rules", "exhaustive", "a whole number from 0 to 20"),
        ("cart", "alpha", "cv, 1se, a number from 0 up or none"),
        ("cart", "priors", "equal, CLASS:NUMBER,… or none"),
        ("ripper", "prune", "yes or no"),
    ],
)
def test_what_a_setting_takes_is_told_with_its_bounds(owner: str, setting: str, words: str) -> None:
    assert bounded_words_for(settings_of(MAKERS[owner])[setting]) == words


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
    name = text.partition("=")[0]
    assert parse(learner, [text], MAKERS[learner]) == {name: value}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("clearwood fit x.csv --learner ", LEARNERS),
        ("clearwood compare x.csv --learner ", LEARNERS),
        ("clearwood derive x.csv --learner ", LEARNERS),
        ("clearwood prune m.json x.csv --method ", PRUNERS),
    ],
)
def test_shells_complete_the_names_of_learners_and_pruners(words: str, names: Any) -> None:
    environment = {
        **os.environ,
        "_CLEARWOOD_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    command = [sys.executable, "-m", "clearwood"]
    completed = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert completed.stdout.split() == list(names)


def test_the_help_of_prune_is_about_pruning_and_singles_out_no_pruner(clearwood: Command) -> None:
    words = clearwood("prune", "--help").out
    assert "How to prune" in words
    assert "How to learn" not in words
    before_the_options = words.partition("Arguments")[0]
    assert not any(name in before_the_options for name in PRUNERS)


@pytest.mark.parametrize("name", PRUNERS)
def test_a_pruner_says_which_rows_it_needs(clearwood: Command, name: str) -> None:
    sentences = {
        "training": "the rows that the tree was learned from",
        "fresh": "rows that the tree has not seen",
    }
    first = clearwood("learners", name).out.splitlines()[0]
    assert [need for need, words in sentences.items() if f"It needs {words}." in first] == [
        need for need in sentences if need == PRUNERS[name].needs
    ]
