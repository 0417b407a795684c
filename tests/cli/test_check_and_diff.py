"""`check` and `diff` as a server of continuous integration and a person meet them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Command

HOLDS = '[[region]]\nname = "clouds are fine"\nwhen = "Outlook = Overcast"\nanswer = "Yes"\n'
FAILS = '[[never_asks]]\ncolumn = "Wind"\n'
OPEN = '[[score]]\nscore = "accuracy"\nat_least = 0.5\nby = "Wind"\n'


def test_check_ends_with_0_if_all_hold_1_if_not_and_2_if_called_wrongly(
    clearwood: Command, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.toml").write_text(HOLDS)
    done = clearwood("check", model, "a.toml")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("holds  clouds are fine\n       exact, over 1 part of all rows that could be")
    assert done.out.endswith("1 assertion, it holds.\n")
    assert clearwood("check", model, "a.toml", "--quiet").out == ""
    (tmp_path / "b.toml").write_text(HOLDS + FAILS)
    failed = clearwood("check", model, "b.toml", "--quiet")
    assert failed.code == 1
    assert "fails  the model never uses Wind" in failed.out
    assert "2 assertions: 1 holds, 1 fails." in failed.out
    assert clearwood("check", model).code == 2


def test_check_writes_junit_with_failures_and_errors(
    clearwood: Command, model: Path, tennis: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.toml").write_text(HOLDS + FAILS + OPEN)
    few = tmp_path / "few.csv"
    few.write_text("\n".join(tennis.read_text().splitlines()[:6]) + "\n")
    assert clearwood("check", model, "a.toml", few, "--junit", "out.xml").code == 1
    suites = ElementTree.parse(tmp_path / "out.xml").getroot()
    assert suites.attrib == {"name": "clearwood check", "tests": "3", "failures": "1", "errors": "1"}
    held, failed, left_open = suites.iter("testcase")
    assert (held.get("name"), held.find("failure")) == ("clouds are fine", None)
    assert failed.find("failure").get("message") == "it uses Wind in 1 split"  # type: ignore[union-attr]
    assert left_open.find("error") is not None


def test_check_in_json_has_every_verdict_with_the_rows_that_show_it(
    clearwood: Command, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.toml").write_text('[[region]]\nwhen = "Outlook = Sunny"\nnever = "Yes"\n')
    done = clearwood("check", model, "a.toml", "--json")
    assert done.code == 1
    (verdict,) = done.json["verdicts"]
    assert (verdict["holds"], verdict["exact"], verdict["word"]) == (False, True, "fails")
    assert verdict["rows"][0]["row"]["Humidity"] == "Normal"
    assert verdict["rows"][0]["gets"] == "Yes"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[sizes]]\n", "a.toml: No kind of assertion 'sizes'. Did you mean 'size'?"),
        ("[[size]]\nof = 3\n", "a.toml: [[size]] 1: of must be a text in quotes, not 3."),
    ],
)
def test_check_refuses_with_one_sentence(
    text: str, sentence: str, clearwood: Command, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.toml").write_text(text)
    done = clearwood("check", model, "a.toml")
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1


def test_check_leaves_open_what_does_not_fit_and_checks_the_others(
    clearwood: Command, model: Path, tmp_path: Path
) -> None:
    size = '[[size]]\nof = "rules"\nat_most = 3\n'
    score = "[[score]]\nscore = 'accuracy'\nat_least = 1\n"
    (tmp_path / "a.toml").write_text('[[size]]\nof = "leaves"\nat_most = 9\n' + size + HOLDS + score)
    done = clearwood("check", model, "a.toml", "--junit", "out.xml")
    assert (done.code, done.err) == (1, "")
    assert (
        "open   rules at most 3\n       not checked: [[size]] 2: A tree of 5 leaves has no rules." in done.out
    )
    assert "scores are of rows, and none are given." in done.out
    assert done.out.endswith("4 assertions: 2 hold, 0 fail, 2 open.\n")
    counts = ElementTree.parse(tmp_path / "out.xml").getroot().attrib
    assert (counts["tests"], counts["failures"], counts["errors"]) == ("4", "0", "2")


def test_check_does_not_pass_a_misspelt_column_and_names_the_nearest(
    clearwood: Command, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.toml").write_text('[[never_asks]]\ncolumn = "Winds"\n')
    done = clearwood("check", model, "a.toml")
    assert done.code == 1
    words = " ".join(done.out.split())
    assert "The model does not know the column 'Winds'. Did you mean 'Wind'?" in words


def test_diff_lists_regions_with_the_most_rows_first(clearwood: Command, model: Path, tennis: Path) -> None:
    assert clearwood(
        "fit", tennis, "-t", "PlayTennis", "-l", "id3", "--set", "max_depth=1", "-q", "--save", "old.json"
    ).code == 0  # fmt: skip
    done = clearwood("diff", "old.json", model, tennis)
    assert done.code == 0
    assert "Of 14 rows of the data 4 rows change (28.6 %)." in done.out
    assert "No → Yes, 2 rows\n  Outlook = Sunny AND Humidity = Normal" in done.out
    assert "Origin: max_depth was 1 and is not set." in done.out
    same = clearwood("diff", model, model)
    assert "No prediction changes: every row gets what it got before." in same.out
    assert clearwood("diff", model, model, "--json").json["same_answers"] is True


def test_diff_of_other_kinds_needs_rows_and_says_so(clearwood: Command, model: Path, tennis: Path) -> None:
    assert clearwood("fit", tennis, "-t", "PlayTennis", "-l", "bayes", "-q", "--save", "b.json").code == 0
    refused = clearwood("diff", model, "b.json")
    assert refused.code == 2
    assert "They can be compared on rows only: give a table." in refused.err
    done = clearwood("diff", model, "b.json", tennis)
    assert "Compared on 14 rows." in done.out
    assert "The last file is the rows" in clearwood("diff", model, "b.json", model).err


def test_a_report_says_what_changed_since_an_older_model(
    clearwood: Command, model: Path, tennis: Path, tmp_path: Path
) -> None:
    fit = ("fit", tennis, "-t", "PlayTennis", "-l", "id3", "--set", "max_depth=1", "-q", "--save", "old.json")
    assert clearwood(*fit).code == 0
    assert clearwood("report", tennis, "--model", model, "--since", "old.json", "-o", "r.html").code == 0
    page = (tmp_path / "r.html").read_text()
    assert "What changed" in page
    assert "Beside old.json. 4 of 14 rows get another prediction" in page
    assert "Outlook = Sunny AND Humidity = Normal" in page
