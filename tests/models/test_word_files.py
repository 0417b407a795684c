"""The words of a text model come back from its file as they were, and what is not one is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from clearwood.errors import ModelFileError
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.models.files import from_json, to_json
from clearwood.table.table import Table
from tests.learners.bayes_tables import many
from tests.learners.text_tables import text_table, text_tables
from tests.models.published_schema import fits_the_published_schema

LEARNER = NaiveBayes(text="bernoulli", ngrams=(1, 2), stop_words=["the"], most_words=5, max_documents=0.9)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@many
@given(table=text_tables())
def test_every_text_model_comes_back_as_it_was(table: Table) -> None:
    model = LEARNER.learn(table)
    text = to_json(model)
    assert from_json(text) == model
    fits_the_published_schema(text)


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        (("words",), ["b", "a"], "its words must be in ascending order"),
        (("words", 0), 1, r"distributions\[0\].words\[0\] must be text, not 1"),
        (("counts", 0, 0), -1, "counts must be numbers from 0 up"),
        (("counts", 0), [1], "must be 2 numbers for each of 2 classes"),
        (("documents", 0, 0), 5, "a word is in more texts than there are"),
        (("known",), [1], "must be 2 numbers"),
        (("texts", 0), 3, "its texts must be from 0 to the 2 read"),
        (("texts", 0), -1, r"texts\[0\] must be a whole number ≥ 0, not -1"),
        (("texts", 0), 0.5, r"texts\[0\] must be a whole number ≥ 0, not 0.5"),
        (("texts",), [1], "its texts must be 2 whole numbers"),
        (("read",), "2", "read must be a whole number ≥ 0, not '2'"),
        (("read",), 10**400, "read holds a number that is too large"),
        (("event",), "poisson", "No event called 'poisson'"),
        (("alpha",), 0, "words need an alpha above 0"),
        (("column",), "y", "No column 'y'"),
        (("reading", "ngrams"), [2, 1], "ngrams must be two whole numbers"),
        (("reading", "ngrams"), [1], "ngrams must be two whole numbers"),
        (("reading", "stop_words"), ["b", "a"], "Stop words must be in ascending order"),
        (("reading", "min_documents"), "few", "min_documents must be a whole number"),
        (("reading", "most_words"), 0, "most_words must be a whole number from 1"),
        (("reading", "lower"), 1, "reading.lower must be true or false, not 1"),
        (("reading", "more"), 1, "No field 'more'"),
        (("reading",), [], "reading"),
    ],
)
def test_what_is_not_a_list_of_words_is_refused_with_its_place(
    place: tuple[Any, ...], value: Any, sentence: str
) -> None:
    data = json.loads(to_json(NaiveBayes().learn(text_table(["a b", "b"], ["x", "y"]))))
    inside = data["body"]["distributions"][0]
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = value
    with pytest.raises(ModelFileError, match=sentence):
        from_json(json.dumps(data))
