"""I-ILA: new rows join those seen, and rules that the new rows contradict go."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from clearwood.advice import Advice
from clearwood.arrays import Bools, Longs
from clearwood.errors import ColumnError, SchemaError, SettingError, no_such
from clearwood.learners.rules.ila_coding import CodedTable, or_missing
from clearwood.learners.rules.ila_task import Description
from clearwood.models.kept import check_kind
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.predicting.satisfied import as_truths, satisfied
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, joined_values, kind_of
from clearwood.table.coding import recoded
from clearwood.table.schema import Schema
from clearwood.table.table import Column, Table, Weights

A = TypeVar("A", bound=Attribute)


def both_tables(seen: Table, new: Table) -> Table:
    """The rows seen and then the new ones, under a schema that lists the values of both."""
    schema = _widened(seen.schema, new.schema)
    columns: dict[str, Column] = {}
    for attribute in (*schema.inputs, *([schema.target] if schema.target else [])):
        parts = []
        for table, whose in ((seen, "rows seen"), (new, "new rows")):
            if attribute.name not in table.columns:
                raise ColumnError(f"The {whose}: {no_such('column', attribute.name, table.columns)}")
            parts.append(_under(attribute, table))
        columns[attribute.name] = np.concatenate(parts)
    weights, meanings = None, {each.weights_are for each in (seen, new) if each.weights_are}
    if len(meanings) > 1:
        raise SettingError(
            f"The weights of the rows seen are {seen.weights_are}, those of the new rows {new.weights_are}. "
            "Read both with one meaning: ",
            Advice("weights_are"),
            ".",
        )
    if meanings:
        weights = np.concatenate([_weights(seen), _weights(new)])
    notes = (*seen.notes, *new.notes)
    return Table(schema, columns, weights, notes, len(seen) + len(new), next(iter(meanings), None))


def keep_rules(rules: RuleList, coded: CodedTable) -> tuple[tuple[Rule, ...], Longs]:
    """The rules that no row contradicts, and the rows of their own class that they cover."""
    check_kind("learn_more", rules, RuleList)
    if rules.matching != "first":
        raise SettingError(
            "These rules vote; learn_more continues rules of which the first that holds decides."
        )
    task, rows = coded.task, coded.rows
    units = np.ones(len(rows), dtype=np.int64) if task.units is None else task.units
    kept, marked = [], np.zeros(len(rows), dtype=np.bool_)
    for rule in rules:
        cls = task.classes.index(str(rule.then))
        mine = _covered(rule, rows) & (rows.target == cls)
        wary = replace(rule, when=tuple(map(or_missing, rule.when))) if task.cautious else rule
        wrong = _covered(wary, rows) & (rows.target != cls)
        whole = Description(cls, (), (), int(units[mine].sum()), int(units[wrong].sum()))
        if whole.score(task.penalty) > 0:
            kept.append(rule)
            marked |= mine
    return tuple(kept), np.flatnonzero(marked)


def _covered(rule: Rule, rows: Table) -> Bools:
    return as_truths(satisfied(rows.schema, [rule], rows).covered()[0], len(rows))


def _widened(old: Schema, new: Schema) -> Schema:
    attributes = tuple(
        _wider(each, new[each.name]) if isinstance(each, Nominal | Ordinal | Numeric) else each
        for each in old.attributes
    )
    if old.target is None or new.target is None:
        raise SchemaError("Both tables must name their target.")
    if old.target.name != new.target.name:
        raise SchemaError(
            f"The rows seen have the target '{old.target.name}', the new rows '{new.target.name}'."
        )
    return replace(old, attributes=attributes, target=_wider(old.target, new.target))


def _wider(old: A, new: Attribute) -> A:
    """The attribute with the values of both: the old ones first, those of an ordinal one in their order."""
    match old, new:
        case Nominal(name, known), Nominal(_, values):
            return type(old)(name, joined_values(known, values))
        case Ordinal(name, known), Ordinal(_, values):
            short, long = sorted((known, values), key=len)
            if tuple(value for value in long if value in short) != short:
                raise SchemaError(
                    f"Column '{name}' is ordered {', '.join(known)} in the rows seen and {', '.join(values)} "
                    "in the new rows. Declare one order for both."
                )
            return type(old)(name, long)
        case Numeric(), Numeric():
            return old
        case _:
            raise SchemaError(
                f"Column '{old.name}' is {kind_of(old)} in the rows seen and {kind_of(new)} in the new rows. "
                "Read both under one schema."
            )


def _under(attribute: Attribute, table: Table) -> Column:
    """The table's column under the wider attribute."""
    column, own = table.columns[attribute.name], table.schema[attribute.name]
    if isinstance(attribute, Nominal | Ordinal) and isinstance(own, Nominal | Ordinal):
        return recoded(column, own.values, attribute.values)
    return column


def _weights(table: Table) -> Weights:
    return np.ones(len(table)) if table.weights is None else table.weights
