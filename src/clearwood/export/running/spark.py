"""Spark runs queries where pyspark and Java are installed: in a process of its own, on this machine alone."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from clearwood.export.exported import Exported
from clearwood.export.running.processes import TargetFailedError, output_of, program_at
from clearwood.export.running.runner import NotRun, Ran, Runner
from clearwood.export.running.sql_rows import ran_from_rows, sql_task
from clearwood.export.running.transpiled import run_transpiled
from clearwood.export.sql.dialects import SPARK
from clearwood.export.sql.source import source_in_sql
from clearwood.table.row import Row

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
task = json.load(open(sys.argv[1] + "/task.json", encoding="utf-8"))
kinds = [StructField(name, DoubleType() if number else StringType()) for name, number in task["columns"]]
frame = session.createDataFrame([tuple(row) for row in task["rows"]], StructType(kinds)).coalesce(1)
for made in task["made"]:
    session.sql(made)
if task["made"]:
    frame.write.saveAsTable(task["source"])
else:  # a view, because the names of a table's columns may hold less
    frame.createOrReplaceTempView(task["source"])
answered = session.sql(task["query"])
places = [answered.columns.index(name) for name in task["answers"] if name in answered.columns]
with open(sys.argv[1] + "/answers.json", "w", encoding="utf-8") as file:
    json.dump({"version": session.version, "columns": answered.columns,
               "rows": [[row[place] for place in places] for row in answered.collect()]}, file)
session.stop()
"""


def spark_is_here() -> bool:
    """Are pyspark and Java installed?"""
    return find_spec("pyspark") is not None and program_at("java") is not None


def run_spark(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What Spark answers, row by row; where it is not installed, DuckDB to the rewritten text."""
    if not spark_is_here():
        return run_transpiled(exported, rows)
    task = sql_task(exported)
    if isinstance(task, NotRun):
        return task
    if len(task.source) > 2:
        return NotRun("Spark has one catalog here. Prove the same query with schema.table as its source.")
    cells = zip(*(task.cells(rows, name) for name in task.columns), strict=True)
    database = [source_in_sql(task.source[:-1], SPARK)] if len(task.source) > 1 else []
    given = {
        "columns": list(task.columns.items()),
        "rows": list(map(list, cells)),
        "made": [f"CREATE DATABASE IF NOT EXISTS {each}" for each in database],
        "source": source_in_sql(task.source, SPARK),
        "query": task.query.rstrip().removesuffix(";"),
        "answers": task.answers,
    }
    with tempfile.TemporaryDirectory(prefix="cw_spark_") as folder:
        Path(folder, "task.json").write_text(json.dumps(given), "utf-8")
        output_of([sys.executable, "-c", _MAIN, folder], folder=folder)
        answered = json.loads(Path(folder, "answers.json").read_text("utf-8"))
    for name in task.answers:
        if name not in answered["columns"]:
            raise TargetFailedError(
                f"The query gives no column '{name}', but {', '.join(answered['columns'])}."
            )
    return ran_from_rows(task, exported, answered["rows"], {"Spark": answered["version"]})


RUNNER = Runner("spark", run_spark, is_target=spark_is_here())
