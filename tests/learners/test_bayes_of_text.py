"""Bayes of text: the sums are the definition's, models add up, and limits and awkward texts are defined."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood import _native
from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.learners.bayes.merging import merged
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.learners.bayes.settings import stop_words_of
from clearwood.learners.bayes.sums import summed
from clearwood.models.account.account import ByWord
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import log_priors
from clearwood.models.kinds.bayes.distributions import EVENTS, Event, Words, exact
from clearwood.models.kinds.bayes.word_terms import kept_words
from clearwood.models.lineage import Origin
from clearwood.models.model import account_of
from clearwood.predicting.bayes import log_joint
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.table.table import Table
from tests.definitions.bayes import summed_by_counts
from tests.definitions.tokens import ngrams, tokens
from tests.learners.bayes_tables import many
from tests.learners.text_tables import text_table, text_tables
from tests.shared_data import load_shared

WAYS = {
    "plain": NaiveBayes(),
    "bernoulli": NaiveBayes(text="bernoulli", alpha=0.5, ngrams=(1, 2)),
    "complement": NaiveBayes(text="complement", stop_words=["the", "the"], lower=False),
    "limited": NaiveBayes(min_documents=2, max_documents=0.6, most_words=3),
}


def bare(model: BayesTables) -> BayesTables:
    return replace(model, origin=Origin("somewhere"))


def words_of_model(model: BayesTables) -> Words:
    actual = model["text"]
    assert isinstance(actual, Words)
    return actual


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@pytest.mark.parametrize("way", WAYS)
@many
@given(table=text_tables())
def test_native_sums_and_answers_are_those_of_the_definition(way: str, table: Table) -> None:
    learner = WAYS[way]
    plan = learner.plan(table)
    assert summed(plan, table) == summed_by_counts(plan, table)
    model = learner.learn(table)
    (term,) = account_of(model).terms
    assert isinstance(term, ByWord)
    expected = np.tile(log_priors(model), (len(table), 1))
    for row, text in enumerate(table.columns["text"]):
        if text is None:
            continue
        reading = term.reading
        grams = ngrams(tokens(text, lower=reading.lower), reading.ngrams, reading.stop_words)
        known = [word for word in grams if word in term.words]
        added = np.array(term.base)
        for word in sorted(set(known)) if term.once else known:
            added += term.logs[term.words.index(word)]
        expected[row] += added
    np.testing.assert_allclose(log_joint(model, table), expected, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@pytest.mark.parametrize("way", WAYS)
@many
@given(table=text_tables(), data=st.data())
def test_models_of_parts_add_up_to_the_model_of_all_texts(
    way: str, table: Table, data: st.DataObject
) -> None:
    learner = WAYS[way]
    part = np.array(data.draw(st.lists(st.booleans(), min_size=len(table), max_size=len(table))))
    if part.all() or not part.any():
        return
    one, other = learner.learn(table.take(part)), learner.learn(table.take(~part))
    assert bare(merged(one, other)) == bare(merged(other, one)) == bare(learner.learn(table))
    assert bare(learner.learn_more(one, table.take(~part))) == bare(learner.learn(table))


@pytest.mark.parametrize("event", EVENTS)
def test_texts_asked_one_by_one_have_the_answers_they_have_together(event: Event) -> None:
    table = load_shared("sms_spam").take(np.arange(300))
    model = NaiveBayes(text=event, stop_words="english").learn(table)
    together = cw.shares(model, table)
    alone = np.vstack([cw.shares(model, table.take(np.array([row]))) for row in range(0, 300, 20)])
    np.testing.assert_array_equal(alone, together[::20])


def test_threads_do_not_change_the_sums() -> None:
    rng = np.random.default_rng(1)
    texts: list[str | None] = [" ".join(map(str, rng.integers(0, 500, 8))) for _ in range(3000)]
    table = text_table(texts, ["a", "b"] * 1500)
    actual = []
    try:
        for threads in (1, 2, 3):
            _native.set_thread_count(threads)
            actual.append(NaiveBayes().learn(table))
    finally:
        _native.set_thread_count(0)
    assert actual[0] == actual[1] == actual[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "limits", [{}, {"min_df": 2}, {"min_df": 0.02, "max_df": 0.3}, {"max_features": 200}]
)
@pytest.mark.parametrize("event", EVENTS)
def test_scikit_learn_agrees_on_the_same_words(event: Event, limits: dict[str, Any]) -> None:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    bayes = pytest.importorskip("sklearn.naive_bayes")
    table = load_shared("sms_spam").take(np.arange(600))
    messages, target = table.columns["message"].tolist(), table.target
    stop = stop_words_of("english")
    vectorizer = text.CountVectorizer(
        analyzer=lambda each: ngrams(tokens(each), (1, 2), frozenset(stop)), **limits
    )
    counts = vectorizer.fit_transform(messages)
    peer = {
        "multinomial": bayes.MultinomialNB(alpha=0.7),
        "bernoulli": bayes.BernoulliNB(alpha=0.7),
        # Theirs leaves out the priors where there are several classes; ours has them always.
        "complement": bayes.ComplementNB(alpha=0.7),
    }[event].fit(counts, target)
    model = NaiveBayes(
        text=event,
        alpha=0.7,
        ngrams=(1, 2),
        stop_words="english",
        min_documents=limits.get("min_df", 1),
        max_documents=limits.get("max_df", 1.0),
        most_words=limits.get("max_features"),
        priors="equal" if event == "complement" else None,
    ).learn(table)
    words = model["message"]
    assert isinstance(words, Words)
    used = {words.words[i] for i in kept_words(words)}
    if "max_features" in limits:  # of equally frequent words theirs are any
        assert len(used) == len(vectorizer.vocabulary_)
        return
    assert used == set(vectorizer.vocabulary_)
    np.testing.assert_allclose(cw.shares(model, table), peer.predict_proba(counts), rtol=1e-10, atol=1e-10)


def test_limits_choose_words_when_a_text_is_answered_and_forget_none() -> None:
    table = text_table(["a b", "a c", "a", "c c c"], ["x", "x", "y", "y"])
    model = NaiveBayes(min_documents=2, max_documents=0.5).learn(table)
    words = words_of_model(model)
    assert words.words == ("a", "b", "c")
    assert [words.words[i] for i in kept_words(words)] == ["c"]
    more = NaiveBayes().learn_more(model, text_table(["b", "b b"], ["y", "y"]))
    assert [words_of_model(more).words[i] for i in kept_words(words_of_model(more))] == ["a", "b", "c"]
    most = NaiveBayes(most_words=1).learn(table)
    assert [words.words[i] for i in kept_words(words_of_model(most))] == ["c"]


def test_missing_texts_and_unknown_words_say_nothing_but_an_empty_text_is_one() -> None:
    table = text_table(["free win", "see you", None, ""], ["spam", "ham", "ham", "ham"])
    for event in EVENTS:
        model = NaiveBayes(text=event, priors="equal").learn(table)
        assert words_of_model(model).known == (1, 2)
        texts = text_table([None, "", "nothing known", "free"], ["spam", "ham", "ham", "ham"])
        missing, empty, unknown, free = cw.shares(model, texts).tolist()
        assert missing == [0.5, 0.5]
        assert empty == unknown
        assert (empty == [0.5, 0.5]) == (event != "bernoulli")
        assert free[0] > 0.5


def test_a_text_column_stands_beside_others() -> None:
    table = text_table(
        ["good", "good", "bad", "bad"], ["yes", "yes", "no", "no"], colour=["red", "blue", "red", "red"]
    )
    model = NaiveBayes().learn(table)
    assert model.columns == ("text", "colour")
    alone = NaiveBayes().learn(text_table(["good", "good", "bad", "bad"], ["yes", "yes", "no", "no"]))
    both = log_joint(model, table) - log_joint(alone, table)
    np.testing.assert_allclose(both[0], np.log([2 / 4, 3 / 4]))


def test_a_column_without_usable_words_says_nothing_and_the_learner_says_so() -> None:
    table = text_table(["the a", "of", None], ["x", "y", "y"])
    with pytest.warns(ClearwoodWarning, match="Column 'text' says nothing: its texts hold no word beside"):
        model = NaiveBayes(stop_words="english").learn(table)
    np.testing.assert_allclose(cw.shares(model, table), [[1 / 3, 2 / 3]] * 3)
    with pytest.warns(ClearwoodWarning, match="the limits .* leave none of its words"):
        NaiveBayes(min_documents=5).learn(table)
    str(model)


def test_one_class_only() -> None:
    model = NaiveBayes().learn(text_table(["a", "b"], ["x", "x"]))
    assert cw.predict(model, text_table(["c"], ["x"])).tolist() == ["x"]


@pytest.mark.slow
def test_a_vocabulary_of_a_million_words() -> None:
    texts: list[str | None] = [
        " ".join(f"w{n:x}" for n in range(first, first + 1000)) for first in range(0, 1_000_000, 1000)
    ]
    model = NaiveBayes().learn(text_table(texts, ["a", "b"] * 500))
    assert len(words_of_model(model).words) == 1_000_000
    assert cw.predict(model, text_table(["w0 w1 w2", "w3e8"], ["a", "b"])).tolist() == ["a", "b"]


def test_settings_are_refused_with_the_way_out() -> None:
    table = text_table(["a", "b"], ["x", "y"])
    for wrong, sentence in (
        ({"ngrams": 2}, "ngrams must be two whole numbers"),
        ({"ngrams": (2, 1)}, "ngrams"),
        ({"stop_words": "klingon"}, r"No list called 'klingon'\. Lists: english\."),
        ({"stop_words": [1]}, "stop_words must be words, not 1"),
        ({"stop_words": 5}, "stop_words must be None, 'english' or a list"),
        ({"min_documents": 1.5}, "min_documents must be a whole number of texts, or a share"),
        ({"most_words": 0}, "most_words"),
        ({"text": "gaussian"}, "text"),
    ):
        with pytest.raises(SettingError, match=sentence):
            NaiveBayes(**wrong)
    with pytest.raises(SettingError, match="words need an alpha above 0"):
        NaiveBayes(alpha=0).learn(table)
    with pytest.raises(SettingError, match="Column 'text' is text"):
        NaiveBayes(distributions={"text": "kernel"}).learn(table)
    with pytest.raises(LearningError, match="another distribution"):
        merged(NaiveBayes().learn(table), NaiveBayes(lower=False).learn(table))


def test_old_words_fade() -> None:
    table = text_table(["a", "b"], ["x", "y"])
    model = NaiveBayes(decay=0.5).learn_more(NaiveBayes().learn(table), table)
    assert words_of_model(model).counts == ((exact(1.5), 0), (0, exact(1.5)))


@pytest.mark.slow
def test_spam_is_found_as_well_as_weka_finds_it() -> None:
    """Weka's NaiveBayesMultinomialText has 98.51 % in ten folds; one standard error is 0.16 %."""
    table = load_shared("sms_spam")
    result = cw.cross_validate(NaiveBayes(), table, folds=10, seed=1)
    assert isinstance(result.together, ClassEvaluation)
    assert result.together.accuracy >= 0.985109 - 0.0016


@pytest.mark.parametrize("weight", [0.5, 0.001, 3.0])
def test_the_limits_count_texts_and_not_their_weights(weight: float) -> None:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    bayes = pytest.importorskip("sklearn.naive_bayes")
    messages, labels = ["a b", "a c", "b d", "e e"], ["x", "y", "x", "y"]
    weights = np.array([1.0, weight, weight, 2 * weight])
    table = replace(text_table([*messages], labels), weights=weights)
    for least, words in ((1, ["a", "b", "c", "d", "e"]), (2, ["a", "b"]), (0.5, ["a", "b"])):
        model = NaiveBayes(min_documents=least).learn(table)
        kept = [words_of_model(model).words[i] for i in kept_words(words_of_model(model))]
        assert kept == words
        vectorizer = text.CountVectorizer(analyzer=tokens, min_df=least)
        counts = vectorizer.fit_transform(messages)
        peer = bayes.MultinomialNB().fit(counts, labels, sample_weight=weights)
        np.testing.assert_allclose(
            cw.shares(model, table), peer.predict_proba(counts), rtol=1e-10, atol=1e-10
        )


def test_words_that_fade_are_kept() -> None:
    table = text_table(["a", "b"], ["x", "y"])
    model = NaiveBayes(decay=0.25).learn_more(NaiveBayes().learn(table), text_table(["c"], ["x"]))
    words = words_of_model(model)
    assert [words.words[i] for i in kept_words(words)] == ["a", "b", "c"]
    assert (words.texts, words.read) == ((1, 1, 1), 3)


def test_balanced_classes_and_light_rows_keep_all_words_of_the_text_classifier() -> None:
    estimators = pytest.importorskip("clearwood.estimators")
    texts, labels = ["a b", "c d", "e f", "g h", "i j"], ["x", "x", "x", "x", "y"]
    for given_class, given_rows in (("balanced", None), (None, [0.5] * 5), ({"x": 0.001}, None)):
        model = estimators.TextBayesClassifier(class_weight=given_class).fit(texts, labels, given_rows)
        assert len(kept_words(words_of_model(model.model_))) == 10
