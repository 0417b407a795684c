"""Costs are judged where they decided: beside every accuracy stands what a row costs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import clearwood as cw
from clearwood.editing.edits import EditedRules
from clearwood.errors import SchemaError, SettingError
from clearwood.learners.rules.rules_of import rules_of
from clearwood.models.decision import Cutoff, Decision, check_decision
from clearwood.models.model import Model
from clearwood.scoring.costs import cost_intervals, expected_cost
from clearwood.scoring.evaluation import ClassEvaluation, evaluate
from clearwood.scoring.predictions import ClassPredictions
from clearwood.scoring.scores import scores_of
from clearwood.study.cross_validation import cross_validate
from clearwood.study.rule_scores import ClassScore
from clearwood.study.scores import evaluation_to_json, folds_to_json, phrase, phrase_of_folds
from tests.judging import judged
from tests.trees import tennis_table, tennis_tree

CLASSES = ("bad", "good")
CREDIT = ClassEvaluation(CLASSES, ((64.0, 11.0), (84.0, 91.0)), costs=((0.0, 5.0), (1.0, 0.0)))


def test_the_expected_cost_is_the_mean_over_the_rows_beside_the_cheapest_constant_answer() -> None:
    cost = CREDIT.cost
    assert cost is not None
    assert cost.per_row == pytest.approx(139 / 250)
    # Always good would cost 5 · 75 = 375, always bad 175.
    assert cost.constant == "bad"
    assert cost.constant_per_row == pytest.approx(175 / 250)
    low, high = cost.interval
    assert low < cost.per_row < high


def test_where_every_mistake_costs_one_the_interval_is_that_of_the_error_rate() -> None:
    plain = replace(CREDIT, costs=((0.0, 1.0), (1.0, 0.0)))
    low, high = plain.interval
    assert plain.cost is not None
    assert plain.cost.interval == pytest.approx((1 - high, 1 - low))


def test_the_interval_holds_the_true_cost_about_as_often_as_it_claims() -> None:
    drawing, shares = np.random.default_rng(3), np.array([[0.25, 0.05], [0.3, 0.4]])
    costs = ((0.0, 5.0), (1.0, 0.0))
    true, held = float((shares * np.array(costs)).sum()), 0
    for _ in range(1000):
        counts = drawing.multinomial(200, shares.ravel()).reshape(2, 2)
        cost = expected_cost(CLASSES, tuple(map(tuple, counts.tolist())), costs)
        assert cost is not None
        held += cost.interval[0] <= true <= cost.interval[1]
    assert 930 <= held <= 970


def test_rows_that_cost_nothing_are_no_proof_that_none_will() -> None:
    cost = expected_cost(CLASSES, ((3.0, 0.0), (0.0, 4.0)), ((0.0, 5.0), (1.0, 0.0)))
    assert cost is not None
    assert cost.interval[0] == 0
    assert cost.interval[1] > 1


def test_without_costs_there_is_no_expected_cost() -> None:
    plain = replace(CREDIT, costs=())
    assert plain.cost is None
    assert "cost" not in phrase(plain)
    assert evaluation_to_json(plain)["expected_cost"] is None


def test_a_model_is_judged_by_the_costs_that_were_given_and_by_none_that_a_cutoff_might_mean() -> None:
    tree, table = tennis_tree(), tennis_table()
    costs = ((0.0, 2.0), (1.0, 0.0))
    assert judged(replace(tree, decision=Decision(costs=costs)), table).costs == costs
    assert judged(replace(tree, decision=Decision(cutoff=Cutoff("Yes", 0.5, costs))), table).costs == costs
    cut = replace(tree, decision=Decision(cutoff=Cutoff("Yes", 0.2)))
    evaluation = judged(cut, table)
    assert (evaluation.costs, evaluation.cost) == ((), None)
    assert "cost" not in str(evaluation) + phrase(evaluation) + str(cw.scores(cut, table))
    assert evaluation_to_json(evaluation)["expected_cost"] is None


def test_a_phrase_a_printout_and_json_have_the_cost_beside_the_accuracy() -> None:
    answers = "expected cost 0.556 per row (95 % interval 0.452 to 0.723); always predicting bad: 0.7"
    accuracy = "accuracy 62.0 % (155 of 250 rows; 95 % interval 55.8 to 67.8 %)"
    assert phrase(CREDIT) == f"{answers}; {accuracy}"  # what was asked for first
    assert str(CREDIT).splitlines()[0] == answers
    paid = evaluation_to_json(CREDIT)["expected_cost"]
    assert paid["per_row"] == pytest.approx(0.556)
    assert paid["constant"] == "bad"
    assert "cost 0.556 per row" in str(EditedRules(rules_of(tennis_tree()), (CREDIT, CREDIT), None))


def test_folds_have_their_costs() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    validation = cross_validate(cw.CART(costs={("No", "Yes"): 5}), table, folds=3)
    assert len(validation.costs) == 3
    assert "expected cost" in phrase_of_folds(validation)
    assert str(validation).splitlines()[1].split() == ["fold", "accuracy", "cost", "leaves"]
    assert folds_to_json(validation)["costs"] == validation.costs
    assert isinstance(validation.together, ClassEvaluation)
    assert validation.together.costs == ((0.0, 5.0), (1.0, 0.0))


def _credit_rows() -> cw.Table:
    """300 applicants, three in ten of them bad; the larger the amount, the more."""
    drawing = np.random.default_rng(5)
    bad = drawing.random(300) < 0.3
    amount = np.round(drawing.normal(3.0 + 1.2 * bad, 1.0), 1)
    return cw.read_table({"amount": amount, "risk": np.where(bad, "bad", "good")}, target="risk")


CAREFUL = cw.CART(costs={("bad", "good"): 5}, min_rows=2)


def test_the_size_of_a_tree_is_judged_by_its_costs_beside_its_accuracy() -> None:
    table = _credit_rows()
    curve = cw.overfitting(CAREFUL, table, seed=1)
    assert curve.cost is not None
    train, test = cw.hold_out(table, 0.3, 1)
    whole = evaluate(CAREFUL.learn(table.take(train)), table.take(test))
    assert isinstance(whole, ClassEvaluation)
    assert whole.cost is not None
    assert curve.cost.validation[-1] == pytest.approx(whole.cost.per_row)
    assert curve.cost.constant == whole.cost.constant
    assert curve.cost.constant_per_row == pytest.approx(whole.cost.constant_per_row)
    assert curve.best == int(np.argmin(curve.cost.validation))
    lines = str(curve).splitlines()
    assert lines[0].split("  ")[-1] == "cost, validation"
    assert lines[-1] == (
        f"Always predicting bad would cost {whole.cost.constant_per_row:.4f} per row kept apart."
    )
    assert cw.overfitting(cw.CART(), table).cost is None


@pytest.mark.slow
def test_the_chart_of_sizes_has_the_cost_and_that_of_the_best_constant_answer() -> None:
    curve = cw.overfitting(CAREFUL, _credit_rows(), folds=3)
    assert curve.cost is not None
    drawn = cw.charts.overfitting(curve)
    cost = f"cost per row {curve.cost.validation[curve.best]:.4g}; always predicting bad: "
    assert cost in drawn.alt
    assert "cost per row" in drawn.svg
    assert "cost per row" not in cw.charts.overfitting(cw.overfitting(cw.CART(), _credit_rows())).svg


def test_a_comparison_judges_all_trees_by_the_costs_that_one_was_given() -> None:
    table = _credit_rows()
    comparison = cw.compare_trees(table, {"careful": CAREFUL, "plain": cw.CART(min_rows=2)})
    cost = evaluate(comparison.models["careful"], table)
    assert isinstance(cost, ClassEvaluation)
    assert cost.cost is not None
    assert list(comparison.costs) == ["careful", "plain"]
    assert comparison.costs["careful"] == cost.cost
    plain = comparison.costs["plain"]
    assert plain.per_row > cost.cost.per_row
    assert plain.constant_per_row == cost.cost.constant_per_row
    answers = {line.split()[0]: line.split() for line in str(comparison).splitlines()[2:5]}
    assert answers["leaves"][-5:] == ["per", "row", "best", "constant", "prediction"]
    assert answers["careful"][-2:] == ["bad:", f"{cost.cost.constant_per_row:.3f}"]
    assert answers["plain"][-2:] == ["bad:", f"{plain.constant_per_row:.3f}"]
    assert comparison.to_json()["learners"]["careful"]["expected_cost"]["per_row"] == cost.cost.per_row


def test_each_rule_is_scored_by_what_its_rows_cost() -> None:
    table = _credit_rows()
    rules = cw.rules_of(cw.CART(costs={("bad", "good"): 5}, max_depth=1).learn(table))
    scored = cw.rule_scores(rules, table).tables["training"].rules
    answers = [each.answers for each in scored if isinstance(each.answers, ClassScore)]
    total = sum(each.support * each.cost for each in answers if each.support)
    judged = evaluate(rules, table)
    assert isinstance(judged, ClassEvaluation)
    assert judged.cost is not None
    assert total / len(table) == pytest.approx(judged.cost.per_row)
    assert "cost per row" in str(cw.rule_scores(rules, table))
    assert "cost per row" not in str(cw.rule_scores(cw.rules_of(cw.CART().learn(table)), table))


def test_rules_simplified_by_costs_say_what_the_best_constant_answer_costs() -> None:
    table = _credit_rows()
    rules = cw.rules_of(cw.CART(costs={("bad", "good"): 5}, max_depth=2).learn(table))
    ledger = cw.simplify_rules(rules, table).ledger
    good = int((table.target == table.schema.classes.index("good")).sum())
    assert (ledger.constant, ledger.errors_constant) == ("bad", good)
    assert str(ledger).splitlines()[0].endswith(f"; always predicting bad: {good}")


def test_edited_rules_show_their_cost_beside_the_best_constant_answer() -> None:
    assert "always predicting bad: 0.7" in str(
        EditedRules(cw.rules_of(tennis_tree()), training=(CREDIT, CREDIT))
    )


def test_a_confusion_matrix_tells_its_cost_to_those_who_hear_it() -> None:
    assert "Cost per row 0.556; always predicting bad: 0.7." in cw.charts.confusion(CREDIT).alt


def test_costs_whose_sums_are_no_numbers_are_refused_with_the_way_out() -> None:
    with pytest.raises(
        SettingError, match=r"costs\['bad', 'good'\] must be at most 1e\+100.*divide all of them"
    ):
        cw.CART(costs={("bad", "good"): 1e308, ("good", "bad"): 1e308})
    with pytest.raises(SchemaError, match=r"decision.costs\[0\] must be at most 1e\+100"):
        check_decision(Decision(costs=((0.0, 1e308), (1e308, 0.0))), CLASSES)


@pytest.mark.parametrize(
    "decision",
    [
        Decision(costs=((0.0, 1e100), (1e100, 0.0))),
        Decision(costs=((0.0, 1e100), (1.0, 0.0))),
        Decision(cutoff=Cutoff("bad", 1e-90, ((0.0, 1e100), (1.0, 0.0)))),
    ],
)
def test_the_largest_costs_still_have_a_mean_and_an_interval(decision: Decision) -> None:
    cost = expected_cost(CLASSES, CREDIT.confusion, decision.costs_kept)
    assert cost is not None
    low, high = cost.interval
    assert np.isfinite([low, cost.per_row, high]).all()
    assert low <= cost.per_row <= high


def test_a_dear_mistake_that_was_not_seen_may_come_all_the_same() -> None:
    # Of 200 rows 40 cost 1; none of cost 50 was seen, but one in a hundred may be one.
    cost = expected_cost(CLASSES, ((60.0, 0.0), (40.0, 100.0)), ((0.0, 50.0), (1.0, 0.0)))
    assert cost is not None
    assert cost.interval[0] < 0.2 < 0.2 + 50 * 0.01 < cost.interval[1]


@pytest.mark.long
@pytest.mark.parametrize(
    ("costs", "shares"),
    [
        ((0, 1, 5), (0.98, 0.0, 0.02)),
        ((0, 1, 20), (0.97, 0.0, 0.03)),
        ((0, 1, 20), (0.95, 0.0, 0.05)),
        ((0, 1, 100), (0.975, 0.005, 0.02)),
        ((0, 1, 5), (0.65, 0.3, 0.05)),
        ((0, 1, 5), (0.5, 0.2, 0.3)),
        ((0, 1, 2), (0.3, 0.3, 0.4)),
        ((0, 1, 2), (0.6, 0.2, 0.2)),
        ((0, 1, 10), (0.89, 0.1, 0.01)),
        ((0, 1, 20), (0.9, 0.05, 0.05)),
        ((0, 1, 20), (0.78, 0.2, 0.02)),
        ((0, 1, 50), (0.795, 0.2, 0.005)),
        ((0, 1, 50), (0.945, 0.05, 0.005)),
        ((0, 1, 5, 20), (0.8, 0.1, 0.08, 0.02)),
        ((-1, 0, 1, 10), (0.3, 0.55, 0.13, 0.02)),
    ],
)
@pytest.mark.parametrize("rows", [200, 1000])
def test_the_interval_of_a_cost_holds_it_also_where_dear_mistakes_are_rare(
    costs: tuple[float, ...], shares: tuple[float, ...], rows: int
) -> None:
    levels = np.array(costs, dtype=float)
    drawn = np.random.default_rng(0).multinomial(rows, shares, size=20_000).T / rows
    low, high = cost_intervals(levels, drawn, rows)
    true = float(levels @ np.array(shares))
    assert 0.935 <= ((low <= true) & (true <= high)).mean() <= 0.97


def test_folds_whose_cutoffs_differ_have_no_cost_that_nobody_gave() -> None:
    table = _credit_rows()
    recipe = cw.Recipe(cw.NaiveBayes(), after=(cw.Deciding(cutoff=cw.ForRecall("bad", 0.8)),))
    validation = cross_validate(recipe, table, folds=5)
    assert isinstance(validation.together, ClassEvaluation)
    assert validation.together.costs == ()
    assert validation.costs == ()
    assert "cost" not in str(validation) + phrase_of_folds(validation)
    assert all(each["expected_cost"] is None for each in folds_to_json(validation)["folds"])
    assert isinstance(validation.predictions, ClassPredictions)
    assert validation.predictions.costs == ()
    assert "cost" not in [each.name for each in scores_of(validation.predictions).scored]


def test_folds_of_one_cutoff_have_no_cost_either() -> None:
    recipe = cw.Recipe(cw.NaiveBayes(), after=(cw.Deciding(cutoff=Cutoff("bad", 0.2)),))
    validation = cross_validate(recipe, _credit_rows(), folds=3)
    assert validation.costs == ()
    assert "cost" not in str(validation) + phrase_of_folds(validation)
    assert "cost" not in phrase(evaluate(recipe.learn(_credit_rows()), _credit_rows()))


def test_a_cutoff_keeps_the_costs_that_chose_it_and_its_model_is_judged_by_them(tmp_path: Path) -> None:
    table = _credit_rows()
    model = cw.NaiveBayes().learn(table.take(np.arange(100)))
    costs = {("bad", "good"): 7.0}
    decided = cw.with_cutoff(model, "bad", table=table.take(np.arange(100, 200)), costs=costs)
    cw.save(decided, tmp_path / "decided.json")
    read = cw.load(tmp_path / "decided.json")
    matrix = read.decision.costs_kept
    place = read.schema.classes.index("bad")
    assert matrix[place][1 - place] == 7
    assert matrix[1 - place][place] == 1
    later = table.take(np.arange(200, len(table)))
    assert cw.scores(read, later).costs == matrix
    assert (
        cw.scores(read, later)["cost"].value
        == cw.scores(_without_costs(read), later, costs=costs)["cost"].value
    )
    assert "the cheaper mistake" not in str(evaluate(read, later))
    assert cw.cutoffs(read, later, "bad").costs is not None
    again = cw.with_cutoff(read, "bad", table=table.take(np.arange(200, 260)))
    assert again.decision.costs_kept == matrix
    assert cw.with_cutoff(read, "bad", 0.3).decision.costs_kept == ()


def _without_costs(model: Model) -> Model:
    """The same answers by a cutoff that nobody paid for."""
    assert model.decision.cutoff is not None
    return cw.with_cutoff(model, "bad", model.decision.cutoff.at)


def test_folds_whose_cutoffs_were_chosen_by_costs_have_their_cost() -> None:
    costs = ((0.0, 5.0), (1.0, 0.0))
    recipe = cw.Recipe(cw.NaiveBayes(), after=(cw.Deciding(cutoff=cw.ForCost("bad", costs)),))
    validation = cross_validate(recipe, _credit_rows(), folds=3)
    assert isinstance(validation.together, ClassEvaluation)
    assert validation.together.costs == costs
    assert "expected cost" in phrase_of_folds(validation)


def test_a_cutoff_with_costs_of_other_classes_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"decision.cutoff.costs must be a table of 2 by 2"):
        check_decision(Decision(cutoff=Cutoff("bad", 0.2, ((0.0,),))), CLASSES)


@pytest.mark.long
@pytest.mark.parametrize("rows", [200, 400, 1000])
def test_the_interval_of_one_dear_mistake_alone_holds_it_however_rare(rows: int) -> None:
    """By exact sums over how many of the rows it may be of, from two of them expected on."""
    levels, counts = np.array([0.0, 1.0, 20.0]), np.arange(rows + 1)
    shares = np.stack([1 - counts / rows, 0 * counts, counts / rows])
    low, high = cost_intervals(levels, shares, rows)
    held = []
    for true in np.linspace(2 / rows, 40 / rows, 400):
        inside = (low <= 20 * true) & (20 * true <= high)
        held.append(float(binom.pmf(counts, rows, true)[inside].sum()))
    assert min(held) >= 0.93
    assert 0.945 <= np.mean(held) <= 0.96
    assert np.mean(np.array(held) > 0.97) < 0.1
