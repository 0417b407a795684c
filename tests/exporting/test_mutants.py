"""Exports damaged in one place: whatever changes an answer of a random row, the proof notices."""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import clearwood as cw
from clearwood.exporting import FORMATS, RUNNERS
from clearwood.exporting.exportable import program_to_export
from clearwood.exporting.exported import Exported
from clearwood.exporting.proof import decisions
from clearwood.exporting.proof.adversarial import DECIDED, adversarial_rows, rows_to_prove
from clearwood.exporting.proof.proving import proof_of
from clearwood.exporting.running.runner import Ran, RunTask, TargetFailedError
from clearwood.formulas.conditions import Equals, OneOf, holds
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.routing import route_at
from clearwood.table.attributes import Nominal
from clearwood.table.raw import Row
from clearwood.table.schema import Schema
from tests.exporting.every_format import EVERYDAY, LANGUAGES, variants
from tests.exporting.models_to_export import ensembles_of_others, learners, made_table
from tests.exporting.mutants import (
    Batch,
    changed_rows,
    missed_mutants,
    mutants_of,
    random_rows,
    table_mutants,
    text_mutants,
    tree_mutants,
)
from tests.shared_data import load_shared

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
QUICK = (
    "cart",
    "c45",
    "id3",
    "cn2",
    "cn2 votes",
    "c45 rules",
    "bayes of cuts",
    "logistic",
    "boosting",
    "gam",
)
LEARNERS = {**learners(), "c45 rules": cw.C45Rules(), "prism": cw.PRISM()}
EVERY = {**LEARNERS, **ensembles_of_others()}
ON_TABLES = {
    **{name: each for name, each in LEARNERS.items() if " by votes" not in name},
    "cart of depth 4": cw.CART(max_depth=4),
    "cart of depth 6": cw.CART(max_depth=6, alpha=0.0),
}


def asked(tree: Tree, row: Row) -> set[tuple[int, int, bool]]:
    """The tests that a row is asked on its way, by node and place, and whether each holds."""
    met: set[tuple[int, int, bool]] = set()
    waiting = [0]
    while waiting:
        node = waiting.pop()
        below = tree.nodes.children(node)
        if not below:
            continue
        route = route_at(tree, node)
        for place, test in enumerate(route.tests):
            held = holds(test.when, row.get(test.when.name))
            met.add((node, place, held))
            if held:
                waiting.append(below[test.way.branch])
                break
        else:
            waiting += [below[way.branch] for way in route.rest]
    return met


@pytest.mark.parametrize("name", ["cart in full", "c45 in full"])
def test_every_condition_that_random_rows_come_to_is_reached_on_both_sides(name: str) -> None:
    tree = learners()[name].learn(made_table())
    by_chance = random_rows(tree, program_to_export(tree), 4000, 3)
    reached = set[tuple[int, int, bool]]().union(*(asked(tree, row) for row in adversarial_rows(tree)))
    assert set[tuple[int, int, bool]]().union(*(asked(tree, row) for row in by_chance)) <= reached


@pytest.mark.parametrize("name", QUICK)
def test_a_mutant_that_changes_an_answer_is_noticed(name: str) -> None:
    model = LEARNERS[name].learn(made_table())
    changed, missed = missed_mutants(
        model, rows=list(adversarial_rows(model)), mutants=25, random_count=1500, seed=5
    )
    assert missed == []
    assert changed >= 5


def test_values_of_an_ensemble_of_bayes_models_are_asked_beside_numbers_that_leave_the_answer_open() -> None:
    """Where densities underflow, one class is certain whatever the other cells hold."""
    model = EVERY["bagging of bayes"].learn(made_table())
    cells = [row["age"] for row in adversarial_rows(model)]
    usual = Counter(cells).most_common(1)[0][0]
    assert isinstance(usual, float)
    assert 0 < usual < 100
    changed, missed = missed_mutants(
        model, rows=list(adversarial_rows(model)), mutants=60, random_count=2000, seed=5
    )
    assert missed == []
    assert changed >= 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bagging of weights", "bagging by votes", "adaboost of rules"])
def test_what_votes_hide_is_noticed_where_they_turn(name: str) -> None:
    """Where a member's vote does not turn, nothing of it is seen: few rows by one cell turn any."""
    model = EVERY[name].learn(made_table())
    changed, missed = missed_mutants(
        model, rows=list(adversarial_rows(model)), mutants=200, random_count=5000, seed=5
    )
    assert missed == []
    assert changed >= 50


def test_a_row_to_which_two_classes_are_equally_probable_is_asked_of_a_forest() -> None:
    forest = EVERY["forest"].learn(made_table())
    shares = [
        sorted(shares.values()) for shares in map(cw.row_predictor(forest).shares, adversarial_rows(forest))
    ]
    assert any(each[-1] == each[-2] for each in shares)


def test_an_ensemble_of_one_class_has_rows_to_be_proven_by() -> None:
    table = cw.read_table({"x": [1.0, 2.0, 3.0, 4.0], "y": ["only"] * 4}, target="y")
    assert adversarial_rows(cw.Boosting(trees=3).learn(table))


def test_a_rule_is_shown_by_its_shares_where_all_that_follows_answers_alike() -> None:
    names, values = [f"a{place}" for place in range(8)], tuple(f"b{place}" for place in range(40))
    schema = Schema(
        (*(Nominal(name, ("x", "y")) for name in names), Nominal("b", values)),
        Nominal("class", ("yes", "no")),
    )
    rules = (
        *(Rule((Equals(name, "x"),), "yes", (10.0, 0.0)) for name in names),
        Rule((OneOf("b", values[:-1], True),), "yes", (5.0, 0.0)),
    )
    model = RuleList(schema, rules, Otherwise("yes", (6.0, 4.0)))
    changed, missed = missed_mutants(
        model, rows=list(adversarial_rows(model)), mutants=100, random_count=2000
    )
    assert missed == []
    assert changed > 10


def test_a_condition_to_which_no_row_was_found_among_rules_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "_BUDGET", 0)
    monkeypatch.setattr(decisions, "_DRAWS", 0)
    model = cw.CN2().learn(made_table())
    assert "'age' in rule 1: no row was found that comes to it" in adversarial_rows(model).not_reached


def test_other_values_of_a_condition_are_the_first_to_be_left_out() -> None:
    model = cw.CN2().learn(made_table())
    plan = decisions.DecisionPlan({}, 10**6, Random(1))
    every = decisions.decisions_of(model, plan)
    fewer = decisions.decisions_of(model, replace(plan, most=len(every.rows) + 20, random=Random(1)))
    assert fewer.left_out
    assert len(fewer.rows) == len(every.rows)
    assert len(fewer.values) < len(every.values)


@pytest.mark.prove
@pytest.mark.parametrize("numeric", [False, True], ids=["classes", "numbers"])
@pytest.mark.parametrize("name", EVERY)
def test_every_mutant_that_changes_an_answer_is_noticed(name: str, numeric: bool) -> None:
    try:
        model = EVERY[name].learn(made_table(numeric=numeric))
    except cw.errors.ClearwoodError:
        pytest.skip("it does not learn numbers")
    changed, missed = missed_mutants(
        model, rows=list(adversarial_rows(model)), mutants=600, random_count=20_000
    )
    print(f"{name}: {changed} mutants change an answer, {len(missed)} of them were missed")
    assert missed == []


@pytest.mark.prove
@pytest.mark.parametrize("name", ON_TABLES)
@pytest.mark.parametrize("table", ["titanic", "credit_g", "soybean", "glass", "breast_cancer", "auto_mpg"])
def test_a_mutant_of_a_reference_tables_model_is_noticed_unless_rows_were_left_out(
    table: str, name: str
) -> None:
    try:
        model = ON_TABLES[name].learn(load_shared(table))
    except cw.errors.ClearwoodError:
        pytest.skip("it does not learn this table")
    made = adversarial_rows(model)
    changed, missed = missed_mutants(model, rows=list(made), mutants=250, random_count=20_000)
    print(f"{table}, {name}: {changed} mutants change an answer, {len(missed)} of them were missed")
    if made.left_out.get(DECIDED, 0):  # the certificate says so
        assert len(missed) < 0.05 * changed
    else:
        assert missed == []


def answers(exported: Exported, rows: Sequence[Row]) -> Ran | None:
    """What an export gives; None: it fails, or cannot be run."""
    try:
        ran = RUNNERS[exported.target].run(exported, rows)
    except TargetFailedError:
        return None
    return ran if isinstance(ran, Ran) else None


def check_texts(right: Exported, damaged: Sequence[tuple[str, str]], rows: int) -> None:
    """Each damaged text that answers random rows otherwise fails in its proof."""
    by_chance = random_rows(right.model, program_to_export(right.model), rows, 7)
    made = rows_to_prove(right)
    expected = answers(right, by_chance)
    assert expected is not None
    missed, changed = [], 0
    for about, text in damaged:
        wrong = replace(right, content=text)
        ran = answers(wrong, by_chance)
        if ran is not None and ran.answers == expected.answers:
            continue
        changed += 1
        if proof_of(wrong, made, ()).status != "failed":
            missed.append(about)
    assert missed == []
    assert changed


@pytest.mark.parametrize(
    ("format", "some", "rows"),
    [
        ("python", 12, 2000),
        pytest.param("python", 200, 20_000, marks=pytest.mark.prove),
        pytest.param("javascript", 60, 20_000, marks=pytest.mark.prove),
        pytest.param("sql", 60, 20_000, marks=pytest.mark.prove),
    ],
)
def test_a_damaged_text_of_a_tree_with_surrogates_fails(format: str, some: int, rows: int) -> None:
    right = cw.export(cw.CART(max_depth=4).learn(made_table()), format)
    damaged = [
        (about, text) for about, text in text_mutants(right.text, format) if text[:200] == right.text[:200]
    ]
    assert len(damaged) > 40
    check_texts(right, Random(1).sample(damaged, min(some, len(damaged))), rows)


@pytest.mark.parametrize(
    ("some", "rows"), [(12, 1000), pytest.param(1000, 20_000, marks=pytest.mark.prove)], ids=["some", "all"]
)
def test_a_table_with_the_answers_of_two_rows_swapped_fails(some: int, rows: int) -> None:
    model = cw.CART(max_depth=3, surrogates=3).learn(made_table())
    right = cw.export(model, "csv")
    lines = list(csv.reader(io.StringIO(right.text)))
    first = lines[0].index("class")
    damaged: list[tuple[str, str]] = []
    for at in range(1, len(lines)):
        others = [each for each in range(1, len(lines)) if lines[each][first] != lines[at][first]]
        changed = [list(each) for each in lines]
        changed[at][first:-2] = lines[others[at % len(others)]][first:-2]
        damaged.append((f"answer of row {at}", written(changed)))
    damaged += [(about, written([lines[0], *rest])) for about, rest in table_mutants(lines[1:])]
    check_texts(right, Random(2).sample(damaged, min(some, len(damaged))), rows)


def written(lines: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


@pytest.mark.parametrize(
    ("format", "options"),
    [pytest.param(*each, marks=() if each[0] in EVERYDAY else pytest.mark.prove) for each in variants()],
    ids=lambda each: "-".join(each.values()) if isinstance(each, dict) else each,
)
def test_a_damaged_tree_is_noticed_in_every_format(format: str, options: dict[str, Any]) -> None:
    """Another tree is written in its place, with one surrogate, cut, leaf or `otherwise` amiss."""
    model = cw.CART(max_depth=3, surrogates=3).learn(made_table(120))
    right = cw.export(model, format, **options)
    made = rows_to_prove(right, most=100 if format == "excel" else 4000)
    by_chance = random_rows(model, program_to_export(model), 4000, 2)
    expected = cw.predict(model, by_chance).tolist()
    wrong: list[tuple[str, Exported]] = []
    for about, tree in Random(3).sample(every := tree_mutants(model), len(every)):
        if cw.predict(tree, by_chance).tolist() != expected:
            wrong.append((about, replace(cw.export(tree, format, **options), model=model)))
        if len(wrong) == 12:
            break
    outcomes = RUNNERS[right.target].run_many([RunTask(each, made.rows) for _, each in wrong])
    proofs = [proof_of(each, made, (), ran=ran) for (_, each), ran in zip(wrong, outcomes, strict=True)]
    if proofs[0].status == "not run":
        pytest.skip(proofs[0].because)
    assert [about for (about, _), proof in zip(wrong, proofs, strict=True) if proof.status != "failed"] == []


WRITTEN = [each for each in variants() if each[0] in LANGUAGES or each[0] == "sql"]


@pytest.mark.prove
@pytest.mark.parametrize(
    "name", ["cart in full", "c45", "cn2", "cn2 votes", "bayes of cuts", "logistic", "boosting", "gam"]
)
@pytest.mark.parametrize(
    ("format", "options"),
    WRITTEN,
    ids=lambda each: "-".join(each.values()) if isinstance(each, dict) else each,
)
def test_a_damaged_program_is_noticed_in_every_language(
    format: str, options: dict[str, Any], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program is damaged before it is written: the text is right, and answers otherwise."""
    model = learners()[name].learn(made_table(120))
    right = cw.export(model, format, **options)
    made, program = rows_to_prove(right), program_to_export(model)
    by_chance = Batch(random_rows(model, program, 4000, 2))
    expected = by_chance.worked_out(program)
    wrong: list[tuple[str, Exported]] = []
    module = sys.modules[FORMATS[format].write.__module__]
    for each in Random(3).sample(every := mutants_of(program), min(60, len(every))):
        if not changed_rows(expected[:, :1], by_chance.worked_out(each.program)[:, :1]).any():
            continue
        with monkeypatch.context() as patched:
            patched.setattr(module, "program_to_export", lambda _, own=each.program: own)
            wrong.append((each.about, cw.export(model, format, **options)))
        if len(wrong) == 8:
            break
    outcomes = RUNNERS[right.target].run_many([RunTask(each, made.rows) for _, each in wrong])
    proofs = [proof_of(each, made, (), ran=ran) for (_, each), ran in zip(wrong, outcomes, strict=True)]
    if proofs[0].status == "not run":
        pytest.skip(proofs[0].because)
    assert [about for (about, _), proof in zip(wrong, proofs, strict=True) if proof.status != "failed"] == []
