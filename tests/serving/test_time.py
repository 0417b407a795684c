"""The time of a request: searches end with it, rows share it, and pages have one of their own."""

from __future__ import annotations

import time
from typing import Any

import pytest

import clearwood as cw
from clearwood.serving import answering
from clearwood.serving import exchange as limits
from clearwood.serving.answering import explanation_of, shared_by
from clearwood.serving.asgi import App
from clearwood.serving.exchange import Deadline, HttpRequest, Limits
from clearwood.serving.service import Service
from clearwood.serving.shelf import shelf_of
from tests.serving.conftest import ROW, TABLE, asked, awaited, read


def test_the_smallest_change_is_searched_no_longer_than_a_request_may_take() -> None:
    forest = cw.Forest(trees=5).learn(TABLE)
    hurried = Service(shelf_of({"m": forest}), limits=Limits(timeout=1e-6))
    reply = asked(hurried, "/explain")
    assert reply.status == 200
    given = read(reply)
    assert given["answer"] == cw.predict(forest, [ROW]).tolist()[0]
    assert given["why"]
    assert given["change"]["stopped"]
    assert not given["change"]["proven"]
    assert given["change"]["because"].startswith("Not searched to the end")
    assert asked(hurried, "/explain", [ROW, ROW]).status == 503
    patient = Service(shelf_of({"m": forest}), limits=Limits(timeout=60))
    assert not read(asked(patient, "/explain"))["change"]["stopped"]


def test_rows_that_are_explained_together_share_the_time() -> None:
    deadline = Deadline(100.0)
    assert 79 < deadline.share(1) <= 80
    assert 7.9 < deadline.share(10) <= 8
    assert Deadline(0.0).share(3) == 0.0
    assert 3.9 < deadline.share(10, fixed=5.0) <= 4
    assert deadline.share(10, fixed=50.0) == 0.0


class Clock:
    """A clock that a test turns on."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


def test_what_rows_take_without_a_search_is_kept_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(shelf_of({"m": cw.Forest(trees=3, seed=1).learn(TABLE)}), limits=Limits(timeout=10))
    clock = Clock()

    def slow(*arguments: Any, seconds: float, **more: Any) -> Any:
        """A tenth of a second for all but the search, which takes all that it is given."""
        clock.now += 0.1 + seconds
        answer = explanation_of(*arguments, seconds=0.0, **more)
        return {**answer, "change": {**answer["change"], "stopped": True}}

    monkeypatch.setattr(answering, "explanation_of", slow)
    monkeypatch.setattr(answering, "time", clock)
    monkeypatch.setattr(limits, "time", clock)
    assert asked(service, "/explain", [ROW] * 80).status == 200
    assert 9 < clock.now <= 10
    hopeless = asked(service, "/explain", [ROW] * 400)
    assert clock.now < 11  # seen at once, not when the time is over
    assert hopeless.status == 503
    assert "Send fewer rows, about 98 at once." in read(hopeless)["error"]


def test_one_row_that_takes_long_does_not_stand_for_those_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(shelf_of({"m": cw.Forest(trees=3, seed=1).learn(TABLE)}), limits=Limits(timeout=10))
    clock, explained, together = Clock(), 0, 0

    def at_times_slow(*arguments: Any, seconds: float, **more: Any) -> Any:
        """Quick but for one row, which is the first to need something that is worked out once."""
        nonlocal explained
        explained += 1
        clock.now += seconds + (0.9 if explained == 5 else 0.02)
        answer = explanation_of(*arguments, seconds=0.0, **more)
        return {**answer, "change": {**answer["change"], "stopped": True}}

    def set_up_once(*arguments: Any) -> Any:
        nonlocal together
        together += 1
        clock.now += 2.0 if together == 1 else 0.1
        return shared_by(*arguments)

    monkeypatch.setattr(answering, "explanation_of", at_times_slow)
    monkeypatch.setattr(answering, "shared_by", set_up_once)
    monkeypatch.setattr(answering, "time", clock)
    monkeypatch.setattr(limits, "time", clock)
    assert asked(service, "/explain", [ROW] * 60).status == 200
    assert clock.now <= 10


def test_a_page_has_a_time_of_its_own(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    hurried = Service(service.shelf, limits=Limits(timeout=0.01))
    app = App(hurried, watch=0)

    def slow(*_: object) -> bytes:
        time.sleep(1.2)  # longer than a request of rows is waited for
        return b"a page"

    monkeypatch.setattr(hurried.pages, "form", slow)
    reply = awaited(app._reply(HttpRequest("GET", "/models/tennis/form")))
    assert (reply.status, reply.body) == (200, b"a page")
    assert hurried.seconds_for(HttpRequest("POST", "/predict")) == (0.01, "Send fewer rows.")
    assert "rows" not in hurried.seconds_for(HttpRequest("GET", "/models/tennis/form"))[1]
