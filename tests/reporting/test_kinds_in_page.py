"""Kinds in the page: it knows every one that Python has, and says so of any other."""

from __future__ import annotations

import inspect
import json
import re
from typing import Any, get_args

import pytest

import clearwood as cw
from clearwood.models.files import to_json
from clearwood.models.model import Model
from clearwood.reporting import evidence_json
from clearwood.reporting.model_json import model_for_page
from clearwood.web.joining import page_modules
from tests.models.test_kinds import MODELS

_NOTHING = "new Map(), { shares: null, answer: 1 }"
_OF_A_KIND = {
    "model": ("predict.js", "(model) => predictor(model)"),
    "model explained": ("answer_view.js", f"(model) => whyView({{ model }}, {_NOTHING})"),
    "model changed": ("change.js", "(model) => smallestChange({ model }, new Map(), {})"),
}


@pytest.mark.parametrize("where", _OF_A_KIND)
def test_a_model_of_an_unknown_kind_is_refused(run_module: Any, where: str) -> None:
    module, function = _OF_A_KIND[where]
    model = {**model_for_page(MODELS["LinearModel"]), "model": "forest"}
    with pytest.raises(Exception, match="This page knows no model of the kind 'forest'"):
        run_module(module, function, model)


def test_the_page_says_which_quantile_is_predicted(run_module: Any) -> None:
    table = cw.read_table({"x": [1, 2, 3, 4], "y": [1, 4, 9, 16]}, target="y")
    words: dict[str, Any] = {
        "0.9 quantile of y": cw.Boosting(loss="quantile", quantile=0.9, trees=2),
        "Median of y": cw.CART(measure="absolute"),
        "y": cw.CART(),
    }
    for said, learner in words.items():
        given = model_for_page(learner.learn(table))
        assert run_module("answer_view.js", "(model) => answer_view_js.predictedText(model)", given) == said


@pytest.mark.parametrize("kind", ["BayesTables", "LinearModel", "AdditiveModel"])
def test_a_term_of_an_unknown_kind_is_refused(run_module: Any, kind: str) -> None:
    model = model_for_page(MODELS[kind])
    model["terms"][0]["kind"] = "beta"
    with pytest.raises(Exception, match="This page knows no term of the kind 'beta'"):
        run_module("predict.js", "(model) => predictor(model)", model)


@pytest.mark.parametrize("use", ["conditions_js.holds(given, 3)", "condition_words_js.conditionText(given)"])
def test_a_condition_of_an_unknown_kind_is_refused(run_module: Any, use: str) -> None:
    with pytest.raises(Exception, match="This page knows no condition of the kind 'column, sounds_like'"):
        run_module("condition_words.js", f"(given) => {use}", {"column": "x", "sounds_like": 3})


def test_a_model_is_known_by_a_switch_never_by_what_it_is_not() -> None:
    for name, text in page_modules().items():
        assert not re.search(r"@type \{\w+Model\} \*/ \(model\)", text), name


def test_every_switch_over_a_kind_ends_in_a_refusal() -> None:
    for name, text in page_modules().items():
        for actual in re.finditer(r"^( *)switch \((.+)\) \{\n(?s:.*?)^\1\}\n", text, re.MULTILINE):
            if actual[2] == "key":  # of the keyboard: any other key is nobody's
                continue
            assert re.search(r"default:\s+(return )?unknownKind\(", actual[0]), f"{name}: {actual[2]}"


@pytest.mark.parametrize("module", ["predict.js", "answer_view.js", "change.js"])
def test_every_kind_of_model_has_a_case_in_the_page(module: str) -> None:
    text = page_modules()[module]
    for model in MODELS.values():
        kind = json.loads(to_json(model))["model"]
        assert re.search(rf'case "{kind}":|\b{kind}: \w', text), kind


def test_every_switch_over_models_names_every_kind() -> None:
    kinds = {json.loads(to_json(model))["model"] for model in MODELS.values()}
    for name, text in page_modules().items():
        for actual in re.finditer(r"^( *)switch \(model\.model\) \{\n(?s:.*?)^\1\}\n", text, re.MULTILINE):
            assert kinds <= set(re.findall(r'case "(\w+)":', actual[0])), f"{name}: {actual[0][:200]}"


def test_every_term_that_a_page_is_given_is_known_to_it() -> None:
    listed = re.search(r"^const MAKERS = \{(.*)\};$", page_modules()["evidence.js"], re.MULTILINE)
    assert listed is not None
    made = set(re.findall(r"(\w+):", listed[1]))
    assert made == set(re.findall(r'"kind": "(\w+)"', inspect.getsource(evidence_json)))


def test_every_kind_of_model_is_tried() -> None:
    assert {type(model) for model in MODELS.values()} == set(get_args(Model))
