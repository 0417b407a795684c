"""Derivations as JSON say the same, strictly and in few bytes."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clearwood.deriving.as_json import Formulas, derivation_to_json, outcome_to_json, step_to_json
from clearwood.formulas import expressions as ex
from clearwood.formulas.conditions import Equals
from clearwood.formulas.expressions import expression_to_json
from clearwood.models.kinds.rules.rule_list import Rule
from clearwood.working.derivation import (
    Answered,
    Became,
    BecameLeaf,
    Derivation,
    Kept,
    Outcome,
    Raised,
    Step,
    Stopped,
    Taken,
)
from clearwood.working.figures import Figure, Grid
from tests.hand_made_derivation import everything, tennis


def number(actual: Any) -> int | float | Fraction:
    match actual:
        case [top, bottom]:
            return Fraction(int(top), int(bottom))
        case [str(text)]:
            return int(text) if text.lstrip("-").isdigit() else float(text)
        case int() | float():
            return actual
    raise AssertionError(actual)


def expression(actual: Any) -> ex.Expression:
    """The expression that an array stands for, by what the page on derivations says of it."""
    match actual:
        case int() | float():
            return ex.Number(actual)
        case ["number", value]:
            return ex.Number(number(value))
        case ["named", name, value]:
            return ex.ValueOf(name, number(value))
        case ["symbol", name, *below]:
            return ex.Symbol(name, *below)
        case ["+", *of]:
            return ex.Sum(tuple(map(expression, of)))
        case ["neg", of]:
            return ex.Negative(expression(of))
        case ["*", *of]:
            return ex.Product(tuple(map(expression, of)))
        case ["/", top, bottom]:
            return ex.Quotient(expression(top), expression(bottom))
        case ["^", base, exponent]:
            return ex.Power(expression(base), expression(exponent))
        case ["exp", of]:
            return ex.Exp(expression(of))
        case ["log", base, of]:
            return ex.Log(expression(of), base)
        case ["root", of]:
            return ex.Root(expression(of))
        case ["binomial", of, taken]:
            return ex.Binomial(expression(of), expression(taken))
        case ["min" | "max" as which, *of]:
            return ex.Extreme(which, tuple(map(expression, of)))
        case ["call", function, to, *value]:
            return ex.Applied(function, tuple(map(expression, to)), *(float(number(each)) for each in value))
        case ["over", sign, index, of]:
            return ex.Over(sign, index, expression(of))
        case ["compare", sign, left, right]:
            return ex.Compared(expression(left), sign, expression(right))
    raise AssertionError(actual)


_NUMBERS = st.one_of(
    st.integers(-(2**60), 2**60),
    st.floats(),
    st.fractions(),
)
_LEAVES = st.one_of(
    _NUMBERS.map(ex.Number),
    st.builds(ex.ValueOf, st.text(), _NUMBERS),
    st.builds(ex.Symbol, st.text(), st.text()),
)


def _joined(part: st.SearchStrategy[ex.Expression]) -> st.SearchStrategy[ex.Expression]:
    several = st.lists(part, max_size=3).map(tuple)
    some = st.lists(part, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(ex.Sum, several),
        st.builds(ex.Product, several),
        st.builds(ex.Negative, part),
        st.builds(ex.Quotient, part, part),
        st.builds(ex.Power, part, part),
        st.builds(ex.Exp, part),
        st.builds(ex.Log, part, st.sampled_from(["2", "e", "10"])),
        st.builds(ex.Root, part),
        st.builds(ex.Extreme, st.sampled_from(["min", "max"]), some),
        st.builds(ex.Applied, st.text(), several, st.none() | st.floats()),
        st.builds(ex.Over, st.sampled_from(["Σ", "argmax"]), st.text(), part),
        st.builds(ex.Compared, part, st.sampled_from(["<", "≥"]), part),
    )


@given(st.recursive(_LEAVES, _joined, max_leaves=8))
def test_an_expression_reads_back_as_it_was(given: ex.Expression) -> None:
    text = json.dumps(expression_to_json(given), allow_nan=False)
    again = expression(json.loads(text))
    assert expression_to_json(again) == json.loads(text)
    one, two = ex.value_of(given), ex.value_of(again)
    assert one == two or (math.isnan(one) and math.isnan(two))


def test_ways_to_choose_read_back() -> None:
    data = expression_to_json(ex.Binomial(ex.Number(9), ex.Number(2)))
    assert ex.value_of(expression(data)) == 36


def test_every_value_can_be_computed_from_what_is_put_in() -> None:
    data = derivation_to_json(tennis())
    checked = 0
    for figure in _walk(data["steps"][0]["figures"]):
        if "put_in" in figure:
            assert math.isclose(ex.value_of(expression(figure["put_in"])), figure["value"], abs_tol=1e-12)
            checked += 1
    assert checked == 5


def test_the_root_of_tennis() -> None:
    data = derivation_to_json(tennis())
    assert data["title"] == "How a tree grew from tennis"
    step = data["steps"][0]
    whole, gain, best = step["figures"]
    assert whole == {
        "name": "H(S)",
        "value": 0.9402859586706311,
        "unit": "bits",
        "formula": 0,
        "put_in": ["+", ["neg", ["*", ["/", 9, 14], ["log", "2", ["/", 9, 14]]]],
                   ["neg", ["*", ["/", 5, 14], ["log", "2", ["/", 5, 14]]]]],
        "rows": {"weight": 14, "when": "all rows"},
    }  # fmt: skip
    p = ["symbol", "p", "c"]
    assert data["formulas"][0] == ["neg", ["over", "Σ", "c", ["*", p, ["log", "2", p]]]]
    assert len(data["formulas"]) == 3
    assert gain["under"][0] == {"name": "H(S)", "value": 0.9402859586706311, "again": 0}
    assert gain["grids"][0]["cells"][:2] == [["Sunny", "Overcast", "Rainy"], [2, 4, 3]]
    assert best["grids"][0]["chosen"] == 0
    assert step["outcome"]["branches"] == ["Outlook = Sunny", "Outlook = Overcast", "Outlook = Rainy"]
    assert step["node"] == 0


def test_what_is_no_number_is_strict_json_all_the_same() -> None:
    endless = Figure("endless", math.inf, put_in=ex.Quotient(ex.Number(1), ex.Number(0)))
    nothing = Figure("none", math.nan, grids=(Grid("", ("a", "b"), [("x", math.nan)]),))
    data = derivation_to_json(Derivation("", [Step("", "", (endless, nothing), "")]))
    json.dumps(data, allow_nan=False)
    one, two = data["steps"][0]["figures"]
    assert one["value"] == ["inf"]
    assert two["value"] == ["nan"]
    assert two["grids"][0]["cells"] == [["x"], [["nan"]]]
    json.dumps(derivation_to_json(everything()), allow_nan=False)


def test_a_long_grid_is_cut_and_shows_the_work_of_the_chosen_row() -> None:
    worked_out: list[int] = []

    def figure_of(row: int) -> Figure:
        worked_out.append(row)
        return Figure(f"gain {row}", row / 2)

    def grid(rows: int, **limits: int) -> Any:
        made = Grid("", ("cut", "gain"), [(f"{k}", k / 2) for k in range(rows)], 7, figure_of)
        step = Step("", "", (Figure("best", None, grids=(made,)),), "")
        return step_to_json(step, Formulas(), **limits)["figures"][0]["grids"][0]

    long = grid(5000, most_rows=10)
    assert long["cells"][0] == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]
    assert (long["chosen"], long["more"]) == (5, [2, 4988])
    assert long["work"] == {"5": {"name": "gain 7", "value": 3.5}}
    assert worked_out == [7]
    assert len(grid(9, most_work=9)["work"]) == 9
    assert "work" not in grid(5000, most_work=0)


def test_outcomes() -> None:
    rule = Rule((Equals("Outlook", "Sunny"),), "Yes", (2.0, 0.0))
    text: list[Outcome] = [
        Stopped((0.5, 3.0)),
        Kept(),
        BecameLeaf(4),
        Raised(1),
        Taken(rule),
        Became(rule, None),
        Answered(math.inf),
    ]
    assert [outcome_to_json(each) for each in text] == [
        {"what": "stopped", "counts": [0.5, 3]},
        {"what": "kept"},
        {"what": "cut", "place": 4},
        {"what": "raised", "branch": 1},
        {"what": "taken", "rule": "IF Outlook = Sunny THEN Yes"},
        {"what": "became", "before": "IF Outlook = Sunny THEN Yes", "after": None},
        {"what": "answer", "said": ["inf"]},
    ]


def _walk(figures: list[Any]) -> Any:
    for each in figures:
        yield each
        yield from _walk(each.get("under", []))
