"""Spark runs queries where pyspark and Java are installed: in a process of its own, on this machine alone."""

import json
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from clearwood.exporting.exported import Exported
from clearwood.exporting.running.duckdb import run_transpiled
from clearwood.exporting.running.runner import (
    NotRun,
    Ran,
    Runner,
    RunTask,
    output_of,
    program_at,
    seconds_for,
)
from clearwood.exporting.running.sql_rows import SqlTask, places_of_answers, ran_from_rows, sql_task
from clearwood.exporting.sql.dialects import SPARK
from clearwood.exporting.sql.source import source_in_sql
from clearwood.table.raw import Row

_MAIN: Final = """
import json, sys
from pyspark.sql import SparkSession
from pyspark.sql.types import DoubleType, StringType, StructField, StructType
session = (
    SparkSession.builder.master("local[1]").appName("clearwood")
    .config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "1")
    .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.warehouse.dir", sys.argv[1] + "/warehouse").getOrCreate()
)
session.sparkContext.setLogLevel("OFF")
given = json.load(open(sys.argv[1] + "/tasks.json", encoding="utf-8"))
answers = []
for task in given:
    kinds = [StructField(name, DoubleType() if number else StringType()) for name, number in task["columns"]]
    frame = session.createDataFrame([tuple(row) for row in task["rows"]], StructType(kinds)).coalesce(1)
    for made in task["made"]:
        session.sql(made)
    if task["made"]:
        frame.write.mode("overwrite").saveAsTable(task["source"])
    else:  # a view, because the names of a table's columns may hold less
        frame.createOrReplaceTempView(task["source"])
    answered = session.sql(task["query"])
    places = [answered.columns.index(name) for name in task["answers"] if name in answered.columns]
    rows = [[row[place] for place in places] for row in answered.collect()]
    answers.append({"columns": answered.columns, "rows": rows})
with open(sys.argv[1] + "/answers.json", "w", encoding="utf-8") as file:
    json.dump({"version": session.version, "answers": answers}, file)
session.stop()
"""


def spark_is_here() -> bool:
    """Are pyspark and Java installed?"""
    return find_spec("pyspark") is not None and program_at("java") is not None


def run_spark(tasks: Sequence[RunTask]) -> list[Ran | NotRun]:
    """What Spark answers, row by row; where it is not installed, DuckDB to the rewritten texts."""
    if not spark_is_here():
        return [run_transpiled(task.exported, task.rows) for task in tasks]
    asked = [_asked(task.exported) for task in tasks]
    given = [
        _given(each, task.rows) for each, task in zip(asked, tasks, strict=True) if isinstance(each, SqlTask)
    ]
    with tempfile.TemporaryDirectory(prefix="cw_spark_") as folder:
        Path(folder, "tasks.json").write_text(json.dumps(given), "utf-8")
        output_of([sys.executable, "-c", _MAIN, folder], folder=folder, seconds=seconds_for(len(tasks)))
        answered = json.loads(Path(folder, "answers.json").read_text("utf-8"))
    answers, versions = iter(answered["answers"]), {"Spark": answered["version"]}
    return [
        _ran(each, task.exported, next(answers), versions) if isinstance(each, SqlTask) else each
        for each, task in zip(asked, tasks, strict=True)
    ]


def _asked(exported: Exported) -> SqlTask | NotRun:
    task = sql_task(exported)
    if isinstance(task, SqlTask) and len(task.source) > 2:
        return NotRun("Spark has one catalog here. Prove the same query with schema.table as its source.")
    return task


def _given(task: SqlTask, rows: Sequence[Row]) -> dict[str, Any]:
    """A task as the process reads it."""
    cells = zip(*(task.cells(rows, name) for name in task.columns), strict=True)
    database = [source_in_sql(task.source[:-1], SPARK)] if len(task.source) > 1 else []
    return {
        "columns": list(task.columns.items()),
        "rows": list(map(list, cells)),
        "made": [f"CREATE DATABASE IF NOT EXISTS {each}" for each in database],
        "source": source_in_sql(task.source, SPARK),
        "query": task.query.rstrip().removesuffix(";"),
        "answers": task.answers,
    }


def _ran(task: SqlTask, exported: Exported, answered: dict[str, Any], versions: dict[str, str]) -> Ran:
    places_of_answers(task, answered["columns"])  # the process leaves out what is not there
    return ran_from_rows(task, exported, answered["rows"], versions)


RUNNER = Runner("spark", run_spark, most=50, is_target=spark_is_here())
