"""From a table to an ILA task and back: cuts, empty cells, codes to conditions; new rows beside old."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from clearwood.arrays import Longs
from clearwood.counting.ties import most_common
from clearwood.errors import Advice, ColumnError, LearningError, SchemaError, SettingError, no_such
from clearwood.formulas.conditions import Condition, Equals
from clearwood.learners.discretising import CutsByColumn, cut_table, cuts_for, interval_condition
from clearwood.learners.rules.ila_definition import Description, IlaTask, whole_weights
from clearwood.learners.rules.rules_of import or_missing
from clearwood.learners.training import usable_rows
from clearwood.measures.contingency import chi_square
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.models.model import check_kind
from clearwood.predicting.satisfied import as_truths, satisfied
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, joined_values
from clearwood.table.coding import recoded
from clearwood.table.raw import Codes
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Column, Table, Weights, empty_cells

if TYPE_CHECKING:
    from clearwood.learners.rules.ila import ILA


@dataclass(frozen=True, slots=True, eq=False)
class CodedTable:
    """A table's usable rows as a task, and what turns the task's answer into the table's terms."""

    rows: Table
    numbers: Longs  # [row] its number in the table given, from 1
    task: IlaTask
    attributes: tuple[Nominal | Ordinal | Numeric, ...]  # [column]
    cuts: CutsByColumn
    stands_for: tuple[int, ...]  # [column] the code an empty cell was filled with, −1 for none
    unit: float  # the weight of one of the task's units

    def conditions(self, each: Description) -> tuple[Condition, ...]:
        return tuple(self._condition(c, code) for c, code in zip(each.columns, each.codes, strict=True))

    def _condition(self, column: int, code: int) -> Condition:
        attribute = self.attributes[column]
        if isinstance(attribute, Numeric):
            made = interval_condition(attribute.name, self.cuts[attribute.name], code)
        else:
            made = Equals(attribute.name, attribute.values[code])
        return or_missing(made) if code == self.stands_for[column] else made


def code_rows(learner: ILA, table: Table) -> CodedTable:
    """The table as this learner reads it."""
    rows = usable_rows(learner, replace(table, places=None, checked=True))
    numbers = (np.arange(len(rows)) if rows.places is None else rows.places) + 1
    if learner.missing == "delete":
        whole = _without_empty_cells(rows)
        rows, numbers = rows.take(whole), numbers[whole]
        if not len(rows):
            raise LearningError(
                "Every row has an empty cell, and none is left once such rows are deleted. Choose ",
                Advice("missing", "lost", setting=True),
                ", 'cautious', 'mode' or 'class_mode'.",
            )
    cuts = cuts_for(rows, learner.cuts, learner.bins)
    cut = cut_table(rows, cuts=cuts)
    inputs = [each for each in cut.schema.attributes if isinstance(each, Nominal | Ordinal)]
    columns = [cut.columns[each.name] for each in inputs]
    stands_for = [MISSING] * len(columns)
    if learner.missing == "mode":
        stands_for = [_mode(column, rows.weights) for column in columns]
        columns = [_filled(column, code) for column, code in zip(columns, stands_for, strict=True)]
    elif learner.missing == "class_mode":
        columns = [_filled_by_class(column, rows) for column in columns]
    if columns:  # of equals the first stands: by their values, wherever their rows stand
        order = np.lexsort((rows.target, *reversed(columns)))
        rows, numbers, columns = rows.take(order), numbers[order], [column[order] for column in columns]
    units, unit = (None, 1.0) if rows.weights is None else whole_weights(rows.weights)
    total = len(rows) if units is None else int(units.sum())
    penalty = None  # also where no description could pay it; others are exact, as decimals are read
    if learner.penalty is not None and learner.penalty < total:
        penalty = Fraction(repr(learner.penalty)).limit_denominator(1_000_000)
    values = tuple(len(each.values) for each in inputs)
    task = IlaTask(
        classes=rows.schema.classes,
        columns=tuple(columns),
        values=values,
        target=rows.target,
        units=units,
        order=_class_order(learner, rows),
        relevant=_relevant(learner, rows, columns, values),
        penalty=penalty,
        fast=learner.fast,
        cautious=learner.missing == "cautious",
        max_conditions=learner.max_conditions,
    )
    named = (rows.schema[each.name] for each in inputs)
    attributes = tuple(each for each in named if isinstance(each, Nominal | Ordinal | Numeric))
    return CodedTable(rows, numbers, task, attributes, cuts, tuple(stands_for), unit)


def _class_order(learner: ILA, rows: Table) -> tuple[int, ...]:
    """The classes the setting names, then the others as they are listed; only those that have rows."""
    classes = rows.schema.classes
    for name in learner.class_order:
        if name not in classes:
            raise SettingError(f"class_order: {no_such('class', name, classes, plural='classes')}")
    met = np.unique(rows.target).tolist()
    named = [classes.index(name) for name in learner.class_order]
    return tuple(dict.fromkeys(code for code in (*named, *met) if code in met))


def _relevant(
    learner: ILA, rows: Table, columns: list[Codes], values: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """[class] The columns whose values go with the class, where irrelevant ones are to be dropped."""
    if not learner.drop_irrelevant:
        return (tuple(range(len(columns))),) * len(rows.schema.classes)
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    relevant = []
    for cls in range(len(rows.schema.classes)):
        kept = []
        for place, (column, width) in enumerate(zip(columns, values, strict=True)):
            counts = np.zeros((2, width))
            known = column >= 0
            np.add.at(counts, ((rows.target[known] == cls).astype(int), column[known]), weights[known])
            if float(chi_square(counts).p) <= learner.alpha:
                kept.append(place)
        relevant.append(tuple(kept))
    return tuple(relevant)


def _without_empty_cells(rows: Table) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    whole = np.ones(len(rows), dtype=np.bool_)
    for attribute in rows.schema.attributes:
        if isinstance(attribute, Nominal | Ordinal | Numeric):
            whole &= ~empty_cells(rows.columns[attribute.name])
    return whole


def _mode(column: Codes, weights: Weights | None) -> int:
    """The most common code, of equals the lowest; −1 where none is known."""
    known = column >= 0
    if not known.any():
        return MISSING
    weights = None if weights is None else weights[known]
    return int(most_common(np.bincount(column[known], weights)))


def _filled(column: Codes, code: int) -> Codes:
    return np.where(column == MISSING, np.int32(code), column).astype(np.int32)


def _filled_by_class(column: Codes, rows: Table) -> Codes:
    filled = column.copy()
    for cls in range(len(rows.schema.classes)):
        here = rows.target == cls
        weights = None if rows.weights is None else rows.weights[here]
        filled[here] = _filled(column[here], _mode(column[here], weights))
    return filled


# I-ILA: new rows join those seen, and rules that the new rows contradict go.


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
            column, own = table.columns[attribute.name], table.schema[attribute.name]
            if isinstance(attribute, Nominal | Ordinal) and isinstance(own, Nominal | Ordinal):
                column = recoded(column, own.values, attribute.values)
            parts.append(column)
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
        parts = [np.ones(len(each)) if each.weights is None else each.weights for each in (seen, new)]
        weights = np.concatenate(parts)
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
        wary = replace(rule, when=tuple(map(or_missing, rule.when))) if task.cautious else rule
        sets = satisfied(rows.schema, [rule, wary], rows).covered()
        covered, wrongly = (as_truths(each, len(rows)) for each in sets)
        mine, wrong = covered & (rows.target == cls), wrongly & (rows.target != cls)
        whole = Description(cls, (), (), int(units[mine].sum()), int(units[wrong].sum()))
        if whole.score(task.penalty) > 0:
            kept.append(rule)
            marked |= mine
    return tuple(kept), np.flatnonzero(marked)


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
                f"Column '{old.name}' is {old.kind} in the rows seen and {new.kind} in the new rows. "
                "Read both under one schema."
            )
