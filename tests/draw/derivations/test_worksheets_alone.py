"""A worksheet suffices to solve it and answers none of its questions, for every learner on every table."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import cache, lru_cache

import pytest

from clearwood import datasets
from clearwood.catalogue import LEARNERS
from clearwood.cli.learning import named_recipe
from clearwood.deriving.deriving import derive
from clearwood.draw.derivations import write_derivation
from clearwood.draw.derivations.sheet import Blank, WrittenFigure, WrittenStep
from clearwood.draw.derivations.sheets import written_steps
from clearwood.errors import ClearwoodError, ClearwoodWarning, SettingError
from clearwood.formulas.expressions import letters_in
from clearwood.table import read_table
from clearwood.working.derivation import BecameSplit, Derivation

pytestmark = pytest.mark.slow


# Of the scope of the module: all questions about one sheet are asked one after another, and it is made once.
ON_EVERY_TABLE = pytest.mark.parametrize(
    ("learner", "data"),
    [(learner, data) for learner in LEARNERS for data in datasets.TARGETS],
    scope="module",
)


@cache
def derived(learner: str, data: str) -> Derivation:
    table = read_table(datasets.path(data), target=datasets.TARGETS[data])
    settings = ["min_rows=2", "min_leaf=1"] if "chaid" in learner else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        try:
            return derive(named_recipe(learner, settings, (), None).learn(table), table)
        except ClearwoodError as refused:
            pytest.skip(str(refused))


@lru_cache(maxsize=4)
def worksheet_of(learner: str, data: str) -> tuple[WrittenStep, ...]:
    return tuple(written_steps(derived(learner, data), "worksheet"))


def figures_of(figures: tuple[WrittenFigure, ...]) -> Iterator[WrittenFigure]:
    for each in figures:
        yield each
        yield from figures_of(each.under)


def sentences_in(step: WrittenStep) -> Iterator[str]:
    """All that a step of a sheet says outside grids and formulas, but for what is given with it."""
    yield step.title
    for each in figures_of(step.figures):
        if each.name not in ("The table", "Given", "On other sheets"):
            yield each.name
            yield from each.remarks


@ON_EVERY_TABLE
def test_no_value_that_is_asked_stands_on_the_sheet(learner: str, data: str) -> None:
    derivation = derived(learner, data)
    sheet = write_derivation(derivation, detail="worksheet", digits=12)
    key = write_derivation(derivation, detail="worksheet", answers=True, digits=12)
    hidden = set(re.findall(r"≈ (−?[\d,]+\.\d{6,})", key))
    assert not [value for value in hidden if value in sheet]


@ON_EVERY_TABLE
def test_no_name_tells_the_class_that_is_asked(learner: str, data: str) -> None:
    for step in worksheet_of(learner, data):
        words = {
            equation.value
            for figure in figures_of(step.figures)
            if figure.name == "prediction"
            for blank in figure.blanks()
            for equation in blank.hides
        }
        named = {each.name for each in figures_of(step.figures)}
        assert not [word for word in words if f"P({word})" in named]


@ON_EVERY_TABLE
def test_no_step_names_the_branch_that_an_earlier_one_asks_for(learner: str, data: str) -> None:
    derivation, chosen = derived(learner, data), set[str]()
    for step in worksheet_of(learner, data):
        assert not [text for text in sentences_in(step) for each in chosen if each in text]
        outcome = derivation[step.number - 1].outcome
        if isinstance(outcome, BecameSplit):
            chosen |= {str(each) for each in outcome.branches}


@ON_EVERY_TABLE
def test_every_split_asks_for_the_same_candidates_as_the_first(learner: str, data: str) -> None:
    derivation = derived(learner, data)
    by_split: list[list[tuple[str, int]]] = []
    for step in worksheet_of(learner, data):
        if isinstance(derivation[step.number - 1].outcome, BecameSplit):
            gains = (
                each for each in figures_of(step.figures) if each.name.startswith(("Gain(", "Decrease("))
            )
            by_split.append(
                [
                    (each.name, len(each.equations))
                    for each in gains
                    if each.equations and "≤" not in each.name
                ]
            )
    for later in by_split[1:]:
        of_first = [each for each in by_split[0] if re.fullmatch(r"(Gain|Decrease)\([^=]*\)", each[0])]
        assert [name for name, _ in later] == [name for name, _ in of_first if name in dict(later)]
        assert len({count for _, count in later}) <= 1


@ON_EVERY_TABLE
def test_the_table_is_on_the_sheet(learner: str, data: str) -> None:
    first = worksheet_of(learner, data)[0]
    grid = next(each for each in first.figures if each.name == "The table").grids[0]
    table = read_table(datasets.path(data), target=datasets.TARGETS[data])
    assert len(grid.rows) == len(table)
    assert set(grid.columns) == {"row", datasets.TARGETS[data], *(each.name for each in table.schema.inputs)}


@ON_EVERY_TABLE
def test_every_letter_is_defined_where_it_is_first_used(learner: str, data: str) -> None:
    defined = set[str]()
    for step in worksheet_of(learner, data):
        for figure in figures_of(step.figures):
            defined |= {f"{each.name}_{each.below}" if each.below else each.name for each in figure.letters}
            used = {
                str(letter)
                for equation in figure.equations
                if not isinstance(equation.value, str | Blank)
                for letter in letters_in(equation.value)
            }
            short = {each for each in used if re.fullmatch(r"[A-Za-zα-ω]{1,2}(_\w{1,5})?", each)}
            assert short - defined <= {"π"}, figure.name


def test_a_gain_comes_after_its_entropies_and_each_is_asked_once() -> None:
    sheet = write_derivation(derived("id3", "tennis"), detail="worksheet", width=200)
    step = sheet[: sheet.index("\n2. ")]
    for value in ("Sunny", "Overcast", "Rainy"):
        entropy = f"H(Outlook = {value}) = "
        assert step.count(entropy) == 1
        assert step.index(entropy) < step.index("Gain(Outlook) = ")
    assert not re.search(r"Outlook = Sunny +3 +2 +5 +\S", step)


def test_intervals_can_be_left_out() -> None:
    derivation = derived("id3", "tennis")
    assert "interval from" in write_derivation(derivation, detail="worksheet")
    assert "interval" not in write_derivation(derivation, detail="worksheet", intervals=False)


def test_given_are_only_settings_that_are_used() -> None:
    sheet = write_derivation(derived("bayes", "tennis"), detail="worksheet", width=200)
    given = sheet[sheet.index("Given\n") :].split("\n")[1].strip()
    assert given == "smoothing = laplace"
    assert "floor" in write_derivation(derived("bayes", "tennis_numeric"), detail="worksheet", width=200)


def test_blanks_from_eleven_on_are_numbered_in_plain_letters() -> None:
    sheet = write_derivation(derived("id3", "tennis"), detail="worksheet")
    assert "⑩ ____" in sheet
    assert "(11) ____" in sheet
    assert not re.search("[⑪-⑳㉑-㊿]", sheet)


def test_the_sheet_of_rules_read_from_a_tree_begins_with_their_tests() -> None:
    sheet = write_derivation(derived("tree-rules", "tennis_numeric"), detail="worksheet")
    assert len(re.findall("____ *$", sheet[: sheet.index("χ²(")], re.M)) < 10
    assert "On other sheets" in sheet
    pruning = write_derivation(derived("tree-rules", "tennis_numeric"), detail="worksheet", chapter="Pruning")
    assert "Prune the split on Humidity" in pruning


def test_a_chapter_that_there_is_not_is_refused_by_name() -> None:
    with pytest.raises(SettingError, match=r"No chapter 'Growin'. Did you mean 'Growing'"):
        write_derivation(derived("id3", "tennis"), detail="worksheet", chapter="Growin")


def test_a_slice_of_a_derivation_is_one() -> None:
    derivation = derived("id3", "tennis")
    part = derivation[1:3]
    assert len(part) == 2
    assert part.title == derivation.title
    assert part[0].title == derivation[1].title
    assert "Outlook = Overcast" in write_derivation(part)
