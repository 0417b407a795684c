"""Texts in exported Python have the words that Clearwood finds in them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.table.text import words_of
from tests.exporting.models_to_export import Row

TEXTS = (
    "good news, don't panic",
    "old NEWS é e\u0301",
    "日本 good 👍🏽 👍 🇩🇪🇫🇷",
    "rock’n’roll İZMİR ΣΑΣ ǅ",
    "bad bad bad x\u00ady",
    "a-b c_d 1,000.5",
)
SCHEMA = cw.Schema((cw.Text("text"), cw.Numeric("x")), cw.Nominal("y", ("no", "yes")))


def learned(**settings_of_text: Any) -> cw.BayesTables:
    rows = [{"text": text, "x": float(k), "y": ("no", "yes")[k % 2]} for k, text in enumerate(TEXTS * 2)]
    return cw.NaiveBayes(**settings_of_text).learn(cw.encode(rows, SCHEMA))


MODULE: dict[str, Any] = {}
exec(cw.export(learned(), "python").text, MODULE)


@given(
    st.one_of(
        st.text(), st.lists(st.sampled_from([*"ab ’'\u200d\u00ad👍🏽🇩🇪日é\u0301-_1İ", *TEXTS])).map("".join)
    )
)
@settings(max_examples=300)
def test_any_text_has_the_same_words(text: str) -> None:
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        return
    assert tuple(MODULE["_tokens"](text, True)) == words_of(text)


@pytest.mark.parametrize(
    "settings_of_text",
    [
        {},
        {"text": "bernoulli"},
        {"text": "complement"},
        {"ngrams": (1, 2), "stop_words": ("bad", "good")},
        {"lower": False, "ngrams": (2, 3)},
    ],
    ids=str,
)
@pytest.mark.parametrize("format", ["python", "javascript"])
def test_models_of_texts_are_proven(format: str, settings_of_text: dict[str, Any]) -> None:
    model = learned(**settings_of_text)
    rows: list[Row] = [{"text": text, "x": 1.0} for text in TEXTS]
    rows.append({"text": None, "x": None})
    proof = cw.prove(cw.export(model, format), rows)
    assert proof.status in ("passed", "not run"), str(proof)
    assert len(proof.rows) > 100
