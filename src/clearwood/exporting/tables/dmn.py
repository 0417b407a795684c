"""DMN 1.3: the decision table of a tree or of rules, with FEEL conditions, in XML."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from clearwood.exporting.exportable import Exportable, inputs_of
from clearwood.exporting.exported import Exported, ExportFormat, heading_of
from clearwood.exporting.tables.lines import DecisionRow, DecisionTable
from clearwood.exporting.tables.table_of import decision_table, refused_by_table
from clearwood.formulas.conditions import (
    Between,
    Condition,
    Equals,
    IsMissing,
    OnNumbers,
    comparisons,
    takes_missing,
)
from clearwood.table.attributes import Numeric

_NAMESPACE: Final = "https://www.omg.org/spec/DMN/20191111/MODEL/"
_OURS: Final = "https://clearwood.invalid/dmn"


_UNWRITABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def export_to_dmn(model: Exportable) -> Exported:
    """One decision with a decision table: its first output is the answer, the others are the shares; the
    annotation of a row is the leaf or rule that it is of."""
    table = decision_table(model)
    return Exported("dmn", _definitions(table), ".dmn", model, "feel", notes=(table.policy_sentence,))


def refused_by_dmn(model: Exportable) -> str | None:
    """Why there is no such table; None: there is one."""
    if (because := refused_by_table(model)) is not None:
        return because
    texts = [*model.schema.classes, *([] if model.schema.target is None else [model.schema.target.name])]
    for each in inputs_of(model):
        texts += [each.name, *getattr(each, "values", ())]
    # FEEL engines do not read all escapes of what XML cannot hold.
    odd = next((text for text in texts if _UNWRITABLE.search(text)), None)
    if odd is None:
        return None
    return f"XML cannot hold the characters of {odd!r}. Rename it, or export to python or another language."


def names_in_dmn(model: Exportable) -> dict[str, str]:
    """The FEEL name of each input, then of the target."""
    return feel_names([*(each.name for each in inputs_of(model)), model.schema.predicted.name])


def _definitions(table: DecisionTable) -> str:
    model = table.model
    target = model.schema.predicted
    names = names_in_dmn(model)
    what, source = heading_of(model)
    answer, outputs = names[target.name], _outputs(table)
    result = "number" if not model.schema.classes else "string" if len(outputs) == 1 else "Any"
    data, required, asked = [], [], []
    for number, each in enumerate(table.inputs, 1):
        name, label = names[each.name], _attribute(each.name)
        kind = "number" if isinstance(each, Numeric) else "string"
        data += [
            f'  <inputData id="data_{number}" name="{name}" label={label}>',
            f'    <variable id="variable_{number}" name="{name}" typeRef="{kind}"/>',
            "  </inputData>",
        ]
        required += [
            f'    <informationRequirement id="requirement_{number}">',
            f'      <requiredInput href="#data_{number}"/>',
            "    </informationRequirement>",
        ]
        expression = f'<inputExpression id="expression_{number}" typeRef="{kind}">'
        asked += [
            f'      <input id="input_{number}" label={label}>',
            f"        {expression}<text>{name}</text></inputExpression>",
            "      </input>",
        ]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<definitions xmlns="{_NAMESPACE}" id="definitions" name={_attribute(what)} namespace="{_OURS}">',
        f"  <description>{escape(source)}</description>",
        *data,
        f'  <decision id="decision" name="{answer}" label={_attribute(target.name)}>',
        f"    <description>{escape(table.policy_sentence)}</description>",
        f'    <variable id="variable" name="{answer}" typeRef="{result}"/>',
        *required,
        f'    <decisionTable id="table" hitPolicy="{table.policy.upper()}">',
        *asked,
    ]
    for number, (name, label, kind) in enumerate(outputs):
        shown = f'name="{name}" label={_attribute(label)} typeRef="{kind}"'
        lines.append(f'      <output id="output_{number}" {shown}/>')
    lines.append('      <annotation name="Because"/>')
    for number, row in enumerate(table.rows, 1):
        lines += _rule(table, row, number)
    return "\n".join([*lines, "    </decisionTable>", "  </decision>", "</definitions>", ""])


def _rule(table: DecisionTable, row: DecisionRow, number: int) -> list[str]:
    tests = [feel_test(row.when.get(each.name)) for each in table.inputs]
    match row.answer:
        case None:
            answer = "null"
        case str() as name:
            answer = feel_text(name)
        case value:
            answer = feel_number(value)
    entries = [("input", "test", k, text) for k, text in enumerate(tests, 1)]
    entries += [
        ("output", "result", k, text) for k, text in enumerate([answer, *map(feel_number, row.shares)])
    ]
    written = [
        f'        <{of}Entry id="{name}_{number}_{k}"><text>{escape(text)}</text></{of}Entry>'
        for of, name, k, text in entries
    ]
    # Character by character: a reader makes a line feed of a carriage return.
    reason = escape(row.reason or "", {"\r": "&#13;"})
    because = f"        <annotationEntry><text>{reason}</text></annotationEntry>"
    return [f'      <rule id="rule_{number}">', *written, because, "      </rule>"]


def _outputs(table: DecisionTable) -> list[tuple[str, str, str]]:
    """The name, label and type of each output."""
    target = table.model.schema.predicted
    classes = table.model.schema.classes
    shares = feel_names([f"probability_{name}" for name in classes])
    first = ("prediction", target.name, "string" if classes else "number")
    return [first, *((shares[f"probability_{name}"], f"probability of {name}", "number") for name in classes)]


def _attribute(text: str) -> str:
    return quoteattr(text, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


FORMAT: Final = ExportFormat(
    "dmn", "a DMN 1.3 decision table for rule engines", (".dmn",), export_to_dmn, refused_by_dmn
)


# FEEL: conditions as unary tests, numbers and texts as literals, columns as names.
#
# FEEL has no exponents, so numbers are written out; a missing cell is `null`.


_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_KEYWORDS: Final = re.compile(
    "and|between|context|date|day|days|duration|else|every|external|false|for|function|if|in|instance|int|list"
    "|months|not|null|number|of|or|range|return|satisfies|some|string|then|time|true|years",
    re.IGNORECASE,
)


def feel_test(condition: Condition | None) -> str:
    """A condition as a unary test.

    >>> from clearwood.formulas.conditions import OneOf
    >>> feel_test(Between("Age", 23.0, 31.0, or_missing=True)), feel_test(OneOf("Wind", ("a", 'b"')))
    ('(23..31], null', '"a", "b\\\\""')
    """
    if condition is None:
        return "-"
    if isinstance(condition, IsMissing):
        return "null"
    if isinstance(condition, Between):
        opens, closes = "[" if condition.low_included else "(", "]" if condition.high_included else ")"
        written = f"{opens}{feel_number(condition.low)}..{feel_number(condition.high)}{closes}"
    elif isinstance(condition, OnNumbers):
        ((sign, limit),) = comparisons(condition)
        written = "not(null)" if (sign, limit) == ("<=", math.inf) else f"{sign} {feel_number(limit)}"
    else:
        values = (condition.value,) if isinstance(condition, Equals) else condition.values
        written = ", ".join(map(feel_text, values))
    if not takes_missing(condition):
        return written
    return "-" if written == "not(null)" else f"{written}, null"


def feel_number(value: float) -> str:
    """A number without an exponent, as short as it reads back.

    >>> feel_number(75.0), feel_number(-1e-07), feel_number(1e22)
    ('75', '-0.0000001', '10000000000000000000000')
    """
    if math.isinf(value):  # larger than any double
        return ("-" if value < 0 else "") + "1" + "0" * 309
    written = format(Decimal(repr(float(value))), "f")
    return written.removesuffix(".0")


def feel_text(text: str) -> str:
    """A text in quotes."""
    return '"' + "".join(_ESCAPES.get(each, each) for each in text) + '"'


def feel_names(names: Sequence[str]) -> dict[str, str]:
    """A name of letters, digits and _ for each, no two alike.

    >>> feel_names(["Humidity", "in come", "in_come", "if", "日"])
    {'Humidity': 'Humidity', 'in come': 'in_come', 'in_come': 'in_come_2', 'if': 'if_', '日': 'x'}
    """
    made: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "x"
        plain = f"x_{plain}" if plain[0].isdigit() else plain
        plain = f"{plain}_" if _KEYWORDS.fullmatch(plain) else plain
        tried, number = plain, 1
        while tried in made.values():
            number += 1
            tried = f"{plain}_{number}"
        made[name] = tried
    return made
