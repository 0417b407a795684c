"""The chart of a choice: sizes across, scores up, lines for what has no size, names that do not meet."""

from __future__ import annotations

from itertools import combinations

import clearwood as cw
from clearwood.draw.charts.name_places import Spot, named_spots
from tests.study.contest.tables import credit


def test_reference_models_are_lines_and_the_recommended_one_is_named() -> None:
    choice = cw.choose(credit(), [cw.C45(), cw.NaiveBayes(), "knn"], design=cw.Folds(4))
    picture = choice.chart()
    assert "Not readable: knn" in picture.alt
    assert picture.alt.endswith(f"Recommended: {choice.recommendation.name}.")
    assert ">knn<" in picture.svg
    for name in ("c45", "bayes"):
        assert f">{name}<" in picture.svg


def test_reference_models_alone_have_a_chart() -> None:
    choice = cw.choose(credit(), ["knn", "lda"], design=cw.Folds(4))
    assert choice.chart().alt.startswith("Score against reading size. Not readable: ")


def test_a_model_of_one_leaf_has_a_place() -> None:
    choice = cw.choose(credit(), [cw.CART(max_depth=0), cw.CART(max_depth=2)], design=cw.Folds(4))
    assert "cart:max_depth=0 accuracy" in choice.chart().alt


def test_names_beside_close_points_stand_apart() -> None:
    spots = [
        Spot(f"name {k}", 200.0 + 3 * k, 150.0 + 4 * k, (140.0 + 4 * k, 160.0 + 4 * k)) for k in range(4)
    ]
    boxes = [spot.box(place) for spot, place in zip(spots, named_spots(spots, 470, 300), strict=True)]
    for one, other in combinations(boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)
