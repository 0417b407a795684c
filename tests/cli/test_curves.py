"""The command line on additive models and ensembles: scorecards, edits, audits, and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

import clearwood as cw
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.lineage import CurveEdited
from clearwood.study.behaviour import BEHAVIOURS
from tests.cli.conftest import Command
from tests.typed import sure

AGES, HOMES = [20, 25, 30, 35, 40, 45, 50, 55] * 6, (["rent"] * 8 + ["own"] * 8 + ["none"] * 8) * 2
# Age counts the other way round for those who own: a pair that held-out rows show.
ROWS = {
    "age": AGES,
    "home": HOMES,
    "loan": [
        "l" if ((age > 37) == (home == "own")) ^ (i % 23 == 0) else "k"
        for i, (age, home) in enumerate(zip(AGES, HOMES, strict=True))
    ],
}


@pytest.fixture
def gam(tmp_path: Path) -> Path:
    table = cw.read_table(ROWS, target="loan")
    return cw.save(cw.GAM(bags=3, pairs=1, min_leaf=1, seed=1).learn(table), tmp_path / "gam.json")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    lines = [",".join(map(str, each)) for each in zip(*ROWS.values(), strict=True)]
    place = tmp_path / "rows.csv"
    place.write_text("\n".join([",".join(ROWS), *lines]))
    return place


@pytest.fixture
def forest(tmp_path: Path) -> Path:
    return cw.save(cw.Forest(trees=3).learn(cw.read_table(ROWS, target="loan")), tmp_path / "forest.json")


def test_a_scorecard_of_curves_is_printed_with_its_pairs_and_its_price(
    clearwood: Command, gam: Path, data: Path
) -> None:
    done = clearwood("scorecard", gam, data, "--points-per-doubling", 50)
    assert done.code == 0, done.err
    assert "home is missing or another value" in done.out
    assert "age × home" in done.out
    assert "On 48 rows, the card's probability differs from the model's by" in done.out
    card = clearwood("scorecard", gam, data, "--cuts", "age=30,40", "--bins", 2, "--json").json
    assert [each["when"] for each in card["lines"]][:3] == ["age ≤ 30", "30 < age ≤ 40", "age > 40"]
    assert set(card["rounding"]) == {"largest", "mean", "changed"}
    assert "--encoding is about DATA" in clearwood("scorecard", gam, "--encoding", "utf-8").err


def test_curves_are_edited_with_a_ledger_a_price_and_a_lineage(
    clearwood: Command, gam: Path, data: Path, tmp_path: Path
) -> None:
    done = clearwood(
        "edit", gam, "--flatten", "age=..30", "--smooth", "age=3", "--set-points", "home=own:-0.5",
        "--set-points", "age=50..:1", "--drop", "age × home", "--train", data, "--save", "new.json",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "1. the curve of age made level, up to 32.5" in done.out
    assert "4. points of age set, above 47.5: 1 (0.66 once centred)" in done.out
    assert "training, before" in done.out
    edited = cw.load(tmp_path / "new.json")
    assert isinstance(edited, AdditiveModel)
    assert [each.edit for each in edited.origin.after if isinstance(each, CurveEdited)] == [
        "flatten", "smooth", "set", "set", "drop",
    ]  # fmt: skip
    assert not edited.pairs


def test_the_price_on_rows_that_were_learned_from_is_said_to_say_little(
    clearwood: Command, gam: Path, data: Path
) -> None:
    done = clearwood("edit", gam, "--flatten", "age", "--test", data, "--json").json
    assert done["edits"] == ["the curve of age made level, throughout"]
    assert set(done["held_out"]["after"]) == {"accuracy", "log_loss"}
    assert any("learned from the rows of --test" in each for each in done["notes"])


def test_pairs_of_a_dropped_column_are_named_and_dropped_if_asked(
    clearwood: Command, gam: Path, tmp_path: Path
) -> None:
    kept = clearwood("edit", gam, "--drop", "age", "--save", "kept.json")
    assert "still read by 1 pair: age × home" in kept.err
    assert "--with-pairs" in kept.err
    gone = clearwood("edit", gam, "--drop", "age", "--with-pairs", "--save", "gone.json")
    assert not gone.err
    assert "age dropped with age × home" in gone.out
    models = [sure(AdditiveModel, cw.load(tmp_path / name)) for name in ("kept.json", "gone.json")]
    assert [len(model.pairs) for model in models] == [1, 0]


def test_a_monotone_curve_that_its_pairs_turn_is_said_to_be_turned(clearwood: Command, gam: Path) -> None:
    done = clearwood("edit", gam, "--monotone", "age=up")
    assert "by its pairs the score can still fall: age × home" in done.err
    alone = clearwood("edit", gam, "--monotone", "age=up", "--drop", "age*home", "-q")
    assert "made to go up only" in alone.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--delete", "1"), "--delete is about rules"),
        (("--monotone", "agee=up"), "Did you mean 'age'"),
        (("--monotone", "age"), "No direction"),
        (("--monotone", "home=up"), "its values have no order"),
        (("--monotone", "age=up", "--positive", "m"), "No class 'm'"),
        (("--monotone", "age=up:m"), "No class 'm'"),
        (("--flatten", "age=30"), "LOW..HIGH"),
        (("--flatten", "age=x..30"), "numbers around the dots"),
        (("--smooth", "age=many"), "a whole number of cells"),
        (("--smooth", "age=4"), "odd number of cells"),
        (("--set-points", "home=own"), "COLUMN=VALUE:POINTS"),
        (("--set-points", "home=boat:1"), "No value of 'home' 'boat'"),
        (("--drop", "age × hom"), "Did you mean 'age × home'"),
        (("--with-pairs",), "give it with --drop"),
        (("--positive", "l"), "--monotone or --set-points"),
        (("--save", "rules.txt"), "saved as .json"),
        (("--target", "home"), "already has the kinds"),
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else "",
)
def test_an_edit_of_curves_that_makes_no_sense_is_refused(
    clearwood: Command, gam: Path, options: tuple[str, ...], sentence: str
) -> None:
    done = clearwood("edit", gam, *options)
    assert done.code == 2
    assert sentence in done.err


def test_an_audit_says_where_the_curves_of_a_model_can_go(clearwood: Command, gam: Path, data: Path) -> None:
    done = clearwood("audit", gam)
    assert done.code == 0, done.err
    assert "Its probability lies from" in done.out
    (score,) = clearwood("audit", gam, "--json").json["scores"]
    assert [each["name"] for each in score["columns"]] == ["age", "home"]
    assert "without rows" in clearwood("audit", gam, data).err
    assert "--steps is for rules" in clearwood("audit", gam, "--steps", 5).err


@pytest.mark.parametrize("command", ["audit", "edit", "rules"])
def test_a_verb_on_rules_names_the_way_from_many_trees_to_a_tree(
    clearwood: Command, forest: Path, command: str
) -> None:
    done = clearwood(command, forest)
    assert done.code == 2
    assert f"clearwood distil {forest} DATA -l c45" in done.err


def test_a_model_in_the_place_of_a_table_is_called_one(
    clearwood: Command, gam: Path, model: Path, data: Path
) -> None:
    for command in (("fit", gam, "-t", "loan"), ("predict", gam, gam), ("schema", gam)):
        assert "holds a model, not rows" in clearwood(*command).err
    assert f"clearwood rules DATA --model {model}" in clearwood("rules", model).err
    assert "clearwood distil" in clearwood("rules", data, "-m", gam).err


def test_what_there_is_no_interval_of_is_said_without_python(
    clearwood: Command, gam: Path, forest: Path, data: Path
) -> None:
    for place in (gam, forest):
        done = clearwood("predict", place, data, "--intervals")
        assert done.code == 2
        assert "model[" not in done.err
    assert "(model, row)" not in clearwood("evidence", forest, "--row", "age=30").err


def test_a_nomogram_of_curves_is_drawn(clearwood: Command, gam: Path) -> None:
    done = clearwood("draw", gam, "-o", "n.svg", "--as", "nomogram")
    assert done.code == 0, done.err
    assert "Nomogram of" in done.err


def test_curves_and_pairs_are_counted_apart_for_machines(clearwood: Command, data: Path) -> None:
    options = ("--target", "loan", "-l", "gam", "--set", "bags=3", "--set", "pairs=1", "--set", "min_leaf=1")
    fitted = clearwood("fit", data, *options, "--seed", "1", "--cross-validate", "2", "--json").json
    assert (fitted["curves"], fitted["pairs"]) == (2, 1)
    assert len(fitted["cross_validation"]["curves_and_pairs"]) == 2


def test_the_command_line_takes_the_same_names(clearwood: Command, tennis: Path) -> None:
    done = clearwood("report", tennis, "-t", "PlayTennis", "-o", "r.html", "--also", "stability")
    assert done.code == 0, done.err
    assert BEHAVIOURS["stability"] in Path("r.html").read_text(encoding="utf-8")
    refused = clearwood("report", tennis, "-t", "PlayTennis", "-o", "s.html", "--also", "steady")
    assert refused.code == 2
    assert "--also takes one or several of" in refused.err


def test_edited_curves_are_printed_for_the_class_that_the_edit_is_about(
    clearwood: Command, gam: Path
) -> None:
    for named in ("k", "l"):
        done = clearwood("edit", gam, "--monotone", "age=down", "--positive", named)
        assert done.out.startswith(f"Log odds of {named}: ")
        assert f"made to go down only, for {named}" in done.out
