"""`clearwood derive` shows the work of any learner, in any format, and refuses with a way out."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import clearwood as cw
from clearwood import datasets
from clearwood.cli import run
from clearwood.models.decision import Cutoff, Decision
from tests.cli.conftest import Command


@pytest.fixture(autouse=True)
def _tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in datasets.TARGETS:
        shutil.copy(datasets.path(name), tmp_path)
    monkeypatch.chdir(tmp_path)


TENNIS = ["derive", "tennis.csv", "--target", "PlayTennis", "--learner", "id3"]
BAYES = ["derive", "buys_computer.csv", "--target", "buys_computer", "--learner", "bayes"]


def derived(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(arguments) == code
    printed = capsys.readouterr()
    return printed.out if code == 0 else printed.err


def test_every_substitution_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    text = derived(capsys, *TENNIS)
    assert "  H(S) = −Σ_c p_c·log₂ p_c\n" in text
    assert "       = −(5/14)·log₂(5/14) − (9/14)·log₂(9/14)\n       ≈ 0.9403" in text
    for gain in ("0.2467", "0.02922", "0.1518", "0.04813"):
        assert f"≈ {gain}" in text


def test_digits_and_detail(capsys: pytest.CaptureFixture[str]) -> None:
    text = derived(capsys, *TENNIS, "--detail", "short", "--digits", "6")
    assert "  H(S) = 0.940286" in text
    assert "Σ" not in text


def test_one_place_and_one_answer(capsys: pytest.CaptureFixture[str]) -> None:
    place = derived(capsys, *TENNIS, "--at", "Outlook=Sunny", "-d", "short")
    assert "Gain(Humidity) = 0.971" in place
    assert "Overcast" not in place
    answer = derived(capsys, *BAYES, "--row", "age=<=30,income=medium,student=yes,credit_rating=fair")
    assert "≈ 0.7678" in answer


def test_a_worksheet_and_its_key(capsys: pytest.CaptureFixture[str]) -> None:
    sheet = derived(capsys, *TENNIS, "--detail", "worksheet")
    key = derived(capsys, *TENNIS, "--answers")
    assert "0.9403" not in sheet
    assert "② ____" in sheet
    assert "0.9403" in key
    assert "____" not in key


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("work.txt", "ID3 on PlayTennis\n"),
        ("work.md", "# ID3 on PlayTennis\n"),
        ("work.tex", "\\documentclass"),
        ("work.html", "<!DOCTYPE html>"),
    ],
)
def test_the_ending_chooses_the_format(name: str, begins: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert derived(capsys, *TENNIS, "-o", name) == ""
    assert Path(name).read_text(encoding="utf-8").startswith(begins)


def test_a_fragment_has_no_document_around_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert derived(capsys, *TENNIS, "--format", "latex", "--fragment").startswith("\\section*{")


def test_json_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(derived(capsys, *TENNIS, "--json"))
    names = {figure["name"]: figure["value"] for figure in data["steps"][0]["figures"]}
    assert names["Gain(Outlook)"] == pytest.approx(0.24674981977443933)
    assert data["steps"][0]["outcome"]["branches"] == [
        "Outlook = Overcast",
        "Outlook = Rainy",
        "Outlook = Sunny",
    ]


@pytest.mark.slow
def test_a_saved_model_is_derived_from_its_table_alone(capsys: pytest.CaptureFixture[str]) -> None:
    derived(capsys, "fit", "tennis.csv", "-t", "PlayTennis", "-l", "id3", "--save", "tree.json")
    assert derived(capsys, "derive", "tennis.csv", "--model", "tree.json") == derived(capsys, *TENNIS)
    text = Path("tennis.csv").read_text(encoding="utf-8")
    Path("other.csv").write_text(text.replace("Sunny", "Rainy", 1), encoding="utf-8")
    assert "learned from other rows" in _refused(capsys, "derive", "other.csv", "--model", "tree.json")
    assert "lacks a column" in _refused(capsys, "derive", "hire.csv", "--model", "tree.json")
    assert "give the table" in _refused(capsys, "derive", "--model", "tree.json")
    both = _refused(capsys, *TENNIS, "--model", "tree.json")
    assert "--learner is for learning, but --model gives a model" in both


def test_a_bayes_model_answers_without_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    derived(capsys, "fit", "buys_computer.csv", "-t", "buys_computer", "-l", "bayes", "--save", "bayes.json")
    assert "P(yes | the row)" in derived(capsys, "derive", "--model", "bayes.json", "--row", "student=yes")


def test_a_table_of_one_row(capsys: pytest.CaptureFixture[str]) -> None:
    Path("one.csv").write_text("Outlook,Play\nSunny,Yes\n", encoding="utf-8")
    assert "a leaf" in derived(capsys, "derive", "one.csv", "-t", "Play", "-l", "id3")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([*TENNIS, "--at", "Outlook=Foggy"], "No value of Outlook called 'Foggy'"),
        ([*TENNIS, "--at", "Outlook=Sunny,Wind=Weak"], "branches are: Humidity = High, Humidity = Normal"),
        ([*TENNIS, "--at", "Outlok=Sunny"], "Did you mean 'Outlook'?"),
        ([*BAYES, "--row", "incom=medium"], "Did you mean 'income'?"),
        ([*BAYES, "--row", "income=Medium"], "No value of income 'Medium'. Did you mean 'medium'?"),
        ([*TENNIS, "--row", "Outlook=sunny"], "Did you mean 'Sunny'?"),
        ([*BAYES, "--at", "income=medium"], "Only a tree has places"),
        (["derive"], "Name a table to learn from, or a model: --model MODEL."),
        (["derive", "tennis.csv"], "--target COLUMN"),
        ([*TENNIS, "-o", "work.pdf"], "End it in .txt, .md, .tex, .html"),
        ([*TENNIS, "--format", "word"], "Formats: text, markdown, pandoc, latex, html."),
        ([*TENNIS, "--detail", "sort"], "Did you mean 'short'?"),
        ([*TENNIS, "--answers", "--detail", "short"], "key to a worksheet"),
        ([*TENNIS, "--fragment"], "for latex and html"),
        ([*TENNIS, "-o", "tennis.csv", "--format", "text"], "Write to another file"),
    ],
)
def test_what_cannot_be_derived_is_refused(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sentence in _refused(capsys, *arguments)


def test_json_takes_no_layout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*TENNIS, "--json", "--detail", "short"]) == 2
    assert "is about layout, but --json writes data" in json.loads(capsys.readouterr().out)["error"]


def _refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return derived(capsys, *arguments, code=2)


def test_a_value_never_seen_is_taken_where_it_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Foggy" in derived(capsys, *TENNIS, "--row", "Outlook=Foggy,Wind=Weak", "--allow-unseen")


def test_a_worksheet_of_a_chapter_and_without_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    pruning = ["derive", "tennis_numeric.csv", "--target", "Play", "--detail", "worksheet"]
    assert "Prune the split on Humidity" in derived(capsys, *pruning, "--chapter", "Pruning")
    assert "interval from" not in derived(capsys, *pruning, "--no-intervals")


def test_mathematics_for_pandoc(capsys: pytest.CaptureFixture[str]) -> None:
    text = derived(capsys, *TENNIS, "--format", "pandoc")
    assert "```" not in text
    assert text.count("  $$\n") % 2 == 0
    assert "  $$\n  \\begin{aligned}\n" in text


def test_no_name_begins_a_tag_of_html_in_mathematics(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    evil = "<script>alert(1)</script>"
    place = tmp_path / "evil.csv"
    place.write_text(f"{evil},class\n" + f"{evil},{evil}\nb,no\n" * 5)
    for format in ("pandoc", "markdown"):
        text = derived(
            capsys, "derive", str(place), "--target", "class", "--learner", "id3", "--format", format
        )
        assert "$$" in text or format == "markdown"
        assert not re.search(r"(?<!\\)<(?=[a-zA-Z/!?])", text)


def test_an_answer_that_a_cutoff_decides_is_derived(clearwood: Command, tennis: Path) -> None:
    table = cw.read_table(tennis, target="PlayTennis")
    model = replace(cw.NaiveBayes().learn(table), decision=Decision(cutoff=Cutoff("Yes", 0.99)))
    cw.save(model, "m.json")
    done = clearwood("derive", "--model", "m.json", "--row", "Outlook=Overcast,Humidity=High")
    assert done.code == 0
    assert "is below the cutoff, 0.990: the prediction is No." in " ".join(done.out.split())
