"""The plan of a query: a name for each helping column, and steps by levels, one level behind another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from clearwood.export.exportable import Exportable
from clearwood.export.program.program import ModelProgram, ProgramStep
from clearwood.export.sql.dialect import SqlDialect
from clearwood.export.sql.lowering import lowered
from clearwood.export.sql.merging_steps import merged_steps
from clearwood.export.sql.naming import FreshNames, helping_name, names_beside
from clearwood.export.sql.parts import cells_used, steps_used
from clearwood.export.sql.paths import along_paths
from clearwood.export.sql.reading import reckoned_columns

_ROW_IDS: Final = ("rowid", "_rowid_", "oid")  # SQLite's names of the number of a row


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """The helping columns of inputs and steps, the steps of each level, and other names of the query.

    `bounded` are those of numbers that are kept in reach of what reckons with them.
    `row` is the column that stands for a row of the source, `row_id` what SQLite calls its number, `source`
    the source within the query, and `tables` the common table expressions: the columns as they are read,
    then one for each level.
    """

    inputs: Mapping[str, str]
    bounded: Mapping[str, str]
    steps: Mapping[str, str]
    levels: tuple[tuple[ProgramStep, ...], ...]
    tables: tuple[str, ...]
    row: str
    row_id: str
    source: str

    @property
    def wholes(self) -> set[str]:
        """The steps that are whole numbers."""
        return {step.name for level in self.levels for step in level if step.whole}


def plan_of(
    model: Exportable, program: ModelProgram, dialect: SqlDialect, keep: Sequence[str], source: str
) -> QueryPlan:
    """Steps of one level need only what earlier levels came to."""
    names = names_beside(model, keep)
    row_id = next((each for each in _ROW_IDS if each not in names.taken), _ROW_IDS[0])
    row, alias = names.fresh("cw_row"), names.fresh("cw_source")
    inputs = {each.name: names.fresh(helping_name(each.name)) for each in program.inputs}
    reckoned = reckoned_columns(program) if dialect.guarded else {}
    bounded = {each: names.fresh(f"{inputs[each]}_in_reach") for each in inputs if each in reckoned}
    steps = lowered(along_paths(merged_steps(program)), dialect.terms)
    columns = {step.name: names.fresh(f"cw_{step.name}") for step in steps}
    levels = _levels(steps)
    tables = FreshNames({source.lower(), alias})
    named = tuple(tables.fresh(f"cw_level_{number}") for number in range(1, len(levels) + 1))
    read = tables.fresh("cw_input")
    return QueryPlan(inputs, bounded, columns, levels, (read, *named), row, row_id, alias)


def alive(program: ModelProgram, plan: QueryPlan) -> list[list[str]]:
    """The helping columns that each level hands on from before it, by its number; 0 makes the first."""
    needed = set(program.outputs)
    cells: set[str] = set()
    handed: list[list[str]] = [[] for _ in plan.tables]
    for number in range(len(plan.levels), 0, -1):
        here = {step.name for step in plan.levels[number - 1]}
        needed -= here
        handed[number] = [
            *(column for name, column in plan.inputs.items() if name in cells),
            *(column for name, column in plan.bounded.items() if name in cells),
            *(column for name, column in plan.steps.items() if name in needed),
        ]
        for step in plan.levels[number - 1]:
            needed |= steps_used(step)
            cells |= cells_used(step)
    return handed


def _levels(steps: Sequence[ProgramStep]) -> tuple[tuple[ProgramStep, ...], ...]:
    """Each step as late as those allow that need it: few columns are handed on from level to level."""
    before_end: dict[str, int] = {}
    for step in reversed(steps):
        own = before_end.setdefault(step.name, 0)
        for each in steps_used(step):
            before_end[each] = max(before_end.get(each, 0), own + 1)
    levels: list[list[ProgramStep]] = [[] for _ in range(1 + max(before_end.values(), default=-1))]
    for step in steps:
        levels[-1 - before_end[step.name]].append(step)
    return tuple(map(tuple, levels))
