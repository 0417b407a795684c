"""The words in each line of a picture of rules: conditions, answer, its rows and how many are right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from clearwood.models.rule_list import REFER, Otherwise, Rule, RuleList
from clearwood.models.rule_text import share_right
from clearwood.predict.one_by_rules import rules_that_hold
from clearwood.predict.row import row_predictor
from clearwood.words.numbers import figure, percent, row_count


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule, or the default rule; `counts` are () where it has no rows."""

    number: str
    when: tuple[str, ...]  # its conditions, each with the word that joins it to the next
    answer: str
    code: int  # of the class answered; −1: a number, or nothing
    rows: str  # how many
    right: str
    weight: float
    counts: tuple[float, ...]
    chosen: bool  # does it answer the case?

    @property
    def full(self) -> tuple[str, ...]:
        """The whole text, in lines."""
        right = f", {self.right} of them right" if self.right else ""
        return (f"{' '.join(self.when)} THEN {self.answer}", f"{row_count(self.weight)}{right}")


def rule_words(rules: RuleList, row: Mapping[str, Any] | None = None) -> list[RuleWords]:
    """Every rule in order, the default rule last; with a row, those that answer it are chosen.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> words = rule_words(cw.CN2().learn(table), {"Wind": "Weak", "Outlook": "Overcast"})
    >>> (words[0].when, words[0].answer, words[0].rows, words[0].right, words[0].chosen)
    (('IF Outlook in {Overcast, Rainy} AND', 'Wind = Weak'), 'Yes', '5', '100 %', True)
    """
    chosen = set() if row is None else _answering(rules, row)
    return [_words(rules, each, place, place in chosen) for place, each in enumerate(rules.entries)]


def _words(rules: RuleList, each: Rule | Otherwise, place: int, chosen: bool) -> RuleWords:
    number, when = (str(place + 1), _conditions(each)) if isinstance(each, Rule) else ("", ("OTHERWISE",))
    match each.then:
        case None:
            answer, code = REFER if isinstance(each, Rule) else "nothing", -1
        case str():
            answer, code = each.then, rules.schema.classes.index(each.then)
        case int() | float():
            answer, code = figure(each.then), -1
        case _:
            assert_never(each.then)
    weight = rules.weight(each)
    share = None if each.then is None or not each.counts else share_right(rules, each.then, each.counts)
    right = "" if share is None else f"{percent(share)} %"
    rows = row_count(weight).split(" ")[0] if each.counts else "–"
    return RuleWords(number, when, answer, code, rows, right, weight, each.counts, chosen)


def _conditions(rule: Rule) -> tuple[str, ...]:
    if not rule.when:
        return ("ALWAYS",)
    several = len(rule.when) > 1
    pieces = [
        f"({each})" if several and getattr(each, "or_missing", False) else str(each) for each in rule.when
    ]
    return tuple(
        ("IF " if k == 0 else "") + piece + (" AND" if k + 1 < len(pieces) else "")
        for k, piece in enumerate(pieces)
    )


def _answering(rules: RuleList, row: Mapping[str, Any]) -> set[int]:
    """The places of the rules that answer a row; columns that are not named are missing."""
    predictor = row_predictor(rules)
    held = rules_that_hold(rules, predictor.spelled({**dict.fromkeys(predictor.names), **row}))
    if not held:
        return {len(rules)}
    return set(held[:1] if rules.matching == "first" else held)
