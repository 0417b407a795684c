"""The page lays trees out as Python does: the same places, to the last digits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.draw.layout import Direction, NodeSize, lay_out

_LAY_OUT = """([parents, blocks, direction, gaps]) => {
  const { boxes, labels, bends, width, height } = layOut(parents, blocks, direction, gaps);
  const numbers = ({ x, y, width, height }) => [x, y, width, height];
  return [...boxes.flatMap(numbers), ...labels.flatMap(numbers), ...bends.flat(), width, height];
}"""


@st.composite
def blocks_of_trees(draw: st.DrawFn) -> tuple[list[int], list[NodeSize]]:
    """Parents in preorder: each node hangs on the one before it, or on one above that."""
    parents = [-1]
    for node in range(1, draw(st.integers(1, 40))):
        way = [node - 1]
        while parents[way[-1]] >= 0:
            way.append(parents[way[-1]])
        parents.append(draw(st.sampled_from(way)))
    sizes = st.floats(5, 200)
    blocks = [NodeSize(draw(sizes), draw(sizes), draw(sizes), draw(sizes)) for _ in parents]
    blocks[0] = NodeSize(blocks[0].width, blocks[0].height)
    return parents, blocks


@pytest.mark.parametrize("direction", ["down", "right"])
@given(drawn=blocks_of_trees())
@settings(max_examples=12)
def test_every_box_label_and_bend_has_its_place(
    run_module: Any, direction: Direction, drawn: tuple[list[int], list[NodeSize]]
) -> None:
    parents, blocks = drawn
    expected = lay_out(parents, blocks, direction, gap_across=18, gap_along=30, gap_label=3)
    sizes = [
        {"width": b.width, "height": b.height, "labelWidth": b.label_width, "labelHeight": b.label_height}
        for b in blocks
    ]
    gaps = {"across": 18, "along": 30, "label": 3}
    completed = run_module("layout.js", _LAY_OUT, [parents, sizes, direction, gaps])
    places = [*expected.boxes, *expected.labels]
    numbers = [each for place in places for each in (place.x, place.y, place.width, place.height)]
    numbers += [each for bend in expected.bends for each in bend]
    assert completed == pytest.approx([*numbers, expected.width, expected.height], rel=1e-12, abs=1e-9)
