"""The heading of a model file holds what was done to a model and how it decides, and comes back as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from clearwood.errors import ModelFileError
from clearwood.models.decision import Cutoff, Decision, Isotonic, Platt
from clearwood.models.files import from_json, json_schema, to_json
from clearwood.models.files.heading import PLACE, schema_text
from clearwood.models.kinds.kind import NumbersProfile, Profile, ValuesProfile
from clearwood.models.lineage import (
    AsWeights,
    Calibrated,
    Decided,
    Done,
    Edited,
    Imported,
    Joined,
    LearnedMore,
    LearnerAsData,
    Origin,
    Pruned,
    ReadAsRules,
    Simplified,
)
from tests.trees import tennis_tree
from tests.typed import values_of

DONE: tuple[Done, ...] = (
    Pruned("reduced_error", {"confidence": 0.1}, 9, 5, "fresh", "ab12"),
    ReadAsRules(("Humidity",)),
    Simplified({"alpha": 0.05}, 5, 4, 9, 7),
    Edited("move", (3,), "", 1),
    Joined(Origin("ILA", after=(Edited("add", (), "ALWAYS THEN No", 2),))),
    LearnedMore(3, "cd34"),
    AsWeights(),
    Imported("scikit-learn", "1.9.1", "GaussianNB", "ab12"),
    Calibrated("platt", 20, "ef56"),
    Decided("cutoff", "Yes at 0.3"),
)
DECISIONS = (
    Decision(),
    Decision(factors=(2.0, 0.5), costs=((0.0, 1.0), (5.0, 0.0))),
    Decision(cutoff=Cutoff("Yes", 0.3), refer=0.6),
    Decision(cutoff=Cutoff("Yes", 0.3, ((0.0, 1.0), (5.0, 0.0)))),
    Decision(calibration=Platt((1.5, 1.25), (0.1, -0.1)), prevalence=(0.1, 0.9), trained_at=(0.4, 0.6)),
    Decision(calibration=Isotonic(((0.0, 1.0), (0.5,)), ((0.25, 0.75), (0.5,)))),
)


def comes_back(model: Any) -> None:
    text = to_json(model)
    jsonschema.validate(json.loads(text, parse_constant=pytest.fail), json_schema())
    assert from_json(text) == model


@pytest.mark.parametrize("done", DONE, ids=lambda done: type(done).__name__)
def test_everything_done_to_a_model_comes_back(done: Done) -> None:
    origin = Origin("C45", {"min_rows": 2}, "0.2", "ab", 14, (done,), "sampling")
    comes_back(replace(tennis_tree(), origin=origin))


def test_a_learner_within_a_learner_comes_back() -> None:
    inner = LearnerAsData("AdaBoost", {"of": LearnerAsData("CART", {"max_depth": 1}), "trees": 10})
    comes_back(replace(tennis_tree(), origin=Origin("Bagging", {"of": inner, "parts": (0.5, None)})))


def test_a_mapping_that_reads_like_a_learner_is_refused_when_saved() -> None:
    origin = Origin("C45", {"priors": {"learner": "a", "settings": {}}})
    with pytest.raises(ModelFileError, match=r"settings\.priors reads like a learner"):
        to_json(replace(tennis_tree(), origin=origin))


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.by)
def test_every_decision_comes_back(decision: Decision) -> None:
    comes_back(replace(tennis_tree(), decision=decision))


def test_a_profile_of_the_training_rows_comes_back_a_column_a_line() -> None:
    tree = tennis_tree()
    columns = {
        each.name: ValuesProfile(tuple(range(len(values_of(each)))), 1.5)
        for each in (*tree.schema.attributes, tree.schema.target)
        if each is not None
    }
    model = replace(tree, profile=Profile(14, 14.0, columns))
    comes_back(model)
    name = tree.schema.attributes[0].name
    lines = [line for line in to_json(model).split("\n") if f'"{name}": ' in line]
    assert lines == [f'   "{name}": {{"kind": "values", "counts": [0, 1, 2], "missing": 1.5}},']


def test_a_number_that_is_none_is_refused_when_saved() -> None:
    profile = Profile(14, float("inf"), {})
    with pytest.raises(ModelFileError, match="A model with inf among its numbers cannot be saved"):
        to_json(replace(tennis_tree(), profile=profile))


FORGERIES: tuple[tuple[Callable[[dict[str, Any]], object], str], ...] = (
    (lambda d: d["origin"].pop("after"), "origin: 'after' is missing"),
    (
        lambda d: d["origin"].update(after=[{"did": "painted"}]),
        r"origin.after\[0\]: No did of after 'painted'",
    ),
    (lambda d: d["origin"].update(after=[{}]), r"origin.after\[0\]: 'did' is missing"),
    (lambda d: d["origin"].update(after=["pruned"]), r"origin.after\[0\] must be an object"),
    (
        lambda d: d["origin"].update(
            after=[{"did": "learned more", "rows": -1, "fingerprint": "", "rounds": None}]
        ),
        r"origin.after\[0\].rows must be a whole number ≥ 0, not -1",
    ),
    (
        lambda d: d["origin"].update(after=[{"did": "as weights", "how": 1}]),
        r"origin.after\[0\]: No field 'how'",
    ),
    (lambda d: d["origin"].update(weights_are="tons"), "origin.weights_are: No weights are called 'tons'"),
    (lambda d: d["origin"].update(settings=[]), "origin.settings must be an object"),
    (lambda d: d.pop("profile"), "the file: 'profile' is missing"),
    (lambda d: d.update(profile=[]), "profile must be an object"),
    (
        lambda d: d.update(profile=_profile({"Rain": _values(2)})),
        "profile.columns.Rain: the schema has no such column",
    ),
    (
        lambda d: d.update(profile=_profile({"Outlook": _values(7)})),
        "profile.columns.Outlook.counts must be 3 numbers, not 7",
    ),
    (
        lambda d: d.update(profile=_profile({"Outlook": {"kind": "sets"}})),
        "profile.columns.Outlook: No kind of Outlook 'sets'",
    ),
    (lambda d: d["decision"].update(refer=1.5), "decision.refer must be a finite number from 0 to 1"),
    (lambda d: d["decision"].update(refer=True), "decision.refer must be a finite number from 0 to 1"),
    (lambda d: d["decision"].update(cutoff={"positive": "Ja", "at": 0.5, "costs": []}), "No class 'Ja'"),
    (lambda d: d["decision"].update(cutoff={"positive": "Yes"}), "decision.cutoff: 'at' is missing"),
    (
        lambda d: d["decision"].update(cutoff={"positive": "Yes", "at": 0.5}),
        "decision.cutoff: 'costs' is missing",
    ),
    (
        lambda d: d["decision"].update(
            cutoff={"positive": "Yes", "at": 0.5, "costs": []}, costs=[[0, 1], [1, 0]]
        ),
        "costs and a cutoff both choose",
    ),
    (lambda d: d["decision"].update(prevalence=[0.5, 0.5]), "prevalence and trained_at go together"),
    (
        lambda d: d["decision"].update(prevalence=[0.5, 0.6], trained_at=[0.5, 0.5]),
        "decision.prevalence must be 2 probabilities that sum to 1",
    ),
    (
        lambda d: d["decision"].update(prevalence=[0.5, 0.5], trained_at=[0, 1]),
        "a class that no training row had",
    ),
    (
        lambda d: d["decision"].update(calibration={"method": "magic"}),
        "decision.calibration: No method of calibration 'magic'",
    ),
    (
        lambda d: d["decision"].update(
            calibration={"method": "platt", "slopes": [1], "intercepts": [0], "least": 0.1}
        ),
        "decision.calibration.slopes must be 2 numbers, one per class",
    ),
    (
        lambda d: d["decision"].update(
            calibration={"method": "isotonic", "at": [[0.5, 0.5], [0]], "share": [[0, 1], [0]]}
        ),
        r"decision.calibration.at\[0\] must increase",
    ),
    (
        lambda d: d["decision"].update(
            calibration={"method": "isotonic", "at": [[0.2, 0.5], [0]], "share": [[1, 0], [0]]}
        ),
        r"decision.calibration.share\[0\] must not fall",
    ),
    (lambda d: d["body"].update(answers="mode"), "body.answers: No answers called 'mode'"),
    (
        lambda d: d["body"].update(answers="median"),
        "not a tree: Leaves of classes hold probabilities, not a median",
    ),
)


def _profile(columns: dict[str, Any]) -> dict[str, Any]:
    of_all = {"marks": {}, "whole_rows": 0, "whole_marks": {}}
    return {"rows": 1, "weight": 1, "columns": columns, **of_all}


def _values(width: int) -> dict[str, Any]:
    return {"kind": "values", "counts": [0] * width, "missing": 0}


@pytest.mark.parametrize(("forge", "sentence"), FORGERIES, ids=[each for _, each in FORGERIES])
def test_a_forged_heading_gets_a_sentence(forge: Callable[[dict[str, Any]], object], sentence: str) -> None:
    data = json.loads(to_json(tennis_tree()))
    forge(data)
    with pytest.raises(ModelFileError, match=sentence):
        from_json(json.dumps(data))


@pytest.mark.parametrize(
    ("once", "twice"),
    [
        ('"learner": ', '"learner": "C45", "learner": '),
        ('"settings": {', '"settings": {"a": 1, "a": 2, '),
        ('"nodes": [', '"nodes": [], "nodes": ['),
        ('"name": ', '"name": "x", "name": '),
        ('"name": ', '"name" : "x", "name": '),
        ('"name": ', '"na\\u006de": "x", "name": '),
        ('"counts": ', '"counts": [3, 3], "counts": '),
    ],
)
def test_a_field_twice_is_refused_wherever_it_is(once: str, twice: str) -> None:
    text = to_json(replace(tennis_tree(), origin=Origin("ID3", {'say "x":': '"y":'})))
    assert from_json(text).origin.settings['say "x":'] == '"y":'
    with pytest.raises(ModelFileError, match=r"an object has the field '.*' twice"):
        from_json(text.replace(once, twice, 1).replace("{, ", "{"))


def test_a_numeric_column_has_its_quantiles() -> None:
    from tests.models.test_forged_files import surrogate_tree

    column = NumbersProfile(0.5, 0.1, tuple(i / 20 for i in range(21)), 2.0)
    comes_back(replace(surrogate_tree(), profile=Profile(2, 2.0, {"x": column})))
    short = replace(surrogate_tree(), profile=Profile(2, 2.0, {"x": replace(column, quantiles=(1.0,))}))
    with pytest.raises(ModelFileError, match=r"profile.columns.x.quantiles must be 21 ascending numbers"):
        from_json(to_json(short))


def test_the_published_schema_is_in_step_with_the_forms() -> None:
    assert PLACE.read_text(encoding="utf-8") == schema_text(), "python -m clearwood.models.files.heading"
