"""The reference tables through our own reader: as declared, and as guessed."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.table import read_table
from clearwood.table.attributes import Text
from tests.shared_data import NAMES, csv_path, describe, load_shared

# What no reader can know from the cells: whole numbers that the books call categories, a column of one value.
BY_HAND = {
    "balance_scale": {"left-weight", "left-distance", "right-weight", "right-distance"},
    "breast_cancer": {"deg-malig"},
    "monks_1": {"a1", "a2", "a3", "a4", "a5", "a6"},
    "monks_2": {"a1", "a2", "a3", "a4", "a5", "a6"},
    "monks_3": {"a1", "a2", "a3", "a4", "a5", "a6"},
    "mushroom": {"veil-type"},
    "titanic": {"pclass", "boat", "body", "home.dest"},
}


@pytest.mark.parametrize("name", NAMES)
def test_guessed_kinds_are_the_declared_ones(name: str) -> None:
    about = describe(name)
    table = read_table(csv_path(name), target=about["target"])
    plain = {"categorical": "nominal", "ordinal": "nominal"}
    declared = {column: plain.get(kind, kind) for column, kind in about["kinds"].items()}
    declared |= dict.fromkeys(about.get("ignore", ()), "ignored")
    differing = {column for column, kind in declared.items() if table.schema[column].kind != kind}
    assert differing == BY_HAND.get(name, set())


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ordinal", ["nominal", "ordinal"])
def test_declared_kinds_give_the_very_table(name: str, ordinal: str) -> None:
    expected = load_shared(name, "ordinal" if ordinal == "ordinal" else "nominal")
    table = read_table(csv_path(name), schema=expected.schema, missing=[])
    assert table.schema == expected.schema
    assert len(table) == len(expected)
    for column, cells in expected.columns.items():
        actual = table.columns[column]
        if isinstance(expected.schema[column], Text):  # blanks around an unquoted cell are not part of it
            assert [cell.strip() for cell in actual] == [cell.strip() for cell in cells]
        else:
            np.testing.assert_array_equal(actual, cells)
