"""A program compiled for single rows gives what its definition gives, and what the model gives many rows."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

import clearwood as cw
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.program.compiling import NEVER_MET, compiled
from clearwood.models.program.evaluating import evaluated
from clearwood.models.program.program_of import program_of
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from tests.exporting.models_to_export import learners, made_rows, made_table, near

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")

ROWS = [*made_rows(60, 7, missing=0.2, unseen=0.1), *made_rows(1, 9, missing=1.0)]


@pytest.mark.parametrize("name", list(learners()))
def test_a_compiled_program_gives_what_its_definition_gives(name: str) -> None:
    model = learners()[name].learn(made_table())
    program, inputs = program_of(model), model.schema.inputs
    run = compiled(program, inputs, math.exp)
    for row in ROWS:
        cells: list[Any] = []
        for each in inputs:
            cell = row.get(each.name)
            listed = not isinstance(each, Nominal | Ordinal) or cell is None or cell in each.values
            cells.append(cell if listed else NEVER_MET)
        answer, shares = run(cells)
        expected = evaluated(program, row)
        if program.classes:
            assert (None if answer < 0 else program.classes[answer]) == expected.answer
        else:
            assert (None if answer != answer else answer) == expected.answer
        # Of thousands of curves the logs are added up by NumPy, as for many rows.
        assert all(near(one, other) for one, other in zip(shares, expected.shares, strict=True))
        assert "kernel" in name or tuple(shares) == expected.shares


@pytest.mark.parametrize("name", [each for each in learners() if each != "logistic"])
def test_a_row_by_itself_has_the_shares_of_a_row_among_others_to_the_last_digit(name: str) -> None:
    """But for weights, which are added up natively numbers first."""
    model = learners()[name].learn(made_table())
    predictor = cw.row_predictor(model)
    assert [predictor(row) for row in ROWS] == cw.predict(model, ROWS).tolist()
    if not model.is_numeric:
        assert [[*predictor.shares(row).values()] for row in ROWS] == cw.shares(model, ROWS).tolist()


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
