"""Reports of every kind, on a phone and on a desk, by day and by night: no barrier, nothing is cut off."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from tests.reporting.conftest import Opened
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


def test_on_a_phone_a_table_is_a_list_of_labelled_lines_and_the_answer_stays_in_sight(opened: Opened) -> None:
    tab = opened(page_of("tree"), viewport={"width": 390, "height": 844})
    scores = tab.locator("#evaluation .stacked table").first
    rows = scores.locator("tbody tr")
    assert max(each.bounding_box()["height"] for each in rows.all()[:8]) < 150
    shown = "(cell) => getComputedStyle(cell, '::before').content"
    assert "baseline" in scores.locator("td[data-head=baseline]").first.evaluate(shown)
    tab.locator(".fields select").first.scroll_into_view_if_needed()
    tab.locator(".now", has_text="Prediction: ").wait_for()
    now = tab.locator(".now").bounding_box()
    assert 0 < now["y"] < 844 - now["height"] + 1


def test_at_a_desk_contents_stay_in_sight_and_values_of_a_node_have_room(opened: Opened) -> None:
    tab = opened(page_of("tree"))
    tab.locator(".panel .summary dd").first.wait_for()
    widths = [each.bounding_box()["width"] for each in tab.locator(".panel .summary dd").all()]
    assert min(widths) > 150
    assert tab.locator(".panel").get_attribute("tabindex") == "0"  # it scrolls by keys
    scale = tab.evaluate("document.querySelector('.tree g').getCTM().a")
    assert scale >= 0.9
    tab.locator("#data").scroll_into_view_if_needed()
    tab.evaluate("document.getElementById('data').scrollIntoView()")
    tab.wait_for_function("document.querySelector('nav').getBoundingClientRect().top === 0")
    heading, contents = tab.locator("#data-heading").bounding_box(), tab.locator("nav").bounding_box()
    assert heading["y"] >= contents["y"] + contents["height"]


def test_contents_of_two_lines_cover_no_heading(opened: Opened) -> None:
    """As in a wide font, such as that of a machine that has no other."""
    tab = opened(page_of("tree"))
    tab.add_style_tag(content="nav{font-size:1.3rem;letter-spacing:.1em}")
    tab.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    tab.evaluate("document.getElementById('data').scrollIntoView()")
    heading, contents = tab.locator("#data-heading").bounding_box(), tab.locator("nav").bounding_box()
    assert contents["height"] > 64
    assert heading["y"] >= contents["height"]


def test_the_weightiest_reasons_come_first_and_the_others_are_summed(opened: Opened) -> None:
    tab = opened(page_of("bayes"))
    heads = tab.locator(".answer h3").all_inner_texts()
    tab.locator(".change h3").wait_for()
    assert tab.locator(".answer h3").all_inner_texts() == ["The smallest change", "Why"], heads
    first, folded = tab.locator(".answer .odds").all()
    assert first.locator("li").count() == 9  # the prior and eight cells
    others = [float(each.replace("−", "-")) for each in folded.locator(".bar-share").all_text_contents()]
    summary = tab.locator(".answer summary").inner_text()
    assert summary.startswith(f"The other {len(others)}: ")
    said = float(summary.split(": ")[1].split()[0].replace("−", "-"))
    assert said == pytest.approx(sum(others), abs=0.005 * (len(others) + 1))


def test_the_answer_of_many_trees_does_not_wait_for_its_reasons(opened: Opened) -> None:
    tab = opened(page_of("boosting"))
    tab.locator(".answer .odds").first.wait_for()
    # Within the task that asks, the answer is there and its reasons are not.
    waits = tab.evaluate("""() => {
      const field = document.querySelector(".fields input");
      field.value = "60";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      const reasons = document.querySelectorAll(".answer .odds").length;
      return [document.querySelector(".answer-text").textContent, reasons];
    }""")
    assert waits[0] in ("good", "bad")
    assert waits[1] == 0
    tab.locator(".answer .odds").first.wait_for()


def test_from_afar_edges_touch_their_nodes_and_focus_is_a_halo(opened: Opened) -> None:
    table = load_shared("credit_g")
    tab = opened(cw.report(table, learner=cw.C45(prune=False), name="credit_g.csv").html)
    tab.get_by_role("button", name="Unfold all").click()
    tab.locator(".far").wait_for(state="attached")
    gaps = tab.evaluate("""() => [...document.querySelectorAll(".edge")].slice(0, 40).map((edge) => {
      const node = document.querySelector(`[data-node="${edge.dataset.edge}"] .frame`).getBBox();
      const end = edge.getPointAtLength(edge.getTotalLength());
      const beside = Math.max(node.x - end.x, end.x - node.x - node.width);
      return Math.max(beside, node.y - end.y, end.y - node.y - node.height, 0);
    })""")
    assert max(gaps) <= 5
    tab.locator("[data-node='0']").focus()
    tab.keyboard.press("ArrowDown")
    halo = tab.locator("[data-node]:focus .halo")
    assert halo.evaluate("(each) => getComputedStyle(each).vectorEffect") == "non-scaling-stroke"
    assert float(halo.evaluate("(each) => getComputedStyle(each).strokeWidth").removesuffix("px")) >= 3
