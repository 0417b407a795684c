"""What every learner derives can be written in every format, and no worksheet tells what its key does."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import warnings
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from clearwood import datasets
from clearwood.catalogue import LEARNERS
from clearwood.cli.learning import named_recipe
from clearwood.deriving.as_json import derivation_to_json
from clearwood.deriving.deriving import derive
from clearwood.draw.derivations import write_derivation
from clearwood.draw.derivations.sheets import Detail, key_of, written_steps
from clearwood.errors import ClearwoodWarning
from clearwood.formulas.expressions import Number, Sum
from clearwood.table import read_table
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import Figure, Grid
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


@pytest.mark.parametrize("detail", ["full", "worksheet"])
@EVERY
def test_latex_has_a_letter_for_every_character(learner: str, detail: Detail) -> None:
    """What the preamble would write by its number, as pdfLaTeX has no letter for it, is not there."""
    document = write_derivation(derived(learner), format="latex", detail=detail, standalone=True)
    assert "DeclareUnicodeCharacter" not in document
    assert all(ord(letter) < 0x180 or letter in "–—‘’“”†‡•€™" for letter in document)


@pytest.mark.parametrize("detail", ["full", "worksheet"])
@EVERY
def test_tables_in_latex_fit_the_page(learner: str, detail: Detail) -> None:
    """Each is measured against the line before it is set, and has no more rows than a page."""
    text = write_derivation(derived(learner), format="latex", detail=detail)
    tables = re.findall(
        r"\\sbox0\{.*?\\begin\{tabular\}.*?\\end\{tabular\}\n\}\\ifdim\\wd0>\\linewidth", text, re.S
    )
    assert len(tables) == text.count(r"\begin{tabular}")
    assert all(table.count(r"\\") <= 44 for table in tables)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdfLaTeX")
@pytest.mark.parametrize("detail", ["full", "worksheet"])
@EVERY
def test_pdflatex_sets_every_derivation_within_the_page(learner: str, detail: Detail, tmp_path: Path) -> None:
    document = write_derivation(derived(learner), format="latex", detail=detail, standalone=True)
    (tmp_path / "sheet.tex").write_text(document, encoding="utf-8")
    run = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "sheet.tex"],
        cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-2000:]
    beyond = [float(each) for each in re.findall(r"Overfull \\hbox \(([\d.]+)pt", run.stdout)]
    assert max(beyond, default=0.0) < 10  # 3.5 mm, in margins of 25


def test_a_calculation_in_latex_has_the_width_that_its_name_leaves() -> None:
    """A name of 30 characters beside a line of 64 stood 12 mm off the page."""

    def first_line(name: str) -> str:
        figure = Figure(name, 1200.0, put_in=Sum((Number(100.0),) * 12))
        derivation = Derivation("Sums", [Step("Chapter", "Step", (figure,), "")])
        return write_derivation(derivation, format="latex").partition("&= ")[2].partition(r"\\")[0]

    assert first_line("m").count("100") == 11
    assert first_line("m" * 30).count("100") == 9


def test_a_wide_table_in_latex_goes_on_below_after_the_names_of_its_rows() -> None:
    columns = ("row", *(f"a rather long column {number}" for number in range(8)))
    rows = [(f"row {number}", *(0.5,) * 8) for number in range(50)]
    figure = Figure("wide", None, grids=(Grid("", columns, rows),))
    derivation = Derivation("Wide", [Step("Chapter", "Step", (figure,), "")])
    text = write_derivation(derivation, format="latex", most_rows=None)
    heads = re.findall(r"\\toprule\n & (.*) \\\\", text)
    assert all(each.startswith("row & ") for each in heads)
    assert {name for each in heads for name in each.split(" & ")} == set(columns)
    assert text.count("row 49 &") == len(heads) // 2
