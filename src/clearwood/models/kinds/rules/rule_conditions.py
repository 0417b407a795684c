"""One condition read from text, as a question that the schema's column can be asked.

    condition  = asked | "(" asked ")"
    asked      = name "is missing" | question ["or missing"]
    question   = name ("=" | "is" | "<" | "≤" | ">" | "≥") value | low ("<" | "≤") name ("<" | "≤") high
               | name "in" "{" [value {"," value}] "}" | name "is known"

A condition on a number is printed as it was written, `x < 3` and `3 ≤ x < 7` as well as `x ≤ 3`. On an
ordinal column the signs count along its values. `is known` on a column of values means any value of it.
"""

from __future__ import annotations

import math
from typing import Final

from clearwood.errors import ColumnError, SchemaError, no_such
from clearwood.formulas.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
)
from clearwood.models.kinds.rules.rule_cursor import Cursor, Operand
from clearwood.models.kinds.rules.rule_list import check_condition
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal

_SIGNS: Final = ("=", "<", "≤", ">", "≥", "≠")
_TURNED: Final = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}
_INFINITIES: Final = {"∞": math.inf, "-∞": -math.inf, "−∞": -math.inf}


def condition_at(cursor: Cursor) -> Condition:
    """Take one condition, in brackets or not."""
    opened = cursor.now
    if not cursor.take_mark("("):
        return _comparison(cursor)
    condition = _comparison(cursor)
    if not cursor.take_mark(")"):
        raise cursor.refusal(
            "Brackets hold one condition, such as (Wind = Weak or missing). Close with ).", opened
        )
    return condition


def _comparison(cursor: Cursor) -> Condition:
    left = cursor.term("a column")
    if cursor.take_key("is"):
        return _is(cursor, left)
    if cursor.take_key("not"):
        raise _refuse_not(cursor, left)
    if cursor.take_key("in"):
        return _in_set(cursor, left)
    sign = cursor.now
    if not cursor.take_mark(*_SIGNS):
        raise cursor.refusal(
            f"After the column '{left.text}' a sign must follow (=, ≤, >, in or is), not {cursor.here}."
            f"{cursor.quoting_advice()}"
        )
    middle = cursor.term("a value")
    second = cursor.now
    if cursor.take_mark(*_SIGNS):
        return _between(cursor, left, sign.text, middle, second.text, cursor.term("a number"))
    known = cursor.schema.positions
    if left.text not in known and middle.text in known and sign.text != "≠":
        return _compared(cursor, middle, _TURNED.get(sign.text, "="), left)
    return _compared(cursor, left, sign.text, middle)


def number_of(cursor: Cursor, term: Operand) -> float:
    """The number a term says."""
    text = term.text
    if text in _INFINITIES:
        return _INFINITIES[text]
    try:
        value = math.nan if "_" in text else float(text.replace("−", "-"))
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise cursor.refusal(f"A number is expected here, not '{text}'.", term)
    if math.isinf(value) and "inf" not in text.lower():
        raise cursor.refusal(f"{text} is larger than any number that can be stored.", term)
    return value


def _is(cursor: Cursor, left: Operand) -> Condition:
    negated = cursor.now if cursor.take_key("not") else None
    if cursor.take_key("missing"):
        return _known(cursor, left) if negated else IsMissing(_column(cursor, left).name)
    if cursor.take_key("known"):
        return IsMissing(_column(cursor, left).name) if negated else _known(cursor, left)
    if negated is not None:
        raise _refuse_not(cursor, left)
    if cursor.take_key("in"):
        return _in_set(cursor, left)
    return _compared(cursor, left, "=", cursor.term("a value, 'missing' or 'known'"))


def _known(cursor: Cursor, left: Operand) -> Condition:
    attribute = _column(cursor, left)
    if isinstance(attribute, Nominal | Ordinal):
        return OneOf(attribute.name, attribute.values, _or_missing(cursor, left))
    return AtMost(attribute.name, math.inf, _or_missing(cursor, left))


def _in_set(cursor: Cursor, left: Operand) -> Condition:
    attribute = _column(cursor, left)
    if not isinstance(attribute, Nominal | Ordinal):
        raise cursor.refusal(
            f"'{attribute.name}' is numeric; test it with ≤, > or 3 < {attribute.name} ≤ 7.", left
        )
    opened = cursor.now
    if not cursor.take_mark("{"):
        raise cursor.refusal("Write a set of values in braces: in {…, …}.")
    values: list[str] = []
    cursor.skip_lines()
    while not cursor.take_mark("}"):
        values.append(_value(cursor, attribute, cursor.term("a value")))
        cursor.skip_lines()
        if cursor.take_mark(","):
            cursor.skip_lines()
            if cursor.at_mark("}"):
                raise cursor.refusal('A value must follow the comma. An empty value is written "".')
        elif cursor.now.kind == "end":
            raise cursor.refusal("This brace is never closed; end the values with }.", opened)
        elif not cursor.at_mark("}"):
            raise cursor.refusal(
                f"Expected a comma or }} between values, not {cursor.here}.{cursor.quoting_advice()}"
            )
    return OneOf(attribute.name, tuple(dict.fromkeys(values)), _or_missing(cursor, left))


def _compared(cursor: Cursor, left: Operand, sign: str, right: Operand) -> Condition:
    attribute = _column(cursor, left)
    if sign == "≠":
        raise _refuse_not(cursor, left)
    if isinstance(attribute, Numeric):
        value = number_of(cursor, right)
        missing = _or_missing(cursor, left)
        match sign:
            case "≤":
                return AtMost(attribute.name, value, missing)
            case "<":
                return Below(attribute.name, value, missing)
            case ">":
                return Above(attribute.name, value, missing)
            case "≥":
                return AtLeast(attribute.name, value, missing)
            case _:
                return Between(attribute.name, value, value, missing, low_included=True)
    assert isinstance(attribute, Nominal | Ordinal)
    literal = _value(cursor, attribute, right)
    if sign == "=":
        missing = _or_missing(cursor, left)
        return OneOf(attribute.name, (literal,), True) if missing else Equals(attribute.name, literal)
    place = _place(cursor, attribute, right)
    low, high = {"<": (0, place), "≤": (0, place + 1), ">": (place + 1, None), "≥": (place, None)}[sign]
    return _ordered(cursor, attribute, left, attribute.values[low:high])


def _between(
    cursor: Cursor, low: Operand, first: str, name: Operand, second: str, high: Operand
) -> Condition:
    if first in (">", "≥") and second in (">", "≥"):
        low, high, first, second = high, low, _TURNED[second], _TURNED[first]
    if first not in ("<", "≤") or second not in ("<", "≤"):
        raise cursor.refusal(f"Write two bounds as 3 < {name.text} ≤ 7.", low)
    attribute = _column(cursor, name)
    if isinstance(attribute, Nominal | Ordinal):
        start = _place(cursor, attribute, low) + (first == "<")
        end = _place(cursor, attribute, high) + (second == "≤")
        return _ordered(cursor, attribute, name, attribute.values[start:end])
    ends = number_of(cursor, low), number_of(cursor, high)
    return Between(attribute.name, *ends, _or_missing(cursor, name), first == "≤", second == "≤")


def _ordered(
    cursor: Cursor, attribute: Ordinal | Nominal, name: Operand, values: tuple[str, ...]
) -> Condition:
    if not values:
        raise cursor.refusal(f"No value of '{attribute.name}' satisfies this.", name)
    missing = _or_missing(cursor, name)
    return (
        OneOf(attribute.name, values, missing)
        if missing or len(values) > 1
        else Equals(attribute.name, values[0])
    )


def _place(cursor: Cursor, attribute: Nominal | Ordinal, term: Operand) -> int:
    value = _value(cursor, attribute, term)
    if isinstance(attribute, Nominal):
        raise cursor.refusal(
            f"'{attribute.name}' is nominal, its values have no order; test it with = or in {{…}}.", term
        )
    return attribute.values.index(value)


def _or_missing(cursor: Cursor, name: Operand) -> bool:
    if not cursor.take_key("or"):
        return False
    if cursor.take_key("missing"):
        return True
    raise cursor.refusal(
        "Only 'missing' may follow 'or'. Write several values as"
        f" {name.text} in {{…, …}}; other alternatives are rules of their own."
    )


def _column(cursor: Cursor, term: Operand) -> Attribute:
    try:
        check_condition(cursor.schema, IsMissing(term.text))
    except (ColumnError, SchemaError) as error:
        attribute = cursor.schema[term.text] if term.text in cursor.schema.positions else None
        if attribute is not None:
            raise cursor.refusal(
                f"The column '{term.text}' is {attribute.kind}; a rule cannot test it.", term
            ) from None
        raise cursor.refusal(str(error), term) from None
    return cursor.schema[term.text]


def _value(cursor: Cursor, attribute: Nominal | Ordinal, term: Operand) -> str:
    if term.text not in cursor.schema.codes(attribute.name):
        sentence = no_such(f"value of {attribute.name} called", term.text, attribute.values, plural="values")
        raise cursor.refusal(sentence, term)
    return term.text


def _refuse_not(cursor: Cursor, left: Operand) -> Exception:
    attribute = _column(cursor, left)
    way = f"{attribute.name} in {{…}} with the values that are meant"
    if isinstance(attribute, Numeric):
        way = f"two rules, with {attribute.name} < … and {attribute.name} > …"
    return cursor.refusal(
        f"'Not' cannot be used, since it does not say what holds for unseen values. Write {way}.", left
    )
