"""A thousand rows a second beside their sender, and memory that stays what it is over 100,000 requests."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from benchmarks.serving import Load, load, quick_loop, request_of

import clearwood as cw
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.serving.exchange import HttpRequest
from clearwood.serving.service import Service
from clearwood.serving.shelf import shelf_of
from clearwood.study.profiling import with_profile
from tests.serving.conftest import Server, Start
from tests.shared_data import csv_path

pytest.importorskip("uvicorn")


@pytest.fixture
def credit(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """A tree of a hundred leaves over seventeen columns, and a row for it."""
    table = cw.read_table(csv_path("credit_g"), target="class")
    model = with_profile(cw.C45().learn(table), table)
    row: dict[str, Any] = {}
    for attribute in table.schema.inputs:
        cell = table.columns[attribute.name][3]
        row[attribute.name] = (
            attribute.values[int(cell)] if isinstance(attribute, cw.Nominal) else float(cell)
        )
    return cw.save(model, tmp_path / "credit.json"), row


def loaded(server: Server, row: dict[str, Any], requests: int, rate: float) -> Load:
    request = request_of("localhost", "/predict", json.dumps(row).encode())
    with asyncio.Runner(loop_factory=quick_loop()) as runner:
        return runner.run(load(server.host, server.port, request, requests=requests, rate=rate))


def memory(server: Server) -> int:
    """Bytes that the server's process holds."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.long
def test_a_thousand_rows_a_second_with_p99_under_20_ms(
    start: Start, credit: tuple[Path, dict[str, Any]]
) -> None:
    file, row = credit
    server = start(file)
    loaded(server, row, 2000, 1000)  # the first replies wait for what is read late
    done = loaded(server, row, 10_000, 1000)
    busy = os.getloadavg()[0]
    print(f"\n{done}; load of the machine {busy:.1f}")
    assert dict(done.statuses) == {200: 10_000}
    if busy > 2.5:  # others use the two cores: their queue is not ours
        pytest.skip(f"The machine has other work (load {busy:.1f}): {done}")
    assert done.per_second > 990
    assert done.quantile(0.99) < 0.020


LEARNERS: dict[str, Learner[Model]] = {
    "tree": cw.C45(),
    "rules": cw.RIPPER(),
    "rules that vote": cw.CN2(rules="unordered"),
    "Bayes": cw.NaiveBayes(),
    "logistic": cw.Logistic(),
    "forest": cw.Forest(),
    "boosting": cw.Boosting(),
    "GAM": cw.GAM(),
}


@pytest.mark.long
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("name", LEARNERS)
def test_a_row_takes_under_a_millisecond(name: str, gaps: bool, credit: tuple[Path, dict[str, Any]]) -> None:
    table = cw.read_table(csv_path("credit_g"), target="class")
    service = Service(shelf_of({"m": with_profile(LEARNERS[name].learn(table), table)}))
    row = {**credit[1], **({"duration": None, "purpose": "never met"} if gaps else {})}
    request = HttpRequest("POST", "/predict", body=json.dumps(row).encode())
    times = []
    for _ in range(20):  # the best of many: others use the machine, too
        began = time.process_time()
        for _ in range(20):
            assert service.answer(request).status == 200
        times.append((time.process_time() - began) / 20)
    print(f"\n{name}{' with gaps' if gaps else ''}: {1000 * min(times):.3f} ms")
    assert min(times) < 0.001


@pytest.mark.long
def test_memory_is_flat_over_100_000_requests(start: Start, credit: tuple[Path, dict[str, Any]]) -> None:
    file, row = credit
    server = start(file)
    odd = [{**row, "purpose": f"new {i}"} for i in range(200)]
    assert dict(loaded(server, row, 10_000, 0).statuses) == {200: 10_000}
    for each in odd[:100]:
        assert server.ask("POST", "/predict", each)[0] == 200
    before = memory(server)
    for _ in range(9):
        assert dict(loaded(server, row, 10_000, 0).statuses) == {200: 10_000}
        server.ask("GET", "/metrics")
    for each in odd[100:]:
        assert server.ask("POST", "/predict", each)[0] == 200
        assert server.ask("POST", "/predict", {"purpose": "x"})[0] == 422
        assert server.ask("GET", f"/nowhere/{each['purpose']}".replace(" ", "-"))[0] == 404
    after = memory(server)
    print(f"\n{before / 1e6:.1f} MB after 10,000 requests, {after / 1e6:.1f} MB after 100,000")
    assert after - before < 3_000_000
