"""The shipped tables are there, and hold the target they name."""

from __future__ import annotations

import csv

import pytest

from clearwood.datasets import TARGETS, path
from clearwood.errors import SourceError


@pytest.mark.parametrize("name", list(TARGETS))
def test_a_shipped_table_ends_with_its_target(name: str) -> None:
    with path(name).open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header[-1] == TARGETS[name]
    assert {len(row) for row in rows} == {len(header)}


def test_an_unknown_table_gets_the_nearest_name() -> None:
    with pytest.raises(SourceError, match="Did you mean 'tennis'"):
        path("tenis")
