"""Costs of mistakes in learners of rules: they weigh the search, decide the answers, and hide no row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.catalogue import LEARNERS as LISTED
from clearwood.errors import SettingError
from clearwood.models.in_words import decision_words
from clearwood.registry import settings_of
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table

LEARNERS: list[Any] = [cw.RIPPER, cw.CN2, cw.PRISM, cw.C45Rules, cw.ILA2, cw.TreeRules]
OWN_SEARCH = [each for each in LEARNERS if each is not cw.TreeRules]  # its answers are its tree's
COSTS = {("rare", "common"): 8.0}


def _table(rows: int = 400, seed: int = 5) -> Table:
    random = np.random.default_rng(seed)
    x, y = random.normal(size=rows), random.normal(size=rows)
    likely = 1 / (1 + np.exp(2.2 - 1.5 * x))
    target = (random.uniform(size=rows) < likely).astype(np.int32)
    group = np.where(x + random.normal(size=rows) > 1, 2, (y > 0).astype(int)).astype(np.int32)
    schema = Schema(
        (Numeric("x"), Numeric("y"), Nominal("group", ("a", "b", "c"))), Nominal("class", ("common", "rare"))
    )
    return Table(schema, {"x": x.round(1), "y": y.round(1), "group": group, "class": target})


def _cost(model: Any, table: Table) -> float:
    score = cw.evaluate(model, table)
    assert isinstance(score, ClassEvaluation)
    confusion = np.array(score.confusion)
    return float((confusion * [[0.0, 1.0], [8.0, 0.0]]).sum())


@pytest.mark.parametrize("learner", OWN_SEARCH)
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
def test_costs_lower_the_cost_of_a_rule_list_and_its_counts_stay_those_of_the_rows(learner: Any) -> None:
    table = _table()
    plain, dear = learner().learn(table), learner(costs=COSTS).learn(table)
    assert _cost(dear, table) <= _cost(plain, table)
    assert _cost(dear, _table(seed=6)) < _cost(plain, _table(seed=6))
    assert [rule.counts for rule in dear] == [rule.counts for rule in cw.recounted(dear, table)]
    assert "costs of mistakes" in str(decision_words(dear))


@pytest.mark.parametrize("learner", OWN_SEARCH)
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
def test_every_rule_answers_the_class_of_least_expected_cost_among_its_rows(learner: Any) -> None:
    for entry in learner(costs=COSTS).learn(_table()).entries:
        if any(entry.counts):
            common, rare = entry.counts
            assert entry.then == ("rare" if 8 * rare > common else "common")


def test_the_rules_of_a_tree_give_their_costs_to_its_learner() -> None:
    table = _table()
    given, within = cw.TreeRules(costs=COSTS), cw.TreeRules(tree=cw.C45(costs=COSTS))
    assert given.learn(table).rules == within.learn(table).rules
    assert given.learn(table).decision.costs == ((0.0, 1.0), (8.0, 0.0))


def test_voting_rules_decide_by_costs() -> None:
    table = _table()
    plain = cw.CN2(rules="unordered", min_rows=10).learn(table)
    dear = cw.CN2(rules="unordered", min_rows=10, costs=COSTS).learn(table)
    assert dear.matching == "vote"
    assert _cost(dear, table) < _cost(plain, table)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
def test_rules_at_cost_are_derived_to_the_same_rules(learner: Any) -> None:
    table = _table(60)
    rules = learner(costs=COSTS).learn(table)
    derived = cw.derive(rules, table)
    assert len(derived) > 0
    if learner is not cw.TreeRules:
        assert "what mistakes about its class cost" in derived[-1].decision


@pytest.mark.parametrize("learner", [cw.RIPPER, cw.CN2, cw.PRISM, cw.ILA2])
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
def test_steps_beside_rules_at_cost_are_of_the_same_rules(learner: Any) -> None:
    table = _table(60)
    rules, _ = learner(costs=COSTS).learn_with_steps(table)
    assert (rules.rules, rules.otherwise) == (
        learner(costs=COSTS).learn(table).rules,
        learner(costs=COSTS).learn(table).otherwise,
    )


def test_an_unknown_class_in_costs_is_refused_by_name() -> None:
    with pytest.raises(SettingError, match="No class 'rear'"):
        cw.RIPPER(costs={("rear", "common"): 2}).learn(_table())


@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
def test_rules_learned_with_costs_cannot_learn_more() -> None:
    learner = cw.ILA2(costs=COSTS)
    table = _table(60)
    with pytest.raises(SettingError, match="cannot learn more"):
        learner.learn_more(cw.ILA2().learn(table), table, table)


def test_costs_given_by_label_reach_the_learner_of_an_estimator() -> None:
    table = _table()
    x = np.stack([table.columns["x"], table.columns["y"]], axis=1)
    plain = cw.RIPPERClassifier().fit(x, table.target)
    dear = cw.RIPPERClassifier(costs={(1, 0): 8}).fit(x, table.target)
    assert (dear.predict(x) == 1).sum() > (plain.predict(x) == 1).sum()


def test_every_learner_of_the_catalogue_takes_costs() -> None:
    assert [name for name, entry in LISTED.items() if "costs" not in settings_of(entry.load())] == []
