"""Bayes models come back from their files as they were, and what is not one is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood import datasets
from clearwood.errors import ModelFileError
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.models.files import from_json, load, save, to_json
from clearwood.table import read_table
from tests.learners.bayes_tables import LEARNERS, many, tables_for
from tests.models.published_schema import fits_the_published_schema
from tests.typed import mistyped


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
@many
@given(data=st.data())
def test_every_model_comes_back_as_it_was(name: str, data: st.DataObject) -> None:
    model = LEARNERS[name].learn(data.draw(tables_for(name)))
    text = to_json(model)
    assert from_json(text) == model
    fits_the_published_schema(text)


def test_given_priors_and_costs_come_back(tmp_path: Path) -> None:
    learner = NaiveBayes(
        priors={"Play": 0.3, "Don't Play": 0.7},
        costs={("Play", "Don't Play"): 5},
        m_prior={"Wind": {"Weak": 0.3, "Strong": 0.7}},
        decay=0.37,
    )
    table = read_table(datasets.path("tennis_numeric"), target="Play")
    model = learner.learn_more(learner.learn(table), table)
    assert load(save(model, tmp_path / "play.json")) == model


def text_of(numeric: str = "gaussian") -> dict[str, Any]:
    table = read_table(datasets.path("tennis_numeric"), target="Play")
    learner = NaiveBayes(numeric=mistyped(numeric))
    return dict(json.loads(to_json(learner.learn(table))))


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        (("classes",), [9], "Class weights must be 2"),
        (("classes", 0), "nine", r"classes\[0\] must be a finite number or the text of a fraction"),
        (("classes", 0), "9/0", r"classes\[0\] must be a finite number"),
        (("classes", 0), -9, "Class weights must be 2 numbers from 0 up"),
        (("classes", 0), True, r"classes\[0\] must be a finite number"),
        (("priors",), "guessed", "No priors called 'guessed'"),
        (("priors",), [0.5, 0.6], "must sum to 1"),
        (("distributions", 0, "kind"), "normal", "No kind of distribution 'normal'"),
        (("distributions", 0, "column"), "Wnid", "Did you mean 'Wind'"),
        (("distributions", 0, "smoothing"), -1, "smoothing must be a finite number ≥ 0"),
        (("distributions", 0, "prior"), "even", "No prior called 'even'"),
        (("distributions", 0, "counts"), [[1, 2], [3, 4]], "must be 3 numbers for each of 2 classes"),
        (("distributions", 0, "more"), 1, "No field 'more'"),
        (("distributions", 1, "squares", 0), 1, "no numbers have this weight"),
        (("classes", 0), 10**400, "classes holds a number that is too large"),
        (("classes",), [10**308, 10**308], "classes holds a number that is too large"),
        (("classes", 0), f"{10**400}/3", "classes holds a number that is too large"),
        (("distributions", 0, "counts", 0, 0), 10**400, r"counts\[0\] holds a number that is too large"),
        (("distributions", 1, "squares", 0), 10**400, "squares holds a number that is too large"),
        (
            ("distributions", 1, "weights", 0),
            f"1/{10**400}",
            r"distributions\[1\] holds a number that is too",
        ),
        (("distributions", 1, "floor"), None, "floor must be a finite number"),
        (("distributions",), {}, "must be a list"),
    ],
)
def test_what_is_not_a_model_is_refused_with_its_place(
    place: tuple[Any, ...], value: Any, sentence: str
) -> None:
    data = text_of()
    inside: Any = data["body"]
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = value
    with pytest.raises(ModelFileError, match=sentence):
        from_json(json.dumps(data))


@pytest.mark.parametrize(
    ("numeric", "key", "value", "sentence"),
    [
        ("kernel", "bandwidth", "wide", "No bandwidth called 'wide'"),
        ("kernel", "points", [[[1]], []], "must be a value and its weight"),
        ("kernel", "points", [[[1, 10**400]], []], r"points\[0\] holds a number that is too large"),
        ("kernel", "points", [[[1e200, 1]], []], r"points\[0\] holds a number that is too large"),
        ("cuts", "cuts", [2, 1], "finite and ascending"),
        ("bernoulli", "event", "poisson", "No event called 'poisson'"),
        ("bernoulli", "columns", [1], r"columns\[0\] must be text, not 1"),
        ("multinomial", "columns", [], "at least one column"),
    ],
)
def test_and_so_for_every_distribution(numeric: str, key: str, value: Any, sentence: str) -> None:
    data = text_of(numeric)
    next(each for each in data["body"]["distributions"] if key in each)[key] = value
    with pytest.raises(ModelFileError, match=sentence):
        from_json(json.dumps(data))
