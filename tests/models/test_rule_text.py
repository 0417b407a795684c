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
from clearwood.errors import ColumnError, ModelFileError, RuleTextError, SchemaError
from clearwood.formulas.conditions import Condition, holds, read_word, written
from clearwood.models.decision import Decision
from clearwood.models.files import from_json, to_json
from clearwood.models.kinds.rules.rule_list import Matching, Otherwise, Rule, RuleList
from clearwood.models.kinds.rules.rule_reading import (
    named_target,
    parse_answer,
    parse_conditions,
    parse_rule,
    parse_rules,
)
from clearwood.models.kinds.rules.rule_text import (
    columns_in,
    columns_text,
    otherwise_line,
    rule_lines,
    share_right,
    write_rules,
)
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
        ("IF Wind > Weak THEN Play", "IF Wind = Strong THEN Play"),
        ("IF Wind < Strong THEN Play", "IF Wind in {None, Weak} THEN Play"),
        ("IF Wind < Weak THEN Play", "IF Wind = None THEN Play"),
        ("IF None <= Wind < Strong THEN Play", "IF Wind in {None, Weak} THEN Play"),
        ("IF Strong >= Wind >= None THEN Play", "IF Wind in {None, Weak, Strong} THEN Play"),
        ("IF Wind = Weak or missing THEN Play", "IF Wind = Weak or missing THEN Play"),
        ("IF Wind is in {Weak, Strong} THEN Play", "IF Wind in {Weak, Strong} THEN Play"),
        ("IF Wind is missing THEN Play", "IF Wind is missing THEN Play"),
        ("IF Humidity is known or missing THEN Play", "IF Humidity is known or missing THEN Play"),
        ("IF 75 = Humidity THEN Play", "IF Humidity = 75 THEN Play"),
        ("IF 75 < Humidity THEN Play", "IF Humidity > 75 THEN Play"),
        ("IF Sunny = Outlook THEN Play", "IF Outlook = Sunny THEN Play"),
        ("IF Humidity < −∞ THEN Play", "IF Humidity < -inf THEN Play"),
        ("IF Humidity <= inf THEN Play", "IF Humidity is known THEN Play"),
        ("IF Humidity > −5 THEN Play", "IF Humidity > -5 THEN Play"),
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
        ("IF Wind is not Weak THEN Play", "line 1, column 4", "Wind in {…} with the values that are meant"),
        ("IF Humidity != 75 THEN Play", "line 1, column 4", "two rules, with Humidity < … and Humidity > …"),
        ("IF Humidity in {75} THEN Play", "line 1, column 4", "'Humidity' is numeric; test it with ≤, >"),
        ("IF Outlook in Sunny THEN Play", "line 1, column 15", "Write a set of values in braces"),
        ("IF Outlook in {Sunny", "line 1, column 15", "This brace is never closed"),
        ("IF 3 < Humidity > 7 THEN Play", "line 1, column 4", "Write two bounds as 3 < Humidity ≤ 7."),
        ("IF 3 > Humidity < 7 THEN Play", "line 1, column 4", "Write two bounds as 3 < Humidity ≤ 7."),
        ("IF Wind < None THEN Play", "line 1, column 4", "No value of 'Wind' satisfies this."),
        ("IF Wind > Strong THEN Play", "line 1, column 4", "No value of 'Wind' satisfies this."),
        ("IF Humidity ≤ 7_5 THEN Play", "line 1, column 15", "A number is expected here, not '7_5'"),
        (
            "IF Humidity 75 THEN Play",
            "line 1, column 16",
            "a sign must follow (=, ≤, >, in or is), not 'THEN'",
        ),
        ('IF "Outlook" "x" = Sunny THEN Play', "line 1, column 14", "The quoted word ends before"),
        ('IF Out"look" = Sunny THEN Play', "line 1, column 7", "A quote begins within a word"),
        ("RULES VOTE more\nALWAYS THEN Play", "line 1, column 12", "The rule ends before 'more'"),
        (
            "IF Outlook = Sunny Wind = Weak THEN Play",
            "line 1, column 4",
            "Write two bounds as 3 < Sunny Wind ≤ 7.",
        ),
        ("ALWAYS Play", "line 1, column 8", "Expected AND or THEN here, not 'Play'"),
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


def test_a_rule_or_conditions_alone_end_where_they_end() -> None:
    with pytest.raises(RuleTextError, match=r"line 2, column 1: Give one rule only; a second begins here"):
        parse_rule("ALWAYS THEN Play\nALWAYS THEN Play", TENNIS)
    conditions = parse_conditions("\n Humidity > 75 AND (Wind = Weak or missing)\n", TENNIS)
    assert conditions == (Above("Humidity", 75.0), OneOf("Wind", ("Weak",), True))
    with pytest.raises(RuleTextError, match=r"column 15: Expected AND or the end here, not 'THEN'"):
        parse_conditions("Humidity > 75 THEN Play", TENNIS)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("IF a = 1 THEN Play = Yes", "Play"), ("IF a = 1 THEN Play is Yes", "Play"),
        ("IF a = 1 THEN Yes", None), ("OTHERWISE y = 1", "y"), ("ELSE\n y = 1", "y"), ("IF a = 1", None),
        ("IF a = 1 THEN nothing\nELSE y = 1", "y"), ("", None),
    ],
)  # fmt: skip
def test_the_target_is_what_the_first_answer_names(text: str, target: str | None) -> None:
    assert named_target(text) == target


def test_rules_that_vote_and_rules_that_refer_are_read_back() -> None:
    votes = parse_rules("rules vote (all that hold)\nALWAYS THEN Play\nelse then Don't Play", TENNIS)
    assert (votes.matching, votes.otherwise.then) == ("vote", "Don't Play")
    assert parse_rules(write_rules(votes), TENNIS) == votes
    refers = parse_rules("IF Wind = Weak THEN refer\nELSE Play", TENNIS)
    assert refers.rules[0].then is None
    assert write_rules(refers).splitlines()[0] == "IF Wind = Weak THEN refer"
    # Where a class has this name, it is the class.
    schema = replace(TENNIS, target=Nominal("Play", ("refer", "Play")))
    named = parse_rules("IF Wind = Weak THEN refer\nIF Wind = Strong THEN nothing\nELSE Play", schema)
    assert [rule.then for rule in named] == ["refer", None]
    assert parse_rules(write_rules(named), schema) == named
    assert write_rules(named).splitlines()[1] == "IF Wind = Strong THEN nothing"
    with pytest.raises(RuleTextError, match="The heading must be RULES VOTE"):
        parse_rules("rules vote2\nALWAYS THEN Play", TENNIS)


def test_the_part_that_is_right_is_as_the_decision_weighs_it() -> None:
    rule = Rule((Equals("Outlook", "Sunny"),), "Play", (2.0, 6.0))
    rules = RuleList(TENNIS, (rule,), Otherwise("Don't Play", (0.0, 0.0)))
    assert share_right(rules, "Play", (2.0, 6.0)) == 0.25
    weighed = replace(rules, decision=Decision(factors=(3.0, 1.0)))
    assert share_right(weighed, "Play", (2.0, 6.0)) == 0.5
    assert share_right(rules, None, (2.0, 6.0)) is None
    assert share_right(rules, "Play", (0.0, 0.0)) is None
    assert otherwise_line(rules) == "OTHERWISE Play = Don't Play  (0 rows)"
    assert otherwise_line(rules, counts=False) == "OTHERWISE Play = Don't Play"
    assert rule_lines(rules) == ["IF Outlook = Sunny THEN Play = Play  (8 rows, 25 %)"]
    assert rule_lines(rules, counts=False) == ["IF Outlook = Sunny THEN Play = Play"]
    numbers_of = RuleList(
        Schema(TENNIS.attributes, Numeric("p")), (Rule((), 2.5, (4.0, 2.5, 1.0)),), Otherwise(0)
    )
    assert rule_lines(numbers_of) == ["ALWAYS THEN p = 2.5  (4 rows)"]
    assert otherwise_line(replace(rules, otherwise=Otherwise())) == "OTHERWISE nothing"


def test_columns_stand_as_comments_of_the_text_and_are_read_back() -> None:
    schema = Schema(TENNIS.attributes, TENNIS.target, weight="w")
    text = columns_text(schema)
    assert columns_in(text) == schema
    assert columns_in(f"{text}\nALWAYS THEN Play\n# no: comment") == schema
    assert columns_in("# a comment\nALWAYS THEN Play") is None
    assert columns_in("ALWAYS THEN Play #: column {}") is None
    columns = text.splitlines()
    wrong = ["#: colum {}", "#: column {", "#: column", "#: target null", columns[-1], "#: column NaN2"]
    for line in wrong:
        with pytest.raises(
            ModelFileError, match=r"^mine\.txt, line 7: this line should name a column, as in"
        ):
            columns_in("\n".join([*columns, line]), "mine.txt")
    with pytest.raises(ModelFileError, match=r"^the rules, line 1: "):
        columns_in("#: else")
    with pytest.raises((SchemaError, ColumnError), match=r"^the rules, lines beginning with #:: "):
        columns_in('#: column {"name": "a", "kind": "colour"}')


@pytest.mark.parametrize("before", [0, 1, 2, 3, 6])
def test_of_a_long_line_a_hundred_letters_about_the_place_are_shown(before: int) -> None:
    others = "Wind = Weak AND " * 9
    text = f"IF {'Outlook = Sunny AND ' * before}Humidty > 1 AND {others}Wind = Weak THEN Play"
    with pytest.raises(RuleTextError) as refused:
        parse_rules(text, TENNIS)
    head, line, caret = str(refused.value).splitlines()
    place = text.index("Humidty")
    assert f"line 1, column {place + 1}: " in head
    shown = line[4:]
    skipped = max(0, place - 50)
    assert shown.startswith("…") == (skipped > 0)
    assert shown.strip("…") == text[skipped : skipped + 100]
    assert shown.endswith("…") == (len(text) > skipped + 100)
    assert line[caret.index("^") :].startswith("Humidty")
