"""Where a learning curve is least, as far as its values can be compared."""

from clearwood.models.kinds.ensemble.ensemble import LearningCurve


def test_the_first_of_a_forest_are_not_called_the_best_by_the_few_rows_that_judge_them() -> None:
    values = (0.1, 0.2, *[0.4] * 10, 0.3, 0.35)
    assert LearningCurve("error", "out-of-bag rows", values).least == 13
    assert LearningCurve("error", "held-out rows", values).least == 1
    assert LearningCurve("error", "out-of-bag rows", values[:3]).least is None


def test_values_that_differ_by_rounding_are_not_told_apart() -> None:
    values = (0.7, 0.6869615775973231, 0.6869615775973232)
    assert LearningCurve("log loss", "training rows", values).least is None
