"""`clearwood evaluate` says everything about how good a model is; `fit` says more than the accuracy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command


@pytest.fixture
def credit(clearwood: Command, tmp_path: Path) -> str:
    """A model of rows in which the larger x, the more of them are bad, and later rows."""
    lines = [f"{i * 37 % 100},{'bad' if i * 37 % 100 > 60 or i % 7 == 0 else 'good'}" for i in range(200)]
    (tmp_path / "first.csv").write_text("\n".join(["x,class", *lines[:120], ""]))
    (tmp_path / "later.csv").write_text("\n".join(["x,class", *lines[120:], ""]))
    clearwood("fit", "first.csv", "-t", "class", "-l", "cart", "-s", "max_depth=2", "--save", "m.json")
    return "m.json"


@pytest.mark.slow
def test_scores_matrix_costs_lift_and_calibration(clearwood: Command, credit: str) -> None:
    done = clearwood("evaluate", credit, "later.csv", "--costs", "bad/good:5", "--beta", 2)
    assert done.out.startswith(
        "│ Verdict: Not shown to cost less than always predicting bad.\n│ ! A row costs "
    )
    assert "\n\n80 rows; recall, AUC and lift are about bad\n" in done.out
    for line in ("accuracy  ", "AUC  ", "F2  ", "cost at the best cutoff", "true / predicted", "rows taken"):
        assert line in done.out
    assert "of the training rows" in done.out
    assert "these rows chose that cutoff, so that others cost more" in done.out
    data = clearwood("evaluate", credit, "later.csv", "--costs", "bad/good:5", "--json").json
    assert data["positive"] == "bad"
    assert data["scores"]["auc"]["by"] == "DeLong"
    assert data["costs"] == [[0, 1], [5, 0]] or data["costs"] == [[0, 5], [1, 0]]
    assert data["evaluation"]["confusion"]
    assert len(data["lift"]) == 10


@pytest.mark.slow
def test_negative_costs_are_profits(clearwood: Command, credit: str) -> None:
    done = clearwood("evaluate", credit, "later.csv", "--costs", "bad/good:5,good/good:-1")
    assert "expected profit" in done.out
    assert "A row brings" in done.out


@pytest.mark.slow
def test_the_training_rows_are_named_in_any_order_and_a_part_of_them_is_not(
    clearwood: Command, credit: str, tmp_path: Path
) -> None:
    head, *lines = (tmp_path / "first.csv").read_text().splitlines()
    (tmp_path / "turned.csv").write_text("\n".join([head, *lines[::-1], ""]))
    (tmp_path / "part.csv").write_text("\n".join([head, *lines[:60], ""]))
    learned = "These are the rows that the model was learned from"
    assert learned in clearwood("evaluate", credit, "turned.csv").out
    assert learned in clearwood("evaluate", credit, "turned.csv", "--json").json["notes"][0]
    assert learned not in clearwood("evaluate", credit, "part.csv").out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--positive", "bda"), "No class 'bda'. Did you mean 'bad'?"),
        (("--costs", "bad"), "--costs takes TRUE/PREDICTED:COST"),
        (("--costs", "bad/god:5"), "No class 'god'. Did you mean 'good'?"),
        (("--beta", "0"), "beta must be a number above 0"),
    ],
)
def test_wrong_wishes_are_refused(
    clearwood: Command, credit: str, options: tuple[str, ...], sentence: str
) -> None:
    assert sentence in clearwood("evaluate", credit, "later.csv", *options).err


def test_rows_without_the_truth_are_refused(clearwood: Command, credit: str, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text("x\n3\n4\n")
    assert "lacks the true classes" in clearwood("evaluate", credit, "new.csv").err


@pytest.mark.slow
def test_a_class_that_no_name_tells_is_guessed_aloud(clearwood: Command, tmp_path: Path) -> None:
    lines = [f"{i % 10},{'b' if i % 10 > 6 else 'a'}" for i in range(60)]
    (tmp_path / "d.csv").write_text("\n".join(["x,y", *lines, ""]))
    done = clearwood("fit", "d.csv", "-t", "y", "--save", "g.json")
    assert "for b (guessed): recall" in done.out
    judged = clearwood("evaluate", "g.json", "d.csv")
    assert "note: Recall, AUC and lift are about b (guessed). For another: --positive CLASS." in judged.err
    assert "for a: recall" in clearwood("fit", "d.csv", "-t", "y", "--positive", "a").out
    refused = clearwood("fit", "d.csv", "-t", "y", "--positive", "c").err
    assert "No class 'c'." in refused


@pytest.mark.slow
@pytest.mark.usefixtures("credit")
def test_fit_prints_the_baseline_and_a_small_matrix(clearwood: Command) -> None:
    done = clearwood("fit", "first.csv", "-t", "class", "--test-part", 0.3, "-q")
    verdict, _, figures = done.out.partition("\n\n")
    assert verdict.startswith("│ Verdict: ")
    names = [line[:8] for line in figures.splitlines() if not line.startswith(" ")]
    assert names[:3] == ["held out", "baseline", "training"]
    assert "          true / predicted  " in done.out
    data = clearwood("fit", "first.csv", "-t", "class", "--test-part", 0.3, "--json").json
    assert data["scores"]["positive"] == "bad"
    assert data["scores"]["scores"]["recall"]["interval"]


@pytest.mark.slow
def test_costs_that_chose_a_cutoff_judge_it_and_the_cheapest_constant_answer_is_named(
    clearwood: Command, credit: str, tmp_path: Path
) -> None:
    head, *lines = (tmp_path / "later.csv").read_text().splitlines()
    (tmp_path / "fresh.csv").write_text("\n".join([head, *lines[:40], ""]))
    (tmp_path / "last.csv").write_text("\n".join([head, *lines[40:], ""]))
    clearwood(
        "decide", credit, "fresh.csv", "--cutoff", "bad:cost", "--costs", "bad/good:5", "--save", "c.json"
    )
    own = clearwood("evaluate", "c.json", "last.csv", "--json").json
    given = clearwood("evaluate", "c.json", "last.csv", "--costs", "bad/good:5", "--json").json
    assert own["costs"] == given["costs"]
    assert own["scores"]["cost"] == given["scores"]["cost"]
    assert (
        clearwood("evaluate", "c.json", "last.csv", "--costs", "bad/good:2", "--json").json["costs"]
        != own["costs"]
    )
    done = clearwood("evaluate", "c.json", "last.csv")
    assert "baseline: always good, " in done.out
    assert "for costs always bad, the cheapest by the same probabilities" in done.out
    assert "if every row got bad, the cheapest constant class by the shares of the training rows" in done.out
    assert own["baseline"]["cheapest"] == "bad"


@pytest.mark.slow
def test_a_class_without_rows_has_a_dash_and_classes_that_are_unknown_one_sentence(
    clearwood: Command, credit: str, tmp_path: Path
) -> None:
    (tmp_path / "one.csv").write_text("x,class\n" + "3,good\n90,good\n" * 5)
    done = clearwood("evaluate", credit, "one.csv")
    assert "nan" not in done.out
    assert "\n–: no predicted row is bad" in done.out
    (tmp_path / "others.csv").write_text("x,class\n3,red\n90,blue\n")
    refused = clearwood("evaluate", credit, "others.csv")
    assert "No row has a class that the model knows" in refused.err
    assert "--recode class=blue:bad,red:good" in refused.err
    assert refused.out == ""


@pytest.mark.slow
def test_what_must_be_known_of_the_rows_stands_above_the_scores(clearwood: Command, credit: str) -> None:
    out = clearwood("evaluate", credit, "first.csv").out
    assert out.index("These are the rows that the model was learned from") < out.index("accuracy")
