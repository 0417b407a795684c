"""Whatever a file says, the answer is a table or one sentence of ours."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearwood.errors import ClearwoodError
from clearwood.table import read_table
from clearwood.table.schema_file import load_schema

PIECES: Final = [
    *"abc01'\"{}[],:.?|%\\ \t\n-",
    "@attribute ",
    "@data\n",
    "@relation r\n",
    "numeric",
    "{a,b}",
    "a: continuous.\n",
    '{"a": 1}\n',
    '"kind": "nominal"',
    '{"columns": [',
]
texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["t.arff", "t.names", "t.jsonl", "t.csv"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=texts, data=texts)
def test_any_text_is_a_table_or_a_sentence(name: str, text: str, data: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "t.data").write_text(data)
    with suppress(ClearwoodError):
        assert len(read_table(tmp_path / name)) > 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=texts)
def test_any_schema_file_is_a_schema_or_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text(text)
    with suppress(ClearwoodError):
        load_schema(tmp_path / "schema.json")


@settings(deadline=None)
@given(
    before=st.text("ab,\t ", max_size=6),
    rows=st.lists(
        st.lists(st.sampled_from(["1", "?", "x", "'q'", "{2}", "2.5", ""]), min_size=1, max_size=4),
        max_size=5,
    ),
)
def test_any_rows_under_a_declaration_are_a_table_or_a_sentence(
    before: str, rows: list[list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("arff") / "t.arff"
    header = "@relation r\n@attribute n numeric\n@attribute c {x, q}\n@attribute y {1, 2}\n@data\n"
    path.write_text(header + before + "\n" + "\n".join(",".join(row) for row in rows))
    with suppress(ClearwoodError):
        read_table(path)
