"""The page in a real browser: it opens at once, complains of nothing, asks nothing of any network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import clearwood as cw
from clearwood.models.model import Model
from clearwood.report.hints import hints_of
from clearwood.report.page import Page, Section, live, page_of
from tests.report.conftest import SCREENSHOTS

Opened = Callable[..., Any]


def study(model: Model, table: cw.Table, title: str = "A study") -> str:
    """A page with everything live."""
    tree = (Section("tree", "The tree", live("tree")),) if isinstance(model, cw.Tree) else ()
    ask = Section("ask", "Ask it about a row", live("form"))
    return page_of(Page(title=title, model=model, sections=(*tree, ask), hints=hints_of(table)))


def tennis() -> tuple[cw.Tree, cw.Table]:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    return cw.ID3().learn(table), table


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    """Open a page's text from a file; whatever it complains of or asks for fails the test at its end."""
    complaints: list[str] = []
    contexts = []

    def open_text(text: str, **how: Any) -> Any:
        place = tmp_path / "page.html"
        place.write_text(text, encoding="utf-8")
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **how})
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("dialog", lambda dialog: complaints.append(f"a dialog: {dialog.message}"))
        tab.on(
            "request",
            lambda request: request.url.startswith(("file:", "data:")) or complaints.append(request.url),
        )
        tab.goto(place.as_uri())
        tab.wait_for_selector("[data-live] > *")
        return tab

    yield open_text
    for context in contexts:
        context.close()
    assert complaints == []


def _goes_out(request: Any) -> bool:
    return not request.url.startswith(("file:", "data:"))


def test_the_page_opens_without_a_word_and_without_a_network(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    assert tab.title() == "A study"
    assert tab.locator("[role=treeitem]").count() == 8
    tab.screenshot(path=SCREENSHOTS / "tennis.png", full_page=True)


def test_the_form_answers_as_it_is_changed(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    tab.get_by_label("Outlook", exact=True).select_option("Overcast")
    assert tab.locator(".said").inner_text() == "Yes"
    tab.get_by_label("Outlook", exact=True).select_option("missing")
    assert "divide the row" in tab.locator(".answer").inner_text()


LEARNERS = (cw.C45(), cw.NaiveBayes(), cw.CN2(), cw.Logistic(penalty="l2"))


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
def test_every_kind_of_model_has_its_form(opened: Opened, learner: Any) -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tab = opened(study(learner.learn(table), table))
    assert tab.locator(".said").inner_text() in ("Play", "Don't Play")
    tab.screenshot(path=SCREENSHOTS / f"{type(learner).__name__}.png", full_page=True)


NASTY = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<!-- a comment",
    "&amp; {{x}} ${x} `x`",
    "two\nlines",
    "ימין לשמאל (1)",
    "__proto__",
)


@pytest.mark.parametrize(
    "learner", [cw.ID3(), cw.PRISM(), cw.NaiveBayes()], ids=lambda each: type(each).__name__
)
def test_nothing_in_the_data_becomes_markup(opened: Opened, learner: Any) -> None:
    rows = [{value: value, "constructor": NASTY[-i], "y": NASTY[i % 3]} for i, value in enumerate(NASTY)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = cw.read_table({name: [row.get(name, "none") for row in rows] for name in names}, target="y")
    tab = opened(study(learner.learn(table), table, title=NASTY[0]))
    assert tab.title() == NASTY[0]
    assert tab.locator("main img, main script").count() == 0
    for label in tab.locator(".field select").all():
        label.select_option("another value")
    tab.screenshot(path=SCREENSHOTS / f"nasty-{type(learner).__name__}.png", full_page=True)
