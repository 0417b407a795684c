"""Exports: a model in other people's languages and formats, each proven on adversarial rows.

A new format is a file here and a line in the list below; one that a program runs has a line in `RUNNERS` too.
"""

from typing import Final

from clearwood.exporting.exported import ExportFormat
from clearwood.exporting.running.runner import Runner
from clearwood.registry import Listed

FORMATS: Final[Listed[ExportFormat]] = Listed(
    "format",
    {
        "python": f"{__name__}.code.python:FORMAT",
        "sql": f"{__name__}.sql.to_sql:FORMAT",
        "javascript": f"{__name__}.code.javascript:FORMAT",
        "c": f"{__name__}.code.c:FORMAT",
        "java": f"{__name__}.code.java:FORMAT",
        "onnx": f"{__name__}.onnx.writing:FORMAT",
        "pmml": f"{__name__}.pmml.writing:FORMAT",
        "markdown": f"{__name__}.tables.writing:MARKDOWN",
        "csv": f"{__name__}.tables.writing:CSV",
        "excel": f"{__name__}.excel.excel:FORMAT",
        "dmn": f"{__name__}.tables.dmn:FORMAT",
        "dot": f"{__name__}.pictures:DOT",
        "mermaid": f"{__name__}.pictures:MERMAID",
    },
)
RUNNERS: Final[Listed[Runner]] = Listed(
    "target",
    {
        "python": f"{__name__}.running.processes:PYTHON",
        "duckdb": f"{__name__}.running.databases:DUCKDB",
        "sqlite": f"{__name__}.running.databases:SQLITE",
        "postgres": f"{__name__}.running.servers:POSTGRES",
        "bigquery": f"{__name__}.running.databases:BIGQUERY",
        "snowflake": f"{__name__}.running.databases:SNOWFLAKE",
        "mssql": f"{__name__}.running.databases:SQL_SERVER",
        "mysql": f"{__name__}.running.servers:MARIADB",
        "spark": f"{__name__}.running.databases:SPARK",
        "node": f"{__name__}.running.processes:NODE",
        "gcc": f"{__name__}.running.processes:GCC",
        "java": f"{__name__}.running.java:JAVA",
        "onnxruntime": f"{__name__}.running.processes:ONNXRUNTIME",
        "jpmml": f"{__name__}.running.java:JPMML",
        "table": f"{__name__}.running.table:RUNNER",
        "libreoffice": f"{__name__}.running.libreoffice:RUNNER",
        "feel": f"{__name__}.running.processes:FEEL",
    },
)
