"""Models drawn from the command line, in every form that a file's name can ask for."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.cli.conftest import Command


def test_a_tree_is_drawn_as_svg_with_a_sentence_on_what_is_seen(clearwood: Command, model: Path) -> None:
    done = clearwood("draw", model, "-o", "tree.svg")
    assert done.code == 0, done.err
    assert (
        "Drawn to tree.svg: A decision tree for PlayTennis with 5 leaves; its first split is on Outlook."
        in done.err
    )
    assert ET.parse("tree.svg").getroot().tag.endswith("svg")
    assert clearwood("draw", model, "-o", "tree.svg", "--json").json == {
        "saved": "tree.svg",
        "alt": "A decision tree for PlayTennis with 5 leaves; its first split is on Outlook.",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "start"),
    [
        ("png", b"\x89PNG"),
        ("pdf", b"%PDF"),
        ("mmd", b"flowchart"),
        ("dot", b"digraph"),
        ("txt", b"PlayTennis"),
    ],
)
def test_the_ending_of_the_name_says_the_form(
    clearwood: Command, model: Path, ending: str, start: bytes
) -> None:
    if ending in ("png", "pdf"):
        pytest.importorskip("vl_convert")
    assert clearwood("draw", model, "-o", f"tree.{ending}").code == 0
    assert Path(f"tree.{ending}").read_bytes().startswith(start)


def test_a_case_a_fold_a_direction_and_a_theme_are_kept(clearwood: Command, model: Path) -> None:
    done = clearwood(
        *("draw", model, "-o", "tree.svg", "--row", "Outlook=Sunny,Humidity=High", "--fold", 1),
        *("--direction", "right", "--theme", "dark"),
    )
    assert done.code == 0, done.err
    assert "The case Outlook = Sunny, Humidity = High is predicted as No." in done.err
    svg = Path("tree.svg").read_text(encoding="utf-8")
    assert "prefers-color-scheme" not in svg
    assert "… 2 leaves below" in svg


def test_rules_are_drawn_as_an_icicle_where_asked(clearwood: Command, tennis: Path) -> None:
    clearwood("fit", tennis, "--target", "PlayTennis", "--learner", "cn2", "--save", "rules.json")
    assert clearwood("draw", "rules.json", "-o", "rules.svg", "--as", "icicle").code == 0
    assert ET.parse("rules.svg").getroot().attrib["role"] == "img"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("-o", "tree.gif"), "a picture's name ends in one of .svg, .png, .pdf, .mmd, .dot, .txt."),
        (("-o", "nowhere/tree.svg"), "there is no directory nowhere"),
        (
            ("-o", "tree.svg", "--fold", "deep"),
            "--fold takes a number of levels, all or auto, not 'deep'.",
        ),
        (("-o", "tree.svg", "--direction", "up"), "No direction called 'up'."),
        (("-o", "tree.svg", "--row", "Outlok=Sunny"), "No column 'Outlok'. Did you mean 'Outlook'?"),
        (("-o", "tree.svg", "--as", "icicle"), "called 'icicle'. Kinds: tree."),
        (("-o", "tree.dot", "--theme", "dark"), "--theme is for pictures (.svg, .png, .pdf)"),
    ],
)
def test_a_wrong_wish_is_refused_with_the_way_out(
    clearwood: Command, model: Path, options: tuple[str, ...], sentence: str
) -> None:
    done = clearwood("draw", model, *options)
    assert done.code != 0
    assert sentence in done.err


def test_rules_are_no_flowchart(clearwood: Command, tennis: Path) -> None:
    clearwood("fit", tennis, "--target", "PlayTennis", "--learner", "cn2", "--save", "rules.json")
    assert "A .mmd file holds a tree" in clearwood("draw", "rules.json", "-o", "rules.mmd").err


@pytest.mark.parametrize(
    "command",
    [
        ("draw", "rules.json", "-o", "rules.svg", "--fold", "2"),
        ("draw", "rules.json", "-o", "rules.mmd"),
        ("draw", "rules.json", "-o", "rules.svg", "--as", "nomogram"),
        ("show", "rules.json", "--depth", "2"),
    ],
    ids=lambda command: " ".join(command),
)
def test_what_is_not_for_rules_calls_them_a_list_of_rules(
    clearwood: Command, tennis: Path, command: tuple[str, ...]
) -> None:
    clearwood("fit", tennis, "--target", "PlayTennis", "--learner", "ripper", "--save", "rules.json")
    done = clearwood(*command)
    assert done.code == 2
    assert "a list of 2 rules" in done.err
    assert "RuleList" not in done.err
