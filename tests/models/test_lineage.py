"""Lineage: every transformation of a model adds one entry, and the model says so."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.catalogue import learner_of
from clearwood.learners.trees.pruning import PRUNERS
from clearwood.models.files import from_json, to_json
from clearwood.models.lineage import (
    AsWeights,
    Balanced,
    Edited,
    Joined,
    LearnedMore,
    Pruned,
    ReadAsRules,
    Selected,
    Simplified,
    Tuned,
)
from clearwood.models.lineage_words import in_words, lineage_lines
from clearwood.table.table import Table

SETTINGS: dict[str, dict[str, Any]] = {"cost-complexity": {"alpha": 0.05}, "chi-square": {"alpha": 0.01}}


def hire() -> Table:
    return cw.read_table(cw.datasets.path("hire"), target="Hire")


def tennis() -> Table:
    return cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")


@pytest.mark.parametrize("name", sorted(PRUNERS))
def test_every_pruner_adds_its_entry(name: str) -> None:
    table = hire()
    tree = cw.ID3().learn(table)
    needs = PRUNERS[name].needs
    rows = table.take(np.arange(0, len(table), 2)) if needs == "fresh" else table
    done = PRUNERS[name](tree, rows, **SETTINGS.get(name, {}))
    (entry,) = done.tree.origin.after
    assert isinstance(entry, Pruned)
    assert (entry.pruner, dict(entry.settings)) == (done.ledger.pruner, dict(done.ledger.settings))
    assert (entry.nodes_before, entry.nodes_after) == (tree.size, done.tree.size)
    assert entry.rows == needs
    assert done.tree.origin.title == "ID3, pruned"
    assert done.tree.origin.made == tree.origin.made
    assert tree.origin.after == ()


def test_a_pruning_by_fresh_rows_remembers_its_cuts_and_names_the_rows() -> None:
    table = hire()
    grew, kept = table.take(np.arange(9)), table.take(np.arange(9, 14))
    done = cw.prune_reduced_error(cw.ID3().learn(grew), kept)
    (entry,) = done.tree.origin.after
    assert isinstance(entry, Pruned)
    assert (entry.rows, entry.cuts) == ("fresh", tuple(cut.node for cut in done.ledger))
    assert entry.fingerprint not in ("", done.tree.origin.fingerprint)


def test_a_pruned_tree_says_so_where_it_is_printed() -> None:
    tree = cw.prune_chi_square(cw.ID3().learn(hire()), alpha=0.01).tree
    assert "· ID3, pruned from 14 rows" in str(tree)
    assert "After learning: pruned by chi-square (alpha = 0.01), " in str(tree)
    assert repr(tree).startswith("<Tree ID3, pruned:")


def test_a_tree_read_as_rules_simplified_and_edited_has_all_of_it_in_order() -> None:
    table = tennis()
    rules = cw.rules_of(cw.C45().learn(table), may_be_empty=["Wind"])
    assert rules.origin.after == (ReadAsRules(("Wind",)),)
    shorter = cw.simplify_rules(rules, table, alpha=0.2).rules
    *_, entry = shorter.origin.after
    assert isinstance(entry, Simplified)
    assert (entry.settings["alpha"], entry.settings["order"]) == (0.2, "fewest_errors")
    assert (entry.rules_before, entry.rules_after) == (len(rules), len(shorter))
    assert (entry.conditions_before, entry.conditions_after) == (rules.conditions, shorter.conditions)
    assert shorter.origin.title == "rules of C45, simplified"
    assert cw.delete_rules(shorter, 1).origin.title == "rules of C45, simplified, edited by hand"


def test_every_edit_is_an_entry_with_what_it_did() -> None:
    rules = cw.rules_of(cw.C45().learn(tennis()))
    edited = cw.add_rule(rules, "IF Wind = Strong THEN Don't Play", at=2)
    edited = cw.change_rule(edited, 1, "IF Humidity > 90 THEN Don't Play")
    edited = cw.move_rule(edited, 3, 1)
    edited = cw.delete_rules(edited, 4, 2)
    edited = cw.recounted(cw.with_otherwise(edited, "Play"), tennis())
    assert edited.origin.after[1:-1] == (
        Edited("add", text="IF Wind = Strong THEN Don't Play", to=2),
        Edited("change", (1,), "IF Humidity > 90 THEN Don't Play"),
        Edited("move", (3,), to=1),
        Edited("delete", (2, 4)),
        Edited("otherwise", text="Play"),
    )
    assert edited.origin.after[-1] == Edited("recount", text=edited.origin.fingerprint)
    assert [in_words(done) for done in edited.origin.after[3:6]] == [
        "rule 3 moved to place 1",
        "rules 2, 4 deleted",
        "default set to Play",
    ]


def test_joined_rules_have_the_origin_of_both() -> None:
    table = tennis()
    expert = cw.read_rules("IF Humidity > 95 THEN Don't Play", table.schema)
    learned = cw.rules_of(cw.C45().learn(table))
    both = cw.joined(expert, learned)
    assert both.origin.after == (Joined(learned.origin),)
    assert both.origin.title == "by hand, then rules of C45"


def test_bayes_models_say_what_they_were_joined_with_and_what_more_they_learned() -> None:
    table = tennis()
    parts = [table.take(np.arange(start, 14, 3)) for start in range(3)]
    one, two, three = (cw.NaiveBayes().learn(part) for part in parts)
    both = cw.merged(one, two)
    assert both.origin.after == (Joined(two.origin),)
    assert (both.origin.title, both.origin.rows) == ("NaiveBayes", 10)
    more = one
    for part in parts[1:]:
        more = cw.NaiveBayes().learn_more(more, part)
    (entry,) = more.origin.after
    assert isinstance(entry, LearnedMore)
    assert (entry.rows, more.origin.rows) == (two.origin.rows + three.origin.rows, 14)


def test_weights_of_a_bayes_model_say_so() -> None:
    weights = cw.gaussian_bayes_as_logistic(tennis())
    assert weights.origin.after == (AsWeights(),)
    assert weights.origin.title == "weights of NaiveBayes"


def test_a_learner_within_a_learner_is_data_that_makes_it_again() -> None:
    learner = cw.TreeRules(tree=cw.CART(costs={("Play", "Don't Play"): 2.0}), alpha=0.1)
    assert learner_of(learner.learn(tennis()).origin) == learner


def test_lineage_can_be_copied_and_pickled() -> None:
    table = tennis()
    tree = cw.prune_chi_square(cw.C45().learn(table)).tree
    rules = cw.simplify_rules(tree, table).rules
    for model in (tree, rules):
        assert pickle.loads(pickle.dumps(model)).origin == model.origin
        assert copy.deepcopy(model).origin == model.origin
    assert len(cw.derive(pickle.loads(pickle.dumps(tree)), table)) > 0


def test_what_was_done_before_learning_is_in_the_file_and_in_the_words() -> None:
    done = (
        Selected("gain", ("Outlook", "Wind"), 4),
        Balanced("over", (5.0, 9.0), (9.0, 9.0), {"seed": 1}),
        Tuned({"max_depth": 3}, 30, "accuracy", simplest=True),
    )
    tree = cw.ID3().learn(hire())
    tree = replace(tree, origin=tree.origin.then(*done))
    assert from_json(to_json(tree)).origin.after == done
    assert copy.deepcopy(done) == pickle.loads(pickle.dumps(done)) == done
    assert lineage_lines(done) == [
        "2 of 4 columns selected by gain.",
        "Training rows balanced by over (seed = 1).",
        "Settings tuned by accuracy (max_depth = 3), the simplest within one standard error of the best of "
        "30 tried.",
    ]
    assert tree.origin.title == "ID3"
