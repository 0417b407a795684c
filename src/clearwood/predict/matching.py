"""Rules over a table's rows, natively: which rule takes each row, and whom each rule covers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Bools, Floats, Ints
from clearwood.errors import SchemaError
from clearwood.models.conditions import Condition, bounds_of, takes_missing, values_of
from clearwood.models.kept import kept
from clearwood.models.rule_list import Rule, RuleList
from clearwood.predict.columns import cells_at, column_for
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


def compiled(schema: Schema, rules: Iterable[tuple[Condition, ...]]) -> CompiledRules:
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
    return compiled(rules.schema, (rule.when for rule in rules))


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
    >>> from clearwood.models.conditions import Equals
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
    flat = compiled(schema, (rule.when if isinstance(rule, Rule) else rule for rule in rules))
    kinds: Ints = np.ascontiguousarray(codes, dtype=np.int32)
    weights = None if table.weights is None else np.ascontiguousarray(table.weights, dtype=np.float64)
    return _native.count_rules(flat, *_cells(schema, flat, table), kinds, weights, classes)


def condition_bitsets(schema: Schema, flat: CompiledRules, table: Table) -> npt.NDArray[np.uint64]:
    """[condition, word] the rows that satisfy each condition, 64 a word, row 0 the lowest bit of word 0."""
    return _native.condition_bits(flat, *_cells(schema, flat, table), len(table))


def _cells(schema: Schema, flat: CompiledRules, table: Table) -> tuple[list[Column | None], Ints]:
    return cells_at(schema, sorted(set(flat.attribute.tolist())), table)
