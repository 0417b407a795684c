"""Reading a text model: evidence by word, the words of each class, and those that flip an answer."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import ColumnError, SettingError
from clearwood.explaining.evidence import evidence
from clearwood.explaining.nomogram import nomogram
from clearwood.explaining.words import flipping_words, top_words
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.models.kinds.bayes.distributions import EVENTS
from clearwood.table.table import Table
from tests.learners.bayes_tables import many
from tests.learners.text_tables import WORDS, text_table, text_tables
from tests.typed import mistyped

MAIL = text_table(
    ["free prize", "win a free prize", "see you soon", "call you soon", None],
    ["spam", "spam", "ham", "ham", "ham"],
)
PHRASES = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@pytest.mark.parametrize("event", EVENTS)
@many
@given(table=text_tables(), text=st.one_of(st.none(), PHRASES))
def test_the_words_add_up_to_the_answer(event: str, table: Table, text: str | None) -> None:
    model = NaiveBayes(text=mistyped(event), ngrams=(1, 2)).learn(table)
    contributions = evidence(model, {"text": text})
    joint = np.array(contributions.log_priors)
    for piece in contributions.pieces:
        joint = joint + piece.logs
    assert tuple(joint.tolist()) == contributions.joint
    shares = np.exp(joint - joint.max()) / np.exp(joint - joint.max()).sum()
    np.testing.assert_allclose(shares, contributions.shares, atol=1e-12)
    np.testing.assert_allclose(cw.shares(model, [{"text": text}])[0], contributions.shares, atol=1e-15)
    assert str(contributions)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@pytest.mark.parametrize("event", EVENTS)
@many
@given(table=text_tables(), text=PHRASES)
def test_the_fewest_words_that_flip_are_the_fewest_of_all_choices(
    event: str, table: Table, text: str
) -> None:
    model = NaiveBayes(text=mistyped(event), lower=False).learn(table)
    actual = flipping_words(model, text)
    words = sorted(set(text.split()))

    def lead(gone: tuple[str, ...]) -> float:
        """By how much another class than the answer leads, without these words."""
        left = " ".join(word for word in text.split() if word not in gone)
        joint = dict(zip(model.schema.classes, evidence(model, {"text": left}).joint, strict=True))
        ours = joint.pop(actual.answer)
        return max(joint.values(), default=-np.inf) - ours

    sizes = range(1, len(words) + 1)
    clearly = [n for n in sizes if any(lead(gone) > 1e-9 for gone in combinations(words, n))]
    possibly = [n for n in sizes if any(lead(gone) > -1e-9 for gone in combinations(words, n))]
    if actual.fewest is None:
        assert not clearly
    else:
        assert possibly[0] <= len(actual.fewest.words) <= min(clearly, default=len(words))
        gone = tuple(word.split(" ×")[0] for word in actual.fewest.words)
        assert lead(gone) >= 0


def test_a_word_says_how_often_it_stands_there() -> None:
    contributions = evidence(NaiveBayes().learn(MAIL), {"text": "Free, free, free! Anything unknown, you"})
    assert [piece.value for piece in contributions.pieces] == ["free ×3", "you"]
    assert contributions.answer == "spam"
    # Prior 2 : 3; three times 3 of 14 against 1 of 14; once 1 of 14 against 3.
    assert str(contributions).splitlines() == [
        "spam 0.8571, ham 0.1429: log odds of spam against ham",
        "prior          −0.41       ██|",
        "text: free ×3  +3.30         |████████████████████",
        "text: you      −1.10  ███████|",
        "in all         +1.79",
    ]


def test_top_words_are_those_of_the_largest_odds_with_their_counts() -> None:
    spam, ham = top_words(NaiveBayes().learn(MAIL), most=2)
    assert (spam.called, [each.word for each in spam.words]) == ("spam", ["free", "prize"])
    assert spam.words[0].counts == (2, 0)
    # (2 + 1) of 6 words and 8 different ones against (0 + 1) of 6 and 8.
    assert spam.words[0].log_odds == pytest.approx(np.log(3 / 1 * (6 + 8) / (6 + 8)))
    assert [each.word for each in ham.words] == ["soon", "you"]
    present = top_words(NaiveBayes(text="bernoulli").learn(MAIL), most=1)[0].words[0]
    assert present.log_odds == pytest.approx(np.log((2 + 1) / (2 + 2)) - np.log((0 + 1) / (2 + 2)))


def test_one_word_flips_the_answer() -> None:
    words = flipping_words(NaiveBayes().learn(MAIL), {"text": "free free see you"})
    assert words.answer == "spam"
    assert str(words.fewest) == "without free ×2: ham instead of spam"
    assert words.alone[0] == words.fewest


def test_the_model_prints_its_top_words_and_not_its_vocabulary() -> None:
    printed = str(NaiveBayes().learn(MAIL))
    assert "free 2:0 +1.10" in printed
    many_words: list[str | None] = [f"w{i}" for i in range(1000)]
    assert len(str(NaiveBayes().learn(text_table(many_words, ["a", "b"] * 500))).splitlines()) < 25


def test_questions_that_have_no_answer_are_refused() -> None:
    model = NaiveBayes().learn(MAIL)
    with pytest.raises(ColumnError, match="No text column 'mail'"):
        top_words(model, "mail")
    with pytest.raises(SettingError, match="most must be 1 or more"):
        top_words(model, most=0)
    with pytest.raises(SettingError, match="too many words for a nomogram"):
        nomogram(model)
    tennis = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    with pytest.raises(ColumnError, match="this model has none"):
        top_words(NaiveBayes().learn(tennis))
