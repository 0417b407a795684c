"""The tree in the page: walked by keys, folded, looked into, and quick however large it is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import clearwood as cw
from tests.browser import SCREENSHOTS
from tests.reporting.conftest import Opened
from tests.reporting.pages import study, tennis


def nodes(tab: Any) -> Any:
    return tab.locator("[role=treeitem]")


def focused(tab: Any) -> int:
    """The node that has the focus."""
    return int(tab.evaluate("document.activeElement.dataset.node"))


def test_arrow_keys_walk_the_tree_and_one_node_is_in_the_order_of_tabs(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    nodes(tab).first.focus()
    seen = []
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowLeft", "End", "Home"):
        tab.keyboard.press(key)
        seen.append(focused(tab))
    assert seen == [1, 2, 3, 2, 2, 0, 7, 0]
    assert tab.locator("[role=treeitem][tabindex='0']").count() == 1
    tab.keyboard.press("Shift+Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Fit"


def test_enter_and_space_fold_and_unfold(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    nodes(tab).first.focus()
    for _ in range(2):
        tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    assert nodes(tab).count() == 6
    assert tab.locator("[data-node='2']").get_attribute("aria-expanded") == "false"
    assert "2 leaves below" in tab.locator("[data-node='2']").text_content()
    tab.keyboard.press("Space")
    assert nodes(tab).count() == 8


def test_a_click_on_the_handle_folds_and_the_slider_unfolds(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    tab.locator("[data-node='5'] .handle").click()
    assert nodes(tab).count() == 6
    tab.get_by_label("Depth").fill("1")
    assert nodes(tab).count() == 4
    tab.get_by_role("button", name="Unfold all").click()
    assert nodes(tab).count() == 8


def test_a_click_on_a_node_shows_its_rows_and_numbers(opened: Opened) -> None:
    tree, table = tennis()
    tab = opened(study(tree, table, derivation=cw.derive(tree, table)))
    tab.locator("[data-node='5']").click()
    panel = tab.locator(".panel")
    panel.get_by_text("number 5").wait_for()
    output = panel.inner_text()
    for text in ("Splits on Humidity", "5 rows", "60 % · 3", "40 % · 2", "Outlook = Sunny", "0.97095"):
        assert text in output


def test_a_number_opens_its_derivation_and_escape_closes_it(opened: Opened) -> None:
    tree, table = tennis()
    tab = opened(study(tree, table, derivation=cw.derive(tree, table)))
    tab.get_by_role("button", name="How gain was computed").click()
    figure = tab.locator("dialog .pointed-at")
    figure.wait_for()
    assert figure.locator("h4").first.inner_text() == "Gain(Outlook)"
    assert figure.locator("math").count() > 3
    figure.locator("summary").first.click()
    figure.locator("details .figure").nth(2).wait_for()
    tab.screenshot(path=SCREENSHOTS / "derivation.png")
    tab.keyboard.press("Escape")
    tab.locator("dialog").wait_for(state="detached")


def test_numbers_have_names_without_underscores(opened: Opened) -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tree = cw.C45().learn(table)
    tab = opened(study(tree, table, derivation=cw.derive(tree, table)))
    tab.get_by_role("button", name="How gain ratio was computed").wait_for()


def test_all_steps_are_listed_and_unfold(opened: Opened) -> None:
    tree, table = tennis()
    tab = opened(study(tree, table, derivation=cw.derive(tree, table)))
    lines = tab.locator(".steps > details")
    assert lines.count() == 8
    lines.first.locator("summary").first.click()
    lines.first.locator(".decision").wait_for()


def test_the_way_of_the_forms_row_is_marked(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    tab.get_by_label("Outlook", exact=True).select_option("Rainy")
    tab.get_by_label("Wind", exact=True).select_option("Strong")
    passed = tab.evaluate(
        "[...document.querySelectorAll('.node.passed')].map((node) => Number(node.dataset.node))"
    )
    assert sorted(passed) == [0, 2, 3]
    assert tab.locator(".edge.passed").count() == 2


def test_a_step_of_the_way_points_at_its_node(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    tab.get_by_label("Depth").fill("1")
    tab.locator(".answer .way button").last.click()
    assert focused(tab) == 4


def test_a_very_long_name_is_cut_in_the_tree_and_whole_in_the_panel(opened: Opened) -> None:
    long = "a class of very many words " * 12
    table = cw.read_table({"a": [1, 2, 3, 4] * 3, "y": [long, long, "b", "b"] * 3}, target="y")
    tab = opened(study(cw.CART(min_rows=2).learn(table), table))
    assert len(nodes_in_frame(tab)) == 3
    for node in nodes(tab).all():
        assert node.locator(".frame").first.bounding_box()["width"] < 320
        assert node.locator("text").count() < 12
    assert long.strip() in tab.locator(".panel").inner_text()


def test_it_is_said_where_rows_go_that_no_branch_takes(opened: Opened) -> None:
    cells = {
        "a": [1, 2, 3, 4, 5, 6, None, 8] * 3,
        "b": [1, None, 3, 4, 5, 6, 7, 8] * 3,
        "y": list("nnnnyyyy") * 3,
    }
    table = cw.read_table(cells, target="y")
    tab = opened(study(cw.CART(min_rows=2).learn(table), table))
    assert "follow a surrogate column, else the branch marked *." in tab.locator(".hint").last.inner_text()


def test_the_smallest_change_can_be_tried(opened: Opened) -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tab = opened(study(cw.C45().learn(table), table))
    tab.get_by_label("Outlook", exact=True).select_option("Sunny")
    tab.locator(".change").get_by_text("Humidity: 80 → 75").wait_for()
    assert tab.locator(".answer-text").inner_text() == "Don't Play"
    tab.get_by_role("button", name="Let Humidity go only up").click()
    assert "Only up: Humidity" in tab.locator(".change").inner_text()
    assert "Humidity: 80 → 75" not in tab.locator(".change").inner_text()
    tab.get_by_role("button", name="Let Humidity change").click()
    tab.get_by_role("button", name="Keep Humidity as it is").click()
    assert "Outlook: Sunny → Overcast" in tab.locator(".change").inner_text()
    tab.get_by_role("button", name="Try it").click()
    assert tab.locator(".answer-text").inner_text() == "Play"


def wide_tree(rows: int = 4000) -> tuple[cw.Tree, cw.Table]:
    """A tree of some two thousand nodes; of fewer rows, fewer."""
    random = np.random.default_rng(5)
    table = cw.read_table(
        {f"x{i}": random.normal(size=rows) for i in range(6)} | {"y": random.choice(list("abc"), rows)},
        target="y",
    )
    return cw.CART(min_rows=2).learn(table), table


_TIMED = """async (label) => {
  const button = [...document.querySelectorAll("button")].find((each) => each.textContent === label);
  const before = performance.now();
  button.click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - before;
}"""


def nodes_in_frame(tab: Any) -> list[int]:
    """The nodes of which the whole can be seen."""
    return list(
        tab.evaluate("""() => {
          const frame = document.querySelector(".tree").getBoundingClientRect();
          const isInside = (node) => {
            const box = node.querySelector(".frame").getBoundingClientRect();
            const isAcross = box.left >= frame.left && box.right <= frame.right;
            return isAcross && box.top >= frame.top && box.bottom <= frame.bottom;
          };
          const whole = [...document.querySelectorAll("[data-node]")].filter(isInside);
          return whole.map((node) => Number(node.dataset.node));
        }""")
    )


def test_a_large_tree_begins_readable_and_unfolds_at_once(opened: Opened) -> None:
    tree, table = wide_tree()
    assert tree.size > 1500
    tab = opened(study(tree, table))
    assert 4 < nodes(tab).count() < 100
    tab.screenshot(path=SCREENSHOTS / "large.png", full_page=True)
    times = [math.inf]
    while min(times) >= 200 and len(times) <= 10:  # others may be at work as well; never every time
        times.append(tab.evaluate(_TIMED, "Unfold all"))
        assert 100 < len(nodes_in_frame(tab)) < tree.size / 2
        assert 0 in nodes_in_frame(tab)
        tab.get_by_label("Depth").fill("2")
    assert min(times) < 200


def test_nothing_is_wider_than_a_phone(opened: Opened) -> None:
    tab = opened(study(*wide_tree()), viewport={"width": 390, "height": 844})
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    tab.screenshot(path=SCREENSHOTS / "phone.png", full_page=True)


def test_on_a_phone_every_node_is_whole_at_first_and_a_finger_finds_the_knobs(opened: Opened) -> None:
    for tree, table in (tennis(), wide_tree()):
        tab = opened(study(tree, table), viewport={"width": 360, "height": 740})
        assert len(nodes_in_frame(tab)) == nodes(tab).count()
        reach = tab.locator("[data-node='0'] .reach").bounding_box()
        assert min(reach["width"], reach["height"]) >= 23.9


def test_what_keys_reach_stands_in_the_order_of_the_tree_even_out_of_sight(opened: Opened) -> None:
    tree, table = wide_tree()
    tab = opened(study(tree, table))
    tab.get_by_role("button", name="Unfold all").click()
    nodes(tab).first.focus()
    tab.keyboard.press("End")
    there = tab.evaluate(
        "[...document.querySelectorAll('[data-node]')].map((node) => Number(node.dataset.node))"
    )
    assert focused(tab) == tree.size - 1
    assert there == sorted(there)
    parent = tree.nodes.parent[tree.size - 1]
    assert {int(parent), tree.size - 2} <= set(there)


def test_the_tree_cannot_be_dragged_out_of_its_frame(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    frame = tab.locator(".tree").bounding_box()
    for _ in range(4):
        tab.mouse.move(frame["x"] + 30, frame["y"] + 30)
        tab.mouse.down()
        tab.mouse.move(frame["x"] + 700, frame["y"] + 300, steps=3)
        tab.mouse.up()
    transform(tab)
    assert len(nodes_in_frame(tab)) > 0


def test_on_paper_the_tree_is_whole_and_without_buttons(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    tab.emulate_media(media="print")
    assert not tab.locator(".tools").is_visible()
    tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert tab.locator(".tree").get_attribute("viewBox") is not None
    tab.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert tab.locator(".tree").get_attribute("viewBox") is None
    tab.pdf(path=SCREENSHOTS / "tennis.pdf", format="A4")


_BEFORE_PRINT = "window.dispatchEvent(new Event('beforeprint'))"
_AFTER_PRINT = "window.dispatchEvent(new Event('afterprint'))"


def test_on_paper_few_steps_are_open_to_their_last_figures(opened: Opened) -> None:
    tree, table = tennis()
    derivation = cw.derive(tree, table)
    tab = opened(study(tree, table, derivation=derivation))
    tab.locator(".steps > details.ready").nth(len(derivation) - 1).wait_for(state="attached")
    assert tab.locator(".steps .figure").count() == 0  # nobody sees them yet, so they are not made
    tab.evaluate(_BEFORE_PRINT)
    assert tab.locator(".steps > details:not([open])").count() == 0
    assert tab.locator(".steps details.under:not([open])").count() == 0
    assert tab.locator(".steps details.under .figure").count() > 10
    tab.evaluate(_AFTER_PRINT)
    assert tab.locator("main details[open]").count() == 0


def test_on_paper_it_is_said_what_is_left_out(opened: Opened) -> None:
    tree, table = wide_tree(rows=150)
    tab = opened(study(tree, table, derivation=cw.derive(tree, table)))
    element = tab.locator(".paper")
    assert not element.first.is_visible()
    tab.emulate_media(media="print")
    text = " ".join(element.all_inner_texts())
    assert f"of {tree.size:,} nodes shown" in text
    assert "more steps are left out on paper" in text


def test_on_paper_a_wide_chart_is_as_wide_as_the_page(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    chart = '<svg width="3000" height="300" viewBox="0 0 3000 300"></svg>'
    tab.evaluate(
        "(chart) => document.querySelector('main').insertAdjacentHTML('beforeend', chart)",
        f'<figure class="chart"><div class="scroll">{chart}</div></figure>',
    )
    tab.emulate_media(media="print")
    assert tab.locator("figure svg").bounding_box()["width"] <= 1280


def transform(tab: Any) -> str:
    """How the tree is moved and scaled, once the next picture has been drawn."""
    after = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
    text = "document.querySelector('.tree > g').getAttribute('transform')"
    return str(tab.evaluate(f"{after}.then(() => {text})"))


def test_the_tree_is_dragged_and_zoomed(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    at_first, frame = transform(tab), tab.locator(".tree").bounding_box()
    tab.mouse.move(frame["x"] + 30, frame["y"] + 30)
    tab.mouse.down()
    tab.mouse.move(frame["x"] + 90, frame["y"] + 60, steps=4)
    tab.mouse.up()
    dragged = transform(tab)
    assert dragged != at_first
    assert dragged.endswith("scale(1)")
    tab.keyboard.down("Control")
    tab.mouse.wheel(0, -200)
    tab.wait_for_timeout(50)
    tab.keyboard.up("Control")
    assert not transform(tab).endswith("scale(1)")
    tab.get_by_role("button", name="Fit").click()
    assert transform(tab) == at_first


def test_the_panel_of_a_balanced_tree_says_whose_counts_and_shares_it_shows(opened: Opened) -> None:
    rows = {"x": [i % 7 for i in range(120)], "y": ["rare" if i % 10 == 0 else "common" for i in range(120)]}
    recipe = cw.Recipe(cw.CART(max_depth=2), before=(cw.Balance("over"),))
    tab = opened(cw.report(cw.read_table(rows, target="y"), learner=recipe, folds=3).html)
    panel = tab.locator("#model aside, #model .panel").first.inner_text()
    assert "216 rows as balanced for learning." in panel
    assert (
        "Probabilities are moved to the original class frequencies; the counts behind them are as balanced."
        in panel
    )
    assert "Its rows, before balancing".upper() in panel.upper()


def test_the_panel_of_a_plain_tree_speaks_of_no_balancing(opened: Opened) -> None:
    tab = opened(cw.report(cw.datasets.path("tennis"), target="PlayTennis", learner=cw.ID3()).html)
    assert "balanc" not in tab.locator("#model").inner_text()
