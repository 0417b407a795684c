"""What every learner derives can be written in every format, and no worksheet tells what its key does."""

from __future__ import annotations

import json
import re
import warnings
from functools import cache
from xml.etree import ElementTree

import pytest

from clearwood import datasets
from clearwood.catalogue import LEARNERS
from clearwood.cli.learning import named_recipe
from clearwood.derive.as_json import derivation_to_json
from clearwood.derive.deriving import derive
from clearwood.draw.derivations import write_derivation
from clearwood.draw.derivations.sheets import key_of, written_steps
from clearwood.errors import ClearwoodWarning
from clearwood.table import read_table
from clearwood.working.derivation import Derivation
from tests.draw.derivations.test_formats import unescaped_braces

EVERY = pytest.mark.parametrize("learner", LEARNERS)


@cache
def derived(learner: str) -> Derivation:
    table = read_table(datasets.path("tennis_numeric"), target="Play")
    settings = ["min_rows=2", "min_leaf=1"] if "chaid" in learner else None
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ClearwoodWarning
        )  # of separated classes, and of cuts not worth making
        return derive(named_recipe(learner, settings, (), None).learn(table), table)


@pytest.mark.slow
@EVERY
def test_html_is_well_formed(learner: str) -> None:
    ElementTree.fromstring(write_derivation(derived(learner), format="html"))


@EVERY
def test_latex_balances(learner: str) -> None:
    text = write_derivation(derived(learner), format="latex")
    assert unescaped_braces(text) == 0
    assert len(re.findall(r"\\left\(", text)) == len(re.findall(r"\\right\)", text))
    assert len(re.findall(r"(?<!\\)\$", text)) % 2 == 0


@EVERY
def test_markdown_closes_its_blocks(learner: str) -> None:
    lines = [line.strip() for line in write_derivation(derived(learner), format="markdown").split("\n")]
    assert lines.count("```math") == lines.count("```")


@EVERY
def test_text_keeps_calculations_within_the_page(learner: str) -> None:
    text = write_derivation(derived(learner), width=72)
    sums = [line for line in text.split("\n") if re.match(r" *[=≈] ", line)]
    assert sum(len(line) > 72 for line in sums) <= len(sums) / 20


@EVERY
def test_json_is_strict(learner: str) -> None:
    json.dumps(derivation_to_json(derived(learner)), allow_nan=False)


@pytest.mark.slow
@EVERY
def test_each_blank_has_one_answer(learner: str) -> None:
    sheet = list(written_steps(derived(learner), "worksheet"))
    numbers = [blank.number for step in sheet for blank in step.blanks()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= len(sheet)
    kept = sum(len(step.in_key) for step in sheet)
    assert sum(len(step.figures) for step in key_of(iter(sheet))) == len(numbers) + kept


@pytest.mark.slow
@EVERY
def test_no_worksheet_tells_a_value_that_is_not_whole(learner: str) -> None:
    sheet = write_derivation(derived(learner), detail="worksheet", digits=12)
    key = write_derivation(derived(learner), detail="worksheet", answers=True, digits=12)
    computed = set(re.findall(r"≈ ([\d,]+\.\d{6,})", key))
    assert not [value for value in computed if value in sheet]
