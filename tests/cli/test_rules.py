"""Rules from the command line: learned, read from trees, simplified, scored, shown and saved."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood import datasets
from clearwood.catalogue import LEARNERS, trees
from clearwood.cli import drawing
from clearwood.learners.rules.simplifying.condition_tests import HowTested
from clearwood.models.model import RuleList
from clearwood.registry import settings_of
from tests.cli.conftest import Command
from tests.typed import sure

RULE_LEARNERS = [name for name, entry in LEARNERS.items() if entry.makes == "rules"]


@pytest.fixture
def numeric() -> Path:
    return datasets.path("tennis_numeric")


@pytest.fixture
def often(tmp_path: Path, numeric: Path) -> Path:
    """The book's table: tennis four times over."""
    head, *rows = numeric.read_text().splitlines()
    place = tmp_path / "often.csv"
    place.write_text("\n".join([head, *rows * 4]))
    return place


@pytest.mark.slow
@pytest.mark.parametrize("learner", RULE_LEARNERS)
def test_every_rule_learner_fits_saves_shows_and_predicts(
    clearwood: Command, tennis: Path, learner: str
) -> None:
    done = clearwood("fit", tennis, "-t", "PlayTennis", "-l", learner, "--save", "r.json")
    assert done.code == 0
    assert "OTHERWISE PlayTennis = " in done.out
    assert "training  " in done.out
    rules = cw.load("r.json")
    assert clearwood("show", "r.json").out.rstrip() == str(rules)
    scored = clearwood("predict", "r.json", tennis, "--json").json
    assert scored["answers"]["prediction"] == cw.predict(rules, cw.read_table(tennis)).tolist()
    judged = clearwood("fit", tennis, "-t", "PlayTennis", "-l", learner, "--cross-validate", 3, "--json").json
    assert isinstance(rules, cw.RuleList)
    assert judged["rules"] == len(rules)


def test_the_objects_table_gives_its_five_rules_in_order(clearwood: Command) -> None:
    done = clearwood(
        "fit", datasets.path("objects"), "-t", "Decision", "-l", "ila", "--set", "class_order=Yes"
    )
    assert [line.split("IF ")[1] for line in done.out.splitlines() if "IF " in line] == [
        "Color = Green THEN Decision = Yes",
        "Size = Medium THEN Decision = Yes",
        "Shape = Sphere THEN Decision = Yes",
        "Shape = Cone THEN Decision = No",
        "Size = Large AND Color = Red THEN Decision = No",
    ]
    assert "5 rules, 6 conditions; the first that holds decides · ILA from 7 rows" in done.out


def test_the_default_rule_is_folded_to_the_page_as_the_others_are(clearwood: Command, tmp_path: Path) -> None:
    long = " ".join(["a class of many words"] * 6)
    data = tmp_path / "long.csv"
    data.write_text("x,y\n" + f"a,{long}\na,{long}\nb,other\n" * 6)
    lines = clearwood("rules", data, "-t", "y", "--simplify").out.splitlines()
    last = next(line for line in lines if "OTHERWISE" in line)
    assert last.startswith("   OTHERWISE y = a class of many words")
    assert len(last) <= drawing.PAGE


def test_settings_reach_the_rule_learners(clearwood: Command, tennis: Path) -> None:
    def settings(*arguments: object) -> dict[str, object]:
        done = clearwood("fit", tennis, "-t", "PlayTennis", *arguments, "--json")
        actual: dict[str, object] = done.json["model"]["origin"]["settings"]
        return actual

    assert settings("-l", "ila2")["penalty"] == 1
    assert settings("-l", "ila", "--set", "class_order=Yes,No")["class_order"] == ["Yes", "No"]
    assert settings("-l", "cn2-unordered")["rules"] == "unordered"
    assert settings("-l", "ripper")["seed"] == 1
    assert settings("-l", "ripper", "--seed", 7)["seed"] == 7
    tree: Any = settings("-l", "tree-rules", "--set", "tree=cart:min_leaf=2,max_depth=3")["tree"]
    assert tree["learner"] == "CART"
    assert (tree["settings"]["min_leaf"], tree["settings"]["max_depth"]) == (2.0, 3)


def test_the_book_is_simplified_step_by_step(clearwood: Command, often: Path) -> None:
    done = clearwood("rules", often, "-t", "Play", "--simplify", "--keep-rules", "--ledger")
    assert "IF Wind = Weak THEN Play" in done.out
    assert "χ² = 0.2489 with 1 degree of freedom, p = 0.6179" in done.out
    assert "before: 5 rules, 9 conditions" in done.out
    assert "after:  5 rules, 7 conditions" in done.out
    shorter = clearwood("rules", often, "-t", "Play", "--simplify", "--save", "r.json", "--json").json
    assert shorter["rules"] == [
        "IF Outlook = Overcast THEN Play = Play  (16 rows, 100 %)",
        "IF Outlook = Sunny AND Humidity > 75 THEN Play = Don't Play  (12 rows, 100 %)",
        "IF Wind = Strong THEN Play = Don't Play  (8 rows, 100 %)",
        "OTHERWISE Play = Play  (20 rows, 100 %)",
    ]
    assert shorter["before"]["training"]["accuracy"] == shorter["after"]["training"]["accuracy"] == 1.0
    assert json.loads(Path("r.json").read_text()) == shorter["model"]
    assert "ledger" not in shorter


@pytest.mark.parametrize("tree", trees())
def test_rules_are_read_from_any_tree_and_scored_on_rows_held_out(
    clearwood: Command, often: Path, tree: str
) -> None:
    done = clearwood("rules", often, "-t", "Play", "--learner", tree, "--test-part", 0.25, "--json").json
    assert (done["before"]["training"]["rows"], done["before"]["held_out"]["rows"]) == (42, 14)
    assert list(done["scores"]["tables"]) == ["training", "held out"]
    figures = done["scores"]["tables"]["held out"]["rules"][0]["covers"]
    assert list(figures) == ["support", "right", "confidence", "low", "high", "lift", "coverage", "cost"]
    assert done["after"] is None


def test_each_way_to_test_is_heard(clearwood: Command, often: Path) -> None:
    chosen = ("--alpha", 0.2, "--tables", "conditional", "--choose-by", "smallest")
    adjusted = ("--adjust", "benjamini-hochberg", "--use-test", "chi-square", "--ledger")
    done = clearwood("rules", often, "-t", "Play", "--simplify", *chosen, *adjusted, "--json").json
    assert done["ledger"]["settings"] == {
        "alpha": 0.2,
        "tables": "conditional",
        "choose_by": "smallest",
        "test": "chi_square",
        "against": "class",
        "adjust": "benjamini_hochberg",
    }


@pytest.mark.slow
def test_a_saved_tree_is_simplified(clearwood: Command, often: Path) -> None:
    assert clearwood("fit", often, "-t", "Play", "--save", "tree.json").code == 0
    done = clearwood("rules", often, "--model", "tree.json", "--simplify", "--save", "rules.txt")
    assert "after:  3 rules, 4 conditions" in done.out
    first, second, *_ = Path("rules.txt").read_text().splitlines()
    assert first.startswith("IF Outlook = Overcast THEN Play = Play")
    assert second.startswith("IF Outlook = Sunny AND Humidity > 75 THEN Play = Don't Play")
    result = clearwood("rules", often, "--model", "tree.json", "--simplify", "--test-part", 0.3)
    assert "learned from all these rows" in result.err


def test_numbers_have_rules_too(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text(
        "x,y\n" + "".join(f"{'ab'[i % 2]},{i % 2 * 3 + i / 100}\n" for i in range(60))
    )
    done = clearwood("rules", "d.csv", "-t", "y", "--learner", "cart", "--set", "max_depth=1")
    assert "IF x = a or missing THEN 0.29" in done.out
    assert "RMSE" in done.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--learner", "c4.5"), "No tree called 'c4.5'. Did you mean 'c45'?"),
        (("--learner", "ila2"), "clearwood fit DATA --learner ila2"),
        (("--alpha", "0.1"), "--alpha is for simplifying: add --simplify."),
        (("--ledger",), "--ledger is for simplifying: add --simplify."),
        (("--simplify", "--alpha", "3"), "alpha must lie above 0 and at most 1"),
        (("--simplify", "--tables", "marginl"), "Did you mean 'marginal'?"),
        (("--simplify", "--use-test", "fischer"), "No test called 'fischer'. Did you mean 'fisher'?"),
        (("--simplify", "--adjust", "holms"), "Did you mean 'holm'? Choices: holm, benjamini-hochberg."),
        (
            ("--model", "m.json"),
            "--target is for learning, but --model gives a model that is already learned.",
        ),
        (("--set", "confidance=0.1"), "Did you mean 'confidence'?"),
        (("--test-part", "1"), "--test-part must leave rows on both sides"),
    ],
)
def test_a_wrong_request_gets_its_sentence(
    clearwood: Command, numeric: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    done = clearwood("rules", numeric, "-t", "Play", *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1


def test_what_cannot_be_made_into_rules_is_refused(clearwood: Command, numeric: Path, tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("x,y\n" + "".join(f"{'ab'[i % 2]},{i}.5\n" for i in range(50)))
    assert "leave --simplify out" in clearwood("rules", "n.csv", "-t", "y", "--simplify").err
    assert "ILA learns classes" in clearwood("fit", "n.csv", "-t", "y", "-l", "ila").err
    assert clearwood("fit", numeric, "-t", "Play", "-l", "ripper", "--save", "r.json").code == 0
    assert "not a tree" in clearwood("rules", numeric, "--model", "r.json").err
    both = ("rules", numeric, "--model", "r.json", "--learner", "c45")
    assert "--learner is for learning, but --model gives a model" in clearwood(*both).err
    pruned = clearwood("fit", numeric, "-t", "Play", "-l", "ripper", "--prune", "mdl").err
    assert "--prune is for trees, but ripper learns none." in pruned
    nested = clearwood("fit", numeric, "-t", "Play", "-l", "tree-rules", "--set", "tree=cart:min_lef=2").err
    assert "No setting of cart called 'min_lef'. Did you mean 'min_leaf'?" in nested


def test_long_lists_are_cut_to_a_page_and_long_rules_to_its_width(
    clearwood: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = np.random.default_rng(0)
    cells = draw.integers(0, 3, (300, 6))
    rows = [f"{','.join(f'value{c}' for c in row)},{'abc'[row.sum() % 3]}" for row in cells]
    names = ",".join(f"a_rather_long_column_{i}" for i in range(6))
    (tmp_path / "d.csv").write_text("\n".join([f"{names},y", *rows]))
    done = clearwood("fit", "d.csv", "-t", "y", "-l", "prism", "--save", "r.json")
    assert max(map(len, done.out.splitlines())) <= drawing.PAGE
    lines = [line for line in done.out.splitlines() if not line.startswith("│ ")]
    baseline = next(place for place, line in enumerate(lines) if line.startswith("baseline"))
    assert baseline < drawing.MOST_LINES + 5  # beneath it, how good the rules are
    assert "rules more (to see them, save and show it)" in done.out
    # Piped, every rule is one line, which edit and audit read; a terminal gets the table.
    assert len(clearwood("show", "r.json").out.splitlines()) == len(sure(RuleList, cw.load("r.json"))) + 1
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "72")
    shown = clearwood("show", "r.json").out.splitlines()
    assert shown[0].split() == ["rows", "right"]
    assert max(map(len, shown)) <= 72


def test_rules_of_a_number_are_read_from_cart_where_no_learner_is_named(
    clearwood: Command, tmp_path: Path
) -> None:
    place = tmp_path / "numbers.csv"
    place.write_text("x,y\n" + "\n".join(f"{each // 2},{each // 20 + each / 1000}" for each in range(60)))
    done = clearwood("rules", place, "-t", "y")
    assert done.code == 0
    assert "The target is a number, so CART learns it." in done.err
    assert "1  IF x ≤ 0.5 THEN 0.0005" in done.out
    asked = clearwood("rules", place, "-t", "y", "-l", "cart", "-s", "alpha=cv")
    assert asked.out == done.out


def test_rules_offers_the_learners_of_trees_alone(clearwood: Command, tennis: Path) -> None:
    words = clearwood("rules", "--help-all").out.replace("│", " ").split()
    offered = {word.strip(".,") for word in words}
    assert set(trees()) <= offered
    assert not {"bayes", "logistic", "ripper", "cn2"} & offered
    refused = clearwood("rules", tennis, "-t", "PlayTennis", "-l", "bayes")
    assert refused.code == 2
    assert "bayes makes no tree to read rules from." in refused.err


@pytest.mark.parametrize(
    ("option", "setting"),
    [("--tables", "tables"), ("--choose-by", "choose_by"), ("--use-test", "test"), ("--adjust", "adjust")],
)
def test_every_choice_of_the_tests_settings_is_taken_and_listed(
    clearwood: Command, often: Path, option: str, setting: str
) -> None:
    words = [
        each.replace("_", "-") for each in settings_of(HowTested)[setting].takes if isinstance(each, str)
    ]
    for word in words:
        assert clearwood("rules", often, "-t", "Play", "--simplify", option, word).code == 0
    refused = clearwood("rules", often, "-t", "Play", "--simplify", option, "anything")
    assert refused.err.rstrip().endswith(f"Choices: {', '.join(words)}.")
