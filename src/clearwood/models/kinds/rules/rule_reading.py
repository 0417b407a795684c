"""Rules read from text: what `write_rules` writes, and what people type for it.

    rules      = ["RULES VOTE"] { rule } [ otherwise ]          a line each; # begins a comment
    rule       = ("IF" condition { ("AND" | "&") condition } | "ALWAYS") "THEN" answer
    otherwise  = "OTHERWISE" answer
    answer     = ([ target ("=" | "is") ] class | "refer" | "nothing") ["(" remark]
    condition  = see `rule_conditions`

Keywords are read in any case. A rule may go on in the next line until its class has been said. `refer` is no
class: the row is left without a prediction. Where a class is called so, it means the class.
"""

from __future__ import annotations

from clearwood.errors import Advice, SchemaError, no_such
from clearwood.formulas.conditions import Condition
from clearwood.models.kinds.rules.rule_conditions import condition_at, number_of
from clearwood.models.kinds.rules.rule_cursor import Cursor, Operand, RuleSource, tokens_of
from clearwood.models.kinds.rules.rule_list import REFER, Answer, Matching, Otherwise, Rule, RuleList
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema


def parse_rules(text: str, schema: Schema, name: str = "") -> RuleList:
    """The list a text says; what cannot be read is refused with line and column, under the file's name.

    >>> from clearwood import Nominal, Numeric
    >>> schema = Schema((Numeric("Humidity"),), Nominal("Play", ("Yes", "No")))
    >>> print(parse_rules("if Humidity <= 75 then Yes  # an expert\\nelse No", schema))
    IF Humidity ≤ 75 THEN Play = Yes
    OTHERWISE Play = No
    """
    cursor = _cursor(text, schema, name)
    matching: Matching = "vote" if _votes(cursor) else "first"
    rules: list[Rule] = []
    otherwise: Otherwise | None = None
    while cursor.skip_lines().kind != "end":
        if otherwise is not None:
            raise cursor.refusal("OTHERWISE comes last: nothing may follow it.")
        if cursor.take_key("otherwise", "else"):
            otherwise = _otherwise(cursor)
        else:
            rules.append(_rule(cursor))
    if not rules and otherwise is None:
        raise cursor.refusal("There is no rule here. Write one per line: IF … THEN ….")
    return RuleList(schema, tuple(rules), otherwise or Otherwise(), matching)


def parse_rule(text: str, schema: Schema, name: str = "") -> Rule:
    """The one rule that a text says."""
    cursor = _cursor(text, schema, name)
    cursor.skip_lines()
    rule = _rule(cursor)
    if cursor.skip_lines().kind != "end":
        raise cursor.refusal("Give one rule only; a second begins here.")
    return rule


def parse_conditions(text: str, schema: Schema, name: str = "") -> tuple[Condition, ...]:
    """The conditions that stand in a text by themselves, with AND between them.

    >>> from clearwood import Numeric
    >>> parse_conditions("(age < 18 or missing)", Schema((Numeric("age"),)))
    (Below(name='age', limit=18.0, or_missing=True),)
    """
    source = _source(text, name)
    cursor = Cursor(source, list(tokens_of(source, asking=True)), schema)
    cursor.skip_lines()
    conditions = _conditions(cursor)
    if cursor.skip_lines().kind != "end":
        raise cursor.refusal(f"Expected AND or the end here, not {cursor.here}.{cursor.quoting_advice()}")
    return conditions


def parse_answer(text: str, schema: Schema, name: str = "") -> Answer | None:
    """What OTHERWISE says: a class, a number, or None for `nothing`."""
    cursor = _cursor(text, schema, name)
    cursor.take_key("otherwise", "else")
    return _otherwise(cursor).then


def named_target(text: str) -> str | None:
    """The column that the first answer names, if it names one.

    >>> named_target("IF a = 1 THEN Play = Yes"), named_target("IF a = 1 THEN Yes")
    ('Play', None)
    """
    tokens = list(tokens_of(_source(text, "")))
    for place, token in enumerate(tokens):
        if token.kind == "key" and token.text in ("then", "otherwise", "else"):
            cursor = Cursor(_source(text, ""), tokens, Schema(()), place + 1)
            if cursor.skip_lines().kind in ("word", "quoted"):
                name = cursor.term("a class")
                return name.text if cursor.take_mark("=") or cursor.take_key("is") else None
    return None


def _cursor(text: str, schema: Schema, name: str) -> Cursor:
    if schema.target is None:
        raise SchemaError("Rules need a target. Name the column to predict: ", Advice("target"), ".")
    source = _source(text, name)
    return Cursor(source, list(tokens_of(source)), schema)


def _source(text: str, name: str) -> RuleSource:
    return RuleSource(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), name)


def _votes(cursor: Cursor) -> bool:
    first = cursor.skip_lines()
    if first.kind != "word" or first.text.lower() != "rules":
        return False
    cursor.step()
    second = cursor.step()
    if second.kind != "word" or second.text.lower() != "vote":
        raise cursor.refusal("The heading must be RULES VOTE. Rules begin with IF or ALWAYS.", first)
    _end_line(cursor)
    return True


def _rule(cursor: Cursor) -> Rule:
    conditions: tuple[Condition, ...] = ()
    if cursor.take_key("if"):
        cursor.skip_lines()
        if not cursor.take_key("always"):
            conditions = _conditions(cursor)
    elif not cursor.take_key("always"):
        raise cursor.refusal(
            f"A rule begins with IF or ALWAYS, the last line with OTHERWISE, not {cursor.here}."
        )
    last = cursor.before
    cursor.skip_lines()
    if not cursor.take_key("then"):
        if cursor.now.kind == "end" or cursor.now.text in ("if", "always", "otherwise", "else"):
            raise cursor.refusal("This rule has no THEN and no prediction.", last)
        raise cursor.refusal(f"Expected AND or THEN here, not {cursor.here}.{cursor.quoting_advice()}")
    cursor.skip_lines()
    return Rule(conditions, _answer(cursor))


def _conditions(cursor: Cursor) -> tuple[Condition, ...]:
    conditions = [condition_at(cursor)]
    while cursor.joins():
        conditions.append(condition_at(cursor))
    return tuple(conditions)


def _otherwise(cursor: Cursor) -> Otherwise:
    cursor.take_key("then")
    return Otherwise(_answer(cursor))


def _answer(cursor: Cursor) -> Answer | None:
    target = cursor.schema.target
    assert target is not None
    if cursor.take_key("nothing"):
        _end_line(cursor)
        return None
    term = cursor.term("a class" if cursor.schema.classes else "a number")
    if cursor.take_mark("=") or cursor.take_key("is"):
        if term.text != target.name:
            raise cursor.refusal(f"These rules predict '{target.name}', not '{term.text}'.", term)
        term = cursor.term("a class" if cursor.schema.classes else "a number")
    _end_line(cursor, term)
    if term.text.lower() == REFER and not term.quoted and term.text not in cursor.schema.classes:
        return None
    if isinstance(target, Numeric):
        return number_of(cursor, term)
    if term.text not in target.values:
        raise cursor.refusal(no_such("class", term.text, target.values, plural="classes"), term)
    return term.text


def _end_line(cursor: Cursor, answer: Operand | None = None) -> None:
    """Refuse all but a remark after the last word of a rule."""
    if cursor.now.kind == "remark":
        _check_remark(cursor, answer)
        cursor.step()
    if cursor.now.kind not in ("line", "end"):
        raise cursor.refusal(f"The rule ends before {cursor.here}.{cursor.quoting_advice()}")


def _check_remark(cursor: Cursor, answer: Operand | None) -> None:
    """A class may hold parentheses: refuse a remark that could be the rest of its name."""
    if answer is None or answer.quoted:
        return
    rest = cursor.source.text[answer.start : cursor.now.end]
    for value in cursor.schema.classes:
        if "(" in value and rest.startswith(value):
            what = f"Is this the class '{value}', or '{answer.text}' and a remark? Put the class in quotes."
            raise cursor.refusal(what, answer)
