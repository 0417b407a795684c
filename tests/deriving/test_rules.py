"""Derivations of rules: the books' tables and tests, every learner's steps, and answers by rules."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.deriving.rules.simplifying import simplification_steps
from clearwood.draw.derivations.boxes import Style
from clearwood.draw.derivations.text import in_line
from clearwood.errors import ColumnError, LearningError, SettingError
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table
from clearwood.working.derivation import Answered, Became, Defaulted, Derivation, Ordered, Taken
from clearwood.working.figures import each_by
from tests.book_tables import book_table
from tests.deriving.checking import check
from tests.learners.random_tables import random_tables

EXPECTED = json.loads((Path(__file__).parents[1] / "worked_examples" / "expected.json").read_text())
LEARNERS: dict[str, Any] = {
    "ila": cw.ILA(),
    "ila2": cw.ILA2(),
    "prism": cw.PRISM(),
    "one-r": cw.OneR(min_bucket=3),
    "cn2": cw.CN2(),
    "cn2 by entropy": cw.CN2(measure="entropy", rules="unordered"),
    "cn2 by accuracy": cw.CN2(measure="wracc", alpha=0.05),
    "c45rules": cw.C45Rules(),
    "c45rules by Quinlan's table": cw.C45Rules(confidence_table="quinlan", confidence=0.1),
    "ripper": cw.RIPPER(),
    "ripper in rounds": cw.RIPPER(optimizations=3, min_rows=1),
    "ripper without pruning": cw.RIPPER(prune=False),
    "tree rules": cw.TreeRules(tree=cw.ID3()),
    "tested where asked": cw.TreeRules(tree=cw.ID3(), tables="conditional", adjust="holm"),
    "tested with caution": cw.TreeRules(tree=cw.ID3(), choose_by="smallest", order="confidence"),
}


def fifty_six() -> Table:
    return book_table("tennis_56", target="Play")


def simplification(**how: Any) -> Derivation:
    """The book's example: the rules of C4.5's tree, tested on 56 rows."""
    table = fifty_six()
    given = cw.TreeRules(**how, simplify=False).learn(table)
    ledger = cw.TreeRules(**how).learn_with_ledger(table)[1]
    return Derivation("", each_by(simplification_steps(ledger, given, table)))


def replayed(actual: Derivation) -> tuple[list[Rule], Any]:
    """The rules that the outcomes lead to, and what is said otherwise."""
    rules: list[Rule] = []
    otherwise: Any = ...
    for step in actual:
        match step.outcome:
            case Taken(rule):
                rules.append(rule)
            case Became(before, None):
                del rules[len(rules) - 1 - rules[::-1].index(before)]
            case Became(before, Rule() as after):
                rules[rules.index(before)] = after
            case Ordered(ordered):
                assert sorted(map(str, rules)) == sorted(map(str, ordered))
                rules = list(ordered)
            case Defaulted(said):
                otherwise = said
            case _:
                pass
    return rules, otherwise


@pytest.mark.parametrize(
    ("condition", "name"),
    [
        ("Outlook = Sunny", "sunny"),
        ("Humidity ≤ 75", "normal_humidity"),
        ("Outlook = Rain", "rain"),
        ("Wind = Strong", "strong_wind"),
    ],
)
def test_the_books_tests_of_conditions(condition: str, name: str) -> None:
    simplified = simplification()
    figures = EXPECTED["contingency"][name]
    statistic = simplified.figure(f"χ²({condition})")
    assert statistic.value == pytest.approx(figures["chi_square"], rel=1e-12)
    assert float(statistic.exact or 0) == pytest.approx(figures["chi_square"], rel=1e-12)
    assert simplified.figure(f"p({condition})").value == pytest.approx(figures["p"], rel=1e-9)
    largest = simplified.figure(f"largest expected count({condition})")
    assert largest.value == pytest.approx(figures["max_expected"])
    critical = simplified.figure("critical χ²").value
    assert critical == pytest.approx(figures["critical_05"], rel=1e-12)
    check(simplified)


def test_yates_correction_takes_no_more_than_the_difference() -> None:
    table = book_table("tennis_numeric", target="Play")
    figure = cw.derive(cw.TreeRules().learn(table), table).figure("χ²(Outlook = Rain)")
    assert figure.value == 0
    assert figure.formula is not None
    assert figure.put_in is not None
    assert in_line(figure.formula, Style()) == "Σ_cell max(0, abs(O − E) − 1/2)²/E"
    assert in_line(figure.put_in, Style()).startswith("max(0, 45/14 − 3 − 1/2)²/(45/14) + ")


def test_the_order_of_rules_and_the_rows_that_reach_them_are_shown() -> None:
    table = book_table("tennis_numeric", target="Play")
    model = cw.TreeRules().learn(table)
    derivation = cw.derive(model, table)
    check(derivation)
    (order,) = [step for step in derivation if step.chapter == "Order"]
    sure, given, taken = order.figures
    ends = [row[4] for row in sure.grids[0].rows]
    assert [row[0] for row in sure.grids[0].rows] == [3, 4, 2, 5, 1]
    assert ends == sorted(ends, key=float, reverse=True)  # type: ignore[arg-type]
    assert isinstance(given.value, float)
    assert isinstance(taken.value, float)
    assert taken.value < given.value
    ledger = cw.TreeRules().learn_with_ledger(table)[1]
    assert taken.value == derivation.figure("training errors after").value == ledger.errors_after
    assert derivation.figure("training errors before").value == ledger.errors_before
    reach = derivation.figure("rows that reach it")
    assert str(reach.rows) == "Wind = Weak, taken by no rule before it"


def test_the_dry_days_with_tennis_are_23_and_not_32() -> None:
    rain = next(step for step in simplification() if "Rule 4: does Outlook = Rain" in step.title)
    expected = {each.name: each.exact for each in rain.walk()}
    assert expected["E(does not, Play)"] == Fraction(36 * 36, 56)


@pytest.mark.parametrize(("test", "key"), [("yates", "yates"), ("fisher", "fisher_two_sided_p")])
def test_the_other_tests_are_written_out(test: Any, key: str) -> None:
    simplified = simplification(test=test)
    check(simplified)
    name = "χ²(Outlook = Sunny)" if test == "yates" else "p(Outlook = Sunny)"
    figure = simplified.figure(name)
    assert figure.put_in is not None
    assert figure.value == pytest.approx(EXPECTED["contingency"]["sunny"][key], rel=1e-9)


def test_simplified_rules_are_derived_from_the_tree_on() -> None:
    table = book_table("tennis", target="PlayTennis")
    table = table.take(np.tile(np.arange(14), 4))
    model = cw.simplify_rules(cw.rules_of(cw.ID3().learn(table)), table, drop_rules=False).rules
    derivation = cw.derive(model, table)
    assert {step.chapter for step in derivation} >= {"Growing", "Reading rules", "Testing conditions"}
    assert replayed(derivation) == (list(model.rules), model.otherwise.then)
    assert len([step for step in derivation if isinstance(step.outcome, Became)]) == 2 + len(model)


def test_the_five_rules_of_the_objects_in_order() -> None:
    table = book_table("objects", target="Decision")
    derivation = cw.derive(cw.ILA(class_order=("Yes",)).learn(table), table)
    check(derivation)
    taken = [step for step in derivation if isinstance(step.outcome, Taken)]
    assert len(taken) == 5
    for step, expected in zip(taken, EXPECTED["ila_objects"], strict=True):
        assert isinstance(step.outcome, Taken)
        rule = step.outcome.rule
        answers = [f"{name} = {value}" for name, value in expected["conditions"].items()]
        assert [str(each) for each in rule.when] == answers
        assert rule.then == expected["then"]
        assert step.rows is not None
        assert step.rows.weight == expected["newly_covered"]


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
def test_replaying_gives_the_rules_and_every_figure_is_what_it_says(name: str, data: st.DataObject) -> None:
    table = data.draw(
        random_tables(
            ("nominal",), max_rows=25, max_columns=3, max_values=6, weights=("none", "whole", "halves")
        )
    )
    try:
        model = LEARNERS[name].learn(table)
    except LearningError:
        return
    derivation = cw.derive(model, table)
    check(derivation)
    rules, otherwise = replayed(derivation)
    assert rules == list(model.rules)
    assert otherwise in (..., model.otherwise.then)
    row = _row(table, data.draw(st.integers(0, len(table) - 1)))
    answer = cw.derive(model, row=row)
    check(answer)
    assert [step.outcome for step in answer if step.outcome] == [Answered(cw.predict(model, [row])[0])]


@settings(max_examples=15, deadline=None)
@given(table=random_tables(("nominal",), max_rows=40, max_columns=3, max_values=6, weights=("none", "whole")))
def test_the_figures_of_ripper_are_those_it_decided_by(table: Table) -> None:
    model, steps = cw.RIPPER().learn_with_steps(table)
    for step, text in zip(cw.derive(model, table), steps, strict=False):
        figures = {each.name: each.value for each in step.walk()}
        for draft in text.drafts:
            of_kind = "" if draft.kind == "new" else f", {draft.kind}"
            for condition, gain in zip(draft.grown, draft.gains, strict=True):
                if gain is not None:
                    assert figures[f"gain({condition}){of_kind}"] == pytest.approx(gain)
            if draft.grown:
                assert figures[f"worth of the pruned rule{of_kind}"] == pytest.approx(draft.value)
        assert figures["bits before"] == pytest.approx(text.bits_before)
        if text.action in ("added", "deleted"):
            assert figures["bits after"] == pytest.approx(text.bits_after)


@settings(max_examples=15, deadline=None)
@given(table=random_tables(("nominal",), max_rows=40, max_columns=3, max_values=6, weights=("none", "whole")))
def test_the_figures_of_c45rules_are_those_it_decided_by(table: Table) -> None:
    model, ledger = cw.C45Rules().learn_with_ledger(table)
    derivation = cw.derive(model, table)
    looks = iter([step for step in derivation if step.chapter == "Dropping conditions" and step.figures])
    for leaf in ledger.rules:
        for dropped in leaf.dropped:
            own, conditions = next(looks).figures
            assert own.value == pytest.approx(dropped.before)
            grid = conditions.grids[0]
            assert grid.chosen is not None
            assert grid.rows[grid.chosen][3] == pytest.approx(dropped.after)
        if len(leaf.dropped) < len(leaf.way):
            next(looks)
    for subset in ledger.classes:
        assert derivation.figure(f"bits of {subset.name} with those chosen").value == subset.bits


@pytest.mark.parametrize("order", ["ordered", "unordered"])
def test_an_answer_has_the_shares_of_prediction_and_wilsons_interval(order: Any) -> None:
    table = book_table("tennis", target="PlayTennis")
    model = cw.CN2(rules=order, max_conditions=1).learn(table)
    row = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "Normal", "Wind": "Weak"}
    derivation = cw.derive(model, row=row)
    behind = "the rule" if order == "ordered" else "the votes"
    for name, share in zip(model.schema.classes, cw.shares(model, [row])[0].tolist(), strict=True):
        assert derivation.figure(f"P({name} | {behind})").value == pytest.approx(share)
    if order == "ordered":
        ends = [derivation.figure(f"interval {end}").value for end in ("from", "to")]
        assert ends == pytest.approx(cw.intervals(model, [row])[0].tolist())
    check(derivation)


def test_where_no_rule_holds_and_nothing_is_said() -> None:
    table = book_table("objects", target="Decision")
    model = cw.ILA(otherwise="abstain").learn(table)
    derivation = cw.derive(model, row={})
    assert [derivation[0].decision, derivation[1].outcome] == ["No rule holds.", Answered(None)]


def test_wrong_requests_name_the_way_out() -> None:
    table = book_table("objects", target="Decision")
    model = cw.ILA().learn(table)
    with pytest.raises(SettingError, match="give the table it was learned from"):
        cw.derive(model)
    with pytest.raises(LearningError, match="learned from other rows"):
        cw.derive(model, table.take(np.arange(3)))
    with pytest.raises(ColumnError, match="No column 'Colour'"):
        cw.derive(model, row={"Colour": "Red"})
    with pytest.raises(SettingError, match="written by hand"):
        cw.derive(RuleList(model.schema, model.rules), table)
    with pytest.raises(LearningError, match="they were changed since"):
        cw.derive(replace(model, rules=model.rules[1:]), table)
    with pytest.raises(SettingError, match="Only a tree has places"):
        cw.derive(model, table, at=0)


def _row(table: Table, place: int) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for attribute in table.schema.inputs:
        cell = table.columns[attribute.name][place]
        if isinstance(attribute, Nominal | Ordinal):
            row[attribute.name] = None if cell < 0 else attribute.values[cell]
        else:
            row[attribute.name] = None if np.isnan(cell) else float(cell)
    return row


@pytest.mark.slow
@pytest.mark.parametrize(
    "tree", [cw.C45(costs={("Play", "Don't Play"): 2.0}), cw.CHAID(min_rows=4, min_leaf=2)]
)
def test_a_model_read_from_a_file_is_derived_as_well(tree: Any, tmp_path: Path) -> None:
    table = fifty_six()
    cw.save(cw.TreeRules(tree=tree).learn(table), tmp_path / "rules.json")
    model = cw.load(tmp_path / "rules.json")
    assert isinstance(model, RuleList)
    derivation = cw.derive(model, table)
    check(derivation)
    assert replayed(derivation) == (list(model.rules), model.otherwise.then)


def test_rules_for_a_number_answer_with_the_interval_of_its_mean() -> None:
    table = cw.read_table({"x": [1.5, 2, 3, 4, 5, 6, 7, 8], "y": [1.0, 1, 2, 2, 7, 5, 5, 6]}, target="y")
    model = cw.TreeRules(tree=cw.CART(min_leaf=3), simplify=False).learn(table)
    derivation = cw.derive(model, row={"x": 3.0})
    check(derivation)
    ends = [derivation.figure(f"interval {end}").value for end in ("from", "to")]
    assert ends == pytest.approx(cw.intervals(model, [{"x": 3.0}])[0].tolist())
