"""Predictions of a rule list for many rows at once: which rule takes each, natively, and what follows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Bools, Floats, Ints
from clearwood.errors import SchemaError, SettingError
from clearwood.formulas.conditions import Condition, bounds_of, takes_missing, values_of
from clearwood.measures.inference import reach_of, wilson
from clearwood.models.decision import (
    BY_SHARES,
    ShareSmoothing,
    cheapest,
    check_smoothing,
    cost_matrix,
    divided,
)
from clearwood.models.kinds.rules.rule_list import (
    Rule,
    RuleList,
    answers_with_rows,
    counts_of_all,
    rule_weights,
)
from clearwood.models.model import holds_medians, kept
from clearwood.predicting.columns import cells_at, column_for
from clearwood.records import dataclass
from clearwood.table.schema import Schema
from clearwood.table.table import Column, Table


@dataclass(frozen=True, slots=True, eq=False)
class CompiledRules:
    """Rules as flat arrays: each distinct condition once, and every rule a run of their numbers."""

    conditions: tuple[Condition, ...]
    attribute: Ints  # [condition] its attribute's place in the schema
    low: Floats  # [condition] a number satisfies it if low < x ≤ high; low = ∞: only an empty cell does
    high: Floats  # [condition]
    or_missing: Bools  # [condition]
    set_start: npt.NDArray[np.int64]  # [condition + 1] into set_codes
    set_codes: Ints  # [·] codes that satisfy it
    start: npt.NDArray[np.int64]  # [rule + 1] into condition
    condition: Ints  # [·] numbers of conditions


def compiled_rules(schema: Schema, rules: Iterable[tuple[Condition, ...]]) -> CompiledRules:
    """The conditions of rules, rule by rule, flat."""
    numbers: dict[Condition, int] = {}
    entries: list[int] = []
    start = [0]
    for when in rules:
        for each in when:
            entries.append(numbers.setdefault(each, len(numbers)))
        start.append(len(entries))
    places = schema.positions
    low, high, missing, set_codes, set_start = [], [], [], list[int](), [0]
    for each in numbers:
        values = values_of(each)
        below, above = (-math.inf, math.inf) if values else bounds_of(each)
        codes = schema.codes(each.name) if values else {}
        set_codes += sorted(codes[value] for value in values)
        set_start.append(len(set_codes))
        low.append(below)
        high.append(above)
        missing.append(takes_missing(each))
    return CompiledRules(
        tuple(numbers),
        np.array([places[each.name] for each in numbers], dtype=np.int32),
        np.array(low, dtype=np.float64),
        np.array(high, dtype=np.float64),
        np.array(missing, dtype=np.bool_),
        np.array(set_start, dtype=np.int64),
        np.array(set_codes, dtype=np.int32),
        np.array(start, dtype=np.int64),
        np.array(entries, dtype=np.int32),
    )


@kept
def compiled_list(rules: RuleList) -> CompiledRules:
    """The same of a rule list."""
    return compiled_rules(rules.schema, (rule.when for rule in rules))


def first_rule(rules: RuleList, table: Table) -> Ints:
    """[row] the position of the first rule that holds; −1 where none does."""
    flat = compiled_list(rules)
    return _native.first_rules(flat, *_cells(rules.schema, flat, table), len(table))


def votes(rules: RuleList, table: Table, ballots: Floats) -> tuple[Floats, Ints]:
    """[row, ·] what the rules that hold say (`said` [rule, ·]) added up, and [row] how many hold."""
    flat = compiled_list(rules)
    ballots = np.ascontiguousarray(ballots, dtype=np.float64)
    return _native.rule_votes(flat, *_cells(rules.schema, flat, table), len(table), ballots)


def rule_counts(
    schema: Schema, rules: Iterable[Rule | tuple[Condition, ...]], table: Table
) -> tuple[Floats, Floats]:
    """Weights by class of the rows that satisfy each rule, [rule, class], and of those that it is the first
    to take, [rule + 1, class], the last line for rows that none takes. Rows of no known class count nowhere.

    >>> from clearwood import datasets
    >>> from clearwood.formulas.conditions import Equals
    >>> from clearwood.table import read_table
    >>> days = read_table(datasets.path("tennis"), target="PlayTennis")
    >>> rules = [(Equals("Wind", "Weak"),), (Equals("Outlook", "Sunny"),)]
    >>> covered, first = rule_counts(days.schema, rules, days)
    >>> covered.tolist(), first.tolist()
    ([[2.0, 6.0], [3.0, 2.0]], [[2.0, 6.0], [1.0, 1.0], [2.0, 2.0]])
    """
    target = schema.target
    if target is None or target.name not in table.columns or not schema.classes:
        raise SchemaError("To count rows by class the table needs a target column of classes.")
    return counts_by(column_for(target, table), len(schema.classes), schema, rules, table)


def counts_by(
    codes: npt.NDArray[np.generic],
    classes: int,
    schema: Schema,
    rules: Iterable[Rule | tuple[Condition, ...]],
    table: Table,
) -> tuple[Floats, Floats]:
    """As `rule_counts`, by any `codes` [row] below `classes`."""
    flat = compiled_rules(schema, (rule.when if isinstance(rule, Rule) else rule for rule in rules))
    kinds: Ints = np.ascontiguousarray(codes, dtype=np.int32)
    weights = None if table.weights is None else np.ascontiguousarray(table.weights, dtype=np.float64)
    return _native.count_rules(flat, *_cells(schema, flat, table), kinds, weights, classes)


def condition_bitsets(schema: Schema, flat: CompiledRules, table: Table) -> npt.NDArray[np.uint64]:
    """[condition, word] the rows that satisfy each condition, 64 a word, row 0 the lowest bit of word 0."""
    return _native.condition_bits(flat, *_cells(schema, flat, table), len(table))


def _cells(schema: Schema, flat: CompiledRules, table: Table) -> tuple[list[Column | None], Ints]:
    return cells_at(schema, sorted(set(flat.attribute.tolist())), table)


def codes_of_rules(rules: RuleList, table: Table) -> Ints:
    """[row] the position of each row's class; −1 where the list says nothing."""
    places = {name: code for code, name in enumerate(rules.schema.classes)}
    codes = np.array(
        [-1 if each.then is None else places[str(each.then)] for each in rules.entries], np.int32
    )
    if rules.matching == "first":
        return codes[first_rule(rules, table)]
    sums, held = votes(rules, table, rule_weights(rules)[:-1])
    called = cheapest(divided(sums), cost_matrix(rules.decision))
    return np.where(held > 0, called, codes[-1])


def named_by_rules(rules: RuleList, table: Table) -> Ints:
    """[row] the same, but for rows on which rules vote: those are `BY_SHARES`."""
    codes = codes_of_rules(rules, table)
    if rules.matching == "first":
        return codes
    _, held = votes(rules, table, rule_weights(rules)[:-1])
    return np.where(held > 0, np.int32(BY_SHARES), codes)


def shares_of_rules(rules: RuleList, table: Table, smoothing: ShareSmoothing = None) -> Floats:
    """[row, class] the class shares of the rows that the rule took in training, or of all rules that vote.

    What stands behind a rule that met no rows is in `behind_answers`. Where the list says nothing, every
    share is 0.
    """
    check_smoothing(smoothing)
    weights = rule_weights(rules)
    whole = divided(np.array([counts_of_all(rules)]) * np.array(rules.decision.factors or 1.0))
    if rules.matching == "first":
        shares = divided(_smoothed(weights, smoothing, whole))
        shares[[each.then is None for each in rules.entries]] = 0.0
        return shares[first_rule(rules, table)]
    sums, held = votes(rules, table, weights[:-1])
    shares = divided(_smoothed(sums, smoothing, whole))
    silent = rules.otherwise.then is None
    shares[held == 0] = 0.0 if silent else divided(_smoothed(weights[-1:], smoothing, whole))[0]
    return shares


def counted_behind(rules: RuleList, table: Table) -> Bools:
    """[row] were rows counted behind its answer? Else its shares only repeat what a rule by hand names."""
    counted = np.array(answers_with_rows(rules))
    if rules.matching == "first":
        return counted[first_rule(rules, table)]
    sums, held = votes(rules, table, counted[:-1, None].astype(np.float64))
    return np.where(held > 0, sums[:, 0] > 0, counted[-1])


def numbers_of_rules(rules: RuleList, table: Table) -> Floats:
    """[row] the number that the first rule to hold answers; NaN where the list says nothing."""
    numbers = np.array([np.nan if each.then is None else float(each.then) for each in rules.entries])
    return numbers[first_rule(rules, table)].astype(np.float64, copy=False)


CHANGED_SINCE: Final = (
    "This model's calibration, prevalence or cutoff changes its predictions, "
    "so the interval of its counts is not that of the prediction."
)


def intervals_of_rules(rules: RuleList, table: Table, confidence: float) -> Floats:
    """[row, 2] both ends of the interval of each answer, from the rows its rule took in training.

    NaN where the rule took none, or leaves the row unanswered.
    """
    if rules.decision.cutoff is not None:  # it may answer another class than the rule's own
        raise SettingError(CHANGED_SINCE)
    if rules.matching == "vote":
        raise SettingError("Rules that vote share their rows, so their predictions have no intervals.")
    if holds_medians(rules):
        raise SettingError("These rules predict medians, and do not keep what an interval of a median needs.")
    taken = first_rule(rules, table)
    if rules.is_numeric:
        sums = np.array([each.counts or (0.0, 0.0, 0.0) for each in rules.entries])
        weight, value, error = sums[taken].T
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = reach_of(np.where(weight > 0, error / weight, np.nan), weight, confidence)
        return np.stack([value - reach, value + reach], axis=1)
    counts = rule_weights(rules)
    met = np.array([sum(each.counts) for each in rules.entries])
    places = {name: code for code, name in enumerate(rules.schema.classes)}
    called = [places[str(each.then)] if each.then is not None else 0 for each in rules.entries]
    share = divided(counts)[np.arange(len(called)), called]
    ends = np.stack(wilson(share * met, met, confidence), axis=1)
    ends[[not weight or each.then is None for weight, each in zip(met, rules.entries, strict=True)]] = np.nan
    return ends[taken]


def _smoothed(counts: Floats, smoothing: ShareSmoothing, whole: Floats) -> Floats:
    if smoothing is None:
        return counts
    return counts + 1.0 if smoothing == "laplace" else counts + smoothing * whole
