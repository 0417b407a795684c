"""Any table, learner, setting, pattern of missing cells and decision: exported, run, equal."""

from __future__ import annotations

from typing import Any

import pytest

from clearwood.export import FORMATS, RUNNERS
from clearwood.export.exporting import options_of
from clearwood.export.sql.dialects import DIALECTS
from tests.export.random_models import differences_of, random_cases

# How many models a target is tried with by `make prove`; those that start a program for each have fewer.
MANY = {"python": 3000, "duckdb": 1000, "sqlite": 1000, "postgres": 300, "javascript": 150, "c": 150}
FEW = 12
BLOCKS = 10  # of one format, so that they are tried side by side


def variants() -> list[tuple[str, dict[str, Any]]]:
    """Every format with the options under which something runs it."""
    each: list[tuple[str, dict[str, Any]]] = []
    for name, format in FORMATS.items():
        has_dialects = "dialect" in options_of(format)
        dialects = [one for one in DIALECTS if RUNNERS[one].is_target] if has_dialects else []
        each += [(name, {"dialect": one}) for one in dialects] or [(name, {})]
    return each


def wrong_ones(format: str, options: dict[str, Any], count: int, first: int) -> list[str]:
    return [
        wrong
        for case in random_cases(count, first)
        if (wrong := differences_of(case, format, **options)) is not None
    ]


def test_random_models_answer_alike_in_python() -> None:
    assert wrong_ones("python", {}, 100, 0) == []


def named(each: object) -> str:
    return "-".join(each.values()) if isinstance(each, dict) else str(each)


@pytest.mark.prove
@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize(("format", "options"), variants(), ids=named)
def test_thousands_of_random_models_answer_alike(format: str, options: dict[str, Any], block: int) -> None:
    count = MANY.get(str(options.get("dialect", format)), FEW)
    assert wrong_ones(format, options, max(1, count // BLOCKS), 100_000 * block) == []
