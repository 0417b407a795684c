"""A program compiled for single rows gives what its definition gives, and what the model gives many rows."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any, cast

import numpy as np
import pytest

import clearwood as cw
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.model import Model
from clearwood.models.program.compiling import NEVER_MET, compiled
from clearwood.models.program.evaluating import evaluated
from clearwood.models.program.program_of import program_of
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from tests.exporting.models_to_export import ensembles_of_others, learners, made_rows, made_table, near
from tests.exporting.test_program import DECISIONS

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")

ROWS = [*made_rows(60, 7, missing=0.2, unseen=0.1), *made_rows(1, 9, missing=1.0)]
NUMBERS: dict[str, Any] = {
    "cart of numbers": cw.CART(surrogates=2),
    "medians": cw.CART(measure="absolute", max_depth=3),
    "forest of numbers": cw.Forest(trees=3, seed=1, max_depth=4),
    "boosting of numbers": cw.Boosting(trees=4),
    "counts by boosting": cw.Boosting(loss="poisson", trees=4),
    "gam of numbers": cw.GAM(bags=3, pairs=1),
}


def silent(ensemble: cw.Ensemble) -> cw.Ensemble:
    """The same with some of its rules, and no default: of many rows a member says nothing, or all do."""
    rules = [each for each in ensemble.models if isinstance(each, cw.RuleList)]
    some = (replace(each, rules=each.rules[::3], otherwise=Otherwise(None)) for each in rules)
    return replace(ensemble, models=tuple(some), weights=(2.5, 1.0))


def silent_of_numbers() -> cw.Ensemble:
    """Rules of numbers, of which some have none, by different weights."""
    table = made_table(80, numeric=True)
    lists = [cw.rules_of(cw.CART(max_depth=depth).learn(table)) for depth in (1, 2)]
    some = (replace(each, rules=each.rules[1:], otherwise=Otherwise(None)) for each in lists)
    return cw.Ensemble(table.schema, models=tuple(some), weights=(1.0, 2.5))


@cache
def model_of(name: str) -> Model:
    """A model by its name, with the decision that follows it."""
    name, _, decision = name.partition(" by the decision ")
    if decision:
        return replace(model_of(name), decision=DECISIONS[decision])
    if name.startswith("silent "):
        return silent(cast("cw.Ensemble", model_of(name.removeprefix("silent "))))
    if name == "rules of numbers":
        return silent_of_numbers()
    if name in NUMBERS:
        positive = name == "counts by boosting"
        table = made_table(100, numeric=True)
        if positive:
            numbers = np.maximum(np.floor(table.target), 0.0)
            table = replace(table, columns={**table.columns, "class": numbers})
        return cast("Model", NUMBERS[name].learn(table))
    few = name in ensembles_of_others()
    learner = ensembles_of_others()[name] if few else learners()[name]
    return cast("Model", learner.learn(made_table(120) if few else made_table()))


DECIDED = [
    *(f"{name} by the decision {each}" for name in ("cart", "forest", "bayes") for each in DECISIONS),
    *(f"boosting by the decision {each}" for each in ("factors", "platt", "costs")),
    *(f"cn2 votes by the decision {each}" for each in ("cutoff", "prevalence", "refer")),
    *(f"silent bagging of rules by the decision {each}" for each in ("isotonic", "prevalence", "cutoff")),
]
MODELS = [
    *learners(), *ensembles_of_others(), *NUMBERS, "silent bagging of rules",
    "silent bagging of rules by votes", "rules of numbers", *DECIDED,
]  # fmt: skip


def rows_for(name: str) -> list[Any]:
    """All rows for the learners themselves, every third for what is made of them."""
    return ROWS if name in learners() else ROWS[::3]


@pytest.mark.parametrize("name", MODELS)
def test_a_compiled_program_gives_what_its_definition_gives_and_that_what_the_model_gives(name: str) -> None:
    model, rows = model_of(name), rows_for(name)
    program, inputs = program_of(model), model.schema.inputs
    run = compiled(program, inputs, math.exp)
    answers = cw.predict(model, rows).tolist()
    probabilities = [[]] * len(rows) if model.is_numeric else cw.shares(model, rows).tolist()
    for row, given, of_model in zip(rows, answers, probabilities, strict=True):
        cells: list[Any] = []
        for each in inputs:
            cell = row.get(each.name)
            listed = not isinstance(each, Nominal | Ordinal) or cell is None or cell in each.values
            cells.append(cell if listed else NEVER_MET)
        answer, shares = run(cells)
        expected = evaluated(program, row)
        if program.classes:
            assert (None if answer < 0 else program.classes[answer]) == expected.answer == given
        else:
            assert (None if answer != answer else answer) == expected.answer
            assert (expected.answer is None and given != given) or near(float(expected.answer or 0), given)
        # Of thousands of curves the logs are added up by NumPy, as for many rows.
        assert all(near(one, other) for one, other in zip(shares, expected.shares, strict=True))
        assert "kernel" in name or tuple(shares) == expected.shares
        assert all(near(one, other) for one, other in zip(shares, of_model, strict=True))


@pytest.mark.parametrize("name", [each for each in MODELS if each not in ("logistic", *NUMBERS)])
def test_a_row_by_itself_has_the_shares_of_a_row_among_others_to_the_last_digit(name: str) -> None:
    """But for weights, which are added up natively numbers first, and means of such members."""
    model, rows = model_of(name), rows_for(name)
    predictor = cw.row_predictor(model)
    answers = cw.predict(model, rows).tolist()
    assert [predictor(row) for row in rows] == [None if each != each else each for each in answers]
    if not model.is_numeric and name not in ("bagging of bayes", "bagging of weights"):
        assert [[*predictor.shares(row).values()] for row in rows] == cw.shares(model, rows).tolist()


def test_names_and_values_are_no_part_of_what_is_run() -> None:
    quoted = '"] or exit() #\n'
    schema = Schema((Nominal(quoted, (quoted, "b")), Numeric("c0")), Nominal("y", (quoted, "no")))
    rules = RuleList(
        schema, (Rule((cw.Equals(quoted, quoted), cw.AtMost("c0", 1.0)), quoted),), Otherwise("no")
    )
    predictor = cw.row_predictor(rules)
    assert [predictor([value, 0.5]) for value in (quoted, "b", "c", None)] == [quoted, "no", "no", "no"]
    assert predictor([quoted, 1]) == quoted
    assert predictor([quoted, None]) == "no"


@pytest.mark.slow
def test_sums_and_choices_may_be_long() -> None:
    values = tuple(f"v{place}" for place in range(3000))
    schema = Schema((Nominal("a", values), *(Numeric(f"x{j}") for j in range(300))), Nominal("y", ("p", "q")))
    rules = RuleList(
        schema, tuple(Rule((cw.Equals("a", value),), "q") for value in values[::2]), Otherwise("p")
    )
    predictor = cw.row_predictor(rules)
    rest = [0.0] * 300
    assert [predictor([value, *rest]) for value in ("v2998", "v2999", "v0", "never met")] == [
        "q",
        "p",
        "q",
        "p",
    ]
    votes = cw.row_predictor(replace(rules, matching="vote"))
    assert [votes([value, *rest]) for value in ("v2998", "v2999")] == ["q", "p"]
    counts = {f"x{j}": [float((j + i) % 5) for i in range(40)] for j in range(300)}
    table = cw.read_table(
        {**counts, "y": ["p", "q"] * 20}, target="y", kinds=dict.fromkeys(counts, "numeric")
    )
    model = cw.NaiveBayes(numeric="multinomial").learn(table)
    rows = [{name: column[i] for name, column in counts.items()} for i in range(5)]
    assert [cw.row_predictor(model)(row) for row in rows] == cw.predict(model, rows).tolist()


@pytest.mark.parametrize("text", ["multinomial", "bernoulli", "complement"])
def test_one_text_is_predicted_as_many_are(text: Any) -> None:
    texts = ["free money now", "see you now", "free free prize", "you see", None, ""]
    table = cw.read_table({"text": texts, "spam": list("ynynyn")}, target="spam", kinds={"text": "text"})
    model = cw.NaiveBayes(text=text).learn(table)
    predictor = cw.row_predictor(model)
    for each, share in zip(texts, cw.shares(model, table).tolist(), strict=True):
        assert list(predictor.shares({"text": each}).values()) == pytest.approx(share, rel=1e-12)
        assert predictor({"text": each}) == cw.predict(model, [{"text": each}])[0]
