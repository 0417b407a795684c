"""The page on exports is made from the registry: no format, kind or figure is left out."""

from __future__ import annotations

from typing import get_args

import pytest
from docs import exports

from clearwood.exporting import FORMATS
from clearwood.exporting.exportable import Exportable
from tests.exporting.tables import figures_on
from tests.shared_data import FOLDER


def test_every_format_is_listed_with_every_kind_of_model() -> None:
    formats = exports.on_page_markdown("<!-- exports: formats -->")
    kinds = exports.on_page_markdown("<!-- exports: kinds -->")
    assert all(f"| `{name}` |" in formats for name in FORMATS)
    lines = [line for line in kinds.splitlines() if line.startswith("|")]
    assert len(lines) == 2 + len(exports.models())
    assert all(line.count("|") == 2 + len(FORMATS) for line in lines)
    kinds_of = {type(model).__name__ for model in exports.models().values()}
    assert kinds_of == {kind.__name__ for kind in get_args(Exportable)}
    assert kinds.count("This format holds a tree, not another model. Draw it instead") == 1
    assert kinds.count("but this is another model. Export it to excel") == 1
    assert not any(kind in kinds for kind in kinds_of - {"Tree", "Ensemble"})  # words, not names of classes


def test_figures_are_shown_with_what_differs() -> None:
    figures = {
        "versions": {"Node": "22"},
        "tables": {
            "iris": {"ID3": {"rows": 1200, "different": 0}, "CART": {"rows": 7, "different": 2}},
            "zoo": {"ID3": {"refused": "No."}, "CART": {"not run": "Node is not installed."}},
        },
    }
    page = exports._figures_of("javascript", figures)
    assert "Run by Node 22: 1,207 rows, 2 of them different." in page
    assert "| iris | 1,200 | 7, 2 different |" in page
    assert "| zoo | refused | not run |" in page


@pytest.mark.parametrize(
    ("versions", "sentence"),
    [
        ({"gcc": "gcc (Debian) 12.2.0"}, "Run by gcc (Debian) 12.2.0: 7 rows"),
        ({"Clearwood": "0.1.0"}, "Read back by Clearwood 0.1.0: 7 rows"),
    ],
)
def test_figures_name_the_program_that_ran(versions: dict[str, str], sentence: str) -> None:
    figures = {"versions": versions, "tables": {"iris": {"ID3": {"rows": 7, "different": 0}}}}
    page = exports._figures_of("sql duckdb", figures)
    assert page.startswith(f"### `sql`, duckdb\n\n{sentence}")


@pytest.mark.skipif(FOLDER is None, reason="the reference tables are not here")
def test_a_reference_table_is_proven() -> None:
    figure = figures_on("contact_lenses", "python", {}, ["ID3"])["ID3"]
    assert figure["different"] == 0
    assert figure["rows"] > 100
