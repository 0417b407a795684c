"""The service: it knows the models and answers requests as data; the web layer only carries them.

Routes: / and /models/NAME/form (pages), /models, /models/NAME, /predict, /explain, /models/NAME/predict,
/models/NAME/explain, /openapi.json, /metrics, /health, /ready. No path is ever that of a file.
"""

from __future__ import annotations

import re
import sys
import time
import traceback
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

from clearwood.errors import ClearwoodError
from clearwood.models.model import model_in_words
from clearwood.models.predicted import predicted
from clearwood.serving.answering import Verb, reply_to
from clearwood.serving.exchange import (
    HTML,
    About,
    Admission,
    Deadline,
    HttpRequest,
    Limits,
    RefusalError,
    Reply,
    as_json,
    only_value,
    refused,
)
from clearwood.serving.log import KIND, Metrics, RequestLog
from clearwood.serving.openapi import column_schema, openapi
from clearwood.serving.served import ServedModel
from clearwood.serving.shelf import Reloaded, Shelf

_QUICK: Final = 20_000  # bytes of a body that is answered at once, without a thread of its own
_PAGE: Final = 60.0  # seconds in which a page is made
_VERBS: Final[dict[str, Verb]] = {"predict": "predict", "explain": "explain"}


class Service:
    """Models, limits, who may ask, and what is counted and logged of it."""

    def __init__(
        self,
        shelf: Shelf,
        *,
        limits: Limits | None = None,
        admission: Admission | None = None,
        log: RequestLog | None = None,
    ) -> None:
        self.shelf = shelf
        self.limits = limits or Limits()
        self.admission = admission or Admission()
        self.log = log or RequestLog(quiet=True)
        self.metrics = Metrics()
        self.pages = Pages()
        self.stopping = False

    def answer(self, request: HttpRequest) -> Reply:
        """A request from its admission to its log."""
        began = time.perf_counter()
        reply = self.refusal_at_once(request) or self.handle(request, Deadline(self.limits.timeout))
        self.done(request, reply, time.perf_counter() - began)
        return reply

    def refusal_at_once(self, request: HttpRequest) -> Reply | None:
        """The reply to a request that is refused before its body is read; None where it may go on."""
        try:
            self.admission.check(request)
            if _route(request.path)[0] in ("predict", "explain") and request.method != "POST":
                raise _method("POST")
        except RefusalError as refusal:
            return refused(refusal)
        return None

    def handle(self, request: HttpRequest, deadline: Deadline) -> Reply:
        """The reply to a request that was admitted; whatever goes wrong becomes one."""
        about = About()
        try:
            route, name = _route(request.path)
            if route in _VERBS:
                fields = request.fields()
                asked = only_value(fields, "model")
                if None not in (name, asked) and name != asked:
                    raise RefusalError(
                        "The path names one model and the query another. Name one.", because="query"
                    )
                served = self.shelf.find(name or asked, only_value(fields, "version"))
                about = About(served.name, served.version)
                return reply_to(request, fields, _VERBS[route], served, self.limits, deadline)
            return self._look(route, name, request)
        except RefusalError as refusal:
            return refused(refusal, about)
        except ClearwoodError as error:
            return refused(RefusalError(error.sentence, because="rows"), about)
        except MemoryError:
            return refused(RefusalError("There is not enough memory for it.", because="memory"), about)
        except Exception:
            traceback.print_exc(file=sys.stderr)
            sentence = "Something went wrong in the server; its log says what."
            return refused(RefusalError(sentence, because="error"), about)

    def seconds_for(self, request: HttpRequest) -> tuple[float, str]:
        """The time that work on a request may take, and the way out if it takes longer: rows have the limit
        that was set, pages are made once for all."""
        if _route(request.path)[0] in _VERBS:
            return self.limits.timeout, "Send fewer rows."
        return max(self.limits.timeout, _PAGE), "It is still being made: ask again in a moment."

    def is_quick(self, request: HttpRequest) -> bool:
        """Is it answered in about a millisecond? Others get a thread."""
        route, _ = _route(request.path)
        return route in ("predict", "health", "ready", "models", "other") and len(request.body) <= _QUICK

    def done(self, request: HttpRequest, reply: Reply, seconds: float) -> None:
        """Count and log a request that has its reply."""
        route, _ = _route(request.path)
        self.metrics.count(route, reply, seconds)
        self.log.request(request, route, reply, seconds)

    def reload(self, *, changed_only: bool = False) -> list[Reloaded]:
        """Read model files again: all of them, or those that have changed."""
        outcomes = self.shelf.reload(self.shelf.changed_files() if changed_only else None)
        for each in outcomes:
            word = "error" if each.error else "changed" if each.changed else "same"
            self.metrics.count_reload(each.name, word)
            more = {"error": each.error} if each.error else {"version": each.version}
            self.log.event("reload", model=each.name, outcome=word, **more)
        self.pages.forget(self.shelf.newest())
        return outcomes

    def _look(self, route: str, name: str | None, request: HttpRequest) -> Reply:
        if route == "other":
            raise RefusalError(
                "There is no such page. Rows go to /predict or /explain; / is a form.", because="path"
            )
        if request.method not in ("GET", "HEAD"):
            raise _method("GET")
        newest = self.shelf.newest()
        match route:
            case "health":
                return as_json({"status": "ok"})
            case "ready":
                return self._ready()
            case "metrics":
                return Reply(200, self.metrics.text(newest).encode(), KIND)
            case "openapi":
                with_token = self.admission.token is not None
                return as_json(openapi(newest, self.limits, with_token=with_token))
            case "models" if name is None:
                return as_json({"models": [self._described(each) for each in newest]})
            case "models":
                return as_json(self._described(self.shelf.find(name, None)))
            case "form":
                served = self.shelf.find(name, None)
                page = self.pages.form(served, newest, request.header("host"))
                return Reply(200, page, HTML, about=About(served.name, served.version))
            case _:
                if len(newest) > 1:
                    return Reply(200, self.pages.index(newest), HTML)
                place = f"models/{quote(newest[0].name, safe='')}/form"
                return Reply(307, b"", HTML, (("location", place),))

    def _ready(self) -> Reply:
        if self.stopping:
            raise RefusalError("The server is stopping.", because="stopping")
        return as_json(
            {"status": "ready", "models": {each.name: each.version for each in self.shelf.newest()}}
        )

    def _described(self, served: ServedModel) -> dict[str, Any]:
        model = served.model
        target = model.schema.target
        return {
            "name": served.name,
            "version": served.version,
            "versions": [each.version for each in self.shelf.versions.get(served.name, ())],
            "model": model_in_words(model),
            "target": None if target is None else target.name,
            "predicts": predicted(model),
            "classes": list(model.schema.classes),
            "columns": {each.name: column_schema(each) for each in served.reader.columns},
            "learned_from_rows": model.origin.rows,
            "has_profile": model.profile is not None,
        }


def _route(path: str) -> tuple[str, str | None]:
    """The route of a path, and the model that it names."""
    known = _ROUTES.get(path)
    if known is not None:
        return known, None
    parts = path.split("/")
    if len(parts) in (3, 4) and parts[:2] == ["", "models"] and parts[2]:
        route = "models" if len(parts) == 3 else parts[3]
        if route in ("models", "form", "predict", "explain"):
            return route, parts[2]
    return "other", None


_ROUTES: Final = {
    "/": "page",
    "/predict": "predict",
    "/explain": "explain",
    "/models": "models",
    "/openapi.json": "openapi",
    "/metrics": "metrics",
    "/health": "health",
    "/ready": "ready",
}


def _method(allowed: str) -> RefusalError:
    listed = "GET, HEAD" if allowed == "GET" else allowed
    return RefusalError(f"Use {allowed} for this path.", because="method", allowed=listed)


# Pages as they were made: a model's page changes when the model does.
#
# What makes them is imported when the first is asked for: a server starts in half the time without.


AT: Final = "<code>curl http://HOST:PORT"  # where a page has the address that its reader has reached it by
_ADDRESS: Final = re.compile(r"[A-Za-z0-9.\-]+(:\d{1,5})?|\[[0-9a-fA-F:]+\](:\d{1,5})?")


class Pages:
    """Pages by name and version of their model."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str, bool], bytes] = {}

    def form(self, served: ServedModel, all_served: Sequence[ServedModel], address: str = "") -> bytes:
        """The page of one model; `address` is the one that the reader has reached it by."""
        alone = len(all_served) == 1
        key = (served.name, served.version, alone)
        page = self._made.get(key)
        if page is None:
            from clearwood.reporting.page import page_of
            from clearwood.serving.model_page import page_of_model

            page = self._made[key] = page_of(page_of_model(served, alone=alone)).encode("utf-8")
        if not _ADDRESS.fullmatch(address):
            return page
        # A page is made once for all addresses. In data the mark cannot occur: it has its < escaped.
        return page.replace(AT.encode(), AT.replace("HOST:PORT", address).encode(), 1)

    def index(self, all_served: Sequence[ServedModel]) -> bytes:
        """The list of models, each with a link to its form."""
        from clearwood.reporting.page import page_of
        from clearwood.serving.model_page import page_of_list

        return page_of(page_of_list(all_served)).encode("utf-8")

    def forget(self, kept: Sequence[ServedModel]) -> None:
        """Drop the pages of models that no longer answer."""
        known = {(each.name, each.version) for each in kept}
        self._made = {key: page for key, page in self._made.items() if key[:2] in known}
