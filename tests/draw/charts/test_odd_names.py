"""Charts of names that other programs would take for something else."""

from __future__ import annotations

import pytest

from clearwood import charts
from clearwood.draw.lettering import isolated_line
from clearwood.scoring.evaluation import ClassEvaluation

LONG = "a name that is so long that it does not stand in one line of any axis at all"


@pytest.mark.parametrize("other", ["b", LONG])
@pytest.mark.parametrize("name", ["constructor", "toString", "valueOf", "__proto__"])
def test_a_class_may_be_called_like_a_property_of_every_object(name: str, other: str) -> None:
    chart = charts.confusion(ClassEvaluation((name, other), ((3.0, 2.0), (1.0, 8.0))))
    assert f">{name}<" in chart.svg


@pytest.mark.parametrize("name", ["\ufeff", "\ufeff1"])
def test_a_name_without_a_direction_stands_as_it_is(name: str) -> None:
    assert isolated_line(name) == name
    assert charts.confusion(ClassEvaluation((name, "b"), ((3.0, 2.0), (1.0, 8.0)))).alt
