"""Reports of every kind, on a phone and on a desk, by day and by night: no barrier, nothing is cut off."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from tests.report.conftest import Opened
from tests.shared_data import load_shared

AXE = Path(__file__).parents[2] / "build" / "js" / "node_modules" / "axe-core" / "axe.min.js"
LEARNERS: dict[str, Any] = {
    "tree": cw.CART(max_depth=3),
    "rules": cw.RIPPER(),
    "bayes": cw.NaiveBayes(),
    "weights": cw.Logistic(penalty="l2"),
    "curves": cw.GAM(rounds=20, bags=2, pairs=1),
    "boosting": cw.Boosting(trees=5),
}
SCREENS = [(390, "dark"), (1280, "light"), (1440, "dark")]


@cache
def page_of(kind: str) -> str:
    """The report of a table with long names and values."""
    rows = load_shared("credit_g").take(np.arange(0, 1000, 5))
    return cw.report(rows, learner=LEARNERS[kind], name="credit_g.csv").html


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
@pytest.mark.parametrize("kind", LEARNERS)
def test_axe_finds_no_barrier_in_a_report(opened: Opened, kind: str, width: int, scheme: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not here: `make tools-js` gets it where there is Node.js and a registry.")
    tab = opened(
        page_of(kind), viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    tab.wait_for_selector(".answer h3")
    tab.add_script_tag(path=AXE)
    found = tab.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
    assert [(each["id"], len(each["nodes"]), each["nodes"][0]["html"][:120]) for each in found] == []


CUT_OFF = """() => {
  const page = document.documentElement.clientWidth;
  const scrolls = (element) => element.closest(".scroll, .grid, .line, .tree, .panel, .unseen, .now, pre");
  const wide = [...document.querySelectorAll("main *")]
    .filter((each) => !scrolls(each) && each.getBoundingClientRect().right > page + 1)
    .map((each) => each.tagName);
  const cut = [...document.querySelectorAll("figure svg")].flatMap((svg) => {
    const { left, right, top, bottom } = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("text")].filter((text) => {
      const box = text.getBoundingClientRect();
      return box.left < left - 0.5 || box.right > right + 0.5 || box.top < top - 2 || box.bottom > bottom + 2;
    }).map((text) => text.textContent);
  });
  return { wide, cut, page: document.documentElement.scrollWidth > page };
}"""


@pytest.mark.parametrize("width", [390, 1280, 1440])
@pytest.mark.parametrize("kind", LEARNERS)
def test_nothing_is_cut_off_or_wider_than_the_page(opened: Opened, kind: str, width: int) -> None:
    tab = opened(page_of(kind), viewport={"width": width, "height": 900})
    tab.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    tab.wait_for_timeout(100)
    assert tab.evaluate(CUT_OFF) == {"wide": [], "cut": [], "page": False}
