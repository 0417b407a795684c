"""Learning curves, bias and variance, overfitting, stability and looking over, as a person types them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from tests.cli.conftest import Command


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Rows with a leak, a copy, a group and a time."""
    dice = np.random.default_rng(0)
    x, z = dice.random(120).round(3), dice.random(120).round(3)
    y = np.where((x > 0.5) ^ (dice.random(120) < 0.1), "b", "a")
    paid = np.where(y == "b", "yes", "no")
    rows = [f"{a},{b},p{i % 12},{p},{c}" for i, (a, b, p, c) in enumerate(zip(x, z, paid, y, strict=True))]
    place = tmp_path / "d.csv"
    place.write_text("\n".join(["x,z,who,paid,y", *rows, rows[-1]]) + "\n")
    return place


@pytest.mark.slow
def test_a_learning_curve_is_printed_drawn_and_given_as_json(clearwood: Command, data: Path) -> None:
    asked = ("learning-curve", data, "-t", "y", "-l", "c45", "-l", "cart:max_depth=1", "--ignore", "paid,who")
    done = clearwood(*asked, "--sizes", "20,60", "--cross-validate", "3", "-o", "curve.svg")
    assert done.code == 0, done.err
    assert "cart:max_depth=1 held out" in done.out
    assert "Drawn to curve.svg: Accuracy by the number of rows learned from" in done.err
    assert Path("curve.svg").read_text().startswith("<?xml")
    data_of = clearwood(*asked, "--sizes", "3", "--json").json
    assert [each["name"] for each in data_of["learners"]] == ["c45", "cart:max_depth=1"]
    assert len(data_of["rows"]) == 3


@pytest.mark.slow
def test_the_curve_is_that_of_python_with_the_same_seed(clearwood: Command, data: Path) -> None:
    asked = (
        "learning-curve",
        data,
        "-t",
        "y",
        "--ignore",
        "paid",
        "--group",
        "who",
        "--cross-validate",
        "4x2",
    )
    done = clearwood(*asked, "--seed", 3, "--sizes", "2", "--json").json
    table = cw.read_table(data, target="y", ignore=["paid"], kinds={"who": "nominal"})
    design = cw.Folds(4, 3, repeats=2, group="who")
    curves = cw.learning_curve(cw.C45(), table, sizes=2, design=design, seed=3)
    assert done["learners"][0]["held_out"] == curves.curves[0].held_out.tolist()


@pytest.mark.slow
def test_bias_and_variance_are_printed_and_drawn(clearwood: Command, data: Path) -> None:
    asked = (
        "bias-variance",
        data,
        "-t",
        "y",
        "-l",
        "cart:max_depth=1",
        "-l",
        "cart",
        "--samples",
        4,
        "--ignore",
        "paid",
    )
    done = clearwood(*asked, "-o", "parts.png")
    assert done.code == 0, done.err
    assert "Error by Domingos" in done.out
    assert Path("parts.png").read_bytes().startswith(b"\x89PNG")
    parts = clearwood(*asked, "--json", "--group", "who").json
    for each in parts["learners"]:
        sums = each["parts"]["bias"] + each["parts"]["variance"] + each["parts"]["noise"]
        assert each["error"] == pytest.approx(sums)


@pytest.mark.slow
def test_overfitting_with_and_without_noise(clearwood: Command, data: Path) -> None:
    asked = ("overfitting", data, "-t", "y", "--ignore", "paid,who", "-l", "cart")
    assert "← best" in clearwood(*asked).out
    both = clearwood(*asked, "--noise", 0, "--noise", 0.3, "--cross-validate", 3, "-o", "noise.svg")
    assert both.code == 0, both.err
    assert both.out.startswith("noise  best leaves  accuracy there")
    assert "30 %" in both.out
    assert "with 30 % noise best" in both.err
    assert "From 0 % to 30 % noise the tree grown in full goes from" in both.out
    assert "CART, grown in full: nothing is pruned but to get the smaller trees." in both.out
    refused = clearwood("overfitting", data, "-t", "y", "-l", "bayes")
    assert refused.code == 2
    assert "bayes learns none. Learners of trees: id3" in refused.err


def test_noise_is_shown_in_a_tree_that_is_not_pruned_by_default(clearwood: Command, data: Path) -> None:
    asked = ("overfitting", data, "-t", "y", "--ignore", "paid,who", "--noise", 0.3, "--json")
    usual, named = clearwood(*asked).json, clearwood(*asked, "-l", "c45").json
    assert (usual["learner"], usual["pruned"]) == ("CART", False)
    assert usual["training"][-1] > 0.95  # it has learned the noise by heart
    assert named["learner"] == "C45"
    assert "CART grows the trees, in full" in clearwood(*asked[:-1]).err


@pytest.mark.slow
def test_a_stability_sheet_is_printed_and_drawn(clearwood: Command, data: Path) -> None:
    asked = ("stability", data, "-t", "y", "--ignore", "paid,who", "--samples", 6)
    done = clearwood(*asked, "-o", "sheet.svg")
    assert done.code == 0, done.err
    assert "two models agree on a row" in done.out
    sheet = clearwood(*asked, "-l", "logistic", "-s", "penalty=l2", "--json").json
    assert {each["name"] for each in sheet["terms"]} == {"x", "z"}


@pytest.mark.slow
def test_choose_says_that_rows_are_copies_and_look_over_how_cells_are_mended(
    clearwood: Command, tmp_path: Path
) -> None:
    lines = cw.datasets.path("tennis").read_text(encoding="utf-8").splitlines()
    copied = tmp_path / "tennis_56.csv"
    copied.write_text("\n".join([lines[0], *lines[1:] * 4, ""]), encoding="utf-8")
    assert (
        "14 different ones, each 4 times"
        in clearwood("choose", copied, "-t", "PlayTennis", "-l", "id3", "-l", "bayes").err
    )
    rows = [f"{'Yy'[i % 2]},{-999 if i % 5 == 0 else i % 37},{'ab'[i % 3 % 2]}" for i in range(200)]
    data = tmp_path / "rows.csv"
    data.write_text("\n".join(["flag,lab,class", *rows, ""]), encoding="utf-8")
    over = clearwood("look-over", data, "-t", "class").out
    assert "--missing lab=-999" in over
    assert "--recode flag=Y:y" in over or "--recode flag=y:Y" in over
    mended = clearwood("look-over", data, "-t", "class", "--missing", "lab=-999", "--recode", "flag=Y:y").out
    assert "-999" not in mended.replace("(−999", "")
    assert "look like one" not in mended


def test_what_is_severe_is_noted_by_fit_and_all_is_found_by_look_over(clearwood: Command, data: Path) -> None:
    fitted = clearwood("fit", data, "-t", "y", "--json").json
    assert sum("leave it out: --ignore paid" in note for note in fitted["notes"]) == 1
    assert "ignore=['paid']" in fitted["verdict"]["leaks"][0]
    told = " ".join(clearwood("fit", data, "-t", "y").out.replace("│", "").split())
    assert told.startswith("Verdict: Better than always predicting ")
    assert "! Column 'paid' alone predicts the class of 100 % of the rows" in told
    assert told.index("leave it out: --ignore paid") < told.index("Accuracy")
    without = clearwood("fit", data, "-t", "y", "--ignore", "paid")
    assert "leave it out" not in without.out + without.err
    chosen = " ".join(clearwood("choose", data, "-t", "y", "-l", "c45").out.replace("│", "").split())
    assert "leave it out: --ignore paid" in chosen
    over = clearwood("look-over", data, "-t", "y")
    assert over.out.startswith("! Column 'paid' alone predicts the class of 100 % of the rows")
    assert "· 1 row repeats another" in over.out
    found = clearwood("look-over", data, "-t", "y", "--json").json["findings"]
    assert [each["kind"] for each in found] == ["leak", "duplicates"]
    assert "No column 'whn'" in clearwood("look-over", data, "-t", "y", "--time", "whn").err


def test_a_report_shows_what_stands_out(data: Path) -> None:
    from clearwood.reporting.data_section import data_section
    from clearwood.study.study import study_of

    section = data_section(study_of(cw.CART(), cw.read_table(data, target="y")))
    assert "What stands out" in section.html
    assert "<strong>Column" in section.html


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("learning-curve", "--sizes", "some"), "--sizes takes a whole number"),
        (("learning-curve", "--sizes", "10,500"), "--sizes must be numbers of rows up to"),
        (("learning-curve", "--score", "rmse"), "'rmse' is a score of numbers"),
        (("learning-curve", "-o", "curve.txt"), "a picture's name ends in one of .svg"),
        (("bias-variance", "--test-part", "1.5"), "--test-part must leave rows on both sides"),
        (("bias-variance", "-l", "cart", "-l", "cart"), "--learner cart is given twice"),
        (("overfitting", "--noise", "1.5"), "a share of the rows, from 0 to 1"),
        (("stability", "-l", "kart"), "Did you mean 'cart'"),
    ],
)
def test_a_wrong_request_gets_one_sentence(
    more: tuple[str, ...], sentence: str, clearwood: Command, data: Path
) -> None:
    command, *options = more
    done = clearwood(command, data, "-t", "y", "-q", *options)
    assert done.code == 2
    assert sentence in done.err
    assert len(done.err.strip().splitlines()) == 1
