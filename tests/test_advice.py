"""Errors, notes and warnings carry their advice as data, and nobody reads meaning out of a sentence."""

from __future__ import annotations

import ast
import inspect
import pickle
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
import typer

import clearwood as cw
from clearwood import _native
from clearwood.catalogue import LEARNERS
from clearwood.cli.app import program
from clearwood.cli.commands.edit import CurveEdits
from clearwood.cli.options import as_option, in_options
from clearwood.cli.sources import Columns, Reading
from clearwood.errors import (
    Advice,
    ClearwoodError,
    ClearwoodWarning,
    LearningError,
    Place,
    RuleTextError,
    SchemaError,
    Sentence,
)
from tests.source_code import parsed_sources

COMMANDS: dict[str, Any] = typer.main.get_command(program()).commands  # type: ignore[attr-defined]
OF_READING = {*inspect.signature(cw.read_table).parameters} - {"source", "names"} | {"kinds", "ordered"}
OF_READING |= {*Reading.__dataclass_fields__}
OF_DRAWING = {"row", "fold"}
OF_STUDIES = {
    "learner",
    "positive",
    "tune",
    "budget",
    "costs",
    "sizes",
    "port",
    "classes",
}  # called the same in a shell
OF_EDITING = {*inspect.signature(cw.set_points).parameters, *inspect.signature(cw.drop_term).parameters}


@cache
def all_advice() -> list[tuple[str, bool]]:
    """Every option that the source advises, and whether it is called a setting."""
    options = []
    for file, tree in parsed_sources():
        # How advice is worded, and what settings declare of each other, which tests of theirs check.
        if file.name in ("errors.py", "registry.py"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Advice":
                option = node.args[0]
                assert isinstance(option, ast.Constant)
                assert isinstance(option.value, str)
                options.append((option.value, any(each.arg == "setting" for each in node.keywords)))
    return options


def test_an_error_names_the_option_and_the_value_that_help() -> None:
    with pytest.raises(SchemaError) as refused:
        cw.read_table({"x": ["1", "two"], "y": ["a", "b"]}, target="y", kinds={"x": "numeric"})
    assert refused.value.advice == (Advice("missing", "two"), Advice("kinds", {"x": "nominal"}))
    assert refused.value.place == Place(column="x", row=2)


def test_a_note_carries_advice_and_is_still_text() -> None:
    table = cw.read_table({"id": list(range(20)), "x": list("ab") * 10, "y": list("aabb") * 5}, target="y")
    (note,) = table.notes
    assert isinstance(note, Sentence)
    assert note.advice == (Advice("kinds", {"id": "numeric"}),)
    assert note.endswith("To keep it: kinds={'id': 'numeric'}.")
    assert in_options(note).endswith("To keep it: --kind id=numeric.")


def test_advice_that_is_followed_helps() -> None:
    rows = {"id": list(range(20)), "x": list("ab") * 10, "y": list("aabb") * 5}
    (note,) = cw.read_table(rows, target="y").notes
    assert isinstance(note, Sentence)
    followed: dict[str, Any] = {each.option: each.value for each in note.advice}
    assert cw.read_table(rows, target="y", **followed).notes == ()


@pytest.mark.parametrize(
    ("advice", "typed"),
    [
        (Advice("kinds", {"a b": "text", "c": "numeric"}), "--kind 'a b=text' --kind c=numeric"),
        (Advice("kinds", {"a": "nominal"}, more=True), "--kind a=nominal"),
        (Advice("kinds"), "--kind COLUMN=KIND"),
        (Advice("ordered", {"size": ["medium", "small"]}), "--order size=medium,small"),
        (Advice("missing", "n. a."), "--missing 'n. a.'"),
        (Advice("missing", "it's"), "--missing 'it'\"'\"'s'"),
        (Advice("thousands", ","), "--thousands ','"),
        (Advice("ignore", ["a", "b"]), "--ignore a,b"),
        (Advice("header", True), "--header"),
        (Advice("max_bytes", "8GB"), "--max-bytes 8GB"),
        (Advice("row"), "--row COLUMN=VALUE,…"),
        (Advice("missing", "indicator", setting=True), "--set missing=indicator"),
        (Advice("simplify", False, setting=True), "--set simplify=false"),
        (Advice("priors", None, setting=True), "--set priors=none"),
        (Advice("distributions", {"n": "gaussian"}, setting=True), "--set distributions=n:gaussian"),
    ],
)
def test_a_shell_gets_the_option_it_takes(advice: Advice, typed: str) -> None:
    assert as_option(advice) == typed


def test_sentences_and_errors_keep_their_advice_when_joined_and_pickled() -> None:
    advice = Advice("header", False)
    sentence = Sentence("a ", Sentence("b ", advice)) + "."
    assert (sentence, sentence.advice) == ("a b header=False.", (advice,))
    assert pickle.loads(pickle.dumps(sentence)).parts == sentence.parts
    error = pickle.loads(pickle.dumps(LearningError(sentence, place=Place(row=3))))
    assert (str(error), error.advice, error.place) == (str(sentence), (advice,), Place(row=3))
    assert ClearwoodWarning(sentence).advice == (advice,)
    assert ClearwoodError("plain").advice == ()


@pytest.mark.slow
def test_every_advice_in_the_source_names_an_option_that_there_is() -> None:
    settings = {name for each in LEARNERS.values() for name in inspect.signature(each.load()).parameters}
    advised = all_advice()
    assert {option for option, setting in advised if setting} <= settings
    assert {
        option for option, setting in advised if not setting
    } <= OF_READING | OF_DRAWING | OF_EDITING | OF_STUDIES


@pytest.mark.slow
def test_every_option_of_reading_has_its_like_in_a_shell() -> None:
    flags = {*Columns.__dataclass_fields__, *Reading.__dataclass_fields__}
    for option in (
        {option for option, setting in all_advice() if not setting} - OF_DRAWING - OF_EDITING - OF_STUDIES
    ):
        name = as_option(Advice(option, "x")).split()[0].removeprefix("--").replace("-", "_")
        assert name in flags


def test_every_advised_option_of_a_study_is_one_of_its_command() -> None:
    commands = {"learner": "select", "positive": "choose", "tune": "choose", "budget": "choose"}
    commands |= {"sizes": "learning-curve", "port": "serve", "classes": "import", "costs": "compare"}
    assert set(commands) == OF_STUDIES
    for option, command in commands.items():
        assert (option, False) in all_advice()
        assert f"--{option}" in {name for each in COMMANDS[command].params for name in each.opts}
        assert as_option(Advice(option, "x")) == f"--{option} x"


def test_every_advised_option_of_editing_has_its_like_in_a_shell() -> None:
    advised = {option for option, setting in all_advice() if not setting} & OF_EDITING
    assert {"called", "with_pairs"} <= advised <= {*CurveEdits.__dataclass_fields__}
    assert [as_option(Advice("called", "b")), as_option(Advice("with_pairs", True))] == [
        "--for b",
        "--with-pairs",
    ]


@pytest.mark.slow
def test_no_sentence_names_an_option_of_reading_but_by_advice() -> None:
    """A shell would print Python's words."""
    named = re.compile(rf"(?<![\w(])({'|'.join(sorted(OF_READING - {'schema'}))})=(?!=)")
    for file, tree in parsed_sources():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)):
                continue
            for text in ast.walk(node.exc):
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    match = named.search(text.value)
                    assert not match or "read_table(" in text.value or "must be" in ast.unparse(node), file


@pytest.mark.slow
def test_nothing_is_read_out_of_the_message_of_an_error() -> None:
    readers = {"int", "float", "sub", "search", "match", "fullmatch", "findall"}
    for file, tree in parsed_sources():
        for handler in ast.walk(tree):
            if not (isinstance(handler, ast.ExceptHandler) and handler.name):
                continue
            for node in ast.walk(handler):
                if isinstance(node, ast.Call):
                    called = (
                        node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                    )
                    message = f"str({handler.name})" in ast.unparse(node)
                    assert not (called in readers and message), (file, ast.unparse(node))
                    assert not ast.unparse(node).startswith(f"str({handler.name}).split"), file


def test_chaid_refuses_a_column_by_its_place() -> None:
    values = _native.CHAID_MOST_VALUES + 1
    codes = np.arange(values * 2, dtype=np.int32) % values
    table = cw.read_table(
        {"few": [f"f{i % 2}" for i in codes], "many": [f"v{i}" for i in codes], "y": ["a", "b"] * values},
        target="y",
        kinds={"few": "nominal", "many": "nominal"},
    )
    with pytest.raises(LearningError) as refused:
        cw.CHAID().learn(table)
    assert refused.value.advice == (Advice("ignore", ["many"]),)
    assert refused.value.place == Place(column="many")


def test_a_rule_that_cannot_be_read_is_placed_in_its_text() -> None:
    table = cw.read_table({"x": ["a", "b"], "y": ["no", "yes"]}, target="y")
    with pytest.raises(RuleTextError) as refused:
        cw.read_rules("IF x = a THEN no\nIF z = b THEN yes\n", table.schema)
    assert refused.value.place == Place(line=2, letter=4)


def test_native_refusals_are_types_with_fields() -> None:
    for refusal in (
        _native.TooManyValuesError,
        _native.TooManyCombinationsError,
        _native.TooManyConditionsError,
    ):
        assert issubclass(refusal, ValueError)
        assert refusal.__module__ == "clearwood._native"
