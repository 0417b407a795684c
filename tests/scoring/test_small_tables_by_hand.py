"""Tables of a few rows whose scores, rates and sentences are worked out on paper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.models.decision import Cutoff
from clearwood.scoring import Stakes
from clearwood.scoring.by_group import Rate, SelectionRatio
from clearwood.scoring.cutoff_aims import chosen_by, note_on_choice
from clearwood.scoring.cutoffs import cutoffs_of
from clearwood.scoring.differences.paired import Posterior
from clearwood.scoring.differences.ranks import friedman
from clearwood.scoring.differences.same_rows import areas_under_curves
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.scoring.intervals import score_intervals
from clearwood.scoring.resampling import Distinct, _units_drawn
from clearwood.scoring.scores import score_by_name
from tests.scoring.test_ten_rows_by_hand import NUMBERS, OF_BAD, SIX, TEN, TRUTH


def test_the_brier_score_of_two_classes_is_of_one_of_them_and_of_more_of_all() -> None:
    away = [1 - p if true == 0 else p for p, true in zip(OF_BAD, TRUTH, strict=True)]
    assert score_by_name("brier", TEN, Stakes()) == pytest.approx(sum(each**2 for each in away) / 10)
    squares = [
        0.4**2 + 0.3**2 + 0.1**2,
        0.5**2 + 0.3**2 + 0.2**2,
        0.2**2 + 0.4**2 + 0.2**2,
        0.1**2 + 0.2**2 + 0.3**2,
        0.1**2 + 0.5**2 + 0.6**2,
        0.7**2 + 0.3**2 + 0.4**2,
    ]
    assert score_by_name("brier", SIX, Stakes()) == pytest.approx(sum(squares) / 6)


def test_groups_are_drawn_as_wholes_each_row_with_what_it_weighs() -> None:
    """Rows 0 and 2 stand for 2 and 1 rows of weight .5 and 3: they come in the same draws, 1 : 3."""
    counts, each, units = (
        np.array([2.0, 1.0, 1.0, 4.0]),
        np.array([0.5, 2.0, 3.0, 0.25]),
        np.array([0, 1, 0, 2]),
    )
    distinct = Distinct(TEN.take(np.arange(4)), counts, each, units)
    (drawn,) = _units_drawn(distinct, units, 50, np.random.default_rng(0))
    times = drawn / [1.0, 2.0, 3.0, 1.0]
    assert (times[:, 0] == times[:, 2]).all()
    assert (times[:, [0, 1, 3]].sum(axis=1) == 3).all()  # as many groups as there are
    assert set(np.unique(times)) <= {0.0, 1.0, 2.0, 3.0}


def test_a_table_of_cutoffs_has_costs_where_there_are_some() -> None:
    shares = TEN.judged
    plain = str(cutoffs_of(TEN.classes, shares, "bad", costs=()))
    costly = str(cutoffs_of(TEN.classes, shares, "bad", costs=((0.0, 5.0), (1.0, 0.0))))
    named = [each.splitlines()[1].split() for each in (plain, costly)]
    assert named[0][-2:] == ["false", "alarms"]
    assert named[1][-6:] == ["cost", "per", "row", "95", "%", "interval"]
    # At 0.5 four are called bad: one good for 1, and one bad missed for 5, of ten rows.
    assert next(line for line in costly.splitlines() if line.startswith("0.5 ")).split()[-4] == "0.6"


def sample(classes: list[str | None]) -> cw.Table:
    """Four rows of weights 3, 1, 1 and 1."""
    rows = {"x": [1.5, 2.5, 3.5, 4.5], "w": [3, 1, 1, 1], "y": classes}
    return cw.read_table(rows, target="y", weight="w", weights_are="sampling", kinds={"x": "numeric"})


def test_rows_of_a_sample_are_as_many_as_their_weights_are_worth() -> None:
    """All four: (3 + 1 + 1 + 1)² ÷ (9 + 1 + 1 + 1) = 3 rows. The first two, which are certain: 4² ÷ 10 = 1.6,
    where counts on the scale of three rows would be 2."""
    table = sample(["a", "a", "b", "a"])
    tree = cw.CART(max_depth=1, min_rows=0, min_leaf=0).learn(table)
    found = cw.coverage(tree, table)
    assert found.rows.tolist()[-1] == pytest.approx(1.6)
    assert found.answered.tolist()[-1] == pytest.approx(2.0)
    evaluation = cw.evaluate(tree, table)
    assert isinstance(evaluation, ClassEvaluation)
    assert evaluation.effective == pytest.approx(3.0)


def test_rows_without_a_true_class_are_worth_nothing() -> None:
    """Without the first row three rows of equal weight are left: they are worth three."""
    tree = cw.CART(max_depth=0).learn(sample(["a", "a", "b", "b"]))
    rows = {"x": [1.5, 2.5, 3.5, 4.5], "w": [3, 1, 1, 1], "y": [None, "a", "b", "b"]}
    evaluation = cw.evaluate(tree, cw.encode(rows, tree.schema))
    assert isinstance(evaluation, ClassEvaluation)
    assert evaluation.effective == pytest.approx(3.0)
    assert evaluation.left_out == 1


@pytest.mark.parametrize(
    ("ratio", "interval", "shown", "verdict"),
    [
        (0.5, (0.3, 0.7), "below", "shown to be below four fifths"),
        (0.9, (0.85, 1.1), "at least", "shown to be at least four fifths"),
        (0.9, (0.8, 1.1), "at least", "shown to be at least four fifths"),
        (0.75, (0.6, 0.9), "open", "open: the figure is below 0.8, but the interval includes 0.8"),
        (0.8, (0.6, 0.9), "open", "open: the figure is at least 0.8, but the interval includes 0.8"),
        (0.9, None, "open", "open: the figure is at least 0.8, but there is no interval"),
    ],
)
def test_the_four_fifths_rule_is_broken_or_kept_by_the_interval_or_it_stays_open(
    ratio: float, interval: tuple[float, float] | None, shown: str, verdict: str
) -> None:
    data = SelectionRatio("f", ratio, interval).to_json()
    assert (data["group"], data["ratio"], data["shown"], data["verdict"]) == ("f", ratio, shown, verdict)


def test_a_cutoff_below_or_above_two_probabilities_is_not_said_to_meet_one_alone() -> None:
    two = TEN.take(np.array([0, 9])).judged  # of 0.9 and 0.1
    every = chosen_by(Cutoff("bad", 0.0), cutoffs_of(TEN.classes, two, "bad"))
    assert note_on_choice(every).startswith("By the cutoff chosen given, every row is predicted bad")


def test_of_one_row_of_a_class_the_area_has_no_spread() -> None:
    """Two of three others lie below the one: 2/3, whose covariance one row cannot tell."""
    scores = np.array([[0.6, 0.9, 0.4, 0.3]])
    with np.errstate(all="raise"):
        areas = areas_under_curves(scores, np.array([True, False, False, False]))
    assert areas.areas.tolist() == [pytest.approx(2 / 3)]
    assert np.isnan(areas.covariances).all()


def test_friedmans_figures_as_data_have_those_corrected_for_ties_apart() -> None:
    """Ranks 1 2 3, 1 2 3, 2 1 3, 1 2 3: means 1.25, 1.75 and 3, as in the docstring, and no ties."""
    data = friedman(np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.8, 0.6], [0.9, 0.8, 0.7]])).to_json()
    assert data["mean_ranks"] == [1.25, 1.75, 3.0]
    assert data["f_df"] == [2, 6]
    assert data["corrected_for_ties"] == {
        "chi_square": pytest.approx(data["chi_square"]),
        "f": pytest.approx(data["f"]),
        "p": pytest.approx(data["f_p"]),
    }
    tied = friedman(np.array([[0.9, 0.9, 0.7], [0.8, 0.7, 0.6]])).to_json()
    # Ranks 1.5 1.5 3 and 1 2 3: Σ (R̄ − 2)² = (−.75)² + (−.25)² + 1 = 1.625, times 12 · 2 ÷ 12.
    assert tied["chi_square"] == pytest.approx(3.25)
    # The ranks' own squares add up to 1.5 + 2 = 3.5, where without ties they are 2 · 2 = 4.
    assert tied["corrected_for_ties"]["chi_square"] == pytest.approx(3.25 * 4 / 3.5)


def test_errors_of_numbers_of_which_none_was_predicted_say_so() -> None:
    silent = replace(NUMBERS, answers=np.full(4, np.nan))
    found = score_intervals(("mae", "rmse"), silent, Stakes())
    assert {each.why for each in found.values()} == {"no row was predicted"}
    known = score_intervals(("mae",), NUMBERS, Stakes())["mae"]
    assert known.why == ""
    assert known.value == pytest.approx((1 + 0 + 1 + 2) / 4)


def test_a_share_explained_or_a_kappa_of_rows_that_are_all_alike_is_none() -> None:
    """Truth 1, 2, 3 and 6 has the mean 3 and squares 4, 1, 0 and 9; the errors −1, 0, 1 and 2."""
    explained = score_intervals(("r2",), NUMBERS, Stakes())["r2"]
    assert explained.value == pytest.approx(1 - 6 / 14)
    assert explained.why == ""
    alike = replace(NUMBERS, truth=np.full(4, 2.0))
    assert score_intervals(("r2",), alike, Stakes())["r2"].why == "all true numbers are the same"
    one_class = replace(TEN, truth=np.zeros(10, dtype=np.int64), answers=np.zeros(10, dtype=np.int64))
    assert np.isnan(score_by_name("kappa", one_class, Stakes("bad")))


def test_posterior_probabilities_as_data_are_named_by_what_they_are_of() -> None:
    data = Posterior(0.7, 0.2, 0.1, 0.01, "a test").to_json()
    assert (data["test"], data["rope"]) == ("a test", 0.01)
    parts = (data["first_better"], data["practically_equivalent"], data["second_better"])
    assert parts == (0.7, 0.2, 0.1)


def test_a_rate_of_fewer_than_ten_rows_is_not_given() -> None:
    given, few = Rate(3.0, 10.0), Rate(3.0, 9.0)
    low, high = given.interval
    assert str(given) == f"0.300 ({low:.3f} to {high:.3f})"
    assert (given.to_json()["value"], given.to_json()["interval"]) == (0.3, (low, high))
    assert (str(few), few.to_json()["value"], few.to_json()["interval"]) == ("–", None, None)
