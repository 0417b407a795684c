"""The page of a report in Chromium: how soon it is there, and how quickly a large tree folds and unfolds."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import clearwood as cw
from benchmarks.comparison import Absent, Comparison, Contestant, Entrant, Measured, Size, at_most
from benchmarks.reference import WHOLE_ADULT
from benchmarks.tables import half_nominal

OPENS, UNFOLDS, FOLDS, ZOOMS = "report opens", "2,000 nodes unfold", "2,000 nodes fold", "2,000 nodes zoom"

# From the event to the second frame after it: by then what it changed has been laid out and painted.
TIMED = """
() => new Promise((done) => {
  const start = performance.now();
  %s;
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
})
"""
SLIDE = "const s = document.querySelector('#tree-depth'); s.value = %s; s.dispatchEvent(new Event('input'))"
ZOOM = "document.querySelector('[aria-label=\"Zoom in\"]').click()"


def _enter(size: Size) -> Sequence[Entrant]:
    try:
        from playwright.sync_api import sync_playwright
        from tests.browser import launched

        browser = launched(sync_playwright().start())
    except Exception as error:
        return [Absent(OPENS, f"no Chromium starts here: {str(error).splitlines()[0]}")]
    folder = tempfile.TemporaryDirectory()
    adult = Path(folder.name) / "adult.html"
    cw.report(WHOLE_ADULT.table(size)).save(adult)
    frame, y = half_nominal(size.rows(50_000), 10)
    table = cw.read_table(frame.assign(y=np.array(["no", "yes"])[y]), target="y")
    large = cw.report(table, learner=cw.CART(min_leaf=25))
    assert isinstance(large.study.model, cw.Tree)
    nodes = f"{large.study.model.size:,} nodes"
    tab = _opened(browser, large.save(Path(folder.name) / "large.html"))
    return [
        Contestant(OPENS, lambda: (folder, _opening(browser, adult))[1]),  # the folder lives as long as this
        Contestant(UNFOLDS, lambda: Measured(_after(tab, SLIDE % "1", SLIDE % "s.max"), nodes)),
        Contestant(FOLDS, lambda: Measured(_after(tab, SLIDE % "s.max", SLIDE % "1"), nodes)),
        Contestant(ZOOMS, lambda: Measured(_after(tab, SLIDE % "s.max", ZOOM), nodes)),
    ]


def _opened(browser: Any, page: Path) -> Any:
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    tab.goto(page.as_uri())
    tab.wait_for_selector("[data-live] > *")
    return tab


def _opening(browser: Any, page: Path) -> Measured:
    """From the beginning of the visit to the first frame after every live part is there."""
    tab = _opened(browser, page)
    value = tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => done(performance.now())))")
    tab.close()
    return Measured(value)


def _after(tab: Any, before: str, act: str) -> float:
    tab.evaluate(TIMED % before)
    return float(tab.evaluate(TIMED % act))


COMPARISONS = (
    Comparison(
        "page",
        f"The report on {WHOLE_ADULT.called} opened in Chromium from a file; another with a tree of 2,000 "
        "nodes: all of it unfolded, folded, and zoomed into, to the second frame after",
        _enter,
        (
            at_most(1000, OPENS, "ms"),
            at_most(250, UNFOLDS, "ms"),
            at_most(250, FOLDS, "ms"),
            at_most(100, ZOOMS, "ms"),
        ),
        unit="ms",
    ),
)
