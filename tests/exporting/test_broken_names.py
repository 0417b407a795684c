"""What no file can hold, half of a surrogate pair in a name, is refused before anything is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import clearwood as cw
from clearwood.errors import ModelFileError, SettingError
from clearwood.exporting import FORMATS

BROKEN = {
    "a column's name": (("a\ud800", "x", "c", "yes"), r"The name of the column 'a\\ud800' is broken text"),
    "a value": (("a", "x\udfff", "c", "yes"), r"The value 'x\\udfff' of the column 'a' is broken text"),
    "the target's name": (("a", "x", "\ud83d", "yes"), r"The name of the column '\\ud83d' is broken text"),
    "a class": (("a", "x", "c", "\ude00!"), r"The value '\\ude00!' of the column 'c' is broken text"),
}


def tree(column: str, value: str, target: str, name: str) -> cw.Tree:
    """A tree of two leaves, whose schema has these texts."""
    learned = cw.ID3().learn(cw.read_table([{"a": "x", "c": "p"}, {"a": "y", "c": "q"}] * 3, target="c"))
    schema = cw.Schema((cw.Nominal(column, (value, "y")),), cw.Nominal(target, (name, "no")))
    return cw.Tree(schema, learned.nodes, learned.score_names)


@pytest.mark.parametrize("what", list(BROKEN))
def test_broken_text_is_refused_by_every_format_in_one_sentence(what: str) -> None:
    texts, sentence = BROKEN[what]
    for format in FORMATS:
        with pytest.raises(SettingError, match=sentence):
            cw.export(tree(*texts), format)


@pytest.mark.parametrize("what", list(BROKEN))
def test_a_model_of_broken_text_is_not_saved(what: str, tmp_path: Path) -> None:
    texts, sentence = BROKEN[what]
    with pytest.raises(ModelFileError, match=sentence):
        cw.save(tree(*texts), tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


def test_both_halves_together_are_a_character_like_any_other() -> None:
    assert "😀" in cw.export(tree("😀", "x", "c", "yes"), "markdown").text
