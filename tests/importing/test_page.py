"""The page of imports shows the figures of the last proofs, and these are of every origin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from docs import imports

from tests.importing.tables import ORIGINS, figure_of
from tests.shared_data import FOLDER


def test_figures_are_added_up_by_origin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tables = {
        "iris": {"rows": 1200, "different": 0, "largest": 1e-16},
        "zoo": {"rows": 7, "different": 2, "largest": 0.5},
        "car": {"refused": "No."},
    }
    known = {
        "trees": {"program": "scikit-learn 1.9", "tables": tables},
        "others": {"program": "", "tables": {}},
    }
    place = tmp_path / "importing.json"
    place.write_text(json.dumps(known))
    monkeypatch.setattr(imports, "FIGURES", place)
    page = imports.on_page_markdown("Before.\n\n<!-- imports: figures -->")
    assert "| trees | scikit-learn 1.9 | 2, 1 refused | 1,207 | 2 | 0.5 |" in page
    assert "| others | not run | 0 | 0 | 0 | 0 |" in page
    assert page.endswith("Together 1,207 rows, 2 of them different.")


def test_every_origin_was_proven_and_no_row_differs() -> None:
    known = json.loads(imports.FIGURES.read_text("utf-8"))
    assert set(known) == set(ORIGINS)
    figures = [figure for each in known.values() for figure in each["tables"].values()]
    assert not [each for each in figures if each.get("different")]
    assert sum(each.get("rows", 0) for each in figures) > 100_000


@pytest.mark.skipif(FOLDER is None, reason="no shared tables here")
def test_a_figure_is_of_a_real_proof() -> None:
    pytest.importorskip("sklearn")
    pytest.importorskip("pandas")
    figure = figure_of("scikit-learn, AdaBoost", "iris")
    assert figure is not None
    assert figure["rows"] > 200
    assert figure["different"] == 0
    assert figure["program"].startswith("scikit-learn")
    assert figure_of("scikit-learn, AdaBoost", "auto_mpg") is None
