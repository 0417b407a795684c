"""The server's answers are those of predict, shares, intervals and explain, in every form of rows."""

from __future__ import annotations

import json
import math
from io import BytesIO
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.models.model import Model
from clearwood.serving import answering
from clearwood.serving.service import Service
from clearwood.serving.shelf import shelf_of
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table
from tests.models.test_kinds import MODELS
from tests.models.test_kinds import TABLE as NOMINAL
from tests.serving.conftest import ROW, TABLE, TREE, asked, read
from tests.typed import values_of

NUMBERS = cw.read_table(cw.datasets.path("tennis_numeric"), target="Temperature")
LINE = cw.read_table(
    {"x": [1, 2, 3, 4, 5, 6, 7, 8], "y": list("aababbab")}, target="y", kinds={"x": "numeric"}
)
KINDS: dict[str, tuple[Model, Table]] = {
    **{name: (model, NOMINAL) for name, model in MODELS.items()},
    "tree with numbers": (TREE, TABLE),
    "rules that vote": (cw.CN2(rules="unordered").learn(TABLE), TABLE),
    "weights with intervals": (cw.Logistic().learn(LINE), LINE),
    "numbers": (cw.CART().learn(NUMBERS), NUMBERS),
    "cutoff": (cw.with_cutoff(TREE, "Play", at=0.9), TABLE),
    "referred": (cw.with_refer(cw.ID3(max_depth=1).learn(NOMINAL), below=0.75), NOMINAL),
}  # fmt: skip


def rows_of(table: Table, *, with_gaps: bool) -> list[dict[str, Any]]:
    """The table as JSON; with a missing cell here and a value never met there."""
    rows: list[dict[str, Any]] = []
    for i in range(len(table)):
        row: dict[str, Any] = {}
        for attribute in table.schema.inputs:
            cell = table.columns[attribute.name][i]
            row[attribute.name] = (
                float(cell) if isinstance(attribute, Numeric) else values_of(attribute)[int(cell)]
            )
        if with_gaps and i % 3 == 0:
            row[next(iter(row))] = None
        if with_gaps and i % 3 == 1 and isinstance(table.schema.inputs[-1], cw.Nominal):
            row[table.schema.inputs[-1].name] = "never met"
        rows.append(row)
    return rows


def expected(model: Model, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """By the public page."""
    table = cw.encode(rows, cw.Schema(model.schema.attributes))
    answers = [None if each != each else each for each in cw.predict(model, table).tolist()]
    shares = [None] * len(rows) if model.is_numeric else cw.shares(model, table).tolist()
    try:
        ends = [tuple(each) for each in cw.intervals(model, table).tolist()]
    except SettingError:
        ends = [(math.nan, math.nan)] * len(rows)
    return [
        {"answer": a, "shares": s, "interval": list(e) if math.isfinite(e[0]) else None}
        for a, s, e in zip(answers, shares, ends, strict=True)
    ]


def same(given: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert given["answer"] == pytest.approx(wanted["answer"])
    shares = given["shares"]
    assert (None if shares is None else list(shares.values())) == pytest.approx(wanted["shares"])
    assert given["interval"] == pytest.approx(wanted["interval"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("with_gaps", [False, True])
def test_one_row_and_many_get_the_answers_of_predict(kind: str, with_gaps: bool) -> None:
    model, table = KINDS[kind]
    rows = rows_of(table, with_gaps=with_gaps)
    service = Service(shelf_of({"m": model}))
    many = read(asked(service, "/predict", rows))
    assert many["rows"] == len(rows)
    for row, answer, wanted in zip(rows, many["answers"], expected(model, rows), strict=True):
        same(answer, wanted)
        alone = asked(service, "/predict", row)
        assert alone.status == 200
        same(read(alone), wanted)
        assert read(alone).get("columns") == answer.get("columns")


@pytest.mark.parametrize("kind", KINDS)
def test_explain_gives_the_answer_the_reason_and_the_smallest_change(kind: str) -> None:
    model, table = KINDS[kind]
    row = rows_of(table, with_gaps=False)[0]
    reply = asked(Service(shelf_of({"m": model})), "/explain", row)
    assert reply.status == 200, reply.body
    wanted = json.loads(json.dumps(cw.explain(model, row).to_json()))
    given = read(reply)
    assert {name: given[name] for name in ("answer", "why", "change", "notes")} == {
        name: wanted[name] for name in ("answer", "why", "change", "notes")
    }
    assert given["text"] == str(cw.explain(model, row))


def test_csv_and_arrow_are_answered_as_json_is(service: Service) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = rows_of(TABLE, with_gaps=True)
    wanted = read(asked(service, "/predict", rows))
    csv = "\n".join(
        [",".join(rows[0]), *(",".join("" if c is None else str(c) for c in row.values()) for row in rows)]
    )
    assert read(asked(service, "/predict", csv.encode(), content_type="text/csv")) == wanted
    frame, sink = pyarrow.Table.from_pylist(rows), BytesIO()
    with pyarrow.ipc.new_stream(sink, frame.schema) as writer:
        writer.write_table(frame)
    arrow = "application/vnd.apache.arrow.stream"
    assert read(asked(service, "/predict", sink.getvalue(), content_type=arrow)) == wanted
    explained = read(asked(service, "/explain", csv.encode(), content_type="text/csv; charset=utf-8"))
    assert explained["answers"] == read(asked(service, "/explain", rows))["answers"]


def test_a_client_that_asks_for_a_table_gets_one(service: Service) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = rows_of(TABLE, with_gaps=False)[:2]
    given = asked(service, "/predict", rows, accept="text/csv")
    lines = given.body.decode().splitlines()
    assert lines[0] == "answer,share_Don't Play,share_Play,low,high"
    assert len(lines) == 3
    given = asked(service, "/predict", rows, accept="application/vnd.apache.arrow.stream")
    table = pyarrow.ipc.open_stream(given.body).read_all()
    assert table.column("answer").to_pylist() == cw.predict(TREE, rows).tolist()


def test_values_never_met_are_answered_and_named(service: Service) -> None:
    given = read(asked(service, "/predict", {**ROW, "Outlook": "Suny"}))
    assert given["answer"] is not None
    assert given["columns"] == {"Outlook": "The model has never met Outlook = 'Suny'. Did you mean 'Sunny'?"}
    listed = read(asked(service, "/predict", [ROW, {**ROW, "Outlook": "Suny"}]))
    assert "columns" not in listed["answers"][0]
    assert listed["answers"][1]["columns"] == given["columns"]


def test_a_long_text_that_was_never_met_is_not_sent_back(service: Service) -> None:
    reply = asked(service, "/explain", {**ROW, "Outlook": "ab" * 500_000})
    assert reply.status == 200
    assert read(reply)["notes"] == [read(reply)["columns"]["Outlook"]]
    assert len(read(reply)["notes"][0]) < 100


@pytest.mark.parametrize("learner", [cw.Forest(trees=7), cw.Boosting(trees=5), cw.C45(), cw.NaiveBayes()])
def test_rows_that_are_explained_together_are_explained_as_each_alone(learner: Any) -> None:
    service = Service(shelf_of({"m": learner.learn(TABLE)}))
    rows = [*rows_of(TABLE, with_gaps=True), {**ROW, "Outlook": "Foggy"}]
    together = read(asked(service, "/explain", rows))["answers"]
    alone = [read(asked(service, "/explain", row)) for row in rows]
    assert [{"model": each["model"], "version": each["version"], **one} for one, each in
            zip(together, alone, strict=True)] == alone  # fmt: skip


def test_a_row_that_cannot_be_read_is_refused_before_others_are_explained(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "explanation_of", None)
    reply = asked(service, "/explain", [ROW, ROW, {**ROW, "Humidity": "damp"}])
    assert reply.status == 422
    assert read(reply)["error"].startswith("Row 3: ")


def test_values_may_be_spelled_as_numbers_and_columns_that_are_not_used_left_out() -> None:
    table = cw.read_table({"k": ["1", "2", "1", "2"], "z": [1, 2, 3, 4], "y": list("abab")}, target="y",
                          kinds={"k": "nominal"})  # fmt: skip
    service = Service(shelf_of({"m": cw.ID3(min_leaf=1).learn(table)}))
    assert [read(asked(service, "/predict", {"k": k}))["answer"] for k in (1, 2.0, "01")] == ["a", "b", "a"]


def test_a_change_is_found_as_it_is_asked_for(service: Service) -> None:
    given = read(asked(service, "/explain?to=Play&fixed=Humidity,Temperature"))
    assert [each["column"] for each in given["change"]["cells"]] == ["Outlook"]
    wrong = asked(service, "/explain?fixed=Humid")
    assert wrong.status == 400
    assert "Did you mean 'Humidity'?" in read(wrong)["error"]


def test_many_rows_come_in_blocks_and_in_order(service: Service) -> None:
    rows = rows_of(TABLE, with_gaps=False) * 200
    answers = [each["answer"] for each in read(asked(service, "/predict", rows))["answers"]]
    assert answers == np.tile(cw.predict(TREE, TABLE), 200).tolist()
