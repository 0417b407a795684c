"""A model as a SELECT: columns as they are read, steps level by level, answers beside the columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from clearwood.errors import SettingError
from clearwood.exporting.exportable import Exportable, export_in_words
from clearwood.exporting.sql.conditions import SqlCell, columns_in_arithmetic, in_reach, read_cell
from clearwood.exporting.sql.dialects import SqlDialect
from clearwood.exporting.sql.merging_steps import lowered, merged_steps
from clearwood.exporting.sql.naming import FreshNames, OutputNames, helping_name, names_beside
from clearwood.exporting.sql.paths import along_paths
from clearwood.exporting.sql.writer import SqlWriter, looked_up
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Condition
from clearwood.models.program.program import ModelProgram, ProgramStep, program_parts, steps_used
from clearwood.table.attributes import Numeric

_BETWEEN: Final = ",\n      "
_MANY: Final = 50  # helping columns that nobody needs any more; fewer do not disturb
SEVERAL: Final = "several leaves, each with its part of the row"


def select_form(
    model: Exportable,
    program: ModelProgram,
    dialect: SqlDialect,
    *,
    source: str,
    outputs: Sequence[str],
    keep: Sequence[str] | None,
    names: OutputNames,
) -> str:
    """The query. `keep` names the columns that go along; None: all."""
    _refuse_absent(model, program, outputs)
    plan = plan_of(model, program, dialect, keep or (), source)
    cells = {
        each.name: SqlCell(own, plan.bounded.get(each.name, own), isinstance(each, Numeric))
        for each, own in ((each, plan.inputs[each.name]) for each in program.inputs)
    }
    writer = SqlWriter(dialect, cells, plan.steps, plan.wholes)
    kept = _carried(plan, dialect, keep)
    handed = alive(program, plan)
    tables = [_reading(program, plan, dialect, keep, source)]
    helping = [*plan.inputs.values(), *plan.bounded.values()]
    for number, level in enumerate(plan.levels, 1):
        columns = [*kept, *handed[number]]
        if kept == ["*"]:
            columns, helping = _all_but_idle(helping, handed[number], dialect)
        made = [f"{writer.step(step, '      ')} AS {plan.steps[step.name]}" for step in level]
        helping += [plan.steps[step.name] for step in level]
        _refuse_width((len(helping) if kept == ["*"] else len(handed[number]) + len(made)), dialect)
        before = plan.tables[number - 1]
        lead = f"{', '.join(columns)}{_BETWEEN}" if columns else ""
        select = f"SELECT {dialect.hint.format(before)}"
        tables.append(f"{select.rstrip()}\n      {lead}{_BETWEEN.join(made)}\n    FROM {before}")
    named = zip(plan.tables, tables, strict=True)
    fence = dialect.fence if len(plan.steps) >= dialect.fence_from else ""
    written = ",\n".join(f"  {name} AS {fence}(\n    {text}\n  )" for name, text in named)
    return f"WITH\n{written}\n{_final(program, plan, dialect, keep, outputs, names, source, helping)}"


def _refuse_absent(model: Exportable, program: ModelProgram, outputs: Sequence[str]) -> None:
    """Refuse an output that was chosen and that this model has not; where all are asked for, it has less."""
    has = {
        "prediction": True,
        "shares": bool(program.shares),
        "region": program.region is not None,
        "reason": program.region is not None,
        "points": program.points is not None,
    }
    absent = [each for each in outputs if not has[each]]
    if absent and len(set(outputs)) < len(has):
        raise SettingError(
            f"outputs: this is {export_in_words(model)}, which has no {absent[0]}. It has "
            f"{', '.join(name for name, there in has.items() if there)}."
        )


def _all_but_idle(
    helping: list[str], handed: Sequence[str], dialect: SqlDialect
) -> tuple[list[str], list[str]]:
    """All columns, and the helping ones among them, without those that nobody needs where these are many."""
    needed = set(handed)
    idle = [each for each in helping if each not in needed]
    if len(idle) < _MANY:
        return ["*"], helping
    return [f"* {dialect.keeping} ({', '.join(idle)})"], [each for each in helping if each in needed]


def _refuse_width(columns: int, dialect: SqlDialect) -> None:
    if columns > dialect.columns:
        raise SettingError(
            f"{dialect.title} takes at most {dialect.columns:,} columns, and this model needs {columns:,} at "
            "once. Write it for duckdb, or learn a smaller model."
        )


def _carried(plan: QueryPlan, dialect: SqlDialect, keep: Sequence[str] | None) -> list[str]:
    """What takes the columns of the source from level to level."""
    if keep is not None:
        return [dialect.quote(each) for each in keep]
    return ["*"] if dialect.keeping in ("EXCLUDE", "EXCEPT") else [plan.row]


def _reading(
    program: ModelProgram, plan: QueryPlan, dialect: SqlDialect, keep: Sequence[str] | None, source: str
) -> str:
    """The columns as the model reads them."""
    bounds = columns_in_arithmetic(program)
    columns = _carried(plan, dialect, keep)
    if keep is None and dialect.keeping == "rowid":
        columns = [f"{plan.source}.{plan.row_id} AS {plan.row}"]
    elif keep is None and dialect.keeping == "row":
        columns = [f"{plan.source} AS {plan.row}"]
    for each in program.inputs:
        cell = f"{plan.source}.{dialect.quote(each.name)}"
        read = read_cell(each, cell, dialect)
        columns.append(f"{read} AS {plan.inputs[each.name]}")
        if each.name in plan.bounded:
            columns.append(f"{in_reach(read, bounds[each.name], dialect)} AS {plan.bounded[each.name]}")
    return f"SELECT\n      {_BETWEEN.join(columns) or '1 AS cw_none'}\n    FROM {source} AS {plan.source}"


def _final(
    program: ModelProgram,
    plan: QueryPlan,
    dialect: SqlDialect,
    keep: Sequence[str] | None,
    outputs: Sequence[str],
    names: OutputNames,
    source: str,
    helping: Sequence[str],
) -> str:
    columns = _source_columns(plan, dialect, keep, helping)
    last = plan.tables[-1]
    if keep is None and dialect.keeping == "rowid":
        last += f"\nJOIN {source} AS {plan.source} ON {plan.source}.{plan.row_id} = {last}.{plan.row}"
    if "prediction" in outputs:
        columns.append(f"{_prediction(program, plan, dialect)} AS {dialect.quote(names.prediction)}")
    if "shares" in outputs:
        columns += [
            f"{plan.steps[step]} AS {dialect.quote(name)}"
            for step, name in zip(program.shares, names.shares, strict=True)
        ]
    if program.points is not None and "points" in outputs:
        columns.append(f"{plan.steps[program.points]} AS {dialect.quote(names.points)}")
    if program.region is not None:
        place = plan.steps[program.region]
        if "region" in outputs:
            columns.append(f"CASE WHEN {place} >= 0 THEN {place} + 1 END AS {dialect.quote(names.region)}")
        if "reason" in outputs:
            texts = [dialect.text(each) for each in program.regions]
            reason = looked_up(place, texts, "  ", otherwise=dialect.text(SEVERAL), in_list=dialect.in_list)
            columns.append(f"{reason} AS {dialect.quote(names.reason)}")
    listed = ",\n  ".join(columns)
    return f"SELECT\n  {listed}\nFROM {last}\n"


def _prediction(program: ModelProgram, plan: QueryPlan, dialect: SqlDialect) -> str:
    answer = plan.steps[program.answer]
    if not program.classes:
        return answer
    cases = (f"    WHEN {place} THEN {dialect.text(each)}" for place, each in enumerate(program.classes))
    return "\n".join([f"CASE {answer}", *cases, "  END"])


def _source_columns(
    plan: QueryPlan, dialect: SqlDialect, keep: Sequence[str] | None, helping: Sequence[str]
) -> list[str]:
    """The columns of the source in the answer."""
    if keep is not None:
        return [dialect.quote(each) for each in keep]
    match dialect.keeping:
        case "EXCLUDE" | "EXCEPT":
            return [f"* {dialect.keeping} ({', '.join(helping)})" if helping else "*"]
        case "row":
            return [f"({plan.row}).*"]
        case _:
            return [f"{plan.source}.*"]


# The plan of a query: a name for each helping column, and steps by levels, one level behind another.


_CellPart: TypeAlias = f.CellNumber | f.PlaceOfValue | f.PlaceOfNumber | f.LogOfBells | f.LogOfWords
_ROW_IDS: Final = ("rowid", "_rowid_", "oid")  # SQLite's names of the number of a row


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """The helping columns of inputs and steps, the steps of each level, and other names of the query.

    `bounded` are those of numbers that are kept in reach of what computes with them.
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
    computed = columns_in_arithmetic(program) if dialect.guarded else {}
    bounded = {each: names.fresh(f"{inputs[each]}_in_reach") for each in inputs if each in computed}
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
            cells |= _cells_used(step)
    return handed


def _cells_used(step: ProgramStep) -> set[str]:
    """The columns that a step asks for."""
    parts = program_parts((step.value, step.when))
    return {part.name for part in parts if isinstance(part, Condition | _CellPart)}


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
