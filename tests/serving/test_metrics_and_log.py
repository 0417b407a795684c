"""What Prometheus reads, what the log keeps, and what neither of them ever holds: cells of rows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.serving.log import RequestLog
from clearwood.serving.service import Service
from clearwood.serving.serving import web_app
from clearwood.serving.shelf import shelf_of
from tests.serving.conftest import ROW, TABLE, TREE, asked, awaited, looked

LINE = re.compile(
    r'[a-z_]+(\{[a-z]+="(?:[^"\\\n]|\\.)*"(,[a-z]+="(?:[^"\\\n]|\\.)*")*\})? [0-9.e+-]+(inf|nan)?'
)


def test_metrics_are_written_as_prometheus_reads_them(service: Service) -> None:
    for _ in range(3):
        asked(service, "/predict")
    asked(service, "/predict", [ROW] * 5)
    asked(service, "/predict", b"{")
    looked(service, "/secret-path")
    reply = looked(service, "/metrics")
    assert reply.kind.startswith("text/plain; version=0.0.4")
    text = reply.body.decode()
    named = set()
    for line in text.splitlines():
        if line.startswith("# "):
            assert re.fullmatch(r"# (HELP|TYPE) clearwood_[a-z_]+ .+", line)
            named.add(line.split()[2])
        else:
            assert LINE.fullmatch(line), line
            assert re.sub("_(bucket|sum|count)$", "", line.partition("{")[0].partition(" ")[0]) in named
    version = service.shelf.newest()[0].version
    assert f'clearwood_rows_total{{model="tennis",version="{version}"}} 8' in text
    assert 'clearwood_requests_total{route="predict",model="tennis",status="200"} 4' in text
    assert 'clearwood_refused_total{because="malformed"} 1' in text
    assert 'clearwood_refused_total{because="path"} 1' in text
    assert f'clearwood_input_drift_psi{{model="tennis",version="{version}",column="Outlook"}}' in text
    assert f'clearwood_answer_drift_psi{{model="tennis",version="{version}"}}' in text
    assert 'clearwood_request_seconds_bucket{route="predict",le="+Inf"} 5' in text
    assert "secret-path" not in text


def test_labels_are_escaped() -> None:
    table = cw.read_table({'a"b\\': list("xyxy"), "y": list("abab")}, target="y")
    service = Service(shelf_of({'m"': cw.ID3(min_leaf=1).learn(table)}))
    asked(service, '/models/m"/predict', {'a"b\\': "x"})
    for line in looked(service, "/metrics").body.decode().splitlines():
        assert line.startswith("#") or LINE.fullmatch(line), line


def test_the_log_has_a_line_for_each_request_and_no_cell(tmp_path: Path) -> None:
    place = tmp_path / "log.jsonl"
    service = Service(shelf_of({"tennis": TREE}), log=RequestLog(place))
    asked(service, "/predict?model=tennis", {**ROW, "Outlook": "sensitive"})
    asked(service, "/predict", {**ROW, "Humidity": "sensitive"})
    asked(service, "/explain", [ROW, ROW])
    looked(service, "/nowhere")
    lines = [json.loads(line) for line in place.read_text().splitlines()]
    assert [(line["status"], line.get("rows"), line.get("refused")) for line in lines] == [
        (200, 1, None),
        (422, None, "columns"),
        (200, 2, None),
        (404, None, "path"),
    ]
    assert lines[0]["version"] == service.shelf.newest()[0].version
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", lines[0]["time"])
    assert "sensitive" not in place.read_text()
    assert "Sunny" not in place.read_text()


def test_rows_are_logged_where_that_is_asked(tmp_path: Path) -> None:
    place = tmp_path / "log.jsonl"
    asked(Service(shelf_of({"tennis": TREE}), log=RequestLog(place, with_data=True)), "/predict")
    (line,) = [json.loads(line) for line in place.read_text().splitlines()]
    assert json.loads(line["sent"]) == ROW
    assert json.loads(line["replied"])["answer"] == "Don't Play"


def test_a_log_that_was_moved_away_is_begun_anew(tmp_path: Path) -> None:
    place = tmp_path / "log.jsonl"
    log = RequestLog(place)
    log.event("first")
    place.rename(tmp_path / "log.1")
    log.reopen()
    log.event("second")
    log.close()
    assert "second" in place.read_text()
    assert "second" not in (tmp_path / "log.1").read_text()


def test_a_log_that_cannot_be_opened_anew_is_written_on_and_the_models_are_read_all_the_same(
    tmp_path: Path, model_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    app = web_app(model_file, log=folder / "log.jsonl", watch=0)
    folder.rename(tmp_path / "moved")
    cw.save(cw.NaiveBayes().learn(TABLE), model_file)
    awaited(app.reload())
    assert asked(app.service, "/predict").status == 200
    app.service.log.close()
    lines = [json.loads(line) for line in (tmp_path / "moved" / "log.jsonl").read_text().splitlines()]
    assert "cannot be written" in lines[0]["error"]
    assert (lines[1]["event"], lines[1]["outcome"]) == ("reload", "changed")
    assert lines[2]["status"] == 200
    assert capsys.readouterr().err == ""


def test_a_log_that_was_closed_keeps_nobody_from_an_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = RequestLog(tmp_path / "log.jsonl")
    assert log._file is not None
    log._file.close()
    assert asked(Service(shelf_of({"tennis": TREE}), log=log), "/predict").status == 200
    assert capsys.readouterr().err == "The log cannot be written: I/O operation on closed file.\n"


def test_a_log_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="cannot be written"):
        RequestLog(tmp_path)


def test_without_a_profile_there_is_no_drift_in_the_metrics() -> None:
    service = Service(shelf_of({"m": cw.C45().learn(TABLE)}))
    asked(service, "/predict")
    text = looked(service, "/metrics").body.decode()
    assert "drift" not in text
    assert "clearwood_cells_unseen_total" in text
