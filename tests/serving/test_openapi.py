"""The description for programs has the columns' real names, kinds and values; rows are checked by it."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

import clearwood as cw
from clearwood.serving.exchange import Admission
from clearwood.serving.service import Service
from clearwood.serving.shelf import shelf_of
from tests.models.test_kinds import MODELS
from tests.serving.conftest import ROW, TREE, asked, looked, read


def described(service: Service) -> Any:
    return read(looked(service, "/openapi.json"))


def schema_of(description: Any, name: str) -> Any:
    return {"$ref": f"#/components/schemas/{name}", "components": description["components"]}


def test_rows_have_their_columns_kinds_and_values(service: Service) -> None:
    description = described(service)
    assert description["openapi"] == "3.1.0"
    row = description["components"]["schemas"]["TennisRow"]
    assert row["properties"]["Wind"]["examples"] == ["Strong", "Weak"]
    assert row["properties"]["Humidity"]["type"] == ["number", "null"]
    assert [each["x-kind"] for each in row["properties"].values()] == [
        "nominal",
        "numeric",
        "numeric",
        "nominal",
    ]
    assert row["required"] == ["Outlook", "Humidity", "Wind"]
    jsonschema.validate(ROW, schema_of(description, "TennisRow"))
    for odd in ({**ROW, "Wind": "Gale"}, {**ROW, "Wind": None}):  # a value never met is answered
        jsonschema.validate(odd, schema_of(description, "TennisRow"))
        assert asked(service, "/predict", odd).status == 200
    for wrong in ({**ROW, "Humidity": "much"}, {**ROW, "Wind": []}, {**ROW, "more": 1}, {"Wind": "Weak"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema_of(description, "TennisRow"))


@pytest.mark.parametrize("kind", MODELS)
def test_answers_and_explanations_are_as_described(kind: str) -> None:
    service = Service(shelf_of({kind: MODELS[kind]}))
    row = {"Outlook": "Sunny", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"}
    description = described(service)
    jsonschema.validate(read(asked(service, "/predict", row)), schema_of(description, f"{kind}Answer"))
    jsonschema.validate(read(asked(service, "/explain", row)), schema_of(description, f"{kind}Explanation"))
    refused = read(asked(service, "/predict", {}))
    jsonschema.validate(refused, schema_of(description, "Error"))


def test_every_path_and_reference_is_there() -> None:
    odd = cw.read_table({"a b": list("xyxy"), "y": list("abab")}, target="y")
    shelf = shelf_of({"tennis": TREE, "é/".replace("/", ""): cw.ID3(min_leaf=1).learn(odd)})
    service = Service(shelf, admission=Admission("a long token"))
    reply = looked(service, "/openapi.json", authorization="Bearer a long token")
    description = read(reply)
    text = json.dumps(description)
    for reference in {part.split('"')[0] for part in text.split('"$ref": "#/components/schemas/')[1:]}:
        assert reference in description["components"]["schemas"]
    assert "/models/%C3%A9/predict" in description["paths"]
    (which,) = [
        each for each in description["paths"]["/predict"]["post"]["parameters"] if each["name"] == "model"
    ]
    assert (which["required"], which["schema"]) == (True, {"enum": ["tennis", "é"]})  # which of two is it?
    assert {"TennisRow", "E_2Row"} <= set(description["components"]["schemas"])
    assert description["security"] == [{"token": []}, {"password": []}]
    operations = [each for path in description["paths"].values() for each in path.values()]
    named = [each["operationId"] for each in operations]
    assert len(named) == len(set(named)) == 12
    for path in ("/models", "/models/tennis", "/models/%C3%A9", "/metrics", "/health", "/ready"):
        assert "get" in description["paths"][path]


def test_the_paths_of_the_only_model_need_no_name(service: Service) -> None:
    description = described(service)
    for verb in ("predict", "explain"):
        operation = description["paths"][f"/{verb}"]["post"]
        assert operation["operationId"] == verb
        assert "model" not in [each["name"] for each in operation["parameters"]]


def test_models_whose_names_differ_in_case_have_schemas_of_their_own() -> None:
    description = described(Service(shelf_of({"tennis": TREE, "Tennis": TREE, "модель": TREE})))
    rows = [name for name in description["components"]["schemas"] if name.endswith("Row")]
    assert len(rows) == 3
    assert "Model_3Row" in rows
