"""An ensemble of rules, Bayes tables or weights leaves as one of trees does."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.exporting import exportable
from clearwood.models.decision import Cutoff, Decision
from clearwood.models.kinds.rules.rule_list import Otherwise
from clearwood.models.model import Model
from tests.exporting.every_format import formats_that_answer, options_for
from tests.exporting.models_to_export import ensembles_of_others, made_table
from tests.exporting.test_program import DECISIONS, ROWS
from tests.exporting.test_program import check as check_program

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")


@cache
def learned(name: str) -> Any:
    return ensembles_of_others()[name].learn(made_table(120))


@pytest.mark.parametrize("name", list(ensembles_of_others()))
def test_the_program_of_an_ensemble_is_that_of_its_members_combined(name: str) -> None:
    check_program(learned(name), ROWS[:40])


@pytest.mark.parametrize("decision", list(DECISIONS))
def test_a_decision_goes_along(decision: str) -> None:
    check_program(replace(learned("bagging of bayes"), decision=DECISIONS[decision]), ROWS[:20])


def silent(ensemble: cw.Ensemble) -> cw.Ensemble:
    """The same with some of its rules, and no default."""
    rules = [each for each in ensemble.models if isinstance(each, cw.RuleList)]
    some = (replace(each, rules=each.rules[::3], otherwise=Otherwise(None)) for each in rules)
    return replace(ensemble, models=tuple(some))


@pytest.mark.parametrize("name", ["bagging of rules", "bagging of rules by votes"])
def test_members_that_say_nothing_are_left_out(name: str) -> None:
    model = silent(learned(name))
    answers = cw.predict(model, ROWS).tolist()
    assert None in answers
    assert [cw.row_predictor(model)(row) for row in ROWS] == answers
    check_program(model, ROWS)
    check_program(replace(model, decision=Decision(cutoff=Cutoff("no", 0.3))), ROWS[:20])


def test_rules_of_numbers_are_averaged_over_those_that_hold() -> None:
    table = made_table(80, numeric=True)
    rules = [cw.rules_of(cw.CART(max_depth=depth).learn(table)) for depth in (1, 2)]
    members = tuple(replace(each, rules=each.rules[1:], otherwise=Otherwise(None)) for each in rules)
    model = cw.Ensemble(table.schema, models=members, weights=(1.0, 2.5))
    answers = cw.predict(model, ROWS)
    assert (answers != answers).any()
    check_program(model, ROWS)


@pytest.mark.parametrize("format", ["python", "javascript", "sql"])
@pytest.mark.parametrize("name", ["bagging of rules", "bagging of weights"])
def test_it_is_proven_in_the_target(name: str, format: str) -> None:
    check(learned(name), format, {}, most=60)


@pytest.mark.prove
@pytest.mark.parametrize("format", formats_that_answer())
@pytest.mark.parametrize("name", list(ensembles_of_others()))
def test_it_is_proven_in_every_target(name: str, format: str) -> None:
    for options in options_for(learned(name)).get(format, ()):
        check(learned(name), format, options, most=400)


@pytest.mark.prove
@pytest.mark.parametrize("format", formats_that_answer())
def test_members_that_say_nothing_are_left_out_in_every_target(format: str) -> None:
    model = silent(learned("bagging of rules"))
    for options in options_for(model).get(format, ()):
        check(model, format, options, most=300)


def check(model: Model, format: str, options: dict[str, Any], most: int) -> None:
    proof = cw.prove(cw.export(model, format, **options), most=most)
    if proof.status == "not run":
        pytest.skip(proof.because)
    assert proof.status == "passed", (proof.because, [str(each) for each in proof.different[:3]])


def test_too_many_members_are_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exportable, "MOST_PARTS", 100)
    with pytest.raises(SettingError, match=r"come to [\d,]+ formulas and numbers.*distil"):
        cw.export(learned("bagging of bayes"), "python")


def test_a_bag_of_texts_goes_where_words_are_told_apart() -> None:
    rows = [{"text": text, "class": name} for text, name in (("good news", "yes"), ("old news", "no"))] * 4
    table = cw.encode(rows, cw.Schema((cw.Text("text"),), cw.Nominal("class", ("no", "yes"))))
    model = cw.Bagging(trees=2, seed=1, of=cw.NaiveBayes()).learn(table)
    check_program(model, [{"text": "good old news"}, {"text": None}, {"text": "else"}])
    with pytest.raises(SettingError, match="cannot tell the words of the text 'text'"):
        cw.export(model, "sql")
