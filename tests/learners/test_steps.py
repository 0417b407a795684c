"""Steps: all rule learners that tell how they came to their rules tell it in one shape."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from clearwood import CN2, ILA, PRISM, RIPPER, datasets, read_table

LEARNERS = (CN2(), ILA(), PRISM(), RIPPER())


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
def test_steps_are_a_frozen_sequence_to_print_and_to_store(learner: CN2 | ILA | PRISM | RIPPER) -> None:
    _, steps = learner.learn_with_steps(read_table(datasets.path("tennis"), target="PlayTennis"))
    assert len(steps) == len(list(steps)) > 2
    assert steps[-1] == list(steps)[-1]
    assert steps[:2] == (steps[0], steps[1])
    assert str(steps) == "\n".join(str(step) for step in steps)
    stored = json.loads(json.dumps(steps.to_json(), allow_nan=False))
    assert stored == {"steps": [step.to_json() for step in steps]}
    with pytest.raises(FrozenInstanceError):
        steps.steps = ()  # type: ignore[misc]


def test_the_steps_of_cn2_and_prism_are_stored_as_they_are_printed() -> None:
    days = read_table(datasets.path("tennis"), target="PlayTennis")
    beam = CN2(negations=False).learn_with_steps(days)[1][0].to_json()
    assert beam["best"] == {
        "when": ["Outlook = Overcast"],
        "then": "Yes",
        "right": 4.0,
        "covered": 4.0,
        "quality": pytest.approx(5 / 6),
        "counts": [0.0, 4.0],
    }
    assert (beam["rule"], beam["level"], len(beam["beam"])) == (1, 1, 2)
    choice = PRISM().learn_with_steps(days)[1][1].to_json()
    assert (choice["then"], choice["rule"], choice["when"]) == ("No", 1, ["Outlook = Sunny"])
    assert choice["chosen"] == {"condition": "Humidity = High", "right": 3.0, "taken": 3.0}
    assert choice["chosen"] in choice["candidates"]


def test_a_table_of_one_class_leaves_nothing_to_choose() -> None:
    days = read_table(datasets.path("tennis"), target="PlayTennis")
    rows = days.take(np.flatnonzero(days.target == 0))
    _, steps = PRISM().learn_with_steps(rows)
    assert str(steps) == "no step: there was nothing to choose"
    assert steps.to_json() == {"steps": []}
