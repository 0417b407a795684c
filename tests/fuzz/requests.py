"""Requests to a server: damaged rows, types that lie, odd paths. None may end in an error of its own."""

from __future__ import annotations

import json
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Final

import clearwood as cw
from clearwood.errors import ClearwoodError
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.serving.exchange import HttpRequest
from clearwood.serving.service import Service
from clearwood.serving.shelf import shelf_of
from clearwood.study.profiling import with_profile
from tests.fuzz.cases import Case
from tests.fuzz.json_mutation import mutated_json, written_json
from tests.fuzz.mutation import mutated

_ROW: Final[dict[str, Any]] = {"Outlook": "Sunny", "Temperature": 24, "Humidity": 80, "Wind": "Weak"}
_TYPES: Final = (
    *("application/json", "", "text/csv", "application/vnd.apache.arrow.stream"),
    *("application/vnd.apache.arrow.file", "text/csv; charset=\xff", "a/b"),
    *("application/x-www-form-urlencoded", "text/plain"),
)
_PATHS: Final = (
    *("/predict", "/explain", "/models/tree/predict", "/models/bayes/explain", "/predict?model=tree"),
    *("/models/forest/explain", "/models/curves/explain"),
    *("/explain?model=rules&to=Play&fixed=Wind,Outlook", "/explain?model=tree&only_up=Humidity"),
    *("/predict?model=tree&unknown=ignore", "/models/../predict", "/", "/metrics", "/openapi.json"),
)


class _RefusedError(ClearwoodError):
    """The reply of a server that refuses."""


@cache
def _service() -> Service:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    models: dict[str, Learner[Model]] = {
        "tree": cw.C45(),
        "bayes": cw.NaiveBayes(),
        "rules": cw.RIPPER(),
        "line": cw.Logistic(penalty="l2"),
        "forest": cw.Forest(trees=3, seed=1),
        "curves": cw.GAM(bags=2, pairs=1, seed=1, min_leaf=1),
    }
    return Service(shelf_of({name: with_profile(each.learn(table), table) for name, each in models.items()}))


def case(random: Random, _: Path) -> Case:
    """A request, damaged in its body or in how it is sent."""
    path, query = (random.choice(_PATHS) + "?").split("?")[:2]
    if random.random() < 0.2:
        query = mutated(query.encode(), random).decode("latin-1")
    kind = random.choice(_TYPES[:4]) if random.random() < 0.8 else random.choice(_TYPES)
    body = _body(kind, random)
    headers = {"content-type": kind, "accept": random.choice(("", "text/csv", "*/*"))}
    if random.random() < 0.1:
        headers |= {"origin": random.choice(("null", "http://h", "://", "http://h:80")), "host": "h"}
    method = random.choice(("POST", "POST", "POST", "GET", "PUT"))
    request = HttpRequest(method, path, query, headers, body)
    return Case(f"{method} {path}?{query} {kind} {body[:200]!r}", lambda: _answered(request))


def _body(kind: str, random: Random) -> bytes:
    rows: Any = _ROW if random.random() < 0.5 else [_ROW] * random.choice((1, 2, 30))
    if "csv" in kind:
        plain = b"Outlook,Temperature,Humidity,Wind\nSunny,24,80,Weak\nRain,,70,Strong\n"
    elif "arrow" in kind:
        import pyarrow

        frame, sink = pyarrow.Table.from_pylist([_ROW] * 3), BytesIO()
        with pyarrow.ipc.new_stream(sink, frame.schema) as writer:
            writer.write_table(frame)
        plain = sink.getvalue()
    elif random.random() < 0.6:
        return written_json(mutated_json(rows, random), random)
    else:
        plain = json.dumps(rows).encode()
    return plain if random.random() < 0.2 else mutated(plain, random)


def _answered(request: HttpRequest) -> None:
    reply = _service().answer(request)
    assert reply.status != 500
    if reply.kind == "application/json":
        content = json.loads(reply.body)
        if reply.status >= 400:
            assert content["error"].strip()
            raise _RefusedError(content["error"])
