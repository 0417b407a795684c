"""Rules as text: what is printed reads back as the same list, and what people type means what it says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Equals,
    IsMissing,
    Nominal,
    Numeric,
    OneOf,
    Ordinal,
    Schema,
)
from clearwood.errors import RuleTextError, SchemaError
from clearwood.formulas.conditions import Condition, holds
from clearwood.formulas.spelling import read_word, written
from clearwood.models.files import from_json, to_json
from clearwood.models.kinds.rules.rule_list import Matching, Otherwise, Rule, RuleList
from clearwood.models.kinds.rules.rule_reading import parse_answer, parse_rule, parse_rules
from clearwood.models.kinds.rules.rule_text import write_rules
from clearwood.table.attributes import Attribute
from clearwood.words.numbers import number
from tests.models.published_schema import fits_the_published_schema

TENNIS = Schema(
    (
        Nominal("Outlook", ("Sunny", "Overcast", "Rain")),
        Numeric("Humidity"),
        Ordinal("Wind", ("None", "Weak", "Strong")),
    ),
    Nominal("Play", ("Play", "Don't Play")),
)

nasty = st.one_of(
    st.text(max_size=8),
    st.text(st.sampled_from(" \"\\#(){},=<>≤≥!&\n\t'-∞aIé字"), max_size=8),
    st.lists(
        st.sampled_from(
            [
                "IF",
                "and",
                "then",
                "or",
                "missing",
                "is",
                "in",
                "x",
                "5",
                "nothing",
                "Else",
                "#",
                "rules",
                "vote",
            ]
        ),
        max_size=3,
    ).map(" ".join),
)
numbers = st.floats(allow_nan=False)


@st.composite
def rule_lists(draw: st.DrawFn) -> RuleList:
    names = draw(st.lists(nasty, min_size=2, max_size=5, unique=True))
    values = st.lists(nasty, min_size=1, max_size=4, unique=True).map(tuple)
    attributes: list[Attribute] = []
    for name in names[1:]:
        kind = draw(st.sampled_from([Nominal, Ordinal, Numeric]))
        attributes.append(Numeric(name) if kind is Numeric else kind(name, draw(values)))
    target = draw(st.one_of(values.map(lambda v: Nominal(names[0], v)), st.just(Numeric(names[0]))))
    finite = st.floats(allow_nan=False, allow_infinity=False)
    answers = finite if isinstance(target, Numeric) else st.sampled_from(target.values)

    def condition(attribute: Attribute) -> st.SearchStrategy[Condition]:
        name, missing = attribute.name, st.booleans()
        if isinstance(attribute, Nominal | Ordinal):
            some = st.lists(st.sampled_from(attribute.values), max_size=4, unique=True).map(tuple)
            return st.one_of(
                st.builds(Equals, st.just(name), st.sampled_from(attribute.values)),
                st.builds(OneOf, st.just(name), some, missing),
                st.just(IsMissing(name)),
            )
        return st.one_of(
            st.builds(AtMost, st.just(name), numbers, missing),
            st.builds(Below, st.just(name), numbers, missing),
            st.builds(Above, st.just(name), numbers, missing),
            st.builds(AtLeast, st.just(name), numbers, missing),
            st.builds(Between, st.just(name), numbers, numbers, missing, st.booleans(), st.booleans()),
            st.just(IsMissing(name)),
        )

    conditions = st.sampled_from(attributes).flatmap(condition)
    ways: tuple[Matching, ...] = ("first",) if isinstance(target, Numeric) else ("first", "vote")
    matching = draw(st.sampled_from(ways))
    texts = answers if matching == "vote" else st.one_of(answers, st.none())
    rule = st.builds(Rule, st.lists(conditions, max_size=4).map(tuple), texts)
    return RuleList(
        Schema(tuple(attributes), target),
        tuple(draw(st.lists(rule, max_size=4))),
        draw(st.one_of(st.just(Otherwise()), st.builds(Otherwise, answers))),
        matching,
    )


@pytest.mark.slow
@given(rule_lists())
def test_what_is_printed_reads_back_as_the_same_list(rules: RuleList) -> None:
    assert parse_rules(write_rules(rules), rules.schema) == rules
    assert parse_rules(str(rules).replace("\n", "\r\n"), rules.schema) == rules
    for rule in rules:
        assert parse_rule(str(rule), rules.schema) == rule


@pytest.mark.slow
@given(rule_lists())
def test_what_reads_as_text_is_saved_and_loads_too(rules: RuleList) -> None:
    text = to_json(rules)
    assert from_json(text) == rules
    fits_the_published_schema(text)


def test_an_alternative_stands_in_brackets_beside_other_conditions() -> None:
    alone = RuleList(TENNIS, (Rule((OneOf("Outlook", ("Sunny",), True),), "Play"),))
    assert write_rules(alone).startswith("IF Outlook = Sunny or missing THEN")
    both = (OneOf("Outlook", ("Sunny",), True), AtMost("Humidity", 75.0, True), Equals("Wind", "Weak"))
    rules = RuleList(TENNIS, (Rule(both, "Play", (2.0, 1.0)),))
    answers = (
        "IF (Outlook = Sunny or missing) AND (Humidity ≤ 75 or missing) AND Wind = Weak THEN Play = Play"
    )
    assert write_rules(rules).splitlines()[0] == answers + "  (3 rows, 67 %)"
    for typed in (
        answers + " (a remark)",
        answers.replace("(", "").replace(")", ""),
        answers.replace("AND", "\n and"),
    ):
        assert parse_rule(typed, TENNIS).when == both


def test_a_value_said_twice_is_one_value() -> None:
    rule = parse_rule("IF Outlook in {Sunny, Rain, Sunny} THEN Play", TENNIS)
    assert rule.when == (OneOf("Outlook", ("Sunny", "Rain")),)


@pytest.mark.parametrize(
    "typed", ["IF (Outlook = Sunny THEN Play", "IF (Outlook = Sunny AND Wind = Weak) THEN Play"]
)
def test_brackets_hold_one_condition(typed: str) -> None:
    with pytest.raises(RuleTextError, match="Brackets hold one condition"):
        parse_rule(typed, TENNIS)


@given(nasty)
def test_a_word_is_quoted_only_where_it_must_be(text: str) -> None:
    answers = written(text)
    assert (read_word(answers) if answers.startswith('"') else answers) == text
    assert answers.isprintable()


def test_counts_are_a_remark_that_is_not_read_back() -> None:
    rules = RuleList(TENNIS, (Rule((Equals("Outlook", "Sunny"),), "Play", (2.0, 1.0)),))
    assert str(rules) == "IF Outlook = Sunny THEN Play = Play  (3 rows, 67 %)\nOTHERWISE nothing"
    assert parse_rules(str(rules), TENNIS) == replace(rules, rules=(replace(rules.rules[0], counts=()),))


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        (
            "if Outlook == Sunny and Humidity <= 75 then Play",
            "IF Outlook = Sunny AND Humidity ≤ 75 THEN Play",
        ),
        (
            "IF Outlook is Sunny & Humidity > 7e1 THEN Play is Play",
            "IF Outlook = Sunny AND Humidity > 70 THEN Play",
        ),
        ("IF Outlook = Sunny && Humidity>-5 THEN Play", "IF Outlook = Sunny AND Humidity > -5 THEN Play"),
        (
            "IF Outlook = Sunny\n  AND Humidity <= 75\n  THEN Play",
            "IF Outlook = Sunny AND Humidity ≤ 75 THEN Play",
        ),
        ("IF Outlook in {Sunny,\n   Rain} THEN Don't Play", "IF Outlook in {Sunny, Rain} THEN Don't Play"),
        ("IF 30 < Humidity <= 50 THEN Play", "IF 30 < Humidity ≤ 50 THEN Play"),
        ("IF 50 >= Humidity > 30 THEN Play", "IF 30 < Humidity ≤ 50 THEN Play"),
        ("IF 75 >= Humidity THEN Play", "IF Humidity ≤ 75 THEN Play"),
        ("IF Humidity > 3 AND Humidity <= 7 THEN Play", "IF Humidity > 3 AND Humidity ≤ 7 THEN Play"),
        ("IF Outlook in {Sunny} or missing THEN Play", "IF Outlook = Sunny or missing THEN Play"),
        ("IF Humidity is not missing THEN Play (said she)", "IF Humidity is known THEN Play"),
        ("IF Outlook is known THEN Play", "IF Outlook in {Sunny, Overcast, Rain} THEN Play"),
        ("IF Wind is not known THEN Play", "IF Wind is missing THEN Play"),
        ("IF Wind <= Weak THEN Play # two of three", "IF Wind in {None, Weak} THEN Play"),
        ("IF Weak < Wind <= Strong THEN Play", "IF Wind = Strong THEN Play"),
        ("IF Wind >= Weak or missing THEN Play", "IF Wind in {Weak, Strong} or missing THEN Play"),
        ("if always then Play", "ALWAYS THEN Play"),
        ('IF "Outlook" = "Sunny" THEN "Play" = "Don\'t Play"', "IF Outlook = Sunny THEN Don't Play"),
    ],
)
def test_what_people_type_is_read(typed: str, rule: str) -> None:
    assert str(parse_rule(typed, TENNIS)) == rule


@given(numbers, numbers)
def test_strict_signs_on_numbers_are_exact_and_print_as_what_they_are(limit: float, cell: float) -> None:
    for sign, truth in (("<", cell < limit), ("≥", cell >= limit), ("=", cell == limit)):
        (condition,) = parse_rule(f"IF Humidity {sign} {limit!r} THEN Play", TENNIS).when
        assert holds(condition, cell) == truth
        assert str(condition) == f"Humidity {sign} {number(limit)}"
        assert parse_rule(f"IF {condition} THEN Play", TENNIS).when == (condition,)


@pytest.mark.parametrize(
    "written",
    ["Humidity < 21", "Humidity ≥ 21", "18 ≤ Humidity < 21", "18 < Humidity < 21", "Humidity = 0.1"],
)
def test_a_number_is_asked_as_it_was_written(written: str) -> None:
    assert str(parse_rule(f"IF {written} THEN Play", TENNIS)) == f"IF {written} THEN Play"


def test_blank_lines_comments_and_a_byte_order_mark_are_passed_over() -> None:
    text = "\ufeff# mine\n\n  ALWAYS THEN Play  (9 rows, 64 %) # no more\n\nelse nothing (silent)\n"
    assert parse_rules(text, TENNIS) == RuleList(TENNIS, (Rule((), "Play"),))


@pytest.mark.parametrize(
    ("text", "place", "sentence"),
    [
        ("\nIF Humidty ≤ 75 THEN Play", "line 2, column 4", "No column 'Humidty'. Did you mean 'Humidity'?"),
        (
            "IF Outlook = Suny THEN Play",
            "line 1, column 14",
            "No value of Outlook called 'Suny'. Did you mean",
        ),
        ("IF Outlook = Sunny THEN Ply", "line 1, column 25", "No class 'Ply'. Did you mean 'Play'?"),
        ("IF Outlook = Sunny\nIF Outlook = Rain THEN Play", "line 1, column 14", "has no THEN"),
        ("Outlook = Sunny THEN Play", "line 1, column 1", "A rule begins with IF or ALWAYS"),
        (
            "IF Outlook = Sunny THEN Wind = Play",
            "line 1, column 25",
            "These rules predict 'Play', not 'Wind'",
        ),
        ("IF Play = Play THEN Play", "line 1, column 4", "'Play' is the target"),
        ("IF Outlook < Sunny THEN Play", "line 1, column 14", "its values have no order"),
        ("IF Outlook != Sunny THEN Play", "line 1, column 4", "Outlook in {…}"),
        ("IF Outlook not in {Sunny} THEN Play", "line 1, column 4", "'Not' cannot be used"),
        ("IF Humidity ≤ wet THEN Play", "line 1, column 15", "A number is expected here, not 'wet'"),
        ("IF Humidity ≤ 1e999 THEN Play", "line 1, column 15", "larger than any number"),
        ("IF Humidity ≤ nan THEN Play", "line 1, column 15", "A number is expected"),
        ("IF Humidity ≤ 75,5 THEN Play", "line 1, column 17", "Write a decimal with a point"),
        ("IF Outlook = Sunny or Rain THEN Play", "line 1, column 23", "Outlook in {…, …}"),
        ("IF Outlook in {Sunny THEN Play", "line 1, column 22", "Expected a comma or }"),
        ("IF Outlook in {Sunny,} THEN Play", "line 1, column 22", "A value must follow the comma"),
        ("IF Outlook in {Sunny, \n", "line 2, column 1", "Expected a value here, not the end of the text"),
        ('IF Outlook = "Sunny THEN Play', "line 1, column 14", "This quote is never closed"),
        (r'IF Outlook = "Sun\ny\z" THEN Play', "line 1, column 14", r"\z is no escape"),
        ("IF Outlook (sky) = Sunny THEN Play", "line 1, column 12", "write that in quotes"),
        ("ALWAYS THEN Play AND Wind", "line 1, column 18", "The rule ends before 'AND'"),
        ("ALWAYS THEN", "line 1, column 12", "Expected a class here"),
        ("OTHERWISE Play\nALWAYS THEN Play", "line 2, column 1", "OTHERWISE comes last"),
        ("OTHERWISE Play\nOTHERWISE Play", "line 2, column 1", "OTHERWISE comes last"),
        ("IF", "line 1, column 3", "Expected a column here"),
        ("", "line 1, column 1", "There is no rule here"),
        ("# nothing but this", "line 1, column 19", "There is no rule here"),
        ("RULES GO", "line 1, column 1", "RULES VOTE"),
    ],
)
def test_what_cannot_be_read_is_refused_by_place(text: str, place: str, sentence: str) -> None:
    with pytest.raises(RuleTextError) as refused:
        parse_rules(text, TENNIS, "rules.txt")
    assert str(refused.value).startswith(f"rules.txt, {place}: ")
    assert sentence in str(refused.value)


def test_a_caret_stands_under_the_place() -> None:
    with pytest.raises(RuleTextError) as refused:
        parse_rules("# 高\nIF Outlook = Sunny AND Humidty ≤ 75 THEN Play", TENNIS)
    _, line, caret = str(refused.value).splitlines()
    assert line[caret.index("^") :].startswith("Humidty")


@pytest.mark.slow
def test_a_huge_line_is_shown_in_part() -> None:
    with pytest.raises(RuleTextError) as refused:
        parse_rules("IF Outlook = Sunny AND " * 20_000 + "x = 1 THEN Play", TENNIS)
    assert len(str(refused.value)) < 500


def test_a_class_with_parentheses_is_not_taken_for_another_and_a_remark() -> None:
    schema = replace(TENNIS, target=Nominal("y", ("Temp", "Temp (C)")))
    assert parse_rule('ALWAYS THEN "Temp (C)"', schema).then == "Temp (C)"
    with pytest.raises(RuleTextError, match="Put the class in quotes"):
        parse_rule("ALWAYS THEN Temp (C)", schema)


def test_an_answer_alone_is_read_for_otherwise() -> None:
    assert parse_answer("Don't Play", TENNIS) == "Don't Play"
    assert parse_answer("Play = Play", TENNIS) == "Play"
    assert parse_answer("nothing", TENNIS) is None


def test_rules_without_a_target_are_refused() -> None:
    with pytest.raises(SchemaError, match="target"):
        parse_rules("ALWAYS THEN Play", Schema(TENNIS.attributes))
