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
from clearwood.models.in_words import in_words, lineage_by_time, lineage_lines
from clearwood.models.lineage import (
    BY_HAND,
    AsWeights,
    Balanced,
    Calibrated,
    Chosen,
    CurveEdited,
    Decided,
    Distilled,
    Done,
    Edited,
    EndedEarly,
    Imported,
    Joined,
    LearnedMore,
    LearnerAsData,
    Origin,
    Pruned,
    ReadAsRules,
    Selected,
    Simplified,
    Tuned,
)
from clearwood.models.model import balanced_words, refuse_balanced
from clearwood.models.predicted import predicted, predicted_quantile, quantile_in_words
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
        Chosen(("id3", "gam", "ripper"), "accuracy", simplest=True),
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
        "Chosen by accuracy, the simplest within one standard error of the best of 3 contenders.",
    ]
    assert tree.origin.title == "ID3"


# In words, and what becomes of the title: an entry of each sort.

GAM, C45 = Origin("GAM"), Origin("C45")
ENTRIES: list[tuple[Done, str, str]] = [
    (Selected("relief", ("a",), 1, {"columns": 1}), "1 of 1 column selected by relief (columns = 1)", "C45"),
    (Balanced("smote", (1.0, 9.0), (9.0, 9.0)), "training rows balanced by smote", "C45"),
    (
        Tuned({"depth": 3, "m": None}, 1200, "gini"),
        "settings tuned by gini (depth = 3), the best of 1,200 tried",
        "C45",
    ),
    (Chosen(("id3", "gam"), "log loss"), "chosen by log loss, the best of 2 contenders", "C45"),
    (Pruned("mdl", {}, 1, 1), "pruned by mdl, 1 node → 1", "C45, pruned"),
    (
        Pruned("reduced-error", {"k": 0.5, "of": LearnerAsData("CART", {})}, 2000, 1001, "fresh"),
        "pruned by reduced-error (k = 0.5, of = CART) on rows given for it, taken to be new to the tree, "
        "2,000 nodes → 1,001",
        "C45, pruned",
    ),
    (
        Pruned("cost", {"costs": {"a": 1.0, "b": 2}}, 3, 1),
        "pruned by cost (costs = a 1, b 2), 3 nodes → 1",
        "C45, pruned",
    ),
    (ReadAsRules(), "its leaves read as rules", "rules of C45"),
    (Simplified({}, 1, 1, 2, 1), "simplified, 1 rule → 1, 2 conditions → 1", "C45, simplified"),
    (Edited("add", text="ALWAYS THEN no", to=2), "rule 2 added: ALWAYS THEN no", "C45, edited by hand"),
    (Edited("change", (3,), "a THEN b"), "rule 3 changed to a THEN b", "C45, edited by hand"),
    (Edited("delete", (1, 4)), "rules 1, 4 deleted", "C45, edited by hand"),
    (Edited("move", (2,), to=7), "rule 2 moved to place 7", "C45, edited by hand"),
    (Edited("otherwise", text="no"), "default set to no", "C45, edited by hand"),
    (Edited("recount", text="0f"), "counted again", "C45"),
    (
        CurveEdited("monotone", ("age",), "up, of bad"),
        "the curve of age made to go up only, of bad",
        "C45, edited by hand",
    ),
    (
        CurveEdited("monotone", ("age",), "down"),
        "the curve of age made to go down only",
        "C45, edited by hand",
    ),
    (
        CurveEdited("flatten", ("age",), "from 3 on"),
        "the curve of age made level, from 3 on",
        "C45, edited by hand",
    ),
    (CurveEdited("smooth", ("age",), "twice"), "the curve of age smoothed twice", "C45, edited by hand"),
    (CurveEdited("set", ("a", "b"), "a = 1"), "points of a × b set, a = 1", "C45, edited by hand"),
    (CurveEdited("drop", ("a",)), "a dropped", "C45, edited by hand"),
    (CurveEdited("drop", ("a",), "with its pairs"), "a dropped with its pairs", "C45, edited by hand"),
    (Joined(GAM), "joined with GAM", "C45, then GAM"),
    (Joined(C45), "joined with C45", "C45"),
    (Distilled(GAM, 0.98765, 90), "distilled from GAM, with a fidelity of 0.988", "C45, distilled from GAM"),
    (
        Distilled(GAM, 0.5, 90, by="shares", alpha=0.001),
        "distilled from the probabilities of GAM, with a fidelity of 0.500, and pruned at 0.001 a leaf",
        "C45, distilled from GAM",
    ),
    (
        Distilled(GAM, 0.5, 90, quantile=0.5),
        "distilled from GAM, whose medians it imitates, with a fidelity of 0.500",
        "C45, distilled from GAM",
    ),
    (
        Distilled(GAM, 0.5, 90, quantile=0.9),
        "distilled from GAM, whose 0.9 quantiles it imitates, with a fidelity of 0.500",
        "C45, distilled from GAM",
    ),
    (Imported("LightGBM", "4.1", "gbdt"), "imported from LightGBM 4.1 gbdt", "C45"),
    (Imported("WEKA", called="J48"), "imported from WEKA J48", "C45"),
    (
        EndedEarly(37, 100, "tree", "interrupted"),
        "learning was interrupted after 37 of 100 trees",
        "C45, interrupted",
    ),
    (
        EndedEarly(1, 100, "tree", "no error"),
        "learning ended after 1 of 100 trees: the last makes no error, so that no row would weigh more",
        "C45",
    ),
    (
        EndedEarly(2, 9, "round", "chance"),
        "learning ended after 2 of 9 rounds: the next was no better than chance by the rows' weights",
        "C45",
    ),
    (
        EndedEarly(2, 9, "round", "beyond numbers"),
        "learning ended after 2 of 9 rounds: the weights of the rows grew beyond numbers",
        "C45",
    ),
    (
        EndedEarly(2, 9, "round", "no step"),
        "learning ended after 2 of 9 rounds: no split that the settings allow (min_child and others) lowers "
        "the loss any more",
        "C45",
    ),
    (LearnedMore(1200), "learned from 1,200 more rows", "C45"),
    (LearnedMore(0, rounds=1), "1 round added on the same rows", "C45"),
    (LearnedMore(1, rounds=20), "20 rounds added on 1 other row", "C45"),
    (LearnedMore(7, rounds=0), "no round added on 7 other rows: none lowered the held-out loss", "C45"),
    (AsWeights(), "written as weights", "weights of C45"),
    (Calibrated("platt", 1), "calibrated by Platt's curve on 1 row given for it", "C45"),
    (Calibrated("isotonic"), "calibrated by isotonic steps", "C45"),
    (
        Calibrated("platt", 40, by="training", log_loss=(0.75, 0.5)),
        "calibrated by Platt's curve in folds of the training rows, log loss 0.7500 → 0.5000 on rows it was "
        "not fitted to",
        "C45",
    ),
    (
        Calibrated("beta", by="none", log_loss=(0.75, 0.5), brier=(0.25, 0.125)),
        "calibrated by beta, log loss 0.7500 → 0.5000, Brier score 0.2500 → 0.1250 on rows it was not fitted "
        "to",
        "C45",
    ),
    (
        Decided("cutoff", "to 0.3 for bad", "fresh", 1200),
        "cutoff set to 0.3 for bad on 1,200 rows given for it",
        "C45",
    ),
    (Decided("refer", by="training"), "limit for referring rows set in folds of the training rows", "C45"),
    (Decided("costs"), "costs set", "C45"),
]


@pytest.mark.parametrize(("done", "words", "title"), ENTRIES, ids=[words for _, words, _ in ENTRIES])
def test_each_sort_of_entry_has_its_words_and_its_part_of_the_title(
    done: Done, words: str, title: str
) -> None:
    assert in_words(done) == words
    assert C45.then(done).title == title
    assert copy.deepcopy(done) == pickle.loads(pickle.dumps(done)) == done
    tree = cw.ID3().learn(hire())
    tree = replace(tree, origin=tree.origin.then(done))
    assert from_json(to_json(tree)).origin.after == (done,)


def test_what_came_before_learning_how_it_ended_and_what_came_after_are_told_apart() -> None:
    before: list[Done] = [Selected("gain", ("a",), 4), Balanced("over", (1.0, 9.0), (9.0, 9.0))]
    before += [Tuned({}, 3, "gini"), Chosen(("a", "b"), "gini")]
    ended, imported = EndedEarly(2, 9, "round", "chance"), Imported("WEKA")
    after: list[Done] = [AsWeights(), Decided("costs")]
    done: list[Done] = [ended, after[0], *before, imported, after[1]]
    by_time = lineage_by_time(done)
    assert (by_time.before, by_time.ended) == (tuple(before), (ended,))
    assert by_time.after == (after[0], imported, after[1])
    lines = lineage_lines(done)
    assert lines[4:] == [
        "Imported from WEKA.",
        f"L{in_words(ended)[1:]}.",
        "After learning: written as weights; costs set.",
    ]
    assert lines[0] == "1 of 4 columns selected by gain."
    assert lineage_lines([ended]) == lines[5:6]
    assert lineage_lines([]) == []


def test_a_title_says_each_thing_once_but_where_another_lies_between() -> None:
    pruned, by_hand, counted = Pruned("mdl"), Edited("delete", (1,)), Edited("recount")
    assert C45.then(pruned, pruned).title == "C45, pruned"
    assert C45.then(pruned, Decided("costs"), counted, pruned).title == "C45, pruned"
    assert (
        C45.then(pruned, ReadAsRules(), Simplified(), Simplified()).title
        == "rules of C45, pruned, simplified"
    )
    assert (
        C45.then(Simplified(), by_hand, Simplified()).title == "C45, simplified, edited by hand, simplified"
    )
    assert C45.then(by_hand, by_hand, CurveEdited("drop", ("a",))).title == "C45, edited by hand"
    assert C45.then(counted, by_hand).title == "C45, edited by hand"
    assert Origin(BY_HAND).then(by_hand).title == BY_HAND
    # What was joined to it was written by a person: that it is edited goes without saying.
    assert C45.then(Joined(Origin(BY_HAND)), by_hand).title == "C45, then by hand"
    assert C45.then(Joined(GAM), by_hand).title == "C45, then GAM, edited by hand"


def test_directions_are_those_of_the_learner_or_of_its_members() -> None:
    up = {"monotone": {"age": "up"}}
    assert Origin("CART", up).directed
    assert Origin("Bagging", {"of": LearnerAsData("CART", up)}).directed
    assert not Origin("Bagging", {"of": LearnerAsData("CART", {})}).directed
    assert not Origin("Bagging", {"of": "CART"}).directed
    assert not Origin("CART", {"monotone": None}).directed


def test_a_model_predicts_the_quantile_of_the_one_that_it_imitates_until_it_is_counted_again() -> None:
    cars = cw.read_table({"weight": [1, 2, 3, 4], "mpg": [40, 33, 21, 15]}, target="mpg")
    tree = cw.CART().learn(cars)
    imitates, again = Distilled(GAM, 1.0, 4, quantile=0.9), Edited("recount", text="0f")

    def after(*done: Done) -> cw.Tree:
        return replace(tree, origin=tree.origin.then(*done))

    assert predicted(after(imitates)) == "the 0.9 quantile of mpg"
    assert predicted_quantile(after(imitates, Edited("delete", (1,)))) == 0.9
    assert predicted_quantile(after(imitates, again)) is None
    assert predicted_quantile(after(again, imitates)) == 0.9
    assert predicted_quantile(after(imitates, replace(imitates, quantile=None))) is None
    assert predicted(cw.CART(measure="absolute").learn(cars)) == "the median of mpg"
    assert predicted(cw.Boosting(loss="poisson", trees=1).learn(cars)) == "the mean of mpg"
    assert predicted(cw.Boosting(trees=1).learn(cars)) == "mpg"
    assert quantile_in_words(0.25, "mpg") == "the 0.25 quantile of mpg"


def test_a_model_of_balanced_rows_says_so_until_it_is_counted_again() -> None:
    over = Balanced("over", (5.0, 9.0), (9.0, 9.0))
    tree, weights = cw.ID3().learn(hire()), cw.Logistic(penalty="l2").learn(hire())
    balanced = replace(tree, origin=tree.origin.then(over))
    (sentence,) = balanced_words(balanced)
    assert sentence.endswith(" are of the training rows balanced by over (no 5 → 9, yes 9 → 9).")
    (sentence,) = balanced_words(replace(weights, origin=weights.origin.then(over)))
    assert sentence.endswith("yes 9 → 9), too sure where rows were made or repeated.")
    assert balanced_words(tree) == []
    assert balanced_words(replace(tree, origin=tree.origin.then(over, Edited("recount", text="0f")))) == []
    assert len(balanced_words(replace(tree, origin=tree.origin.then(over, Edited("delete", (1,)))))) == 1
    refuse_balanced(tree.origin, "Merging")
    with pytest.raises(cw.errors.LearningError, match=r"Merging counts rows .* balanced by over"):
        refuse_balanced(balanced.origin, "Merging")


@pytest.mark.parametrize(("classes", "more"), [(12, ""), (13, ", and 1 more"), (1012, ", and 1,000 more")])
def test_twelve_classes_of_balanced_rows_are_named(classes: int, more: str) -> None:
    names = tuple(f"c{place}" for place in range(classes))
    schema = cw.Schema((), cw.Nominal("y", names))
    ones = (1.0,) * classes
    rules = cw.RuleList(schema, (), cw.Otherwise("c0"), origin=C45.then(Balanced("over", ones, ones)))
    (sentence,) = balanced_words(rules)
    assert sentence.count("→") == 12
    assert sentence.endswith(f"c11 1 → 1{more}).")
