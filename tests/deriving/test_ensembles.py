"""Derivations of ensembles: their figures are the model's own, and those of books' small cases."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ColumnError, LearningError, SettingError
from clearwood.learners.ensembles.members import times_drawn
from clearwood.models.decision import Cutoff, Decision
from clearwood.table.table import Table
from clearwood.working.figures import GridCell
from tests.deriving.checking import check

TENNIS = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
SUNNY = {"Outlook": "Sunny", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"}


def table_of(target: cw.Nominal | cw.Numeric, **columns: list[Any]) -> Table:
    inputs = tuple(cw.Numeric(name) for name in columns if name != target.name)
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return cw.encode(rows, cw.Schema(inputs, target))


def noisy(numeric: bool = False, classes: str = "ab", rows: int = 60) -> Table:
    chance = np.random.default_rng(7)
    x, z = chance.normal(size=rows), chance.normal(size=rows)
    y = np.abs(x + z * z + 0.3 * chance.normal(size=rows))
    if numeric:
        return table_of(cw.Numeric("y"), x=x.tolist(), z=z.tolist(), y=y.tolist())
    places = np.minimum((y * len(classes) / 2).astype(int), len(classes) - 1)
    named = [classes[place] for place in places.tolist()]
    return table_of(cw.Nominal("y", tuple(classes)), x=x.tolist(), z=z.tolist(), y=named)


def column(derivation: Any, figure: str, name: str) -> list[GridCell]:
    grid = derivation.figure(figure).grids[0]
    return [row[grid.columns.index(name)] for row in grid.rows]


class TestAdaBoost:
    """The ten points of Li Hang, Statistical Learning Methods, example 8.1: stumps in three rounds."""

    TABLE = table_of(
        cw.Nominal("y", ("−1", "1")),
        x=[float(x) for x in range(10)],
        y=["1", "1", "1", "−1", "−1", "−1", "1", "1", "1", "−1"],
    )
    MODEL = cw.AdaBoost(trees=3).learn(TABLE)
    STEPS = cw.derive(MODEL, TABLE)

    def test_the_first_round_is_that_of_the_book(self) -> None:
        assert column(self.STEPS, "leaves of member 1", "leaf") == ["x ≤ 2.5", "x > 2.5"]
        assert self.STEPS.figure("err of member 1").exact == Fraction(3, 10)
        assert self.STEPS.figure("α of member 1").value == pytest.approx(0.4236, abs=1e-4)
        after = column(self.STEPS, "weights in round 1", "weight after")
        assert after == pytest.approx([1 / 14] * 6 + [1 / 6] * 3 + [1 / 14])

    def test_so_is_the_second(self) -> None:
        before = column(self.STEPS, "weights in round 2", "weight before")
        assert before == pytest.approx(column(self.STEPS, "weights in round 1", "weight after"))
        # The last point alone, of 1/14, is a leaf: 3, 4 and 5, of 1/14 each, are wrong.
        assert column(self.STEPS, "leaves of member 2", "leaf") == ["x ≤ 8.5", "x > 8.5"]
        assert self.STEPS.figure("err of member 2").value == pytest.approx(0.2143, abs=1e-4)
        assert self.STEPS.figure("α of member 2").value == pytest.approx(0.6496, abs=1e-4)
        after = column(self.STEPS, "weights in round 2", "weight after")
        assert after == pytest.approx([0.0455] * 3 + [0.1667] * 3 + [0.1060] * 3 + [0.0455], abs=1e-4)

    def test_so_is_the_third(self) -> None:
        assert column(self.STEPS, "leaves of member 3", "leaf") == ["x ≤ 5.5", "x > 5.5"]
        assert self.STEPS.figure("err of member 3").value == pytest.approx(0.1820, abs=2e-4)
        assert self.STEPS.figure("α of member 3").value == pytest.approx(0.7514, abs=1e-3)

    def test_the_vote_has_no_error(self) -> None:
        assert self.STEPS.figure("error on the training rows").exact == 0
        assert set(column(self.STEPS, "error on the training rows", "right?")) == {"right"}

    def test_members_weigh_what_they_do_in_the_model(self) -> None:
        weights = [self.STEPS.figure(f"a of member {m}").value for m in (1, 2, 3)]
        assert weights == list(self.MODEL.weights)

    def test_every_figure_is_what_is_put_in(self) -> None:
        assert check(self.STEPS) >= 20

    def test_many_classes_add_a_logarithm(self) -> None:
        table = noisy(classes="abc")
        model = cw.AdaBoost(trees=4, rate=0.5).learn(table)
        steps = cw.derive(model, table)
        assert check(steps)
        assert "ln(K − 1)" in cw.write_derivation(steps)
        assert "α of member 1" not in str(steps)

    def test_the_first_rounds_are_shown_and_the_others_counted(self) -> None:
        model = cw.AdaBoost(trees=13).learn(noisy())
        steps = cw.derive(model, noisy())
        assert len(steps) == 11
        assert f"{model.size - 10} more rounds follow in the same way." in steps[9].decision

    def test_a_member_without_error_ends_the_boosting(self) -> None:
        table = table_of(cw.Nominal("y", ("a", "b")), x=[1.0, 2.0, 3.0, 4.0], y=list("aabb"))
        steps = cw.derive(cw.AdaBoost().learn(table), table)
        assert steps[0].decision.endswith("the boosting ends.")
        assert column(steps, "weights in round 1", "weight after") == [None] * 4

    def test_weights_that_the_rows_do_not_give_are_refused(self) -> None:
        other = replace(self.MODEL, weights=(1.0, 1.0, 1.0))
        with pytest.raises(LearningError, match="does not learn this ensemble from these rows"):
            cw.derive(other, self.TABLE)


DRAWN = [
    cw.Bagging(trees=12),
    cw.Bagging(trees=12, combine="votes", of=cw.NaiveBayes()),
    cw.Bagging(trees=12, of=cw.CART(priors="equal")),
    cw.Forest(trees=12),
    cw.Forest(trees=12, measure="entropy", combine="votes"),
    cw.Forest(trees=12, rows=0.5, priors="equal"),
    cw.Forest(trees=12, costs={("a", "b"): 5}),
]


class TestDrawnRows:
    @pytest.mark.parametrize("learner", DRAWN, ids=lambda each: type(each).__name__)
    def test_the_out_of_bag_error_is_that_of_the_model(self, learner: Any) -> None:
        model = learner.learn(noisy())
        steps = cw.derive(model, noisy())
        assert check(steps)
        assert model.out_of_bag is not None
        assert steps.figure("out-of-bag error").value == pytest.approx(model.out_of_bag.values[-1])

    @pytest.mark.parametrize("learner", [cw.Bagging(of=cw.CART(), trees=5), cw.Forest(trees=5, columns=2)])
    def test_numbers_have_a_squared_error(self, learner: Any) -> None:
        table = noisy(numeric=True)
        model = learner.learn(table)
        steps = cw.derive(model, table)
        assert check(steps)
        assert model.out_of_bag is not None
        assert steps.figure("out-of-bag error").value == pytest.approx(model.out_of_bag.values[-1])

    def test_a_row_is_shown_as_often_as_it_was_drawn(self) -> None:
        steps = cw.derive(cw.Bagging(trees=3).learn(TENNIS), TENNIS)
        for member in range(3):
            drawn = column(steps, f"rows of member {member + 1}", "times drawn")
            assert drawn == times_drawn(TENNIS, 0, member).tolist()
            answers = column(steps, f"rows of member {member + 1}", "predicted out of bag")
            assert [each is None for each in answers] == [times != 0 for times in drawn]

    def test_without_rows_out_of_bag_there_is_no_error(self) -> None:
        steps = cw.derive(cw.Forest(trees=3, rows=1.0).learn(TENNIS), TENNIS)
        assert steps[-1].decision.endswith("there is no out-of-bag error.")

    @pytest.mark.parametrize("settings", [{}, {"measure": "entropy"}, {"columns": 4}, {"seed": 5}])
    def test_the_column_of_the_largest_decrease_splits_the_first_root(self, settings: Any) -> None:
        model = cw.Forest(trees=2, **settings).learn(TENNIS)
        steps = cw.derive(model, TENNIS)
        root = next(step for step in steps if step.title == "The root")
        decreases = {each.name: each.value for each in root.figures if each.name.startswith("Decrease")}
        best = max(decreases, key=lambda name: float(decreases[name] or 0))
        first: Any = model.members[0]
        assert best == f"Decrease({first.condition(1).name})"
        assert len(decreases) == settings.get("columns", 2)

    def test_the_first_root_of_a_forest_of_numbers_has_decreases_too(self) -> None:
        table = noisy(numeric=True)
        model = cw.Forest(trees=2, columns=2).learn(table)
        root = next(step for step in cw.derive(model, table) if step.title == "The root")
        assert {each.name for each in root.figures if each.value} == {"Decrease(x)", "Decrease(z)"}


BOOSTED: list[dict[str, Any]] = [
    {}, {"loss": "absolute"}, {"loss": "quantile", "quantile": 0.8}, {"loss": "poisson"},
    {"l1": 0.5, "rows": 0.5}, {"early_stopping": 0.3, "seed": 1}, {"monotone": {"x": "up"}, "bins": "exact"},
    {"gamma": 2},
]  # fmt: skip


class TestBoosting:
    """Six people's weights by their height, as courses have it: a mean, residuals, leaves that average."""

    TABLE = table_of(
        cw.Numeric("weight"),
        height=[1.6, 1.61, 1.5, 1.81, 1.52, 1.4],
        weight=[88.0, 76.0, 56.0, 73.0, 77.0, 57.0],
    )

    def test_a_leaf_takes_a_part_of_the_mean_residual(self) -> None:
        model = cw.Boosting(trees=2, max_depth=1, l2=0, rate=0.1, bins="exact").learn(self.TABLE)
        steps = cw.derive(model, self.TABLE)
        assert check(steps)
        base = steps.figure("base, weight")
        assert base.exact == Fraction(427, 6)
        residuals = [-float(g or 0) for g in column(steps, "rows in round 1", "g")]
        assert residuals == pytest.approx([16.83, 4.83, -15.17, 1.83, 5.83, -14.17], abs=0.01)
        leaves = column(steps, "rows in round 1", "leaf")
        for leaf in (1, 2):
            own = [r for r, where in zip(residuals, leaves, strict=True) if where == leaf]
            step = steps.figure(f"step of leaf {leaf} in round 1").value
            assert step == pytest.approx(0.1 * sum(own) / len(own))

    @pytest.mark.parametrize("settings", BOOSTED, ids=str)
    def test_losses_and_scores_are_those_of_the_model(self, settings: dict[str, Any]) -> None:
        table = noisy(numeric=True)
        model = cw.Boosting(trees=12, **settings).learn(table)
        steps = cw.derive(model, table)
        assert check(steps)
        curve = model.curves[0]
        assert steps.figure(f"{curve.score} after round 1").value == pytest.approx(curve.values[0])
        assert steps.figure(f"{curve.score} after round 10").value == pytest.approx(curve.values[9])

    def test_rounds_that_early_stopping_takes_back_are_not_derived(self) -> None:
        table = noisy(numeric=True)
        model = cw.Boosting(trees=12, early_stopping=0.3).learn(table)
        assert model.size == 8
        steps = cw.derive(model, table)
        assert check(steps)
        curve = model.curves[0]
        assert steps.figure(f"{curve.score} after round 8").value == pytest.approx(curve.values[7])
        assert "after round 9" not in cw.write_derivation(steps)

    @pytest.mark.parametrize("classes", ["ab", "abc"])
    def test_classes_have_scores_and_shares(self, classes: str) -> None:
        table = noisy(classes=classes)
        model = cw.Boosting(trees=4).learn(table)
        steps = cw.derive(model, table)
        assert check(steps)
        scores = len(model.base)
        assert len(steps) == 1 + scores * min(4, max(1, 10 // scores)) + 1
        assert steps.figure("log loss after round 3").value == pytest.approx(model.curves[0].values[2])
        assert column(steps, "scores", f"P({classes[-1]})") == pytest.approx(
            cw.shares(model, table)[:, -1].tolist()
        )

    def test_what_is_given_are_the_letters_of_its_formulas(self) -> None:
        plain, shrunk = (cw.Boosting(trees=1, l1=l1).learn(noisy()) for l1 in (0.0, 0.5))
        assert cw.derive(plain, noisy()).given == ("ν = 0.1", "λ = 1")
        assert cw.derive(shrunk, noisy()).given == ("ν = 0.1", "λ = 1", "λ₁ = 0.5")

    def test_rounds_added_later_are_refused(self) -> None:
        learner = cw.Boosting(trees=2)
        more = learner.learn_more(learner.learn(noisy()), noisy())
        with pytest.raises(SettingError, match=r"learned more .* derive\(model, row=row\)"):
            cw.derive(more, noisy())


ANSWERING = [
    *DRAWN,
    cw.AdaBoost(trees=12),
    cw.AdaBoost(of=cw.RIPPER(), trees=3),
    cw.Boosting(trees=30),
    cw.Boosting(trees=5, priors="equal"),
]


class TestAnswers:
    @pytest.mark.parametrize("learner", ANSWERING, ids=lambda each: type(each).__name__)
    @pytest.mark.parametrize("row", [{"x": 0.3, "z": -1.0}, {"x": 2.0, "z": None}])
    def test_the_members_come_to_the_answer(self, learner: Any, row: dict[str, float | None]) -> None:
        model = learner.learn(noisy())
        answer = cw.derive(model, row=row)
        assert check(answer)
        shares = cw.shares(model, [row])[0]
        for place, name in enumerate("ab"):
            assert answer.figure(f"P({name} | the row)").value == pytest.approx(shares[place])
        assert f"The prediction is {cw.predict(model, [row])[0]}," in answer[-1].decision

    @pytest.mark.parametrize(
        "learner",
        [
            cw.Bagging(of=cw.CART(), trees=5),
            cw.Forest(trees=25),
            cw.Boosting(trees=7),
            cw.Boosting(trees=30, loss="poisson"),
        ],
        ids=str,
    )
    def test_numbers_are_averaged_or_added_up(self, learner: Any) -> None:
        model = learner.learn(noisy(numeric=True))
        row = {"x": 0.3, "z": -1.0}
        answer = cw.derive(model, row=row)
        assert check(answer)
        assert answer.figure("prediction").value == pytest.approx(cw.predict(model, [row])[0])

    def test_many_classes_go_through_softmax(self) -> None:
        model = cw.Boosting(trees=5).learn(noisy(classes="abc"))
        answer = cw.derive(model, row={"x": 0.3, "z": 1.0})
        assert check(answer)
        assert sum(
            float(answer.figure(f"P({name} | the row)").value or 0) for name in "abc"
        ) == pytest.approx(1)

    def test_a_vote_counts_each_member_by_its_weight(self) -> None:
        model = cw.AdaBoost(trees=3).learn(TENNIS)
        answer = cw.derive(model, row=SUNNY)
        votes = float(answer.figure("votes for No").value or 0)
        assert votes == pytest.approx(model.weights[0] + model.weights[1])
        assert column(answer, "predictions", "predicted") == ["No", "No", "Yes"]

    def test_a_column_that_the_model_lacks_is_named(self) -> None:
        with pytest.raises(ColumnError, match="Outlok"):
            cw.derive(cw.AdaBoost(trees=3).learn(TENNIS), row={"Outlok": "Sunny"})

    def test_a_cutoff_goes_on_from_the_shares(self) -> None:
        model = replace(cw.AdaBoost(trees=3).learn(TENNIS), decision=Decision(cutoff=Cutoff("Yes", 0.3)))
        assert cw.derive(model, row=SUNNY)[-1].decision.endswith("the prediction is Yes.")
