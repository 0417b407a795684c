"""From a table to a tree, to its picture, to answers."""

from __future__ import annotations

import csv
import gzip
import json
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

import clearwood as cw
from clearwood import datasets
from clearwood.study.profiling import profile_of
from tests.cli.conftest import Command


def test_fit_prints_the_books_tree_and_saves_it(clearwood: Command, tennis: Path) -> None:
    done = clearwood("fit", tennis, "-t", "PlayTennis", "-l", "id3", "--save", "m.json")
    assert done.code == 0
    assert "├─ Outlook = Overcast    → Yes" in done.out
    assert "5 leaves, 8 nodes, depth 2" in done.out
    assert "training  accuracy 100.0 % (14 of 14 rows" in done.out
    table = cw.read_table(tennis, target="PlayTennis")
    assert cw.load("m.json") == replace(cw.ID3().learn(table), profile=profile_of(table))


def test_show_prints_what_fit_printed(clearwood: Command, model: Path) -> None:
    shown = clearwood("show", model)
    assert shown.out.rstrip() == str(cw.load(model))
    assert clearwood("show", model, "--depth", 1).out.count("leaves below") == 2


def test_show_as_json_is_the_model_itself(clearwood: Command, model: Path) -> None:
    assert clearwood("show", model, "--json").json == json.loads(model.read_text())


def test_predict_keeps_the_columns_and_adds_the_answer(clearwood: Command, model: Path, tennis: Path) -> None:
    assert clearwood("predict", model, tennis, "--output", "scored.csv", "--shares", "--intervals").code == 0
    rows = list(csv.DictReader(StringIO(Path("scored.csv").read_text())))
    kept = list(csv.DictReader(StringIO(tennis.read_text())))
    assert [{name: row[name] for name in kept[0]} for row in rows] == kept
    assert all(row["prediction"] == row["PlayTennis"] for row in rows)
    assert rows[0]["share_No"] == "1"
    assert 0.43 < float(rows[0]["prediction_low"]) < 0.44


def test_predict_needs_no_target_and_answers_on_standard_output(
    clearwood: Command, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "new.csv").write_text(
        "Wind,Outlook,Humidity,Temperature\nWeak,Rainy,High,Hot\nWeak,Foggy,High,Hot\n"
    )
    done = clearwood("predict", model, "new.csv")
    assert done.out.splitlines()[0] == "Wind,Outlook,Humidity,Temperature,prediction"
    assert done.out.splitlines()[1] == "Weak,Rainy,High,Hot,Yes"
    assert len(done.out.splitlines()) == 3


def test_predict_asks_only_for_the_columns_the_tree_tests(
    clearwood: Command, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "new.csv").write_text("Wind,Outlook,Humidity,PlayTennis\nWeak,Rainy,High,Yes\n")
    done = clearwood("predict", model, "new.csv")
    assert done.out.splitlines()[1] == "Weak,Rainy,High,Yes,Yes"
    assert "accuracy 100.0 % (1 of 1 row" in done.err


def test_predict_compresses_where_the_name_says_so(clearwood: Command, model: Path, tennis: Path) -> None:
    assert clearwood("predict", model, tennis, "-o", "s.tsv.gz").code == 0
    with gzip.open("s.tsv.gz", "rt", encoding="utf-8") as file:
        assert file.readline().rstrip().endswith("PlayTennis\tprediction")


def test_predict_as_json_answers_and_judges(clearwood: Command, model: Path, tennis: Path) -> None:
    answer = clearwood("predict", model, tennis, "--json", "--shares").json
    assert answer["answers"]["prediction"][:3] == ["No", "No", "Yes"]
    assert answer["answers"]["share_Yes"][2] == 1.0
    assert answer["scores"]["accuracy"] == 1.0


def test_predicted_numbers_keep_how_cells_were_written(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("code,y\n" + "01,a\n1.50,b\n?,a\n" * 4)
    assert clearwood("fit", "d.csv", "-t", "y", "--kind", "code=nominal", "--save", "m.json").code == 0
    assert clearwood("predict", "m.json", "d.csv", "-o", "s.tsv").code == 0
    assert Path("s.tsv").read_text().splitlines()[1:3] == ["01\ta\ta", "1.50\tb\tb"]


def test_schema_is_printed_saved_edited_and_given(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("size,y\n" + "S,no\nM,yes\nL,yes\n" * 3)
    result = clearwood("schema", "d.csv", "-t", "y", "--order", "size=S,M,L", "--save", "s.json")
    assert "S < M < L" in result.out
    saved = json.loads((tmp_path / "s.json").read_text())
    saved["columns"][0]["values"] = ["L", "M", "S"]
    (tmp_path / "s.json").write_text(json.dumps(saved))
    assert "L < M < S" in clearwood("schema", "d.csv", "--schema", "s.json").out
    assert clearwood("fit", "d.csv", "--schema", "s.json", "-l", "cart", "--save", "m.json").code == 0
    assert cw.load("m.json").schema["size"] == cw.Ordinal("size", ("L", "M", "S"))


def test_guesses_are_announced_with_the_option_that_undoes_them(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("id,x,y\n" + "".join(f"{i},{i % 3},{'ab'[i % 2]}\n" for i in range(30)))
    done = clearwood("fit", "d.csv", "-t", "y")
    assert "note: Column 'id' is left out" in done.err
    assert "--kind id=numeric" in done.err
    assert clearwood("fit", "d.csv", "-t", "y", "--quiet").err == ""


def test_quiet_silences_what_the_library_warns_of_as_well(clearwood: Command, tennis: Path) -> None:
    seeded = ("fit", tennis, "-t", "PlayTennis", "-l", "cart", "-s", "seed=7")
    assert "seed = 7 has no effect" in clearwood(*seeded).err
    assert clearwood(*seeded, "--quiet").err == ""


@pytest.mark.parametrize("learner", ["id3", "c45", "cart", "chaid", "exhaustive-chaid"])
def test_every_learner_fits_by_its_name(clearwood: Command, tennis: Path, learner: str) -> None:
    assert clearwood("fit", tennis, "-t", "PlayTennis", "-l", learner).code == 0


def test_settings_reach_the_learner(clearwood: Command, tennis: Path) -> None:
    chosen = ("--set", "max_depth=1", "--set", "min_rows=3", "--set", "priors=No:0.5,Yes:0.5")
    cart = ("fit", tennis, "-t", "PlayTennis", "-l", "cart", "--json")
    done = clearwood(*cart, *chosen).json
    settings = done["model"]["origin"]["settings"]
    assert (settings["max_depth"], settings["min_rows"]) == (1, 3)
    drawn = clearwood(*cart, "--set", "alpha=cv", "--seed", 7).json  # where folds are drawn, the seed too
    assert drawn["model"]["origin"]["settings"]["seed"] == 7
    assert done["depth"] == 1


@pytest.mark.parametrize(
    "prune",
    [
        "reduced-error",
        "error-based",
        "cost-complexity:alpha=0.2",
        "mdl",
        "chi-square:alpha=0.001",
        "siblings",
    ],
)
def test_every_pruner_prunes_a_fit_and_keeps_its_ledger(clearwood: Command, tennis: Path, prune: str) -> None:
    done = clearwood("fit", tennis, "-t", "PlayTennis", "-l", "id3", "--prune", prune, "--json").json
    assert done["pruned"][0]["size_after"] == done["nodes"]


def test_rows_kept_back_for_pruning_are_told_and_scored_apart(clearwood: Command, tennis: Path) -> None:
    done = clearwood("fit", tennis, "-t", "PlayTennis", "-l", "id3", "--prune", "reduced-error")
    assert "kept back from learning, to prune with: 5 of 14." in done.err
    assert "of 9 rows" in next(line for line in done.out.splitlines() if line.startswith("training"))
    pruning = next(line for line in done.out.splitlines() if line.startswith("pruning"))
    assert "of 5 rows" in pruning
    assert pruning.endswith("; these rows chose the pruning")


def test_pruning_with_the_training_rows_is_pointed_out(
    clearwood: Command, model: Path, tennis: Path, tmp_path: Path
) -> None:
    refused = clearwood("prune", model, tennis, "--method", "reduced-error")
    assert refused.code != 0
    assert "learned from these very rows" in refused.err
    (tmp_path / "fresh.csv").write_text("\n".join(tennis.read_text().splitlines()[:9]))
    done = clearwood("prune", model, "fresh.csv", "--method", "reduced-error")
    assert done.err == ""
    assert "on the rows that chose the pruning" in done.out
    assert (
        "chose the pruning"
        in clearwood("prune", model, "fresh.csv", "--method", "reduced-error", "--json").out
    )


def test_a_ledger_calls_its_pruner_as_the_option_does(clearwood: Command, model: Path, tennis: Path) -> None:
    assert clearwood("prune", model, tennis, "--method", "mdl").out.startswith("mdl: 3 cuts")


def test_the_work_of_a_pruning_is_shown_when_asked(clearwood: Command, model: Path, tennis: Path) -> None:
    done = clearwood("prune", model, tennis, "--method", "mdl", "--work").out
    assert "2. Prune the split on Wind where Outlook = Rainy?" in done
    assert "leaf ≤ subtree" in done
    assert "mdl: 3 cuts" in done


def test_rules_are_in_the_json_when_asked(clearwood: Command, model: Path, tennis: Path) -> None:
    shown = clearwood("show", model, "--json", "--rules").json
    assert shown["model"] == json.loads(model.read_text())
    assert shown["rules"][0] == "IF Outlook = Overcast THEN PlayTennis = Yes  (4 rows, 100 %)"
    fitted = clearwood("fit", tennis, "-t", "PlayTennis", "-l", "id3", "--json", "--rules").json
    assert fitted["rules"] == shown["rules"]


def test_several_columns_are_ignored_at_once(clearwood: Command, tennis: Path) -> None:
    chosen = ("--ignore", "Outlook,Wind", "--ignore", "Humidity")
    done = clearwood("schema", tennis, "-t", "PlayTennis", *chosen, "--json").json
    assert [c["name"] for c in done["columns"] if c["kind"] == "ignored"] == ["Outlook", "Humidity", "Wind"]


def test_scores_of_weighted_rows_speak_of_weight(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "w.csv").write_text("x,y,n\n" + "a,no,3\nb,yes,5\n" * 4)
    done = clearwood("fit", "w.csv", "-t", "y", "--weight", "n", "--weights-are", "counts")
    assert "(32 of 32 by weight;" in done.out


def test_nothing_explained_is_not_less_than_nothing(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("x,y\n" + "".join(f"a,{i / 10}\nb,{i / 10}\n" for i in range(40)))
    done = clearwood("fit", "d.csv", "-t", "y", "-l", "cart", "--set", "max_depth=0")
    assert " 0.0 % of the variance explained" in done.out


def test_notes_name_options_in_json_too(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("id,x,y\n" + "".join(f"k{i},{'ab'[i % 2]},no\n" for i in range(30)))
    assert any("--kind id=nominal" in each for each in clearwood("schema", "d.csv", "--json").json["notes"])


def test_prune_cuts_a_saved_tree_and_says_why(clearwood: Command, model: Path, tennis: Path) -> None:
    done = clearwood(
        "prune", model, tennis, "--method", "chi-square", "--set", "alpha=0.0001", "--save", "small.json"
    )
    assert "8 nodes → 1" in done.out
    assert "because" in done.out
    small = cw.load("small.json")
    assert isinstance(small, cw.Tree)
    assert small.size == 1


def test_held_out_rows_and_folds_judge(clearwood: Command, tennis: Path) -> None:
    held = clearwood("fit", tennis, "-t", "PlayTennis", "--test-part", 0.3, "--json").json
    assert (held["training"]["rows"], held["held_out"]["rows"]) == (10, 4)
    folds = clearwood("fit", tennis, "-t", "PlayTennis", "--cross-validate", 7, "--json").json
    assert len(folds["cross_validation"]["folds"]) == 7
    assert folds["cross_validation"]["together"]["rows"] == 14
    assert "held out" in clearwood("fit", tennis, "-t", "PlayTennis", "--cross-validate", 7).out


def test_the_same_seed_gives_the_same_answer(clearwood: Command, tennis: Path) -> None:
    arguments = ("fit", tennis, "-t", "PlayTennis", "--cross-validate", 3, "--seed", 5, "--json")
    assert clearwood(*arguments).out == clearwood(*arguments).out


def test_a_huge_tree_is_drawn_to_the_depth_a_page_holds(clearwood: Command, tmp_path: Path) -> None:
    rows = [f"{i},{i * 37 % 101},{'abc'[i * i % 7 % 3]}" for i in range(600)]
    (tmp_path / "d.csv").write_text("\n".join(["x,z,y", *rows]))
    done = clearwood("fit", "d.csv", "-t", "y", "-l", "cart", "--kind", "x=numeric", "-q", "--save", "m.json")
    assert "leaves" not in done.out
    done = clearwood("fit", "d.csv", "-t", "y", "-l", "cart", "--kind", "x=numeric")
    assert "leaves below" in done.out
    assert "Drawn to depth" in done.out
    assert len(done.out.splitlines()) < 100


@pytest.mark.slow
def test_numbers_are_predicted_too(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("x,y\n" + "".join(f"{i},{i * 0.5 + 10}\n" for i in range(60)))
    done = clearwood("fit", "d.csv", "-t", "y", "-l", "cart", "--kind", "x=numeric", "--save", "m.json")
    assert "of the variance explained" in done.out
    answer = clearwood("predict", "m.json", "d.csv", "--json", "--intervals").json
    assert answer["answers"]["prediction"][0] == pytest.approx(10, abs=0.5)


def test_a_query_is_a_table(clearwood: Command, tennis: Path) -> None:
    pytest.importorskip("duckdb")
    sql = "select * from source where Outlook <> 'Overcast'"
    done = clearwood("fit", tennis, "-t", "PlayTennis", "--query", sql, "--json").json
    assert done["training"]["rows"] == 10


def test_learners_lists_every_setting_with_its_meaning(clearwood: Command) -> None:
    listed = clearwood("learners").out
    for name in ("confidence", "alpha_merge", "raise_subtrees", "reduced-error"):
        assert name in listed
    assert clearwood("learners", "cart", "--json").json["cart"]["settings"][0]["name"] == "measure"


def test_shipped_tables_all_fit(clearwood: Command) -> None:
    for name, target in datasets.TARGETS.items():
        assert clearwood("fit", datasets.path(name), "-t", target, "-q").code == 0


def test_the_version_is_the_packages(clearwood: Command) -> None:
    assert clearwood("--version").out == f"clearwood {cw.__version__}\n"


def test_no_colour_unless_a_terminal_asks(
    clearwood: Command, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b" not in clearwood("show", model).out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[" in clearwood("show", model).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in clearwood("show", model).out


def test_json_says_null_where_there_is_no_number(clearwood: Command, model: Path, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text(
        "Wind,Outlook,Humidity,Temperature,PlayTennis\nWeak,Rainy,High,Hot,?\nWeak,Rainy,High,Hot,?\n"
    )
    assert clearwood("predict", model, "new.csv", "--json").json["scores"]["accuracy"] is None
