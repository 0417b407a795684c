"""A score on rows that chose something says what they chose."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

import clearwood as cw
from clearwood.catalogue import LEARNERS, PRUNERS
from clearwood.learners.entry import LearnerEntry
from clearwood.learners.trees.pruning.pruner import Pruner
from clearwood.models.lineage import Calibrated, Origin, Pruned
from clearwood.study.known_rows import also_chosen, chosen_in_learning, chosen_since
from tests.cli.conftest import Command
from tests.trees import tennis_table


def _noisy(folder: Path) -> Path:
    """120 rows whose class follows x, one in five the other way round."""
    place = folder / "noisy.csv"
    lines = [f"{i * 37 % 100 / 10},{'ab'[(i * 37 % 100 > 50) ^ (i % 5 == 0)]}" for i in range(120)]
    place.write_text("x,y\n" + "\n".join(lines) + "\n")
    return place


def test_rows_that_a_tree_was_learned_from_chose_its_price_of_a_leaf_or_its_pruning() -> None:
    table = tennis_table()
    assert chosen_in_learning(cw.CART(alpha="cv", folds=3).learn(table).origin) == (
        "the price of a leaf, by cross-validation",
    )
    assert chosen_in_learning(cw.CART(alpha=0.01).learn(table).origin) == ()
    tree = cw.ID3().learn(table)
    assert chosen_in_learning(tree.origin) == ()
    assert chosen_in_learning(cw.prune_chi_square(tree).tree.origin) == ("the pruning",)
    assert chosen_in_learning(cw.prune_siblings(tree).tree.origin) == ()


def test_rows_that_tested_conditions_chose_which_stay() -> None:
    table = tennis_table()
    by_tests = ("which conditions and rules stay, by tests",)
    assert chosen_in_learning(cw.TreeRules().learn(table).origin) == by_tests
    assert chosen_in_learning(cw.TreeRules(simplify=False).learn(table).origin) == ()
    rules = cw.simplify_rules(cw.rules_of(cw.ID3().learn(table)), table).rules
    assert chosen_in_learning(rules.origin) == by_tests
    inner = cw.TreeRules(tree=cw.CART(alpha="1se", folds=3)).learn(table)
    assert len(chosen_in_learning(inner.origin)) == 2


def test_a_new_learner_and_a_new_pruner_say_themselves_what_rows_choose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Mine:
        pass

    entry = LearnerEntry(Mine, "A new one.", "tree", chooses=lambda settings: (f"k = {settings['k']}",))
    monkeypatch.setitem(LEARNERS, "mine", entry)
    monkeypatch.setitem(cast("dict[str, Pruner]", PRUNERS), "harmless", PRUNERS["siblings"])
    assert chosen_in_learning(Origin("Mine", {"k": 3}, after=(Pruned("harmless"),))) == ("k = 3",)
    assert chosen_in_learning(Origin("ID3", after=(Pruned("harmless"), Pruned("nobody's")))) == (
        "the pruning",
    )


def test_rows_that_came_later_chose_what_was_done_with_them() -> None:
    later = (Pruned("reduced-error", rows="fresh", fingerprint="b9"), Calibrated("platt", 20, "c3"))
    origin = Origin("ID3", after=later)
    assert chosen_since(origin, "b9") == ("the pruning",)
    assert chosen_since(origin, "c3") == ("the calibration",)
    assert chosen_since(origin, "00") == ()
    assert also_chosen(()) == ""


@pytest.mark.slow
def test_fit_and_rules_say_what_the_training_rows_chose(clearwood: Command, tmp_path: Path) -> None:
    data = _noisy(tmp_path)
    done = clearwood("fit", data, "-t", "y", "-l", "cart", "--set", "alpha=1se", "--test-part", 0.3)
    held_out, _, training = " ".join(done.out.split()).partition(" training accuracy ")
    assert " held out accuracy " in held_out
    assert training.endswith("; these rows also chose the price of a leaf, by cross-validation")
    assert "chose" not in held_out
    plain = clearwood("fit", data, "-t", "y", "-l", "cart", "--set", "max_depth=1")
    assert "chose" not in plain.out
    actual = clearwood("fit", data, "-t", "y", "-l", "cart", "--set", "alpha=cv", "--json").json
    assert actual["training_chose"] == ["the price of a leaf, by cross-validation"]
    before, after = clearwood("rules", data, "-t", "y", "--simplify", "-q").out.split("after:")
    assert "chose" not in before
    assert "; these rows also chose which conditions and rules stay, by tests" in after


@pytest.mark.slow
def test_a_report_says_what_the_rows_chose(tmp_path: Path) -> None:
    data = _noisy(tmp_path)
    page = cw.report(data, target="y", learner=cw.CART(alpha="cv")).html
    assert "These rows also chose the price of a leaf, by cross-validation." in page
    assert "They chose the price, so that the held-out error of the one chosen is somewhat too low." in page
    assert "The rows learned from also chose which conditions and rules stay" in page
    assert "these rows chose the size: on others expect it to do less well" in page


@pytest.mark.slow
def test_rows_that_chose_the_pruning_do_not_judge_the_pruned_tree(tmp_path: Path) -> None:
    table = cw.read_table(_noisy(tmp_path), target="y")
    train, back = cw.hold_out(table, 0.4, 0)
    pruned = cw.prune_reduced_error(cw.ID3().learn(table.take(train)), table.take(back)).tree
    study = cw.report(table.take(back), model=pruned).study
    assert study.judged is None
    assert study.unjudged.startswith("These rows chose the pruning")
    assert cw.report(table, model=pruned).study.judged is not None


def test_calibration_on_the_training_rows_says_so(clearwood: Command, tmp_path: Path) -> None:
    data = _noisy(tmp_path)
    clearwood("fit", data, "-t", "y", "--save", "m.json")
    assert (
        "These are the rows that the model was learned from" in clearwood("calibration", "m.json", data).err
    )
    fewer = tmp_path / "fewer.csv"
    fewer.write_text("\n".join(data.read_text().splitlines()[:60]) + "\n")
    assert "learned from" not in clearwood("calibration", "m.json", fewer).err
