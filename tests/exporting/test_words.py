"""Models of texts leave the house as well: the words are told apart in the language itself."""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.exporting import RUNNERS
from clearwood.exporting.exporting import export
from clearwood.exporting.running.runner import Ran

TEXTS = [
    "Don’t panic: it's 9am 🙂",
    "Rock’n’roll, 日本 and 👍🏽 for 2!",
    "free money now",
    "meeting at noon",
    "İZMİR café",
    "cheap cheap pills",
]
ODD = ["", "money MONEY noon 🇩🇪 日 x", "cafe\u0301 \u200d \u00ad", "a\nb\tc", "'n' “quoted”", None]
LEARNERS = [
    cw.NaiveBayes(),
    cw.NaiveBayes(text="bernoulli"),
    cw.NaiveBayes(text="complement", ngrams=(1, 2), stop_words="english", lower=False),
]


def table() -> cw.Table:
    classes = ["ham", "ham", "spam", "ham", "ham", "spam"] * 5
    return cw.read_table(
        {"t": TEXTS * 5, "n": list(range(30)), "y": classes}, target="y", kinds={"t": "text"}
    )


@pytest.mark.parametrize("language", ["javascript"])
@pytest.mark.parametrize("place", range(len(LEARNERS)))
def test_words_are_counted_as_in_the_model(language: str, place: int) -> None:
    model = LEARNERS[place].learn(table())
    rows = [{"t": text, "n": n} for text in [*TEXTS, *ODD] for n in (3.0, None)]
    exported = export(model, language)
    ran = RUNNERS[exported.target].run(exported, rows)
    if not isinstance(ran, Ran):
        pytest.skip(ran.because)
    assert list(ran.answers) == cw.predict(model, rows).tolist()
    assert np.abs(np.array(ran.shares) - cw.shares(model, rows)).max() < 1e-12


@pytest.mark.parametrize("language", ["c", "java"])
def test_a_language_without_our_words_refuses_texts(language: str) -> None:
    with pytest.raises(SettingError, match="python or javascript"):
        export(LEARNERS[0].learn(table()), language)
