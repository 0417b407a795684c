"""A decision that is not plain is named wherever its model is printed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import clearwood as cw
from clearwood.cli.app import program
from clearwood.models.decision import Cutoff, Decision, Isotonic, Platt
from clearwood.models.in_words import decision_words
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.model import Model

COSTS = ((0.0, 5.0), (1.0, 0.0))
PARTS = {
    "costs": (
        Decision(costs=COSTS),
        "Predicts by the costs of mistakes: No predicted as Yes 5, Yes predicted as No 1.",
    ),
    "cutoff": (Decision(cutoff=Cutoff("Yes", 0.3)), "Predicts Yes from a probability of 0.3 on."),
    "cutoff by costs": (
        Decision(cutoff=Cutoff("Yes", 0.3, COSTS)),
        "Predicts Yes from a probability of 0.3 on, chosen by the costs of mistakes: "
        "No predicted as Yes 5, Yes predicted as No 1.",
    ),
    "refer": (Decision(refer=0.6), "Refers rows whose largest probability is below 0.6."),
    "platt": (
        Decision(calibration=Platt((1.0, 1.0), (0.0, 0.0))),
        "Probabilities are calibrated by Platt's curve.",
    ),
    "isotonic": (
        Decision(calibration=Isotonic(((0.5,), (0.5,)), ((0.5,), (0.5,)))),
        "Probabilities are calibrated by steps that rise with them.",
    ),
    "prevalence": (
        Decision(prevalence=(0.9, 0.1), trained_at=(0.25, 0.75)),
        "Probabilities are moved to the prevalence No 0.9, Yes 0.1; in training it was No 0.25, Yes 0.75.",
    ),
}


def _models() -> dict[str, Model]:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    return {
        "tree": cw.ID3(max_depth=1).learn(table),
        "rules": cw.ILA().learn(table),
        "votes": cw.CN2(rules="unordered").learn(table),
        "bayes": cw.NaiveBayes().learn(table),
        "linear": cw.Logistic(penalty="l2").learn(table),
    }


@pytest.mark.parametrize(("decision", "sentence"), PARTS.values(), ids=PARTS)
@pytest.mark.parametrize("kind", ["tree", "rules", "votes", "bayes", "linear"])
def test_each_part_of_a_decision_is_a_sentence_where_the_model_is_printed(
    kind: str, decision: Decision, sentence: str, tmp_path: Path
) -> None:
    plain = _models()[kind]
    model = replace(plain, decision=decision)
    if kind == "rules":  # the first that holds decides, whatever a mistake costs
        sentence = sentence.replace("Predicts by the costs", "Learned with costs")
    assert sentence in str(model)
    assert sentence not in str(plain)
    cw.save(model, tmp_path / "model.json")
    result = CliRunner().invoke(program(), ["show", str(tmp_path / "model.json")])
    assert result.exit_code == 0
    assert sentence in result.stdout


@pytest.mark.parametrize("kind", ["tree", "rules", "votes", "linear"])
def test_the_priors_that_weight_its_shares_are_named_where_the_model_is_printed(
    kind: str, tmp_path: Path
) -> None:
    model = replace(_models()[kind], decision=Decision(factors=(1.4, 7 / 9)))
    sentence = "Probabilities are weighted by priors: No × 1.4, Yes × 0.7778."
    assert sentence in str(model)
    cw.save(model, tmp_path / "model.json")
    assert sentence in CliRunner().invoke(program(), ["show", str(tmp_path / "model.json")]).stdout


@pytest.mark.parametrize("kind", ["rules", "votes"])
def test_rules_with_their_decision_still_read_back(kind: str) -> None:
    rules = _models()[kind]
    assert isinstance(rules, RuleList)
    printed = str(replace(rules, decision=PARTS["cutoff"][0]))
    assert printed.endswith("\n# Predicts Yes from a probability of 0.3 on.")
    assert [each.then for each in cw.read_rules(printed, rules.schema)] == [each.then for each in rules]


def test_show_names_the_decision_below_the_rules_of_a_tree(tmp_path: Path) -> None:
    cw.save(replace(_models()["tree"], decision=PARTS["cutoff"][0]), tmp_path / "tree.json")
    result = CliRunner().invoke(program(), ["show", "--rules", str(tmp_path / "tree.json")])
    assert result.stdout.endswith("\n# Predicts Yes from a probability of 0.3 on.\n")


def test_of_many_classes_only_mistakes_that_cost_are_named_and_not_all_of_them() -> None:
    classes = [str(number) for number in range(6)]
    table = cw.read_table({"x": classes * 2, "y": classes * 2}, target="y")
    tree = cw.ID3().learn(table)
    dear = tuple(tuple(float(true == 0 != called) for called in range(6)) for true in range(6))
    (sentence,) = decision_words(replace(tree, decision=Decision(costs=dear)))
    assert sentence.endswith("0 predicted as 4 1, 0 predicted as 5 1.")
    every = tuple(tuple(float(true != called) for called in range(6)) for true in range(6))
    (sentence,) = decision_words(replace(tree, decision=Decision(costs=every)))
    assert sentence.endswith(", and 18 more.")
