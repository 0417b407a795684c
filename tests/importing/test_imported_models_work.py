"""What Clearwood does with its own models it does with imported ones: explain, derive, audit, report."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodError
from clearwood.models.files import json_schema, to_json
from clearwood.models.model import Model
from clearwood.table.attributes import Numeric
from tests.typed import values_of

pytest.importorskip("sklearn")
pytest.importorskip("pandas")

from tests.importing.fitted import fitted
from tests.importing.naive_pmml import document_of
from tests.importing.test_pmml import AGGREGATED, REGRESSION, RPART, RULES

STORED = Path(__file__).parent / "stored"
SOME = (
    "tree of gaps", "tree of numbers", "tree behind", "forest", "boosting", "histograms of categories",
    "bells", "categories of values", "counts", "presence", "weights of classes", "weights behind",
    "curves of intervals", "curves of steps",
)  # fmt: skip


@cache
def models() -> dict[str, Model]:
    found = {name: cw.import_model(fitted(name)[0]) for name in SOME}
    for place in sorted(STORED.glob("*.json")):
        found[place.stem] = cw.import_model(place)
    return found


NAMES = [*SOME, *(each.stem for each in sorted(STORED.glob("*.json")))]


def pmml(folder: Path) -> dict[str, Model]:
    documents = {
        "surrogates": document_of(RPART, 'missingValueStrategy="defaultChild"').text,
        "divided": document_of(AGGREGATED, 'missingValueStrategy="weightedConfidence"').text,
        "votes": document_of(AGGREGATED, 'missingValueStrategy="aggregateNodes"').text,
        "silent": document_of(REGRESSION, "", "regression").text,
        "rules": RULES.format(criterion="weightedSum"),
    }
    for name, text in documents.items():
        (folder / f"{name}.pmml").write_text(text)
    return {name: cw.import_model(folder / f"{name}.pmml") for name in documents}


def row_of(model: Model) -> dict[str, Any]:
    return {
        each.name: 0.4 if isinstance(each, Numeric) else values_of(each)[0] for each in model.schema.inputs
    }


def table_of(model: Model) -> cw.Table:
    draw = np.random.default_rng(0)
    columns: dict[str, Any] = {}
    assert model.schema.target is not None
    for each in (*model.schema.inputs, model.schema.target):
        if isinstance(each, Numeric):
            columns[each.name] = np.abs(draw.normal(size=40)).round(3)
        else:
            columns[each.name] = draw.choice(values_of(each), 40)
    return cw.encode(columns, model.schema)


USES: dict[str, Callable[[Model], object]] = {
    "printed": str,
    "explained": lambda model: str(cw.explain(model, row_of(model))),
    "derived": lambda model: str(cw.derive(model, row=row_of(model))),
    "evaluated": lambda model: str(cw.evaluate(model, table_of(model))),
    "changed": lambda model: str(cw.smallest_change(model, row_of(model))),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", NAMES)
def test_an_imported_model_can_be(use: str, name: str) -> None:
    assert USES[use](models()[name])


@pytest.mark.parametrize("use", USES)
def test_a_model_of_pmml_can_be(use: str, tmp_path: Path) -> None:
    for model in pmml(tmp_path).values():
        assert USES[use](model)


@pytest.mark.parametrize("name", ["tree of gaps", "tree behind", "forest", "xgboost_binary", "bells"])
def test_an_imported_model_can_be_drawn(name: str) -> None:
    assert "<svg" in cw.picture(models()[name]).svg


def test_files_of_imported_models_are_of_the_published_schema_and_come_back(tmp_path: Path) -> None:
    import json

    schema = jsonschema.Draft202012Validator(json_schema())
    for name, model in {**models(), **pmml(tmp_path)}.items():
        text = to_json(model)
        schema.validate(json.loads(text))
        cw.save(model, tmp_path / "model.json")
        again = cw.load(tmp_path / "model.json")
        assert to_json(again) == text, name
        assert again.origin == model.origin
        rows = table_of(model)
        assert np.array_equal(cw.predict(again, rows), cw.predict(model, rows))


def test_what_an_imported_model_says_of_its_origin() -> None:
    model = models()["tree of gaps"]
    assert "Imported from scikit-learn " in str(model)
    assert model.origin.title == "scikit-learn DecisionTreeClassifier"
    assert model.origin.rows == 200
    assert model.origin.settings["criterion"] == "gini"


def test_the_rules_of_an_imported_tree_are_audited() -> None:
    model = models()["tree behind"]
    assert isinstance(model, cw.Tree)
    audit = cw.audit(cw.rules_of(model))
    assert not audit.overlaps
    assert not audit.conflicts


def test_how_another_program_learned_is_not_derived() -> None:
    model = models()["tree of gaps"]
    with pytest.raises(
        ClearwoodError, match=r"which cannot be run again, so that its steps are not derived\. Derive how"
    ):
        cw.derive(model, table_of(model))
    with pytest.raises(ClearwoodError, match=r"Derive how it predicts a row: derive\(model, row=row\)"):
        cw.derive(model)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tree behind", "lightgbm_binary", "bells", "weights behind"])
def test_a_report_judges_an_imported_model(name: str) -> None:
    model = models()[name]
    page = cw.report(table_of(model), model=model)
    assert "imported from " in page.html


def test_a_tree_whose_threshold_lies_beyond_the_rows_is_still_charted() -> None:
    schema = cw.Schema((cw.Numeric("x"),), cw.Nominal("y", ("a", "b")))
    table = cw.encode({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "b", "a", "b"]}, schema)
    tree = cw.CART(min_leaf=1).learn(cw.encode({"x": [7.0, 9.0], "y": ["a", "b"]}, schema))
    picture = cw.charts.cuts(cw.cut_curve(table, "x", tree=tree))
    assert picture.alt.endswith("but the tree cuts at 8, beyond them all.")
