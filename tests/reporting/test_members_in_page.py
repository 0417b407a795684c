"""Many trees in a page: drawn one by one, with SHAP values of the row that is typed."""

from __future__ import annotations

import importlib
import json
import re
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.reporting.model_json import model_for_page
from tests.reporting.conftest import Opened

_ADDED = """({model, rows}) => rows.map((cells) => {
    const { base, added } = shap_js.contributionsOf(model, new Map(Object.entries(cells)));
    return { base, added: Object.fromEntries(added.map(({ name, points }) => [name, points])) };
})"""


def table(*, classes: int = 2) -> cw.Table:
    """Numbers and values, some of them missing; the target is a number where there are no classes."""
    random = np.random.default_rng(3)
    x, z = random.uniform(size=160).round(2), random.uniform(size=160).round(2)
    colour = np.array(["red", "green", "blue"])[random.integers(0, 3, 160)].tolist()
    score = 2 * x + (np.array(colour) == "red") + z * (x > 0.5) + 0.3 * random.normal(size=160)
    target: Any = score.tolist()
    if classes:
        target = [f"class {int(each)}" for each in np.digitize(score, [1.6, 2.2][: classes - 1])]
    cells = [None if k % 11 == 0 else float(each) for k, each in enumerate(x)]
    named = [None if k % 13 == 0 else each for k, each in enumerate(colour)]
    return cw.read_table({"x": cells, "z": z, "colour": named, "y": target}, target="y")


MODELS: dict[str, tuple[Learner[Model], int]] = {
    "forest": (cw.Forest(trees=7), 2),
    "forest of three classes": (cw.Forest(trees=5), 3),
    "forest of numbers": (cw.Forest(trees=5), 0),
    "boosting": (cw.Boosting(trees=6, max_depth=4), 2),
    "boosting of three classes": (cw.Boosting(trees=4), 3),
    "boosting of numbers": (cw.Boosting(trees=5), 0),
    "boosting of counts": (cw.Boosting(trees=5, loss="poisson"), 0),
    "votes": (cw.AdaBoost(of=cw.CART(max_depth=3), trees=5), 3),
    "rows in parts": (cw.Bagging(of=cw.C45(), trees=5), 2),
    "surrogates": (cw.Bagging(of=cw.CART(max_depth=4), trees=4), 2),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_page_computes_the_shap_values_that_python_does(run_module: Any, name: str) -> None:
    learner, classes = MODELS[name]
    rows = table(classes=classes)
    if name == "boosting of counts":
        counts = (np.arange(160) % 40 + 1.0).tolist()
        rows = cw.read_table({**_plain(rows), "y": counts}, target="y", kinds={"y": "numeric"})
    model = learner.learn(rows)
    assert isinstance(model, cw.Ensemble)
    asked = [
        {"x": 0.4, "z": 0.9, "colour": "red"},
        {"x": None, "z": 0.1, "colour": "blue"},
        {"x": 0.8, "z": None, "colour": None},
        {"x": 0.6, "z": 0.5, "colour": "violet"},
    ]
    given = {"model": json.loads(json.dumps(model_for_page(model))), "rows": asked}
    in_page = run_module("shap.js", _ADDED, given)
    values = cw.shap_values(model, asked)
    for place, page in enumerate(in_page):
        assert page["base"] == pytest.approx(values.base.tolist(), abs=1e-9)
        for column, added in page["added"].items():
            expected = values.contributions[place, values.columns.index(column)].tolist()
            assert added == pytest.approx(expected, abs=1e-9), (column, place)


def _plain(rows: cw.Table) -> dict[str, Any]:
    return {"x": rows.columns["x"], "z": rows.columns["z"]}


def test_gauss_points_integrate_polynomials_exactly(run_module: Any) -> None:
    for count in (1, 2, 5, 12):
        moments = run_module(
            "shap.js",
            """(count) => Array.from({ length: 2 * count }, (_, degree) =>
                shap_js.gaussPoints(count).reduce((sum, { at, weight }) => sum + weight * at ** degree, 0)
            )""",
            count,
        )
        assert moments == pytest.approx([1 / (degree + 1) for degree in range(2 * count)], abs=1e-13)


def test_a_reader_steps_through_the_trees_and_sees_the_row_in_each(opened: Opened) -> None:
    rows = table()
    tab = opened(cw.report(rows, learner=cw.Forest(trees=12)).html)
    assert tab.locator("[data-live=members] output").first.inner_text() == "of 12"
    first = tab.locator("[data-live=members] svg.tree").inner_html()
    assert tab.locator("[data-live=members] .node.passed").count() >= 2
    tab.click("[aria-label='Next tree']")
    assert tab.input_value("#member") == "2"
    second = tab.locator("[data-live=members] svg.tree").inner_html()
    assert first != second
    assert tab.locator("[data-live=members] svg.tree").count() == 1
    tab.fill("#member", "99")
    tab.locator("#member").blur()
    assert tab.input_value("#member") == "12"
    assert tab.is_disabled("[aria-label='Next tree']")
    before = tab.locator("[data-live=members] .node.passed").evaluate_all(
        "all => all.map(e => e.dataset.node)"
    )
    for place, cell in (("z", "0.99"), ("x", "0.01"), ("x", "0.99"), ("z", "0.01")):
        tab.get_by_label(place, exact=True).fill(cell)
    after = tab.locator("[data-live=members] .node.passed").evaluate_all(
        "all => all.map(e => e.dataset.node)"
    )
    assert before != after


def test_the_row_that_is_typed_has_its_evidence(opened: Opened) -> None:
    tab = opened(cw.report(table(), learner=cw.Boosting(trees=8)).html)
    answer = tab.locator(".answer").inner_text()
    assert re.search(r"From the mean log odds of class \d, .*, each cell adds \(SHAP values\):", answer)
    lines = tab.locator(".answer ul.odds li")
    assert lines.count() == 3
    before = lines.all_inner_texts()
    tab.get_by_label("x", exact=True).fill("0.05")
    assert lines.all_inner_texts() != before
    assert "steps of the log odds of class 1" in tab.locator("[data-live=members]").inner_text()


def test_trees_that_are_too_many_are_drawn_as_far_as_they_fit(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_page = importlib.import_module("clearwood.reporting.model_json")
    monkeypatch.setattr(in_page, "_ANSWERING", 6_000)
    monkeypatch.setattr(in_page, "_DRAWN", 12_000)
    html = cw.report(table(), learner=cw.Forest(trees=40)).html
    tab = opened(html)
    shown = tab.locator("[data-live=members]").inner_text()
    held = re.search(r"This page holds (\d+) of 40 trees", shown)
    assert held is not None
    assert 1 <= int(held[1]) < 10
    assert "This page does not predict" in tab.locator(".answer").inner_text()
    assert tab.locator(".answer-text").inner_text() == "not computed here"
    assert "A row whose cells are all the usual ones: from the mean probability of" in html


def test_a_report_of_a_forest_shows_its_curve_and_what_columns_are_worth() -> None:
    html = cw.report(table(), learner=cw.Forest(trees=30)).html
    assert "Error on out-of-bag rows by the number of members" in html
    assert "mean size of its SHAP values (probability)" in html
    assert "Columns were shuffled among each tree&#39;s out-of-bag rows; ± is one standard error" in html
    assert "What x adds to the probability of class 1" in html


def test_held_out_rows_are_shuffled_where_there_are_none_out_of_bag() -> None:
    html = cw.report(table(), learner=cw.Boosting(trees=10)).html
    assert re.search(r"Columns were shuffled among \d+ held-out rows", html)
    assert "Log loss on training rows by the number of members" in html


def test_an_ensemble_of_other_models_has_neither_trees_nor_shap_values() -> None:
    html = cw.report(table(), learner=cw.Bagging(of=cw.NaiveBayes(), trees=4)).html
    assert 'data-live="members"' not in html
    assert "SHAP" not in re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)


def test_a_page_of_many_large_trees_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    card = importlib.import_module("clearwood.reporting.card_section")
    monkeypatch.setattr(card, "_TOO_LARGE", 10_000)
    html = cw.report(table(), learner=cw.Forest(trees=40)).html
    assert "too large for a page; <code>clearwood fit … --save model.json</code> writes it" in html
    assert "model.json.gz" not in html
