"""Records are what the standard library's frozen dataclasses are."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from typing import Any

import pytest

from clearwood import records


class Day:
    wind: str
    rain: float = 0.0
    marks: dict[str, str] = dataclasses.field(default_factory=dict, hash=False)
    hours: tuple[int, ...] = dataclasses.field(default=(), compare=False, repr=False)
    notes: list[str] = dataclasses.field(default_factory=list, kw_only=True, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "wind", self.wind.lower())


def _made(by: Any) -> Any:
    return by(frozen=True, slots=True)(type("Day", (), dict(vars(Day), __module__=__name__)))


OURS, THEIRS = _made(records.dataclass), _made(dataclasses.dataclass)


@pytest.mark.parametrize(
    "say",
    [
        lambda day: repr(day("Weak", 2.0)),
        lambda day: hash(day("Weak", 2.0)),
        lambda day: day("weak") == day("WEAK", hours=(1,)),
        lambda day: day("weak") == day("strong"),
        lambda day: day("weak").__eq__("weak"),
        lambda day: dataclasses.astuple(dataclasses.replace(day("weak"), rain=1.0, notes=["n"])),
        lambda day: dataclasses.astuple(copy.deepcopy(day("weak", notes=["n"]))),
        lambda day: day("weak").notes is day("weak").notes,
        lambda day: day.__match_args__,
        lambda day: day.__slots__,
        lambda day: [(each.name, each.kind) for each in inspect.signature(day).parameters.values()],
        lambda day: inspect.signature(day).parameters["rain"].default,
        lambda day: hasattr(day("weak"), "__dict__"),
    ],
)
def test_a_record_says_what_a_frozen_dataclass_says(say: Any) -> None:
    assert say(OURS) == say(THEIRS)


@pytest.mark.parametrize("change", [lambda day: setattr(day, "rain", 1.0), lambda day: delattr(day, "rain")])
def test_a_record_does_not_change(change: Any) -> None:
    for kind in (OURS, THEIRS):
        with pytest.raises(dataclasses.FrozenInstanceError, match="field 'rain'"):
            change(kind("weak"))


@pytest.mark.parametrize("arguments", [{}, {"wind": "weak", "snow": 1}])
def test_wrong_arguments_are_refused_by_name(arguments: dict[str, Any]) -> None:
    for kind in (OURS, THEIRS):
        with pytest.raises(TypeError, match=r"wind|snow"):
            kind(**arguments)


def test_a_record_is_pickled_and_inherited_from() -> None:
    from clearwood.formulas.conditions import Equals

    condition = Equals("wind", "weak")
    assert pickle.loads(pickle.dumps(condition)) == condition
    further = dataclasses.make_dataclass("Further", [("snow", int, 0)], bases=(OURS,), frozen=True)
    assert further("weak", snow=1).snow == 1


def test_most_records_of_a_fit_are_made_without_compiling_their_comparisons() -> None:
    code = (
        "import dataclasses, sys\n"
        "from clearwood import datasets\n"
        "from clearwood.cli import run\n"
        "run(['fit', str(datasets.path('tennis')), '-t', 'PlayTennis'])\n"
        "ours = [vars(m) for n, m in list(sys.modules.items()) if n.startswith('clearwood')]\n"
        "kinds = {k for each in ours for k in each.values()\n"
        "         if isinstance(k, type) and dataclasses.is_dataclass(k) and k.__dataclass_params__.frozen}\n"
        "print(len(kinds), sum(k.__setattr__.__module__ == 'clearwood.records' for k in kinds))\n"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    every, quick = map(int, printed.splitlines()[-1].split())
    assert quick > 0.6 * every > 60
