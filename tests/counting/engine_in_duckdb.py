"""A counting engine in DuckDB: every count is a GROUP BY, and no row leaves the database."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from clearwood.arrays import Floats
from clearwood.counting.coding import Coding, ColumnCoding
from clearwood.counting.engine import Cells, Frontier, branches_of, ends_of_shares, exponent_for
from clearwood.counting.question import Question, Takes
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table


@dataclass(frozen=True)
class InDuckDB:
    """A table of columns c0, c1, … (numbers, or codes of values), y and w; each frontier is a temporary table
    with the units and the region of every row."""

    connection: duckdb.DuckDBPyConnection
    schema: Schema
    coding: Coding
    exponent: int
    whole: Frontier
    numbers: Floats | None = None
    names: Iterator[int] = field(default_factory=count)

    def scaled(self, factors: Floats) -> InDuckDB:
        weight = f"w * [{','.join(map(repr, factors.tolist()))}][y + 1]"
        exponent = exponent_for(self._ask(f"SELECT {weight} AS w FROM t")["w"])
        return replace(self, exponent=exponent, whole=self._root(weight, exponent))

    def _root(self, weight: str, exponent: int) -> Frontier:
        units = f"greatest(1, floor({weight} * {2.0**exponent!r} + 0.5))::BIGINT"
        return self._frontier(((),), f"SELECT *, {units} AS units, 0 AS region FROM t WHERE w > 0 AND y >= 0")

    def root(self) -> Frontier:
        return self.whole

    def only(self, frontier: Frontier, regions: Sequence[int]) -> Frontier:
        places = _case("region", {str(old): str(new) for new, old in enumerate(regions)})
        rows = f"SELECT * REPLACE ({places} AS region) FROM {frontier.cursor}"
        return self._frontier([frontier.regions[each] for each in regions], f"{rows} WHERE {places} >= 0")

    def totals(self, frontier: Frontier) -> Cells:
        return self._cells(frontier, "0", None, "y")

    def values(self, frontier: Frontier, columns: Sequence[int]) -> list[Cells]:
        return [self._cells(frontier, f"c{each}", self.coding.columns[each], "y") for each in columns]

    def paired(
        self, frontier: Frontier, questions: Mapping[int, Question], columns: Sequence[int]
    ) -> list[Cells]:
        branch = _case("region", {str(at): self._branch(each, False) for at, each in questions.items()})
        asking = f"region IN ({','.join(map(str, questions))})"
        return [
            self._cells(frontier, f"c{each}", self.coding.columns[each], branch, asking) for each in columns
        ]

    def divide(self, frontier: Frontier, questions: Mapping[int, Question]) -> Frontier:
        branch = _case("region", {str(at): self._branch(each, True) for at, each in questions.items()})
        gone = f"(SELECT *, {branch} AS branch FROM {frontier.cursor})"
        firsts, parts, first = {}, [], 0
        for region, question in sorted(questions.items()):
            firsts[str(region)] = str(first)
            ends, last = [0.0, *ends_of_shares(question.shares)], len(question.branches)
            divides = question.otherwise < 0
            for each in [at for at in range(last) if divides and ends[at + 1] > ends[at]]:
                low, high = (f"floor(units * {end!r}::DOUBLE + 0.5)" for end in ends[each : each + 2])
                part = f"greatest(1, {high} - {low})::BIGINT"
                parts.append(
                    f"SELECT * EXCLUDE branch REPLACE ({part} AS units, {first + each} AS region) "
                    f"FROM {gone} WHERE region = {region} AND branch = {last}"
                )
            first += len(question.branches)
        sizes = _case("region", {str(at): str(len(each.branches)) for at, each in questions.items()})
        to = f"{_case('region', firsts)} + branch"
        taken = f"SELECT * EXCLUDE branch REPLACE ({to} AS region) FROM {gone} WHERE branch < {sizes}"
        return self._frontier(branches_of(frontier, questions), " UNION ALL ".join([taken, *parts]))

    def _frontier(self, regions: Any, rows: str) -> Frontier:
        name = f"frontier_{next(self.names)}"
        self.connection.execute(f"CREATE TEMP TABLE {name} AS {rows}")
        return Frontier(tuple(regions), name)

    def _branch(self, question: Question, to_the_end: bool) -> str:
        """The branch that a row follows; the number of branches where none takes it whole."""
        tests = [(self._takes(question.attribute, each), to) for to, each in enumerate(question.branches)]
        for by in question.surrogates if to_the_end else ():
            tests += [(self._takes(by.attribute, by.when), by.then)]
            tests += [(self._takes(by.attribute, by.other), 1 - by.then)]
        rest = question.otherwise if to_the_end and question.otherwise >= 0 else len(question.branches)
        return f"CASE {' '.join(f'WHEN {when} THEN {to}' for when, to in tests)} ELSE {rest} END"

    def _takes(self, attribute: int, branch: Takes) -> str:
        place = self.coding.positions.index(attribute)
        cell, tests = f"c{place}", []
        if not self.coding.columns[place].numeric:
            tests += [f"{cell} IN ({','.join(map(str, branch.codes))})"] if branch.codes else []
        elif branch.low < branch.high:
            tests += [f"({cell} > {_number(branch.low)} AND {cell} <= {_number(branch.high)})"]
        tests += [f"{cell} IS NULL"] if branch.or_missing else []
        return f"coalesce({' OR '.join(tests) or 'FALSE'}, FALSE)"

    def _cells(
        self, frontier: Frontier, cell: str, column: ColumnCoding | None, level: str, where: str = "TRUE"
    ) -> Cells:
        found = self._ask(
            f"SELECT region, {cell} AS cell, {level} AS level, sum(units)::BIGINT AS units "
            f"FROM {frontier.cursor} WHERE {where} GROUP BY ALL"
        )
        cells = np.ma.asarray(found["cell"])
        code = cells.filled(0) if column is None else np.searchsorted(column.steps, cells.filled(0))
        if column is not None:
            code = np.where(np.ma.getmaskarray(cells), column.known, code)
        order = np.lexsort((found["level"], code, found["region"]))
        region, level_of, units = (
            np.asarray(found[each], dtype=np.int64)[order] for each in ("region", "level", "units")
        )
        return Cells(region, code.astype(np.int64)[order], level_of, units, self.exponent)

    def _ask(self, query: str) -> dict[str, Any]:
        return self.connection.execute(query).fetchnumpy()


def engine_in_duckdb(table: Table) -> InDuckDB:
    """The engine of a table that is copied into a database first; its coding is asked of the database."""
    connection = duckdb.connect(config={"threads": 1})
    usable = [
        (at, each)
        for at, each in enumerate(table.schema.attributes)
        if isinstance(each, Nominal | Ordinal | Numeric)
    ]
    columns = {
        "y": pa.array(table.target),
        "w": pa.array(np.ones(len(table)) if table.weights is None else table.weights),
    }
    for place, (_, each) in enumerate(usable):
        cells = table.columns[each.name].astype(np.float64)
        columns[f"c{place}"] = pa.array(
            cells, mask=np.isnan(cells) | (not isinstance(each, Numeric)) & (cells < 0)
        )
    connection.register("rows", pa.table(columns))
    connection.execute("CREATE TABLE t AS SELECT * FROM rows")
    coded = []
    for place, (at, each) in enumerate(usable):
        ladder = np.empty(0)
        if isinstance(each, Numeric):
            distinct = (
                f"SELECT DISTINCT c{place} AS x FROM t WHERE x IS NOT NULL AND w > 0 AND y >= 0 ORDER BY x"
            )
            ladder = np.asarray(connection.execute(distinct).fetchnumpy()["x"])
        known = max(len(ladder), 1) if isinstance(each, Numeric) else len(each.values)
        coded.append(ColumnCoding(each, at, known, ladder[:-1], ladder))
    present = connection.execute("SELECT w FROM t WHERE w > 0 AND y >= 0").fetchnumpy()["w"]
    exponent = exponent_for(np.asarray(present, dtype=np.float64))
    engine = InDuckDB(connection, table.schema, Coding(tuple(coded)), exponent, Frontier(()))
    return replace(engine, whole=engine._root("w", exponent))


def _case(of: str, by: Mapping[str, str]) -> str:
    whens = " ".join(f"WHEN {each} THEN {then}" for each, then in by.items())
    return f"(CASE {of} {whens} ELSE -1 END)" if whens else "-1"


def _number(x: float) -> str:
    return f"{x!r}::DOUBLE" if math.isfinite(x) else f"'{'-' if x < 0 else ''}infinity'::DOUBLE"
