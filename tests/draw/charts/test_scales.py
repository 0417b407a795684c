"""Labels of a nomogram's scale: none is lost, none covers another."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.draw.charts.nomogram import EDGE, Label, in_lanes, on_both_sides, thinned

labels = st.lists(
    st.builds(
        Label,
        st.floats(-EDGE, 460 + EDGE),
        st.lists(st.text("abcdefgh", min_size=1, max_size=14), min_size=1, max_size=3).map(tuple),
    ),
    min_size=1,
    max_size=30,
)


@given(labels)
@settings(max_examples=100, deadline=None)
def test_every_label_has_a_place_of_its_own(given_labels: list[Label]) -> None:
    lanes = in_lanes(given_labels, 460.0)
    assert sorted(map(str, given_labels)) == sorted(str(label) for lane in lanes for label, _ in lane)
    for lane in lanes:
        for (one, x), (two, further) in pairwise(lane):
            assert further - two.half >= x + one.half


@pytest.mark.slow
@given(labels)
@settings(max_examples=60, deadline=None)
def test_thinned_labels_stand_at_their_own_places_apart(given_labels: list[Label]) -> None:
    kept = sorted(thinned(given_labels), key=lambda label: label.x)
    assert max(label.x for label in given_labels) == kept[-1].x
    for one, two in pairwise(kept):
        assert two.x - two.half > one.x + one.half


def test_labels_with_room_stay_at_their_ticks() -> None:
    three = [Label(0.0, ("low",)), Label(200.0, ("middle",)), Label(460.0, ("high",))]
    assert in_lanes(three, 460.0) == [[(label, label.x) for label in three]]


def test_names_never_go_above_the_line() -> None:
    names = [Label(float(x), (name,)) for x, name in zip([5, 2, 0, 3, 9, 1, 4, 8], "abcdefgh", strict=True)]
    assert on_both_sides(names) == ([], names)
