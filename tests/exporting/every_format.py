"""Every format with the options under which something runs it, from the lists of the package.

A new format is tried by all tests that go through these; it is an everyday test only if it is named here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import pytest

import clearwood as cw
from clearwood.exporting import FORMATS, RUNNERS
from clearwood.exporting.exportable import Exportable
from clearwood.exporting.exporting import options_of
from clearwood.exporting.sql.dialects import DIALECTS

EVERYDAY: Final = (
    "python",
    "javascript",
    "c",
    "onnx",
    "csv",
)  # compilers, servers and offices take their time
LANGUAGES: Final = tuple(
    name for name, each in FORMATS.items() if each.write.__module__.startswith("clearwood.exporting.code.")
)
_MORE_ROWS: Final = {"excel": {"rows": 500}}  # than a workbook has room for otherwise


@cache
def formats_that_answer() -> tuple[str, ...]:
    """Those whose exports are run, not only looked at."""
    tree = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    return tuple(name for name in FORMATS if cw.export(tree, name).target)


def variants(names: Iterable[str] | None = None) -> list[tuple[str, dict[str, Any]]]:
    """Formats that answer, SQL once for each dialect whose database is run."""
    each: list[tuple[str, dict[str, Any]]] = []
    for name in formats_that_answer() if names is None else names:
        has_dialects = "dialect" in options_of(FORMATS[name])
        dialects = [one for one in DIALECTS if RUNNERS[one].is_target] if has_dialects else []
        each += [(name, {"dialect": one}) for one in dialects] or [(name, {})]
    return each


def options_for(of: Exportable) -> dict[str, list[dict[str, Any]]]:
    """By format that takes it: each set of options to prove it with, ONNX in single precision too."""
    by_format: dict[str, list[dict[str, Any]]] = {}
    for name, options in variants():
        if FORMATS[name].refuses(of) is None:
            by_format.setdefault(name, []).append({**options, **_MORE_ROWS.get(name, {})})
    for name in by_format:
        if "precision" in options_of(FORMATS[name]):
            by_format[name].append({"precision": "single"})
    return by_format


def marked(names: Iterable[str]) -> list[Any]:
    """Parameters of a test: what is not for every day is for `make prove`."""
    return [pytest.param(name, marks=[] if name in EVERYDAY else pytest.mark.prove) for name in names]
