"""Every verb on the public page, given a model it is not for, says so in a sentence of ours.

A verb is a public function whose first parameter is a model. What it takes is what its hint says, so that a
new verb, or a new kind of model, is tried by being there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import UnionType
from typing import Any, Final, get_args

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.models.kinds.ensemble.ensemble import LearningCurve
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.model import Model
from clearwood.table.table import Table
from tests.typed import mistyped

TABLE: Table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
FRESH = TABLE.take(np.arange(0, 14, 2))


class Examples(dict[str, Model]):
    """A model of each kind, by the name of its type."""

    def __missing__(self, kind: str) -> Model:
        pytest.fail(f"There is no {kind} to try: enter an example in MODELS of tests/models/test_kinds.py.")


MODELS: Final = Examples(
    {
        "Tree": cw.ID3().learn(TABLE),
        "RuleList": cw.ILA().learn(TABLE),
        "BayesTables": cw.NaiveBayes().learn(TABLE),
        "LinearModel": cw.Logistic(penalty="l2").learn(TABLE),
        "Ensemble": cw.Ensemble(
            TABLE.schema,
            joined_trees([cw.ID3(max_depth=depth).learn(TABLE).nodes for depth in (None, 2, 1)], "shares"),
            weights=(1.0, 2.0, 0.5),
            curves=(LearningCurve("error", "training rows", (0.0, 0.0, 0.0)),),
            origin=cw.Origin("Bagging"),
        ),
        "AdditiveModel": cw.GAM(bags=8, pairs=6, min_leaf=1, seed=15).learn(TABLE),
    }
)
KINDS = [kind.__name__ for kind in get_args(Model)]


def public_functions() -> dict[str, Callable[..., object]]:
    """The public page's functions, and those of its charts."""
    actual = {name: getattr(cw, name) for name in dir(cw)}
    actual |= {f"charts.{name}": getattr(cw.charts, name) for name in dir(cw.charts)}
    return {name: each for name, each in actual.items() if inspect.isfunction(each)}


def taken_by(verb: Callable[..., object]) -> list[str]:
    """The kinds of models that a function takes first, in the order of its hint; none if it is no verb."""
    verb = inspect.unwrap(verb)
    first = next(iter(inspect.signature(verb).parameters), "")
    hint = verb.__annotations__.get(first)
    if isinstance(hint, str):
        hint = eval(hint, verb.__globals__)
    either = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    return [kind.__name__ for kind in either if kind in get_args(Model)]


VERBS = {name: verb for name, verb in public_functions().items() if taken_by(verb)}
SAME = object()  # stands for the model itself
ARGUMENTS: dict[str, Any] = {
    "assertions": cw.NeverAsks(column="Wind"), "new": SAME,
    "across": "Wind", "after": SAME, "alpha": 0.1, "at": 1, "column": "Outlook", "columns": "Outlook",
    "format": "python",
    "down": "Outlook", "costs": {("No", "Yes"): 5}, "learner": cw.ID3(), "points": 1.0, "positive": "No",
    "prevalence": {"Yes": 0.5},
    "row": {"Outlook": "Sunny"},
    "answers": {"answer": [str(each) for each in TABLE.target.tolist()]},
    "source": Path(__file__).parents[1] / "importing" / "stored" / "lightgbm_binary.json",  # which is not run
    "rows": TABLE, "rule": "ALWAYS THEN No", "second": SAME, "table": TABLE, "then": "No", "to": 2,
    "training": TABLE, "two": SAME, "validation": TABLE.take(np.arange(0, 14, 2)),
}  # fmt: skip
BESIDES: dict[str, dict[str, Any]] = {  # what need not be given by its signature, and is needed here
    "calibrate": {"table": FRESH},
    "compare_scores": {"training": TABLE},
    "derive": {"table": TABLE},
    "diff": {"table": TABLE},
    "prune_error_based": {"table": TABLE},
    "with_cutoff": {"at": 0.3},
    "with_refer": {"below": 0.6},
    "scores": {"table": TABLE},
}

REASONS: dict[tuple[str, str], str] = {  # kinds that a verb takes and, this time, has no answer for
    ("evidence", "Ensemble"): "averages or counts",
    ("intervals", "BayesTables"): "has no intervals",
    ("intervals", "LinearModel"): "has no covariances",
    ("intervals", "Ensemble"): "has no intervals",
    ("intervals", "AdditiveModel"): "no intervals for its predictions",
    ("make_monotone", "AdditiveModel"): "its values have no order",
    ("smooth", "AdditiveModel"): "have no neighbours",
    **{("recalibration", kind): "not calibrated" for kind in KINDS},
    **{("true_and_predicted", kind): "predicts classes, not numbers" for kind in KINDS},
}


def called(name: str, model: object, **given: Any) -> object:
    """The verb, with what it demands beside the model."""
    verb = VERBS[name]
    needed = [
        each
        for each in inspect.signature(verb).parameters.values()
        if each.default is each.empty and each.kind is not each.VAR_KEYWORD
    ]
    filled = {each.name: ARGUMENTS[each.name] for each in needed[1:] if each.name not in given}
    arguments = {**filled, **BESIDES.get(name, {}), **given}
    many = [arguments.pop(each.name) for each in needed[1:] if each.kind == each.VAR_POSITIONAL]
    return verb(model, *many, **{key: model if value is SAME else value for key, value in arguments.items()})


def with_article(name: str) -> str:
    return f"{'an' if name.startswith(('A', 'E')) else 'a'} {name}"


def suited(name: str, kind: str) -> Model:
    """A model of the kind that has what the verb looks for."""
    if name in ("top_words", "flipping_words"):
        texts = cw.Schema((cw.Text("t"),), cw.Nominal("y", ("no", "yes")))
        rows = [{"t": text, "y": y} for text, y in (("good news", "yes"), ("old news", "no"))]
        return cw.NaiveBayes().learn(cw.encode(rows, texts))
    if name == "gaussian_bayes_as_logistic":
        numbers = {"x": np.arange(6.0), "y": list("aababb")}
        return cw.NaiveBayes(numeric="gaussian").learn(cw.read_table(numbers, target="y"))
    if name == "staged" and kind == "Ensemble":
        return cw.Boosting(trees=3, min_child=0).learn(TABLE)
    return MODELS[kind]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_takes_its_kinds_and_refuses_the_others(verb: str, kind: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {"path": tmp_path / "model.json"} if verb == "save" else {}
    if verb == "flipping_words":
        given = {"row": "good news"}
    if verb == "drop_term":
        given = {"with_pairs": True}
    taken = taken_by(VERBS[verb])
    if kind not in taken:
        with pytest.raises(
            SettingError,
            match=f"{verb} takes {with_article(' or '.join(taken))}(?: or Table)?, not {with_article(kind)}",
        ):
            called(verb, MODELS[kind], **given)
    elif (verb, kind) in REASONS:
        with pytest.raises(SettingError, match=REASONS[verb, kind]):
            called(verb, suited(verb, kind), **given)
    else:
        called(verb, suited(verb, kind), **given)


@pytest.mark.parametrize("verb", VERBS)
def test_a_learner_is_no_model_yet(verb: str, tmp_path: Path) -> None:
    given = {"path": tmp_path / "model.json"} if verb == "save" else {}
    with pytest.raises(
        SettingError, match=rf"{verb} takes (?:a [^AEIOU]|an [AEIOU]).*, not a C45\. Learn one first"
    ):
        called(verb, cw.C45(), **given)


def test_the_verbs_are_found() -> None:
    assert {"predict", "explain", "derive", "audit", "picture", "save", "to_dot", "rules_of"} <= VERBS.keys()
    assert not {"read_table", "compare", "cross_validate", "write_derivation"} & VERBS.keys()


def test_every_kind_of_model_is_tried() -> None:
    assert list(MODELS) == KINDS


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "RuleList"])
def test_only_rules_learn_more(kind: str) -> None:
    with pytest.raises(SettingError, match=f"learn_more takes a RuleList, not {with_article(kind)}"):
        cw.ILA().learn_more(mistyped(MODELS[kind]), TABLE, TABLE)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "LinearModel"])
def test_only_linear_models_stand_side_by_side(kind: str) -> None:
    with pytest.raises(SettingError, match=f"side_by_side takes a LinearModel, not {with_article(kind)}"):
        cw.side_by_side(mistyped({"one": MODELS[kind]}))


def test_a_tree_is_shown_the_way_to_rules() -> None:
    with pytest.raises(SettingError, match=r"rules first: rules_of\(tree\)"):
        cw.write_rules(mistyped(MODELS["Tree"]))


def test_an_estimator_is_asked_for_its_model() -> None:
    fitted = cw.C45Classifier().fit([["a"], ["b"]], ["yes", "no"])
    with pytest.raises(SettingError, match=r"estimator\.model_"):
        cw.predict(fitted, TABLE)


def test_only_a_learner_is_cross_validated() -> None:
    with pytest.raises(SettingError, match="takes a learner, such as C45"):
        cw.cross_validate(mistyped(MODELS["Tree"]), TABLE)
