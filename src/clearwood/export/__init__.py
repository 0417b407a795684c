"""Exports: a model in other people's languages and formats, each proven on rows that hurt.

A new format is a file here and a line in the list below; one that a program runs has a line in `RUNNERS` too.
"""

from __future__ import annotations

from typing import Final

from clearwood.export.format import ExportFormat
from clearwood.export.running.runner import Runner
from clearwood.registry import Listed

FORMATS: Final[Listed[ExportFormat]] = Listed(
    "format",
    {
        "python": f"{__name__}.code.python:FORMAT",
        "javascript": f"{__name__}.code.javascript:FORMAT",
        "c": f"{__name__}.code.c:FORMAT",
        "java": f"{__name__}.code.java:FORMAT",
        "dot": f"{__name__}.pictures.dot:FORMAT",
        "mermaid": f"{__name__}.pictures.mermaid:FORMAT",
    },
)
RUNNERS: Final[Listed[Runner]] = Listed(
    "target",
    {
        "python": f"{__name__}.running.python:RUNNER",
        "node": f"{__name__}.running.node:RUNNER",
        "gcc": f"{__name__}.running.gcc:RUNNER",
        "java": f"{__name__}.running.java:RUNNER",
    },
)
