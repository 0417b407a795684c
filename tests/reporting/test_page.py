"""The page in a real browser: it opens at once, complains of nothing, asks nothing of any network."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from tests.browser import SCREENSHOTS
from tests.reporting.conftest import Opened
from tests.reporting.pages import study, tennis


def test_the_page_opens_without_a_word_and_without_a_network(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    assert tab.title() == "A study"
    assert tab.locator("[role=treeitem]").count() == 8
    tab.screenshot(path=SCREENSHOTS / "tennis.png", full_page=True)


def test_the_form_answers_as_it_is_changed(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    tab.get_by_label("Outlook", exact=True).select_option("Overcast")
    assert tab.locator(".answer-text").inner_text() == "Yes"
    tab.get_by_label("Outlook", exact=True).select_option("missing")
    assert "divide the row" in tab.locator(".answer").inner_text()


def test_a_rule_that_no_rows_were_counted_for_shows_no_share(opened: Opened) -> None:
    _, table = tennis()
    rules = cw.read_rules("IF Outlook = Sunny THEN No\nOTHERWISE Yes", table.schema)
    tab = opened(study(rules, table))
    tab.get_by_label("Outlook", exact=True).select_option("Sunny")
    assert tab.locator(".answer-text").inner_text() == "No"
    assert (
        "No rows were counted for this rule, so there are no probabilities."
        in tab.locator(".answer").inner_text()
    )
    assert "%" not in tab.locator(".answer").inner_text()
    tab.get_by_text("Prediction: No. No rows were counted").wait_for(state="attached")


def test_a_number_that_no_row_comes_near_is_remarked_on(opened: Opened) -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tab = opened(study(cw.C45().learn(table), table))
    field = tab.locator(".field", has=tab.get_by_label("Humidity", exact=True))
    assert field.locator("small").inner_text() == "65 – 96 in the table"
    field.locator("input").fill("-5000")
    assert field.locator("small").inner_text() == "65 – 96 in the table: no row is like this."


def test_a_text_begins_with_words_of_each_class(opened: Opened) -> None:
    rows = {"text": ["free prize", "free call", "see you", "call you"], "y": ["spam", "spam", "ham", "ham"]}
    table = cw.read_table(rows, target="y", kinds={"text": "text"})
    model = cw.NaiveBayes().learn(table)
    tab = opened(study(model, table))
    text = tab.locator("textarea").input_value()
    assert {"free", "you"} <= set(text.split())
    assert "is missing" not in tab.locator(".answer").inner_text()
    assert tab.locator(".field small").count() == 0  # no word to a reader who may not know Python
    (answer,) = cw.predict(model, [{"text": text}])
    assert tab.locator(".answer-text").inner_text() == answer


LEARNERS = (cw.C45(), cw.NaiveBayes(), cw.CN2(), cw.Logistic(penalty="l2"))


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
def test_every_kind_of_model_has_its_form(opened: Opened, learner: Any) -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tab = opened(study(learner.learn(table), table))
    assert tab.locator(".answer-text").inner_text() in ("Play", "Don't Play")
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
NASTY_LEARNERS = (cw.ID3(), cw.PRISM(), cw.NaiveBayes())


@pytest.mark.parametrize("learner", NASTY_LEARNERS, ids=lambda each: type(each).__name__)
def test_nothing_in_the_data_becomes_markup(opened: Opened, learner: Any) -> None:
    rows = [{value: value, "constructor": NASTY[-i], "y": NASTY[i % 3]} for i, value in enumerate(NASTY)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = cw.read_table({name: [row.get(name, "none") for row in rows] for name in names}, target="y")
    model = learner.learn(table)
    derivation = None if isinstance(model, cw.RuleList) else cw.derive(model, table)
    tab = opened(study(model, table, NASTY[0], derivation))
    assert tab.title() == NASTY[0]
    for field in tab.locator(".field select").all():
        field.select_option("another value")
    for step in tab.locator(".steps > details").all()[:4]:
        step.locator("summary").first.press("Enter")  # a click may miss what moves as the step above unfolds
        step.locator(".step").wait_for()
    assert tab.locator("main img, main script").count() == 0
    tab.screenshot(path=SCREENSHOTS / f"nasty-{type(learner).__name__}.png")


DERIVED = (cw.C45(), cw.CART(), cw.NaiveBayes(), cw.Logistic(penalty="l2"), cw.RIPPER())


@pytest.mark.parametrize("learner", DERIVED, ids=lambda each: type(each).__name__)
def test_every_step_of_a_derivation_unfolds_to_its_last_figure(opened: Opened, learner: Any) -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    model = learner.learn(table)
    tab = opened(study(model, table, derivation=cw.derive(model, table)))
    for _ in range(6):  # what is unfolded holds more to unfold
        tab.evaluate("document.querySelectorAll('.steps details').forEach((each) => (each.open = true))")
        tab.wait_for_timeout(60)
    text = tab.locator("#steps").inner_text()
    assert tab.locator(".steps .figure").count() > 5
    assert {"=", "≈"} <= set(tab.locator(".steps .equals").all_inner_texts())
    for odd in ("undefined", "NaN", "[object"):
        assert odd not in text


def test_a_tree_of_one_leaf_says_that_it_asks_nothing(opened: Opened) -> None:
    table = cw.read_table({"x": [1, 2], "y": ["a", "a"]}, target="y")
    tab = opened(study(cw.C45().learn(table), table))
    assert "It has no split" in tab.locator(".answer").inner_text()
    assert tab.locator("[role=treeitem]").count() == 1


def test_a_tree_for_numbers_shows_means_and_how_sure_they_are(opened: Opened) -> None:
    table = cw.read_table({"x": [1, 1, 2, 2] * 5, "y": [1.0, 1.2, 3.5, 3.1] * 5}, target="y")
    tab = opened(study(cw.CART().learn(table), table))
    assert "95 % confidence" in tab.locator(".answer").inner_text()
    tab.screenshot(path=SCREENSHOTS / "numbers.png", full_page=True)


def test_a_number_of_one_row_has_no_interval(opened: Opened) -> None:
    table = cw.read_table({"x": [1, 1, 2, 3], "y": [1.0, 2.0, 5.0, 9.0]}, target="y")
    tab = opened(study(cw.CART().learn(table), table))
    tab.get_by_label("x", exact=True).fill("3")
    assert tab.locator(".answer-text").inner_text() == "9"
    assert "±" not in tab.locator(".answer").inner_text()
    assert "y: 9; 1 row" in tab.locator("[role=tree]").text_content()


def test_a_text_is_answered_as_it_is_written(opened: Opened) -> None:
    texts = ["win cash now", "see you at noon", "cash prize", "noon at home"]
    table = cw.read_table({"text": texts, "kind": list("shsh")}, target="kind", kinds={"text": "text"})
    tab = opened(study(cw.NaiveBayes().learn(table), table))
    tab.get_by_label("text", exact=True).fill("Cash, cash!")
    assert tab.locator(".answer-text").inner_text() == "s"
    assert "cash ×2" in tab.locator(".odds").inner_text()


def test_what_is_no_number_is_taken_as_missing_and_said_so(opened: Opened) -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tab = opened(study(cw.C45().learn(table), table))
    tab.get_by_label("Outlook", exact=True).select_option("Sunny")
    field = tab.get_by_label("Humidity", exact=True)
    field.fill("")
    field.press_sequentially("1e")
    assert field.get_attribute("aria-invalid") == "true"
    assert "missing" in tab.locator(".answer").inner_text()


def test_headings_go_down_step_by_step_and_every_field_has_a_label(opened: Opened) -> None:
    tree, table = tennis()
    tab = opened(study(tree, table, derivation=cw.derive(tree, table)))
    headings = "[...document.querySelectorAll('h1, h2, h3, h4')].map((each) => Number(each.tagName[1]))"
    levels = tab.evaluate(headings)
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    fields = "[...document.querySelectorAll('input, select, textarea')]"
    assert tab.evaluate(f"{fields}.filter((each) => !each.labels.length).length") == 0


def test_on_paper_the_first_steps_come_first_and_the_rest_is_named(opened: Opened) -> None:
    rng = np.random.default_rng(0)
    columns: dict[str, Any] = {f"x{k}": rng.normal(size=300).round(3).tolist() for k in range(10)}
    columns["y"] = ["a" if each > 0 else "b" for each in rng.normal(size=300)]
    table = cw.read_table(columns, target="y")
    tab = opened(cw.report(table, learner=cw.CART(max_depth=4)).html)
    tab.wait_for_selector(".steps > details.ready", state="attached")
    tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    steps = tab.query_selector_all(".steps > details")
    states = [each.get_attribute("open") is not None for each in steps]
    assert states[0]  # the root
    assert states == sorted(states, reverse=True)
    assert not all(states)
    left = states.count(False)
    assert f"The figures of {left} steps are left out on paper" in tab.inner_html("main")
    tab.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert not any(each.get_attribute("open") is not None for each in steps)


def test_the_form_compares_a_linear_models_cells_with_the_row_that_is_chosen(opened: Opened) -> None:
    x = [round(0.37 * i % 7, 2) for i in range(80)]
    rows = {"x": x, "c": list("uvw") * 26 + ["u", "v"], "y": ["ab"[each > 3.5] for each in x]}
    report = cw.report(cw.read_table(rows, target="y"), learner=cw.Logistic(penalty="l2"))
    tab, model = opened(report.html), report.study.model
    assert isinstance(model, cw.LinearModel)
    choice, why = tab.locator("#compared-with"), tab.locator(".answer")
    assert "compared with the average training row" in why.inner_text()
    tab.locator(".fields input").first.fill("2")
    shown = {"x": 2.0, "c": tab.locator("#field-1 option:checked").inner_text()}
    choice.select_option("best")
    best = cw.evidence(model, shown, against="best")
    assert f"compared with the {best.begins}" in why.inner_text()
    bars = why.locator(".odds .bar-share").all_inner_texts()
    strongest = max(best.bars()[1:], key=lambda bar: abs(bar.log_odds)).log_odds
    assert bars[1].replace("−", "-").replace("+", "") == f"{strongest:.2f}"
    tab.get_by_role("button", name="Keep this row to compare with").click()
    assert choice.input_value() == "kept"
    assert "compared with the row kept" in why.inner_text()
    assert set(why.locator(".odds .bar-share").all_inner_texts()[1:]) == {"+0.00"}
