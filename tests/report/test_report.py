"""Reports: every kind of model in one page, which opens without a word."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import clearwood as cw
from clearwood.cli.app import app
from tests.browser import SCREENSHOTS
from tests.report.conftest import Opened


def test_a_report_has_every_part_and_opens_without_a_word(opened: Opened) -> None:
    found = cw.report(cw.datasets.path("tennis"), target="PlayTennis", learner=cw.ID3())
    tab = opened(found.html)
    headings = [each.inner_text() for each in tab.locator("main > section > h2").all()]
    assert headings == [
        "The data",
        "The model",
        "The tree as rules",
        "What decides",
        "How good it is",
        "Ask it about a row",
        "How it came about",
        "Model card",
    ]
    tab.screenshot(path=SCREENSHOTS / "report-tennis.png", full_page=True)


def test_the_same_table_gives_the_same_bytes() -> None:
    made = [cw.report(cw.datasets.path("tennis_numeric"), target="Play").html for _ in range(2)]
    assert made[0] == made[1]


def test_the_command_writes_the_page_and_tells_itself_in_it(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    how = ["report", str(cw.datasets.path("tennis")), "--target", "PlayTennis", "-l", "id3", "-o", str(out)]
    answer = CliRunner().invoke(app, how)
    assert answer.exit_code == 0, answer.output
    assert "--target PlayTennis --learner id3" in out.read_text(encoding="utf-8")


def test_a_name_that_is_neither_html_nor_pdf_is_refused(tmp_path: Path) -> None:
    with pytest.raises(cw.errors.SettingError, match="html"):
        cw.report(cw.datasets.path("tennis"), target="PlayTennis").save(tmp_path / "report.docx")
