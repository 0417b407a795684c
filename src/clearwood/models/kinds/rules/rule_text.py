"""Rules as text that reads back: one line each, with the rows a rule answers as a remark in parentheses."""

from __future__ import annotations

import json
from typing import Any, Final

from clearwood.errors import ColumnError, ModelFileError, SchemaError
from clearwood.formulas.conditions import all_of, written
from clearwood.models.kinds.rules.rule_list import REFER, Answer, RuleList, answer_text
from clearwood.models.kinds.tree.nodes import weight_of
from clearwood.models.model import check_kind
from clearwood.table.schema import Schema
from clearwood.table.schema_file import schema_from_json, schema_to_json
from clearwood.words.numbers import row_count

VOTE: Final = "RULES VOTE"  # the heading of a list whose rules vote


def write_rules(rules: RuleList, *, counts: bool = True) -> str:
    """The list as `read_rules` reads it: one `IF … THEN …` per line, and the default rule.

    >>> from clearwood import AtMost, Equals, Nominal, Numeric, Schema
    >>> from clearwood.models.kinds.rules.rule_list import Rule
    >>> schema = Schema((Nominal("Outlook", ("Sunny",)), Numeric("Humidity")), Nominal("Play", ("Yes", "No")))
    >>> sunny = Rule((Equals("Outlook", "Sunny"), AtMost("Humidity", 75.0)), "Yes", (2.0, 0.0))
    >>> print(write_rules(RuleList(schema, (sunny,))))
    IF Outlook = Sunny AND Humidity ≤ 75 THEN Play = Yes  (2 rows, 100 %)
    OTHERWISE nothing
    """
    check_kind("write_rules", rules, RuleList)
    lines = [VOTE] if rules.matching == "vote" else []
    lines += rule_lines(rules, counts=counts)
    return "\n".join([*lines, otherwise_line(rules, counts=counts)])


def rule_lines(rules: RuleList, *, counts: bool = True) -> list[str]:
    """Each rule in one line."""
    lines = []
    for rule in rules:
        conditions = all_of(rule.when)
        head = f"IF {conditions}" if conditions else "ALWAYS"
        lines.append(f"{head} THEN {_answer_text(rules, rule.then, rule.counts if counts else ())}")
    return lines


def otherwise_line(rules: RuleList, *, counts: bool = True) -> str:
    """The default rule in one line."""
    otherwise = rules.otherwise
    if otherwise.then is None:
        return "OTHERWISE nothing"
    return "OTHERWISE " + _answer_text(rules, otherwise.then, otherwise.counts if counts else ())


def _answer_text(rules: RuleList, then: Answer | None, counts: tuple[float, ...]) -> str:
    assert rules.schema.target is not None
    if then is None:  # where a class has this name, a text cannot mean both by it
        answer = "nothing" if REFER in rules.schema.classes else REFER
    else:
        answer = f"{written(rules.schema.target.name)} = {answer_text(then)}"
    return f"{answer}{_remark(rules, then, counts)}"


def _remark(rules: RuleList, then: Answer | None, counts: tuple[float, ...]) -> str:
    if not counts:
        return ""
    rows = row_count(weight_of(counts, numeric=rules.is_numeric))
    share = share_right(rules, then, counts)
    return f"  ({rows})" if share is None else f"  ({rows}, {100 * share:.0f} %)"


def share_right(rules: RuleList, then: Answer | None, counts: tuple[float, ...]) -> float | None:
    """The part of these rows that has the answer's class, as the decision weighs them; None for numbers."""
    if rules.is_numeric or not isinstance(then, str) or not sum(counts):
        return None
    factors = rules.decision.factors or (1.0,) * len(counts)
    weighed = [count * factor for count, factor in zip(counts, factors, strict=True)]
    return weighed[rules.schema.classes.index(then)] / sum(weighed)


# The columns of rules, kept as comments of their text: with them a text of rules is a model.
#
#     #: column {"name": "Humidity", "kind": "numeric"}
#     #: target {"name": "Play", "kind": "nominal", "values": ["Yes", "No"]}
#
# A line for each column, in the form of a schema file. Whoever reads the rules passes over them, as over
# any comment; whoever has no table beside the rules reads there what their columns are.


_MARK: Final = "#: "
_HEADING: Final = "# The columns that these rules use; with them this file is a model."


def columns_text(schema: Schema) -> str:
    """The comments that say what the columns are.

    >>> from clearwood import Nominal, Numeric
    >>> print(columns_text(Schema((Numeric("Humidity"),), Nominal("Play", ("Yes", "No")))))
    # The columns that these rules use; with them this file is a model.
    #: column {"name": "Humidity", "kind": "numeric"}
    #: target {"name": "Play", "kind": "nominal", "values": ["Yes", "No"]}
    """
    data = schema_to_json(schema)
    entries = [("column", each) for each in data["columns"]]
    entries += [(name, data[name]) for name in ("target", "weight") if data[name] is not None]
    lines = [f"{_MARK}{name} {json.dumps(each, ensure_ascii=False)}" for name, each in entries]
    return "\n".join([_HEADING, *lines])


def columns_in(text: str, name: str = "") -> Schema | None:
    """The schema that the comments of a text say; None where they say none."""
    data: dict[str, Any] = {"columns": []}
    is_given = False
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith(_MARK):
            continue
        is_given = True
        kind, _, entry = line.removeprefix(_MARK).strip().partition(" ")
        try:
            value = json.loads(entry)
        except (ValueError, RecursionError):
            value = None
        if kind not in ("column", "target", "weight") or value is None or kind in data:
            raise ModelFileError(
                f"{name or 'the rules'}, line {number}: this line should name a column, as in"
                ' #: column {"name": "Humidity", "kind": "numeric"}'
            )
        if kind == "column":
            data["columns"].append(value)
        else:
            data[kind] = value
    try:
        return schema_from_json(data) if is_given else None
    except (SchemaError, ColumnError) as error:
        where = f"{name or 'the rules'}, lines beginning with {_MARK.strip()}: "
        raise type(error)(where, error.sentence, place=error.place) from None
