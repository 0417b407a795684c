"""The pages of a server, as a person meets them in a browser: the form answers, and nothing is fetched."""

from __future__ import annotations

import re
import shlex
import sys
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

import clearwood as cw
from clearwood.cli import run
from clearwood.serving.model_page import example_row
from clearwood.serving.served import served
from clearwood.serving.service import Service
from clearwood.serving.shelf import shelf_of
from tests.browser import SCREENSHOTS
from tests.models.test_kinds import MODELS
from tests.models.test_kinds import TABLE as NOMINAL
from tests.serving.conftest import TABLE, TREE, Start, asked, looked, read

FORM = "application/x-www-form-urlencoded"


def test_one_model_has_one_page_and_several_a_list(service: Service) -> None:
    alone = looked(service, "/")
    assert (alone.status, dict(alone.headers)["location"]) == (307, "models/tennis/form")
    page = looked(service, "/models/tennis/form").body.decode()
    assert "All models" not in page
    several = Service(shelf_of({"tennis": TREE, "<b>": cw.NaiveBayes().learn(TABLE)}))
    listed = looked(several, "/").body.decode()
    assert 'href="models/tennis/form"' in listed
    assert 'href="models/%3Cb%3E/form"' in listed
    assert "<b>" not in listed
    for word in ("<script", "<noscript", "the report", "script-src"):  # it has nothing to run
        assert word not in listed
    assert "All models" in looked(several, "/models/tennis/form").body.decode()


def test_the_page_shows_how_a_program_asks_at_the_address_it_was_reached_by(service: Service) -> None:
    page = looked(service, "/models/tennis/form", host="models.example:8443").body.decode()
    assert "curl http://models.example:8443/models/tennis/predict" in page
    for odd in ("<script>", "a b", '"', "x/../y", ""):
        assert (
            "curl http://HOST:PORT/models/tennis/predict"
            in looked(service, "/models/tennis/form", host=odd).body.decode()
        )


@pytest.mark.parametrize("name", ["tennis", "it's"])
def test_the_command_that_the_page_shows_is_answered(name: str) -> None:
    service = Service(shelf_of({name: TREE}))
    page = looked(service, f"/models/{name}/form", host="127.0.0.1:8000").body.decode()
    shown = re.search(r"<pre><code>(curl .*?)</code></pre>", page, re.DOTALL)
    assert shown is not None
    _, address, flag, header, sent, body = shlex.split(unescape(shown[1]).replace("\\\n", " "))
    assert (flag, sent) == ("-H", "-d")
    kind = header.removeprefix("Content-Type: ")
    reply = asked(service, unquote(urlsplit(address).path), body.encode(), content_type=kind)
    assert (reply.status, read(reply)["answer"]) == (200, "Play")
    form = asked(service, unquote(urlsplit(address).path), body.encode(), content_type=FORM)
    assert form.status == 415  # what curl sends without the header that the page gives


LEARNED = {**MODELS, "Ensemble": cw.Forest(trees=5, seed=1).learn(NOMINAL)}


@pytest.mark.parametrize("kind", LEARNED)
def test_the_row_that_the_page_shows_is_answered(kind: str) -> None:
    service = Service(shelf_of({"m": LEARNED[kind]}))
    assert asked(service, "/predict", example_row(served(LEARNED[kind], "m"))).status == 200
    assert looked(service, "/models/m/form").status == 200


def test_a_page_is_made_anew_when_its_model_is(model_file: Path) -> None:
    service = Service(shelf_of([model_file]))
    first = looked(service, "/models/tennis/form").body
    cw.save(cw.NaiveBayes().learn(TABLE), model_file)
    service.reload()
    assert looked(service, "/models/tennis/form").body != first
    assert len(service.pages._made) == 1


def test_the_form_answers_in_a_browser_as_the_server_does(
    browser: Any, start: Start, model_file: Path, tmp_path: Path
) -> None:
    pytest.importorskip("uvicorn")
    other = cw.save(cw.NaiveBayes().learn(TABLE), tmp_path / "bayes.json")
    server = start(model_file, other, "--token", "a long token")
    context = browser.new_context(http_credentials={"username": "me", "password": "a long token"})
    page = context.new_page()
    noticed: list[str] = []
    page.on("console", lambda message: noticed.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: noticed.append(str(error)))
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    page.goto(f"http://{server.host}:{server.port}/")
    page.get_by_role("link", name="tennis").click()
    page.get_by_label("Outlook", exact=True).select_option("Sunny")
    page.get_by_label("Humidity", exact=True).fill("80")
    row = {"Outlook": "Sunny", "Humidity": 80, "Wind": "Weak"}
    wanted = cw.explain(TREE, row)
    assert page.locator(".answer-text").inner_text() == wanted.answer
    page.get_by_text("75").first.wait_for()  # the smallest change: Humidity 80 → 75
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "served_form.png", full_page=True)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    # No cell of what it asks about is beyond the edge.
    narrow = "[...document.querySelectorAll('#columns .scroll')].every(e => e.scrollWidth <= e.clientWidth)"
    assert page.evaluate(narrow)
    hint = page.locator(".field", has=page.get_by_label("Humidity", exact=True)).locator("small")
    assert hint.inner_text() == "65 – 96 in training"
    assert noticed == []
    assert all(url.startswith((f"http://{server.host}:{server.port}/", "data:")) for url in asked_for)
    answered, body = server.ask("POST", "/models/tennis/predict", row, authorization="Bearer a long token")
    assert (answered, b"Don't Play" in body) == (200, True)
    context.close()


def test_the_page_of_a_model_without_a_profile_has_a_form_too() -> None:
    service = Service(shelf_of({"m": cw.C45().learn(TABLE)}))
    assert b'data-live="form"' in looked(service, "/models/m/form").body
    assert read(looked(service, "/models/m"))["has_profile"] is False


def test_without_the_extra_a_sentence_says_how_to_get_it(
    model_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "clearwood.serving.serving", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert run(["serve", str(model_file)]) == 2
    assert "pip install 'clearwood[serve]'" in capsys.readouterr().err
    sys.modules.pop("clearwood.serving.serving", None)
