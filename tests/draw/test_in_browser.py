"""Pictures looked at in a real browser: no text stands on another, out of its box, or off the page."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import clearwood as cw
from clearwood.draw.derivations import write_derivation
from clearwood.draw.palette import DARK, LIGHT
from tests.browser import SCREENSHOTS
from tests.draw.hard_trees import hard_trees
from tests.shared_data import load_shared

MEASURED = """() => {
  const inked = text => {  // a line of text without the room above and below its letters
    const { left, right, top, bottom, height } = text.getBoundingClientRect();
    return { left, right, top: top + height * 0.2, bottom: bottom - height * 0.22, text: text.textContent };
  };
  const page = document.documentElement.getBoundingClientRect();
  const texts = [...document.querySelectorAll("text")].map(inked);
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  const over = [];
  texts.forEach((a, i) => texts.slice(0, i).forEach(b => meet(a, b) && over.push([a.text, b.text])));
  const wide = [];
  for (const node of document.querySelectorAll(".node:has(> rect[stroke][rx])")) {
    const frame = [...node.querySelectorAll("rect[stroke][rx]")].at(-1).getBoundingClientRect();
    for (const text of node.querySelectorAll("text")) {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      const level = top >= frame.top - 1 && bottom <= frame.bottom + 1;
      const inside = level && left < frame.right && right > frame.left;
      if (inside && (left < frame.left || right > frame.right)) wide.push(text.textContent);
    }
  }
  const off = texts.filter(text => text.left < 0 || text.right > page.right).map(text => text.text);
  return { count: texts.length, over, wide, off };
}"""


@pytest.mark.parametrize(
    ("name", "direction"),
    [("soybean", "right"), *product(("tennis", *hard_trees()), ("down", "right"))],
)
def test_texts_stand_clear_of_each_other(browser: Any, tmp_path: Any, name: str, direction: Any) -> None:
    tree = tree_called(name)
    tab = shown(browser, cw.picture(tree, direction=direction), tmp_path, color_scheme="light")
    tab.screenshot(path=SCREENSHOTS / f"tree-{name}-{direction}.png")
    evaluation = tab.evaluate(MEASURED)
    tab.close()
    assert evaluation.pop("count") > 10
    assert evaluation == {"over": [], "wide": [], "off": []}


@pytest.mark.parametrize("kind", ["table", "icicle"])
def test_rules_stand_clear_of_each_other(browser: Any, tmp_path: Any, kind: Any) -> None:
    rules = cw.CN2().learn(load_shared("zoo"))
    tab = shown(browser, cw.picture(rules, kind=kind), tmp_path, color_scheme="dark")
    tab.screenshot(path=SCREENSHOTS / f"rules-{kind}.png")
    evaluation = tab.evaluate(MEASURED)
    tab.close()
    assert evaluation["over"] == evaluation["off"] == []


@pytest.mark.parametrize(("scheme", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_paper_and_ink_follow_the_screen(browser: Any, tmp_path: Any, scheme: str, theme: Any) -> None:
    tab = shown(browser, cw.picture(tree_called("tennis")), tmp_path, color_scheme=scheme)
    painted = "name => getComputedStyle(document.querySelector(name)).fill"
    paper, ink = tab.evaluate(painted, "rect"), tab.evaluate(painted, "text")
    tab.close()
    assert (paper, ink) == (as_rgb(theme.paper), as_rgb(theme.ink))


def test_formulas_are_not_cut_off_at_the_top_or_bottom(browser: Any, tmp_path: Any) -> None:
    """Letters of some fonts reach above the box of their formula, which scrolls sideways if it is wide."""
    table = load_shared("iris")
    derivation = cw.derive(cw.CART(max_depth=2).learn(table), table)
    path = tmp_path / "derivation.html"
    path.write_text(write_derivation(derivation, format="html", standalone=True), encoding="utf-8")
    tab = browser.new_page(viewport={"width": 1280, "height": 1600})
    tab.goto(path.as_uri())
    as_it_is = tab.screenshot()
    tab.add_style_tag(content=".cw-value{overflow:visible!important}")
    uncut = tab.screenshot()
    tab.close()
    assert as_it_is == uncut


def tree_called(name: str) -> cw.Tree:
    if name == "tennis":
        return cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    return hard_trees()[name] if name in hard_trees() else cw.C45().learn(load_shared(name, train=True))


def shown(browser: Any, picture: cw.Picture, folder: Any, **how: Any) -> Any:
    tab = browser.new_page(viewport={"width": int(picture.width), "height": int(picture.height)}, **how)
    tab.goto(picture.save(folder / "picture.svg").as_uri())
    return tab


def as_rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"
