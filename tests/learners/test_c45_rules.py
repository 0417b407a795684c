"""C4.5rules on tables small enough to work by hand, and on awkward ones."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.formulas.conditions import Between, Equals, holds
from clearwood.learners.rules import c45_rules as module
from clearwood.learners.rules.c45_rules import C45Rules
from clearwood.measures.description_length import choice_bits, exception_bits, rule_bits
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Column, Table
from tests.book_tables import book_table


def tennis() -> Table:
    return book_table("tennis", target="PlayTennis")


def table_of(cells: Mapping[str, Sequence[str | float | None]], target: str = "y") -> Table:
    attributes: dict[str, Nominal | Numeric] = {}
    columns: dict[str, Column] = {}
    for name, column in cells.items():
        if any(isinstance(cell, float) for cell in column):
            attributes[name] = Numeric(name)
            columns[name] = np.array([np.nan if cell is None else cell for cell in column], dtype=np.float64)
        else:
            values = tuple(dict.fromkeys(str(cell) for cell in column if cell is not None))
            attributes[name] = Nominal(name, values)
            codes = [MISSING if cell is None else values.index(str(cell)) for cell in column]
            columns[name] = np.array(codes, dtype=np.int32)
    goal = attributes.pop(target)
    return Table(Schema(tuple(attributes.values()), goal), columns)


def test_the_five_rules_of_tennis_in_order() -> None:
    assert [str(rule) for rule in C45Rules().learn(tennis())] == [
        "IF Outlook = Sunny AND Humidity = High THEN No",
        "IF Outlook = Rainy AND Wind = Strong THEN No",
        "IF Outlook = Overcast THEN Yes",
        "IF Humidity = Normal THEN Yes",
        "IF Outlook = Rainy AND Wind = Weak THEN Yes",
    ]


def test_sunny_is_dropped_because_normal_humidity_alone_errs_less() -> None:
    _, ledger = C45Rules().learn_with_ledger(tennis())
    rule = ledger.rules[1]
    assert rule.way == (Equals("Outlook", "Sunny"), Equals("Humidity", "Normal"))
    # Two rows, none wrong: 1 − 0.25^(1/2). Of the seven of normal humidity one is wrong: the bound of 1.5/7.
    assert rule.error == pytest.approx(0.5)
    f, n, zz = 1.5 / 7, 7, 0.6744897501960817**2
    bound = (f + zz / (2 * n) + math.sqrt(zz) * math.sqrt(f / n - f * f / n + zz / (4 * n * n))) / (
        1 + zz / n
    )
    (dropped,) = rule.dropped
    assert str(dropped.condition) == "Outlook = Sunny"
    assert dropped.before == pytest.approx(0.5)
    assert dropped.after == pytest.approx(bound) == pytest.approx(0.33457, abs=1e-5)
    assert (rule.covered, rule.wrong, rule.fate) == (7, 1, "kept")
    assert "drop Outlook = Sunny: 0.5000 → 0.3346" in str(ledger)
    data = json.loads(json.dumps(ledger.to_json(), allow_nan=False))
    assert data["rules"][1]["rule"] == str(rule.rule)
    assert [each["name"] for each in data["classes"]] == [each.name for each in ledger.classes]


def test_the_bits_of_tennis_by_hand() -> None:
    _, ledger = C45Rules().learn_with_ledger(tennis())
    no, yes = ledger.classes
    # One of four attributes is 2 bits, one of three outlooks log2 3, one of two winds or humidities 1.
    pair = 2 + math.log2(3) + 2 + 1 - 1
    assert ledger.rules[0].bits == pytest.approx(pair)
    # The two rules for No cover its five rows and no other; their order is worth 1 bit.
    assert no.bits == pytest.approx(0.5 * (2 * pair - 1))
    assert no.bits_of_none == pytest.approx(math.log2(math.comb(14, 5)))
    # The three for Yes cover its nine rows and one more.
    single = [2 + math.log2(3), 2 + 1]
    assert yes.bits == pytest.approx(0.5 * (sum(single) + pair - math.log2(6)) + math.log2(10))
    assert (len(no.kept), len(yes.kept)) == (2, 3)


def test_bits_of_exceptions_count_the_ways_they_can_lie() -> None:
    assert exception_bits(5, 2, 9, 1) == pytest.approx(math.log2(10 * 9))
    assert choice_bits(30, 0) == choice_bits(0, 0) == 0
    assert choice_bits(2.5, 0.5) > 0
    assert rule_bits([3.0, 4.0, 5.0]) == pytest.approx(12 - math.log2(6))


def test_rules_are_dearer_where_theory_weighs_more() -> None:
    cheap, dear = (C45Rules(theory_weight=weight).learn(tennis()) for weight in (0.5, 5))
    assert len(dear) == 0 < len(cheap)
    assert dear.otherwise.then == "Yes"
    assert dear.otherwise.counts == (5, 9)


def test_the_two_bounds_of_a_number_are_printed_as_one_condition() -> None:
    x = [float(i) for i in range(60)]
    rules = C45Rules().learn(table_of({"x": list(x), "y": ["in" if 20 <= i < 40 else "out" for i in x]}))
    assert Rule((Between("x", 19.0, 39.0),), "in", (20.0, 0.0)) in [
        Rule(rule.when, rule.then, rule.counts[::-1]) for rule in rules
    ]


def test_counts_are_of_the_rows_each_rule_answers() -> None:
    table = book_table("buys_computer", target="buys_computer")
    rules = C45Rules(min_rows=1).learn(table)
    _check_counts(rules, table)


def test_weights_are_as_good_as_repeated_rows() -> None:
    table = tennis()
    times = np.array([1, 2, 3, 1, 2, 1, 1, 4, 1, 2, 1, 1, 3, 1])
    weighed = Table(table.schema, table.columns, times.astype(np.float64))
    repeated = table.take(np.repeat(np.arange(len(table)), times))
    one, two = C45Rules().learn(weighed), C45Rules().learn(repeated)
    assert (one.rules, one.otherwise) == (two.rules, two.otherwise)


def test_no_rule_where_there_is_one_class() -> None:
    rules = C45Rules().learn(table_of({"x": ["a", "b", "a"], "y": ["only", "only", "only"]}))
    assert (rules.rules, rules.otherwise.then, rules.otherwise.counts) == ((), "only", (3.0,))


def test_no_rule_where_the_tree_is_a_single_leaf() -> None:
    rules, ledger = C45Rules().learn_with_ledger(table_of({"x": ["a"] * 5, "y": ["p", "q", "q", "q", "p"]}))
    assert (rules.rules, rules.otherwise.then) == ((), "q")
    assert ledger.rules == ()


def test_contradictory_rows_are_answered_by_most_of_them() -> None:
    rows = [("a", "p")] * 9 + [("a", "q")] * 3 + [("b", "q")] * 8 + [("b", "p")] * 2
    table = table_of({"x": [x for x, _ in rows], "y": [y for _, y in rows]})
    rules = C45Rules().learn(table)
    answers = {x: next((r.then for r in rules if holds(r.when[0], x)), rules.otherwise.then) for x in "ab"}
    assert answers == {"a": "p", "b": "q"}


def test_a_missing_cell_satisfies_no_condition() -> None:
    x = [*["a"] * 20, *["b"] * 20, *[None] * 4]
    y = ["p"] * 20 + ["q"] * 20 + ["q"] * 3 + ["p"]
    rules = C45Rules().learn(table_of({"x": x, "y": y}))
    assert sum(sum(rule.counts) for rule in rules) == 40
    assert rules.otherwise.counts == (1.0, 3.0)
    assert rules.otherwise.then == "q"


def test_where_everything_is_missing_the_majority_answers() -> None:
    rules = C45Rules().learn(table_of({"x": [None, None, None], "z": [math.nan] * 3, "y": ["p", "q", "q"]}))
    assert (rules.rules, rules.otherwise.then) == ((), "q")


def test_dropping_harmful_rules_never_costs_a_training_row() -> None:
    random = np.random.default_rng(5)
    a, b = random.integers(0, 5, 400), random.integers(0, 4, 400)
    y = np.where(random.random(400) < 0.3, random.integers(0, 3, 400), (a + b) % 3)
    table = table_of({"a": [f"a{i}" for i in a], "b": [f"b{i}" for i in b], "y": [f"y{i}" for i in y]})
    as_it_comes, fewer = C45Rules().learn(table), C45Rules(drop_harmful=True).learn(table)
    assert _right(fewer) >= _right(as_it_comes)
    _check_counts(fewer, table)


def test_more_memory_than_there_should_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 10)
    with pytest.raises(LearningError, match=r"5 leaves and asks 7 different conditions.*Raise min_rows"):
        C45Rules().learn(tennis())


def test_text_is_left_out_with_one_warning() -> None:
    table = book_table("tennis", target="PlayTennis", kinds={"Wind": "text"})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        C45Rules().learn(table)
    assert [each.category for each in caught] == [ClearwoodWarning]


@pytest.mark.parametrize(
    "wrong", [{"exhaustive": 21}, {"exhaustive": -1}, {"confidence": 1}, {"theory_weight": -1}]
)
def test_settings_are_refused_when_made(wrong: dict[str, float]) -> None:
    with pytest.raises(SettingError, match=next(iter(wrong))):
        C45Rules(**wrong)  # type: ignore[arg-type]


def _check_counts(rules: RuleList, table: Table) -> None:
    """Row by row, cell by cell: the first rule whose every condition holds."""
    actual = np.zeros((len(rules) + 1, len(table.schema.classes)))
    values = {a.name: a.values for a in table.schema.attributes if isinstance(a, Nominal)}
    for row in range(len(table)):
        cells = {name: names[table.columns[name][row]] for name, names in values.items()}
        places = (i for i, rule in enumerate(rules) if all(holds(c, cells[c.name]) for c in rule.when))
        actual[next(places, len(rules)), table.target[row]] += 1
    assert [rule.counts for rule in rules] == [tuple(row) for row in actual[:-1].tolist()]
    assert rules.otherwise.counts == tuple(actual[-1].tolist())


def _right(rules: RuleList) -> float:
    classes = rules.schema.classes
    answers = [(rule.then, rule.counts) for rule in rules] + [(rules.otherwise.then, rules.otherwise.counts)]
    return sum(counts[classes.index(str(then))] for then, counts in answers)
