"""A worksheet goes by what steps and figures say they are, never by what they are called."""

from __future__ import annotations

from dataclasses import replace

import pytest

import clearwood as cw
from clearwood.catalogue import learner_called
from clearwood.draw.derivations.sheet import later_search, sheet_of
from clearwood.draw.derivations.sheets import written_steps
from clearwood.formulas.expressions import Number, Quotient
from clearwood.working.derivation import Derivation, ForIntervals, Step
from clearwood.working.figures import Figure


def _derived(learner: str) -> Derivation:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    return cw.derive(learner_called(learner).make().learn(table), table)


def _renamed(derivation: Derivation) -> Derivation:
    names = list(dict.fromkeys(step.chapter for step in derivation))
    return replace(
        derivation,
        steps=[replace(step, chapter=f"Part {names.index(step.chapter)}") for step in derivation],
    )


@pytest.mark.parametrize("learner", ["id3", "tree-rules", "c45rules", "prism", "ila", "cn2", "ripper"])
def test_chapters_of_other_names_are_asked_alike(learner: str) -> None:
    derivation = _derived(learner)
    renamed = _renamed(derivation)
    on_sheet, still = sheet_of(derivation, None), sheet_of(renamed, None)
    assert [number for number, _ in still.steps] == [number for number, _ in on_sheet.steps]
    assert len(still.left_out) == len(on_sheet.left_out)
    one, other = (list(written_steps(each, "worksheet")) for each in (derivation, renamed))
    assert [(each.number, len(list(each.blanks()))) for each in other] == [
        (each.number, len(list(each.blanks()))) for each in one
    ]


@pytest.mark.parametrize(("learner", "chapter"), [("tree-rules", "Testing conditions"), ("id3", "Growing")])
def test_the_last_chapter_that_must_be_alone_is_the_sheet(learner: str, chapter: str) -> None:
    assert {step.chapter for _, step in sheet_of(_derived(learner), None).steps} == {chapter}


def test_intervals_are_left_out_whatever_their_ends_are_called() -> None:
    half = Quotient(Number(1), Number(2))
    ends = (Figure("least", 0.5, put_in=half, is_interval=True), Figure("interval of time", 0.5, put_in=half))
    step = Step("Counting", "How sure?", ends, "Half.")
    derivation = Derivation("By hand", [step], given=("z = 3 apples", ForIntervals("ζ = 1.96")))
    (laid_out,) = written_steps(derivation, "worksheet", intervals=False)
    assert [each.name for each in laid_out.figures] == ["Given", "interval of time"]
    assert laid_out.figures[0].remarks == ("z = 3 apples",)


def test_what_each_candidate_has_is_asked_of_all_or_of_none_whatever_it_is_called() -> None:
    def gain(of: str) -> Figure:
        return Figure(f"what {of} gains", 0.5, put_in=Quotient(Number(1), Number(2)), each_has="gain")

    alone = Figure("Gain(of all)", 0.5)
    asked, kept = later_search((gain("x"), alone), (gain("x"), gain("y")))
    assert ([each.name for each in asked], [each.name for each in kept]) == ([alone.name], ["what x gains"])
    asked, kept = later_search((gain("x"), gain("y")), (gain("x"), gain("y")))
    assert (len(asked), len(kept)) == (2, 0)
