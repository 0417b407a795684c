"""A letter's meaning belongs to the formula that uses it, and stands where the formula does."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

import clearwood as cw
from clearwood import datasets
from clearwood.catalogue import IMPURITIES, LEARNERS
from clearwood.cli.learning import named_recipe
from clearwood.draw.derivations import write_derivation
from clearwood.draw.derivations.sheet import WrittenFigure
from clearwood.draw.derivations.sheets import Detail, written_steps
from clearwood.errors import ClearwoodError, ClearwoodWarning
from clearwood.formulas.expressions import Expression, letters_in
from clearwood.working.derivation import Derivation
from clearwood.working.figures import Figure

# Words say themselves what they mean; so do P(…), π and an ellipsis.
WORD = re.compile(r"[^\W\d_]{4,}.*|.*\w\W+\w.*|π|…|abs", re.S)


def is_word(name: str) -> bool:
    return WORD.fullmatch(name.removesuffix("(…)")) is not None


def test_no_formula_in_the_source_uses_a_letter_without_its_meaning() -> None:
    bare = []
    for path in sorted(Path(cw.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            first = node.args[0]
            if node.func.id != "Symbol" or not isinstance(first, ast.Constant):
                continue
            has_meaning = len(node.args) > 2 or any(each.arg == "means" for each in node.keywords)
            if not has_meaning and (len(node.args) > 1 or not is_word(str(first.value))):
                bare.append(f"{path.name}:{node.lineno} {first.value!r}")
    assert not bare


def texts() -> cw.Table:
    rows = {
        "text": ["cheap cheap pills", "lunch at noon", "cheap lunch", "see you at lunch"] * 3,
        "kind": ["spam", "ham", "spam", "ham"] * 3,
    }
    return cw.read_table(rows, target="kind", kinds={"text": "text"})


def missing() -> cw.Table:
    colours = ["red", None, "blue", "blue", "red", "green"] * 5
    sizes = [1.0, 2.0, None, 4.0, 5.0, 6.0] * 5
    return cw.read_table({"colour": colours, "size": sizes, "y": list("aababb") * 5}, target="y")


def numbers() -> cw.Table:
    prices = [10.0, 12.5, 30.0, 31.0, 50.5, 49.0] * 5
    return cw.read_table({"kind": list("abcabc") * 5, "size": [*range(30)], "price": prices}, target="price")


TABLES: dict[str, Callable[[], cw.Table]] = {
    **{each: partial(cw.read_table, datasets.path(each), target=of) for each, of in datasets.TARGETS.items()},
    "texts": texts,
    "missing cells": missing,
    "numbers": numbers,
}
SETTINGS: dict[str, list[list[str]]] = {
    "bayes": [["numeric=kernel"], ["numeric=kernel", "bandwidth=range"], ["smoothing=2"], ["smoothing=0"],
              ["text=bernoulli"], ["text=complement"], ["text=multinomial", "alpha=0"]],
    "chaid": [["min_rows=2", "min_leaf=1"], ["min_rows=2", "min_leaf=1", "exhaustive=yes"]],
    "cart": [["alpha=0.01"], ["alpha=1se"], ["measure=entropy"], ["measure=error"], ["measure=absolute"]],
    "c45": [["confidence_table=quinlan"]],
    "cn2": [["measure=entropy"], ["measure=wracc"]],
    "boosting": [["l1=0.1"], ["loss=absolute"], ["loss=poisson"]],
    "adaboost": [["rate=0.5"]],
    "forest": [["measure=entropy"]],
}  # fmt: skip


@cache
def table_of(name: str) -> cw.Table:
    return TABLES[name]()


def derivations(learner: str) -> Iterator[tuple[str, Derivation]]:
    """Of a learner on every table that it takes, as set and otherwise, with the answer to a row."""
    for settings in [[], *SETTINGS.get(learner, [])]:
        recipe = named_recipe(learner, settings, (), None)
        for name in TABLES:
            table = table_of(name)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ClearwoodWarning)
                try:
                    model = recipe.learn(table)
                    yield f"{settings} {name}", cw.derive(model, table)
                    row = {each.name: cell_of(table, each.name) for each in table.schema.inputs}
                    yield f"{settings} {name}, a row", cw.derive(model, row=row)
                except ClearwoodError:
                    continue


def cell_of(table: cw.Table, column: str) -> Any:
    cell = table.columns[column][0]
    values = getattr(next(each for each in table.schema.inputs if each.name == column), "values", None)
    return values[int(cell)] if values else cell.item() if hasattr(cell, "item") else cell


def figures_in(derivation: Derivation) -> Iterator[Figure]:
    for step in derivation:
        for figure in step.walk():
            yield figure
            yield from figure.in_grids()


def check_that_every_letter_of_a_formula_has_one_meaning(formula: Expression) -> None:
    meanings: dict[str, set[str]] = {}
    for letter in letters_in(formula):
        assert letter.means or (is_word(str(letter)) and not letter.symbol.below), (str(letter), formula)
        meanings.setdefault(str(letter), set()).add(letter.means)
    assert all(len(each) == 1 for each in meanings.values()), meanings


@pytest.mark.parametrize("name", IMPURITIES)
def test_every_letter_of_a_measure_has_a_meaning(name: str) -> None:
    written = IMPURITIES[name].formula
    assert written is not None
    assert all(letter.means for letter in letters_in(written.formula))


def walked(figures: tuple[WrittenFigure, ...]) -> Iterator[WrittenFigure]:
    """In the order in which they are written."""
    for each in figures:
        yield each
        yield from walked(each.under)


def check_that_each_meaning_stands_once_before_it_is_needed(
    where: str, derivation: Derivation, detail: Detail
) -> None:
    """At any formula, the last meaning written of each of its letters is the formula's own."""
    now: dict[str, str] = {}
    for step in written_steps(derivation, detail):
        for figure in walked(step.figures):
            formulas = [each.value for each in figure.equations[:1]]
            defined = {f"{each.name}_{each.below}" if each.below else each.name: each.means
                       for each in figure.letters}  # fmt: skip
            assert all(now.get(name) != means for name, means in defined.items()), (where, defined)
            now |= defined
            for formula in formulas:
                if isinstance(formula, str) or type(formula).__name__ == "Blank":
                    continue
                for letter in letters_in(formula):  # type: ignore[arg-type]
                    if letter.means:
                        assert now[letter.name] == letter.means, (where, figure.name)


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS)
def test_letters_have_one_meaning_in_a_formula_written_once_before_it_is_needed(learner: str) -> None:
    formulas: dict[str, Expression] = {}
    for where, derivation in derivations(learner):
        for figure in figures_in(derivation):
            if figure.formula is not None:
                formulas.setdefault(repr(figure.formula), figure.formula)
        for detail in ("full", "worksheet"):
            check_that_each_meaning_stands_once_before_it_is_needed(where, derivation, detail)
    assert formulas
    for formula in formulas.values():
        check_that_every_letter_of_a_formula_has_one_meaning(formula)


def full(learner: str, data: str, settings: list[str] | None = None, **options: Any) -> str:
    table = table_of(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        model = named_recipe(learner, settings or [], (), None).learn(table)
    return " ".join(write_derivation(cw.derive(model, table), **options).split())


def test_p_is_a_p_value_where_chaid_corrects_it() -> None:
    text = full("chaid", "tennis", ["min_rows=2", "min_leaf=1"])
    assert "where p is the p-value of the test before the correction, B is the Bonferroni factor" in text
    assert "the number of rows of the class" not in text


def test_n_of_a_gain_in_the_rules_of_a_tree_is_the_number_of_rows() -> None:
    text = full("tree-rules", "tennis")
    gain = text[text.index("Gain(Outlook) = ") :]
    assert "n is the number of rows here" in gain[:2000]
    assert "p is the proportion of the predicted class" in text


def test_counts_of_words_are_of_words() -> None:
    model = cw.NaiveBayes(text="multinomial").learn(texts())
    text = " ".join(write_derivation(cw.derive(model, row={"text": "cheap lunch"})).split())
    assert "n is how often the word occurs in the texts of the class" in text
    assert "N is the number of words in the texts of the class, each as often as it occurs" in text
    assert "V is the size of the vocabulary" in text
    assert "things" not in text


def test_what_a_sheet_gives_is_named_by_its_setting_where_no_formula_has_a_letter_for_it() -> None:
    assert cw.derive(cw.GAM(bags=3).learn(missing())).given[0] == "bags = 3"


def test_meanings_are_set_as_mathematics() -> None:
    html, latex = (full("id3", "tennis", format=each) for each in ("html", "latex"))
    assert "<math><msub><mi>n</mi><mi>c</mi></msub></math> is the number of rows of class c" in html
    assert "${n}_{c}$ is the number of rows of class c" in latex
    for text in (html, latex, full("adaboost", "tennis", format="html")):
        assert not re.search(
            r"[a-zA-Z](\\?_|\\textasciicircum|\^)[a-z]\b(?![^<]*>)", re.sub(r"\$[^$]*\$", "", text)
        )
