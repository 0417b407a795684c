"""Words: what the native tokens make of a text, held to the definition and to what a reader expects."""

from __future__ import annotations

import os
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clearwood import _native
from clearwood.errors import SchemaError
from clearwood.table.text import TextReading, words_of
from tests.definitions.tokens import ngrams, tokens

LINKS = "'’\u200c\u200d\u00ad\u200f\ufe0f\u0301\u3099"
TEXTS = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("aZ9é" + LINKS),
        st.sampled_from("👩🏽❤☎🇩🇪\U000e0067日ひカ한क्שلA b"),
    )
)


@pytest.mark.slow
@settings(max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "300")), deadline=None)
@given(text=TEXTS, lower=st.booleans(), lengths=st.sampled_from([(1, 1), (1, 2), (2, 3)]), stop=st.booleans())
@example(text="a'\u0301b a'' 'a \u0301", lower=True, lengths=(1, 1), stop=False)
@example(text="\ud800a\udc00b", lower=True, lengths=(1, 1), stop=False)
@example(text="\U0001f469\u200d\U0001f469\u200d", lower=True, lengths=(1, 1), stop=False)
def test_native_words_are_those_of_the_definition(
    text: str, lower: bool, lengths: tuple[int, int], stop: bool
) -> None:
    stop_words = ("a", "日") if stop else ()
    expected = ngrams(tokens(text, lower=lower), lengths, stop_words)
    assert list(words_of(text, TextReading(lower, lengths, stop_words))) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Free entry in 2 a wkly comp!", ["free", "entry", "in", "2", "a", "wkly", "comp"]),
        ("Don't, don’t 'quoted' rock'n'roll '", ["don't", "don't", "quoted", "rock'n'roll"]),
        ("ÉCOLE Straße ΣΊΣΥΦΟΣ", ["école", "straße", "σίσυφοσ"]),
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("می‌خواهم السلام عليكم", ["می‌خواهم", "السلام", "عليكم"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("日本語をひとつ", ["日", "本", "語", "を", "ひ", "と", "つ"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("👍👍🏽 👩‍👩‍👧 ❤️🇩🇪🇫🇷 1️⃣", ["👍", "👍🏽", "👩‍👩‍👧", "❤️", "🇩🇪", "🇫🇷", "1️⃣"]),
        ("e-mail@x.org £5,000", ["e", "mail", "x", "org", "5", "000"]),
        ("soft\u00adhyphen", ["softhyphen"]),
        ("", []),
        ("…—!? \n", []),
    ],
)
def test_words_of_many_scripts(text: str, words: list[str]) -> None:
    assert list(words_of(text)) == words


def test_a_word_of_a_megabyte_is_one_word() -> None:
    assert words_of("é" * 500_000) == ("é" * 500_000,)


def test_the_kept_table_agrees_with_pythons_own() -> None:
    """Characters that this Python's Unicode assigns as the table's did; a newer one only adds to them."""
    letters = {"L", "N"}
    starts = [*_native.letter_runs(), (0x110000, 0)]
    for (first, kind), (stop, _) in pairwise(starts):
        for code in (first, stop - 1):
            category = unicodedata.category(chr(code))[0]
            if kind in (1, 3):
                assert category in letters, hex(code)
            elif kind == 2:
                assert category == "M", hex(code)
            elif kind == 0 and category != "C":
                old = unicodedata.category(chr(code)) if code < 0x3000 else "So"
                assert old[0] not in letters or unicodedata.unidata_version != "14.0.0", hex(code)


def test_readings_are_checked() -> None:
    for wrong in (
        {"ngrams": (2, 1)},
        {"ngrams": (1,)},
        {"stop_words": ("b", "a")},
        {"min_documents": -1},
        {"max_documents": 1.5},
        {"most_words": 0},
        {"lower": 1},
    ):
        with pytest.raises(SchemaError):
            TextReading(**wrong)
