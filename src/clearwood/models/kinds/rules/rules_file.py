"""A rule list in a file: one rule a line, in order, columns and values by name."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from clearwood.errors import ModelFileError
from clearwood.formulas.conditions import Condition
from clearwood.models.decision import Answers
from clearwood.models.files.conditions import ConditionForm, condition_from_form, condition_to_form
from clearwood.models.files.forms import Finite, Form, Misplaced, placed, refuse, without_point
from clearwood.models.files.heading import Heading
from clearwood.models.kinds.rules.rule_list import Answer, Otherwise, Rule, RuleList
from clearwood.table.schema import Schema

_MOST_RULES: Final = 10_000_000


_DEMAND: Final = {"demand": "must be a class or a finite number"}
_THEN: TypeAlias = Annotated[str | Finite, Meta(extra=_DEMAND)]


class RuleForm(Form, frozen=True):
    """The rule holds where all its conditions do. Its counts are of the training rows it decides; without
    them it has met none. With null for a prediction it refers its rows: they are left without any."""

    when: tuple[ConditionForm, ...]
    then: _THEN | None
    counts: tuple[Finite, ...] | UnsetType = UNSET


class OtherwiseForm(Form, frozen=True):
    """What is predicted where no rule holds; null: nothing."""

    then: _THEN | None
    counts: tuple[Finite, ...] | UnsetType = UNSET


class RulesForm(Form, frozen=True):
    """IF–THEN rules in order. `matching` first: the first rule that holds decides; vote: the counts of all
    that hold are added up. `answers` says what the counts mean: probabilities of classes, a mean or a
    median."""

    answers: Answers
    matching: Literal["first", "vote"]
    rules: tuple[RuleForm, ...]
    otherwise: OtherwiseForm


def rules_to_form(rules: RuleList) -> RulesForm:
    known: dict[Condition, ConditionForm] = {}  # rules share most of their conditions

    def form(condition: Condition) -> ConditionForm:
        if condition not in known:
            known[condition] = condition_to_form(condition)
        return known[condition]

    return RulesForm(
        answers=rules.answers,
        matching=rules.matching,
        rules=tuple(
            RuleForm(when=tuple(map(form, rule.when)), then=_then(rule.then), counts=_counts(rule.counts))
            for rule in rules
        ),
        otherwise=OtherwiseForm(then=_then(rules.otherwise.then), counts=_counts(rules.otherwise.counts)),
    )


def rules_from_form(form: RulesForm, heading: Heading) -> RuleList:
    if len(form.rules) > _MOST_RULES:
        raise ModelFileError(f"body.rules: {len(form.rules)} rules; at most {_MOST_RULES} are read.")
    schema = heading.schema
    known: dict[ConditionForm, Condition] = {}  # rules share most of their conditions
    rules = []
    for i, rule in enumerate(form.rules):
        when = []
        for k, condition in enumerate(rule.when):
            if condition not in known:
                try:
                    known[condition] = condition_from_form(condition, schema)
                except Misplaced as error:
                    raise placed(error, f"body.rules[{i}].when[{k}]") from None
            when.append(known[condition])
        rules.append(Rule(tuple(when), _answer(rule.then), _weights(rule.counts, schema, f"body.rules[{i}]")))
    last = form.otherwise
    otherwise = Otherwise(_answer(last.then), _weights(last.counts, schema, "body.otherwise"))
    return RuleList(
        schema,
        tuple(rules),
        otherwise,
        form.matching,
        heading.decision,
        heading.origin,
        form.answers,
        heading.profile,
    )


def _then(then: Answer | None) -> Any:
    return then if then is None or isinstance(then, str) else without_point(then)


def _counts(counts: tuple[float, ...]) -> Any:
    return tuple(map(without_point, counts)) if counts else UNSET


def _answer(then: str | float | None) -> Answer | None:
    return then if then is None or isinstance(then, str) else float(then)


def _weights(counts: Any, schema: Schema, where: str) -> tuple[float, ...]:
    if counts is UNSET:
        return ()
    if min(counts, default=0.0) < 0:
        for k, count in enumerate(counts):
            if count < 0 and (schema.classes or k != 1):
                refuse(f"{where}.counts[{k}]", "must be a finite number ≥ 0", count)
    return tuple(counts)
