"""The words of a report: what is counted is counted as it is said."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import clearwood as cw
from clearwood.catalogue import IMPURITIES
from clearwood.draw import charts
from clearwood.measures.impurity import Impurity
from clearwood.models.lineage import Edited
from clearwood.reporting.card_section import card_section
from clearwood.reporting.columns_used import summaries_of
from clearwood.reporting.evaluation_section import evaluation_section
from clearwood.reporting.evidence_section import evidence_section
from clearwood.reporting.making import derivation_part
from clearwood.reporting.rules_section import rules_section
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.study.designs import HoldOut
from clearwood.study.study import study_of
from clearwood.study.verdict import study_verdict


def test_leaves_that_no_row_reaches_are_said_to_be_no_rules() -> None:
    rows = [("a", "p"), ("a", "q"), ("b", "p"), ("b", "r"), ("c", "q"), ("c", "s")] * 4
    table = cw.read_table(
        {
            "x": [x for x, _ in rows],
            "z": [z for _, z in rows],
            "y": ["no" if x == "c" or z == "p" else "yes" for x, z in rows],
        },
        target="y",
    )
    study = study_of(cw.C45(min_rows=1, prune=False), table)
    assert isinstance(study.model, cw.Tree)
    made = len(cw.rules_of(study.model))
    assert made < study.model.leaves
    section = rules_section(study)
    assert section is not None
    left = study.model.leaves - made
    assert f"Every leaf, but for {left} that no row reaches, is a rule: {made} rules" in section.html


def test_one_other_value_is_one_and_a_number_has_its_median() -> None:
    values = cw.read_table({"k": list("abcd") * 2, "y": list("ppqq") * 2}, target="y")
    numbers = cw.read_table({"x": [1, 2, 3, 10] * 2, "y": list("ppqq") * 2}, target="y")
    assert summaries_of(cw.ID3().learn(values), values)[0].lines == (("k", "a 2, b 2, c 2, 1 other"),)
    assert summaries_of(cw.CART().learn(numbers), numbers)[0].lines == (("x", "1 to 10, median 2.5"),)


def test_rules_and_tree_are_judged_each_by_its_own_answers() -> None:
    cells = ["a", "b", None, "a", "b", None] * 5
    rows = {"x": cells, "z": list("pqpqpq") * 5, "y": list("uvuuvv") * 5}
    study = study_of(cw.C45(min_rows=1, prune=False), cw.read_table(rows, target="y"))
    assert isinstance(study.model, cw.Tree)
    evaluation = cw.evaluate(study.model, study.table)
    section = rules_section(study)
    assert section is not None
    assert isinstance(evaluation, ClassEvaluation)
    assert f"the tree errs {evaluation.weight - evaluation.right:.0f} times" in section.html


def test_rows_given_to_judge_a_saved_model_are_not_called_unseen() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    part, _ = cw.hold_out(table, 0.3)
    html = cw.report(table, model=cw.ID3().learn(table.take(part))).html
    assert "whether it has seen some of the rows is not known" in html
    assert "has not seen" not in html


@pytest.mark.slow
def test_weights_decide_what_is_commonest_and_are_told_beside_the_rows() -> None:
    rows = {"x": list("aabbbb") * 20, "y": list("pppqqp") * 20, "w": [1.0, 1.0, 1.0, 5.0, 5.0, 1.0] * 20}
    table = cw.read_table(rows, target="y", weight="w")
    report = cw.report(table)
    assert "Always predicting q, the commonest class," in report.html
    assert "<strong>Better than always predicting q.</strong>" in report.html
    assert report.study.judged is not None
    weight = f"{report.study.judged.weight:.0f}"
    assert weight != "30"
    assert f"; on 30 rows (by weight {weight}) held out of learning." in report.html
    verdict = study_verdict(report.study)
    assert (verdict.rows, f"{verdict.weight:.0f}") == (30, weight)
    tree = cw.ID3().learn(table)
    assert summaries_of(tree, table)[0].lines == (("x", "b 240, a 40"),)


def test_a_column_asked_twice_on_a_way_decides_its_rows_once() -> None:
    x = [i * 7 % 60 + 10 for i in range(60)]
    table = cw.read_table({"x": x, "y": ["in" if 30 <= each < 50 else "out" for each in x]}, target="y")
    section = evidence_section(study_of(cw.C45(), table))
    assert section is not None
    assert 'data-head="splits">2</td><td class="number" data-head="rows they decide">60</td>' in section.html


@pytest.mark.slow
def test_of_very_many_classes_the_commonest_are_drawn_and_confusions_listed() -> None:
    x = [i * 7 % 200 / 2 for i in range(200)]
    sections = {}
    for classes in (5, 34):
        y = [f"class {int(each * 2) * classes // 200 + i % 2}" for i, each in enumerate(x)]
        study = study_of(cw.C45(), cw.read_table({"x": x, "y": y}, target="y"), HoldOut(0.5))
        sections[classes] = evaluation_section(study).html
    assert "Confusion matrix" in sections[5]
    assert "Confusion matrix" not in sections[34]
    assert "What is most often taken for what" in sections[34]
    assert "the 12 commonest classes" in sections[34]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*IMPURITIES, "root"])
def test_every_impurity_has_its_words_also_one_added_on_the_spot(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(IMPURITIES, "root", Impurity(IMPURITIES["gini"].of, "One that has no formula."))
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    gain = {"entropy": "Gain in bits", "gini": "Decrease of Gini"}.get(name, f"Decrease of {name}")
    assert charts.cuts(cw.cut_curve(table, "Humidity", measure=name)).alt.startswith(f"{gain} at 7 cuts")
    html = cw.report(table, learner=cw.CART(measure=name)).html
    assert f"share of the decrease in {'Gini impurity' if name == 'gini' else name}<" in html


def test_a_derivation_that_is_too_large_is_not_put_down_to_a_change_of_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    growth = import_module("clearwood.deriving.trees.growth")
    monkeypatch.setattr(growth, "_MOST_COUNTED", 1_000)
    numbers = [float(each) for each in np.random.default_rng(3).normal(size=80)]
    table = cw.read_table({"x": numbers[::-1], "y": numbers}, target="y")
    derivation, html = derivation_part(study_of(cw.CART(measure="absolute", max_depth=2), table))
    assert derivation is None
    assert "80 rows with 80 values are too many" in html
    assert "changed" not in html


def test_a_tree_changed_after_learning_has_the_change_named_where_its_derivation_would_be() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    tree = cw.ID3().learn(table)
    changed = replace(tree, origin=replace(tree.origin, after=(Edited("otherwise"),)))
    _, html = derivation_part(replace(study_of(cw.ID3(), table), model=changed))
    assert "This tree was changed after ID3 had learned it" in html


def test_settings_on_the_card_are_written_as_the_command_line_takes_them() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    card = card_section(study_of(cw.C45(), table)).html
    assert "<bdi>prune</bdi> = <bdi>yes</bdi>" in card
    assert "<bdi>max_depth</bdi> = <bdi>none</bdi>" in card
    assert "<bdi>null</bdi>" not in card
    assert "<bdi>true</bdi>" not in card


def test_rules_beside_their_tree_are_compared_by_name() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    section = rules_section(study_of(cw.ID3(), table))
    assert section is not None
    assert "A row gets the prediction of the first rule that holds for it." in section.html
    assert "On the rows learned from, the rules err " in section.html
