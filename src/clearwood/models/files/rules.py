"""A rule list as JSON text, and back: one rule a line, in order, columns and values by name."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

from clearwood.errors import ModelFileError, TableError
from clearwood.models.files.conditions import condition_from_json, condition_to_json
from clearwood.models.files.fields import as_list, fields, refuse
from clearwood.models.files.heading import HEADING, dumps, exact, heading_lines, read_heading
from clearwood.models.files.version_1 import answers_of
from clearwood.models.rule_list import Answer, Otherwise, Rule, RuleList
from clearwood.table.schema import Schema

_MOST_RULES: Final = 10_000_000


def rules_to_json(rules: RuleList) -> str:
    """The whole text of a model file."""
    heading = "".join(heading_lines("rules", rules.schema, rules.origin, rules.decision))
    matching = f' "matching": {dumps(rules.matching)},\n'
    lines = ",\n  ".join(
        f'{{"when": {dumps([condition_to_json(each) for each in rule.when])}, {_said(rule)}}}'
        for rule in rules
    )
    listed = f' "rules": [\n  {lines}\n ],\n' if lines else ' "rules": [],\n'
    return f'{{\n{heading}{matching}{listed} "otherwise": {{{_said(rules.otherwise)}}}\n}}\n'


def rules_from_json(data: Mapping[str, Any]) -> RuleList:
    """The rules in the fields of a model file, its heading (format, version, model) left out."""
    fields(data, "the file", required=(*HEADING, "matching", "rules", "otherwise"))
    schema, origin, decision = read_heading(data)
    entries = as_list(data["rules"], "rules")
    if len(entries) > _MOST_RULES:
        raise ModelFileError(f"rules: {len(entries)} rules; at most {_MOST_RULES} are read.")
    rules = []
    for i, entry in enumerate(entries):
        where = f"rules[{i}]"
        fields(entry, where, required=("when", "then"), optional=("counts",))
        when = tuple(
            condition_from_json(each, schema, f"{where}.when[{k}]")
            for k, each in enumerate(as_list(entry["when"], f"{where}.when"))
        )
        rules.append(Rule(when, _answer(entry["then"], where), _counts(entry, schema, where)))
    last = data["otherwise"]
    fields(last, "otherwise", required=("then",), optional=("counts",))
    then = None if last["then"] is None else _answer(last["then"], "otherwise")
    otherwise = Otherwise(then, _counts(last, schema, "otherwise"))
    try:
        return RuleList(
            schema, tuple(rules), otherwise, data["matching"], decision, origin, answers_of(origin)
        )
    except (TableError, TypeError) as error:
        raise ModelFileError(f"not a rule list: {error}") from None


def _said(saying: Rule | Otherwise) -> str:
    then = dumps(saying.then) if saying.then is None or isinstance(saying.then, str) else exact(saying.then)
    counts = f', "counts": [{", ".join(map(exact, saying.counts))}]' if saying.counts else ""
    return f'"then": {then}{counts}'


def _answer(then: Any, where: str) -> Answer:
    if isinstance(then, str):
        return then
    if type(then) not in (int, float) or not abs(then) <= sys.float_info.max:
        refuse(f"{where}.then", "must be a class or a finite number", then)
    return float(then)


def _counts(entry: Mapping[str, Any], schema: Schema, where: str) -> tuple[float, ...]:
    counts = as_list(entry.get("counts", []), f"{where}.counts")
    for k, count in enumerate(counts):
        lowest = -sys.float_info.max if not schema.classes and k == 1 else 0.0
        if type(count) not in (int, float) or not lowest <= count <= sys.float_info.max:
            demand = "must be a finite number" + (" ≥ 0" if lowest == 0 else "")
            refuse(f"{where}.counts[{k}]", demand, count)
    return tuple(map(float, counts))
