"""The page finds the smallest changes that Python finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.reporting.model_json import model_for_page
from clearwood.table.attributes import Numeric, Ordinal
from tests.explaining.test_smallest_change import rows, rule_lists
from tests.trees import trees

_CHANGE = """([model, row, fixed, ranges, up, down]) => {
  const study = { model, ask: predictor(model), shape: model.model === "tree" ? shapeOf(model) : null };
  const ways = { onlyUp: new Set(up ?? []), onlyDown: new Set(down ?? []) };
  const constraints = { fixed: new Set(fixed), ...ways, ranges: new Map(Object.entries(ranges)) };
  return smallestChange(study, new Map(Object.entries(row)), constraints);
}"""

FRUIT = {
    "colour": ["red", "green", None, "red", "blue", "green", "red", "blue"],
    "weight": [1.0, 2.5, 0.5, None, 2.0, 3.0, 1.5, 2.2],
    "size": [10.0, 12.0, 9.0, 30.0, 11.0, 14.0, 10.5, 12.5],
    "ripe": ["no", "yes", "no", "yes", "unsure", "yes", "no", "unsure"],
}
BY_EVIDENCE = (
    cw.NaiveBayes(),
    cw.NaiveBayes(numeric="kernel"),
    cw.NaiveBayes(numeric="cuts", cut_method="width", bins=3),
    cw.NaiveBayes(numeric="bernoulli"),
    cw.Logistic(penalty="l2"),
)

_FEW = settings(max_examples=15, suppress_health_check=list(HealthCheck))


@_FEW
@given(data=st.data(), tree=trees(numeric=False))
def test_a_tree_changes_as_in_python(run_module: Any, data: st.DataObject, tree: Tree) -> None:
    check(run_module, data, tree)


@_FEW
@given(data=st.data(), rules=rule_lists())
def test_rules_change_as_in_python(run_module: Any, data: st.DataObject, rules: RuleList) -> None:
    check(run_module, data, rules)


def test_numbers_stay_in_the_range_of_the_table(run_module: Any) -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tree = cw.C45().learn(table)
    row = {"Outlook": "Sunny", "Temperature": 24.0, "Humidity": 80.0, "Wind": "Weak"}
    completed = run_module("change.js", _CHANGE, [model_for_page(tree), row, [], {"Humidity": [65, 96]}])
    expected = cw.smallest_change(tree, row, table=table)
    assert completed["cells"] == expected.to_json()["cells"]
    assert completed["instead"] == "Play"


@pytest.mark.parametrize("learner", BY_EVIDENCE, ids=str)
@settings(parent=_FEW, max_examples=6)
@given(data=st.data())
def test_evidence_changes_as_in_python(run_module: Any, learner: Any, data: st.DataObject) -> None:
    table = cw.read_table(FRUIT, target="ripe", kinds={"size": "numeric", "weight": "numeric"})
    check(run_module, data, learner.learn(table))


def test_every_written_number_of_a_kernel_is_tried(run_module: Any) -> None:
    table = cw.read_table(FRUIT, target="ripe", kinds={"size": "numeric", "weight": "numeric"})
    model = cw.NaiveBayes(numeric="kernel").learn(table)
    row = {"colour": None, "weight": 2.5, "size": -1.5}
    completed = run_module("change.js", _CHANGE, [model_for_page(model), row, [], {}])
    assert completed["cells"] == cw.smallest_change(model, row).to_json()["cells"]


def check(run_module: Any, data: st.DataObject, model: Model) -> None:
    """The same cells, at the same cost, for the same answer."""
    row = data.draw(rows(model.schema))
    names = [attribute.name for attribute in model.schema.inputs]
    fixed = data.draw(st.lists(st.sampled_from(names), max_size=1))
    ordered = [each.name for each in model.schema.inputs if isinstance(each, Numeric | Ordinal)]
    up = data.draw(st.sets(st.sampled_from(ordered))) if ordered else set()
    down = data.draw(st.sets(st.sampled_from(ordered))) - up if ordered else set()
    limits = [fixed, {}, sorted(up), sorted(down)]
    completed = run_module("change.js", _CHANGE, [model_for_page(model), row, *limits])
    expected = cw.smallest_change(model, row, fixed=fixed, only_up=up, only_down=down).to_json()
    assert completed["proven"] == expected["proven"]
    assert completed["instead"] == expected["instead"]
    assert (completed["cells"] or []) == expected["cells"]
