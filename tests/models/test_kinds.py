"""Every verb on the public page, given a model it is not for, says so in a sentence of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.models.model import Model
from clearwood.table.table import Table

TABLE: Table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
MODELS: dict[str, Model] = {
    "Tree": cw.ID3().learn(TABLE),
    "RuleList": cw.ILA().learn(TABLE),
    "BayesTables": cw.NaiveBayes().learn(TABLE),
    "LinearModel": cw.Logistic(penalty="l2").learn(TABLE),
}
VERBS: dict[str, tuple[str, Callable[[Any], object]]] = {
    "leaf_of": ("Tree", lambda model: cw.leaf_of(model, TABLE)),
    "rules_of": ("Tree", cw.rules_of),
    "prune_chi_square": ("Tree", cw.prune_chi_square),
    "prune_siblings": ("Tree", cw.prune_siblings),
    "prune_cost_complexity": ("Tree", lambda model: cw.prune_cost_complexity(model, 0.1)),
    "cost_complexity_path": ("Tree", cw.cost_complexity_path),
    "prune_error_based": ("Tree", lambda model: cw.prune_error_based(model, TABLE)),
    "prune_description_length": ("Tree", cw.prune_description_length),
    "prune_reduced_error": ("Tree", lambda model: cw.prune_reduced_error(model, TABLE)),
    "simplify_rules": ("RuleList or Tree", lambda model: cw.simplify_rules(model, TABLE)),
    "rule_scores": ("RuleList or Tree", lambda model: cw.rule_scores(model, TABLE)),
    "write_rules": ("RuleList", cw.write_rules),
    "add_rule": ("RuleList", lambda model: cw.add_rule(model, "ALWAYS THEN No")),
    "change_rule": ("RuleList", lambda model: cw.change_rule(model, 1, "ALWAYS THEN No")),
    "delete_rules": ("RuleList", lambda model: cw.delete_rules(model, 1)),
    "move_rule": ("RuleList", lambda model: cw.move_rule(model, 1, 2)),
    "with_otherwise": ("RuleList", lambda model: cw.with_otherwise(model, "No")),
    "joined": ("RuleList", lambda model: cw.joined(model, model)),
    "recounted": ("RuleList", lambda model: cw.recounted(model, TABLE)),
    "compare_scores": ("RuleList", lambda model: cw.compare_scores(model, model, training=TABLE)),
    "learn_more": ("RuleList", lambda model: cw.ILA().learn_more(model, TABLE, TABLE)),
    "evidence": ("BayesTables or LinearModel", lambda model: cw.evidence(model, {"Outlook": "Sunny"})),
    "nomogram": ("BayesTables", cw.nomogram),
    "at_prevalence": ("BayesTables", lambda model: cw.at_prevalence(model, {"Yes": 0.5})),
    "merged": ("BayesTables", lambda model: cw.merged(model, model)),
    "scorecard": ("LinearModel", cw.scorecard),
    "estimates": ("LinearModel", cw.estimates),
    "side_by_side": ("LinearModel", lambda model: cw.side_by_side({"one": model})),
}
OF_ANY: dict[str, Callable[[Any], object]] = {
    "predict": lambda model: cw.predict(model, TABLE),
    "shares": lambda model: cw.shares(model, TABLE),
    "intervals": lambda model: cw.intervals(model, TABLE),
    "row_predictor": cw.row_predictor,
    "evaluate": lambda model: cw.evaluate(model, TABLE),
    "calibration": lambda model: cw.calibration(model, TABLE),
}


@pytest.mark.parametrize("given", MODELS)
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_takes_its_kind_and_refuses_the_others(verb: str, given: str) -> None:
    wanted, call = VERBS[verb]
    if given in wanted.split(" or "):
        call(MODELS[given])
    else:
        with pytest.raises(SettingError, match=f"{verb} takes a {wanted}, not a {given}"):
            call(MODELS[given])


@pytest.mark.parametrize("verb", OF_ANY)
def test_a_learner_is_no_model_yet(verb: str) -> None:
    with pytest.raises(SettingError, match=f"{verb} takes a model, not a C45. Learn one first"):
        OF_ANY[verb](cw.C45())


def test_a_tree_is_shown_the_way_to_rules() -> None:
    with pytest.raises(SettingError, match=r"rules first: rules_of\(tree\)"):
        cw.write_rules(MODELS["Tree"])  # type: ignore[arg-type]


def test_an_estimator_is_asked_for_its_model() -> None:
    fitted = cw.C45Classifier().fit([["a"], ["b"]], ["yes", "no"])
    with pytest.raises(SettingError, match=r"estimator\.model_"):
        cw.predict(fitted, TABLE)


def test_only_a_learner_is_cross_validated() -> None:
    with pytest.raises(SettingError, match="takes a learner, such as C45"):
        cw.cross_validate(MODELS["Tree"], TABLE)  # type: ignore[arg-type]
