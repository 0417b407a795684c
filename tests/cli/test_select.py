"""`select` and `fit --select` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import clearwood as cw
from clearwood.models.lineage import Selected
from tests.cli.conftest import Command

DAYS = cw.datasets.path("tennis")
NUMBERS = cw.datasets.path("tennis_numeric")


def test_select_prints_the_ranking_of_the_function(clearwood: Command) -> None:
    table = cw.read_table(DAYS, target="PlayTennis")
    done = clearwood("select", DAYS, "-t", "PlayTennis", "--method", "relieff:2,neighbours=3")
    assert done.out.strip() == str(cw.rank_columns(table, "relieff", keep=2, neighbours=3))
    data = clearwood("select", DAYS, "-t", "PlayTennis", "--method", "gain:2", "--json").json
    assert data["kept"] == ["Outlook", "Humidity"]
    assert data["columns"][0]["score"] == pytest.approx(0.2467, abs=1e-4)


def test_select_says_how_steady_the_choice_is(clearwood: Command) -> None:
    done = clearwood("select", DAYS, "-t", "PlayTennis", "--method", "gain:2", "--stability", 20, "--seed", 3)
    steady = cw.selection_stability(
        cw.read_table(DAYS, target="PlayTennis"), cw.Selection("gain", 2), cw.Bootstrap(20, 3)
    )
    assert str(steady) in done.out
    data = clearwood(
        "select", DAYS, "-t", "PlayTennis", "--method", "gain:2", "--stability", 5, "--json"
    ).json
    assert data["stability"]["samples"] == 5


def test_select_saves_a_schema_in_which_the_others_are_ignored(clearwood: Command) -> None:
    assert clearwood("select", DAYS, "-t", "PlayTennis", "--method", "gain:2", "--save", "s.json").code == 0
    schema = cw.load_schema(Path("s.json"))
    assert [each.name for each in schema.inputs] == ["Outlook", "Humidity"]
    assert clearwood("fit", DAYS, "--schema", "s.json", "-l", "id3").code == 0


def test_forward_tries_the_learner_that_is_named_or_the_usual_one(clearwood: Command) -> None:
    named = clearwood("select", DAYS, "-t", "PlayTennis", "--method", "forward:2", "-l", "id3")
    assert "the accuracy of ID3 in 5 folds" in named.out
    usual = clearwood("select", DAYS, "-t", "PlayTennis", "--method", "backward:2,folds=3")
    assert "the accuracy of C45 in 3 folds" in usual.out


def test_fit_learns_from_the_selected_columns_and_names_them(clearwood: Command) -> None:
    done = clearwood(
        "fit", DAYS, "-t", "PlayTennis", "--select", "gain:2", "-l", "id3", "--save", "m.json", "-q"
    )
    assert done.out.startswith("│ Verdict: ")
    assert done.out.partition("\n\n")[2].splitlines()[0] == "selected  Outlook, Humidity"
    training = " ".join(done.out.partition("\ntraining ")[2].split())
    assert "; these rows also chose the columns Saved to" in training
    done_to = cw.load(Path("m.json")).origin.after[0]
    assert done_to == Selected("gain", ("Outlook", "Humidity"), 4, {"keep": 2})
    assert clearwood("predict", "m.json", DAYS).code == 0
    assert "2 of 4 columns selected by gain" in clearwood("show", "m.json").out
    data = clearwood("fit", DAYS, "-t", "PlayTennis", "--select", "gain:2", "--json").json
    assert data["selected"] == ["Outlook", "Humidity"]
    assert clearwood("fit", DAYS, "-t", "PlayTennis", "--json").json["selected"] is None


def test_a_number_alone_selects_by_mrmr_and_selects_anew_in_every_fold(clearwood: Command) -> None:
    done = clearwood("fit", NUMBERS, "-t", "Play", "--select", 2, "--cross-validate", 7, "--save", "m.json")
    assert done.code == 0
    selected = cw.load(Path("m.json")).origin.after[0]
    assert isinstance(selected, Selected)
    assert (selected.by, selected.of) == ("mrmr", 4)
    recipe = cw.Recipe(cw.C45(), before=(cw.Selection(keep=2),))
    judged = cw.cross_validate(recipe, cw.read_table(NUMBERS, target="Play"), folds=7)
    assert f"{100 * judged.score:.1f} %" in done.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("fit", "--select", "mrrm:3"), "No selector 'mrrm'. Did you mean 'mrmr'?"),
        (("fit", "--select", "mrmr:x"), "after the colon stands how many columns to keep"),
        (("fit", "--select", "0"), "after the colon stands how many columns to keep"),
        (("fit", "--select", "gain:2,bin=3"), "Did you mean 'bins'?"),
        (("fit", "--select", "9"), "there are only 4 columns to choose from"),
        (("select", "--method", "gain", "-l", "id3"), "--learner is for forward and backward"),
        (("select", "--method", "gain", "--set", "bins=3"), "--method gain:NAME=VALUE"),
        (("select", "--stability", "1"), "--stability"),
    ],
)
def test_a_wrong_request_is_one_sentence(
    clearwood: Command, arguments: tuple[str, ...], sentence: str
) -> None:
    done = clearwood(arguments[0], DAYS, "-t", "PlayTennis", *arguments[1:])
    assert done.code != 0
    assert sentence in done.err
    assert "Traceback" not in done.err


def test_a_report_of_a_model_of_selected_columns_names_what_was_selected(clearwood: Command) -> None:
    fit = clearwood("fit", DAYS, "-t", "PlayTennis", "--select", "gain:2", "-l", "id3", "--save", "m.json")
    assert fit.code == 0
    assert clearwood("report", DAYS, "-m", "m.json", "-o", "r.html").code == 0
    assert "2 of 4 columns selected by gain" in Path("r.html").read_text(encoding="utf-8")


def test_selectors_are_listed_with_their_settings(clearwood: Command) -> None:
    assert "neighbours" in clearwood("learners", "relieff").out
    assert clearwood("learners", "mrmr", "--json").json["mrmr"]["scores_by"] == "mRMR in bits"


def test_the_ranking_is_drawn_and_with_samples_how_often_each_column_is_kept(clearwood: Command) -> None:
    asked = ("select", DAYS, "-t", "PlayTennis", "--method", "gain:2")
    ranked = clearwood(*asked, "-o", "ranking.svg")
    assert "Drawn to ranking.svg: Columns by gain in bits: Outlook 0.247 kept" in ranked.err
    steady = clearwood(*asked, "-o", "kept.svg", "--stability", 5)
    assert "Drawn to kept.svg: How often each column is kept in 5 samples" in steady.err
    assert "<svg" in Path("kept.svg").read_text(encoding="utf-8")
    assert clearwood(*asked, "-o", "again.svg", "--json").json["chart"] == "again.svg"
    assert "a picture's name ends in one of" in clearwood(*asked, "-o", "ranking.txt").err
