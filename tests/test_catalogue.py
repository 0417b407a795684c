"""The catalogue: whatever is listed loads, is explained, bounded, documented, made again and derived."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from docs.catalogue import on_page_markdown

import clearwood as cw
from clearwood.bounds import Least, Within
from clearwood.catalogue import (
    ADJUSTMENTS,
    ERRORS,
    IMPURITIES,
    LEARNERS,
    PRUNERS,
    SELECTORS,
    SOURCES,
    TESTS,
    entry_of,
    learner_called,
    learner_of,
    pruner_called,
    trees,
)
from clearwood.cli import run
from clearwood.errors import ClearwoodWarning, SettingError
from clearwood.learners.trees.pruning.pruner import Pruner
from clearwood.measures.impurity import Impurity
from clearwood.models.kinds.kind import KINDS
from clearwood.registry import check, imported, settings_of
from tests.trees import tennis_table
from tests.typed import mistyped

DOCS = Path(__file__).parent.parent / "docs"
MAKERS: dict[str, Callable[..., Any]] = {
    **{name: entry.load() for name, entry in LEARNERS.items()},
    **{name: pruner.prune for name, pruner in PRUNERS.items()},
    **{name: selector.order for name, selector in SELECTORS.items()},
}


@pytest.fixture(autouse=True)
def _without_warnings() -> Iterator[None]:
    """Some learners warn of the small table they are tried on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        yield


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_loads_and_makes_the_kind_of_model_it_promises(name: str) -> None:
    entry = learner_called(name.upper())
    model = entry.make().learn(tennis_table())
    assert entry.about.endswith(".")
    assert isinstance(model, KINDS[entry.makes].model)
    assert model.origin.learner == entry.name
    assert entry_of(model.origin.learner) is not None


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_is_made_again_from_the_origin_of_its_model(name: str) -> None:
    learner = LEARNERS[name].make()
    assert learner_of(learner.learn(tennis_table()).origin) == learner


@pytest.mark.parametrize("owner", MAKERS)
def test_every_setting_has_a_meaning_and_a_bound(owner: str) -> None:
    for setting in settings_of(MAKERS[owner]).values():
        words = [each for each in setting.takes if isinstance(each, str)]
        assert setting.meaning.endswith("."), setting.name
        assert setting.bound is not None or words or setting.takes == (bool,), setting.name


@pytest.mark.parametrize("owner", MAKERS)
def test_a_meaning_names_no_other_learner(owner: str) -> None:
    meanings = " ".join(each.meaning for each in settings_of(MAKERS[owner]).values())
    assert not [other for other in LEARNERS if other != owner and f" {other}" in meanings.lower()]


@pytest.mark.parametrize("owner", MAKERS)
def test_every_setting_refuses_what_nothing_takes_and_names_itself(owner: str) -> None:
    for setting in settings_of(MAKERS[owner]).values():
        if setting.takes != (str, type(None)) and setting.takes != (type(None), str):
            with pytest.raises(SettingError, match=setting.name):
                setting.check(object())


@pytest.mark.parametrize("owner", MAKERS)
def test_the_page_of_what_there_is_tells_of_every_learner_and_pruner_and_their_settings(owner: str) -> None:
    page = on_page_markdown((DOCS / "catalogue.md").read_text(encoding="utf-8"))
    about = page.partition(f"### {owner}\n")[2].partition("\n###")[0]
    assert f"| `{owner}` |" in page
    assert all(f"| `{name}` |" in about for name in settings_of(MAKERS[owner]))


def test_the_page_of_what_there_is_lists_measures_and_files() -> None:
    page = on_page_markdown((DOCS / "catalogue.md").read_text(encoding="utf-8"))
    assert "<!--" not in page
    assert all(f"| `{name}` |" in page for name in (*IMPURITIES, *ERRORS, *SOURCES))


def test_the_page_of_tables_lists_every_kind_of_file_and_so_does_the_help(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = on_page_markdown((DOCS / "tables.md").read_text(encoding="utf-8"))
    assert run(["fit", "--help"]) == 0
    shown = capsys.readouterr().out
    for suffix in SOURCES:
        assert f"| `{suffix}` |" in page
        assert suffix in shown


def test_the_page_of_pruning_lists_every_pruner_with_its_function_and_the_rows_it_needs() -> None:
    page = on_page_markdown((DOCS / "pruning.md").read_text(encoding="utf-8"))
    for name, pruner in PRUNERS.items():
        assert f"| `{name}` | {pruner.about} | `{pruner.prune.__name__}` | {pruner.needs} |" in page


def test_the_command_lines_page_names_every_learner() -> None:
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    assert not [name for name in LEARNERS if f"`{name}`" not in page]


@pytest.mark.parametrize("name", LEARNERS)
def test_a_setting_that_cross_validation_may_choose_is_named_as_chosen(name: str) -> None:
    for setting in settings_of(LEARNERS[name].load()).values():
        for rule in (each for each in setting.takes if isinstance(each, str) and each.startswith("cv")):
            assert LEARNERS[name].chooses({setting.name: rule}), f"{setting.name}={rule}"


@pytest.mark.parametrize("name", trees())
def test_a_worksheet_knows_the_figure_that_each_attribute_of_a_split_has(name: str) -> None:
    table, entry = tennis_table(), LEARNERS[name]
    first = cw.derive(entry.make(min_rows=2).learn(table), table)[0]
    of_each = [each.name for each in first.walk() if each.each_has]
    assert len(of_each) >= len(table.schema.attributes)
    assert any(each.startswith(entry.compared_by[-1]) for each in of_each)


@pytest.mark.parametrize("name", PRUNERS)
def test_every_pruner_signs_its_ledger_and_has_steps_to_derive(name: str) -> None:
    pruner, table = PRUNERS[name], tennis_table()
    required = {each.name: 0.01 for each in settings_of(pruner.prune).values() if each.required}
    tree = cw.ID3().learn(table)
    rows = table.take(np.append(np.arange(len(table)), 0)) if pruner.needs == "fresh" else table
    ledger = pruner(tree, rows, **required).ledger
    assert pruner.about.endswith(".")
    assert ledger.pruner == name
    assert len(cw.derive_pruning(ledger, tree, rows)) > 0
    assert pruner_called(name.upper()) == name


@pytest.mark.parametrize("name", IMPURITIES)
def test_every_impurity_has_a_line_about_it_and_a_formula_that_comes_to_its_value(name: str) -> None:
    impurity = IMPURITIES[name]
    assert impurity.about.endswith(".")
    assert impurity.formula is not None
    step = cw.derive(cw.ID3(measure=name).learn(tennis_table()), tennis_table())[0]
    figure = next(each for each in step.walk() if each.name == f"{impurity.formula.sign}(S)")
    assert figure.value == pytest.approx(float(impurity(np.array([5.0, 9.0]))))


@pytest.mark.parametrize("entries", [ERRORS, TESTS, ADJUSTMENTS], ids=lambda each: each.kind)
def test_every_other_entry_loads(entries: Any) -> None:
    for name in entries:
        assert callable(entries[name]), name


@pytest.mark.parametrize("suffix", SOURCES)
def test_every_reader_loads(suffix: str) -> None:
    assert callable(SOURCES[suffix].load(f"t{suffix}"))


@pytest.mark.parametrize("name", [name for name, entry in LEARNERS.items() if entry.steps])
def test_the_steps_of_every_learner_are_where_its_entry_says(name: str) -> None:
    assert callable(imported(LEARNERS[name].steps))


def test_every_tree_can_be_compared_and_every_tree_and_rule_list_derived() -> None:
    assert all(entry.compared_by for entry in trees().values())
    assert all(entry.steps for entry in LEARNERS.values() if entry.makes in ("tree", "rules"))


def test_a_pruner_without_steps_is_refused_by_derivations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRUNERS, "chi-square", Pruner(cw.prune_chi_square, "As it was."))
    tree = cw.ID3().learn(tennis_table())
    with pytest.raises(SettingError, match="'chi-square' has no steps to derive"):
        cw.derive_pruning(cw.prune_chi_square(tree).ledger, tree)


def test_a_measure_without_a_formula_grows_trees_and_is_refused_by_derivations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(IMPURITIES, "plain", Impurity(IMPURITIES["gini"].of, "Gini without a formula."))
    tree = cw.CART(measure="plain").learn(tennis_table())
    assert tree.nodes.attribute.tolist() == cw.CART().learn(tennis_table()).nodes.attribute.tolist()
    with pytest.raises(SettingError, match="'plain' has no formula"):
        cw.derive(tree, tennis_table())


def test_a_large_table_is_told_that_a_measure_grows_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(IMPURITIES, "plain", Impurity(IMPURITIES["gini"].of, "Gini without a formula."))
    table = tennis_table().take(np.tile(np.arange(14), 2_000))
    with pytest.warns(ClearwoodWarning, match="The native code does not know the measure 'plain'"):
        cw.ID3(measure="plain", max_depth=1).learn(table)


def test_the_names_are_known_before_anything_heavy_is_loaded() -> None:
    code = "import sys, clearwood.catalogue as c; print(*c.LEARNERS, *c.PRUNERS, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == [*LEARNERS, *PRUNERS, "False"]


def test_a_setting_of_a_pruner_may_be_called_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    def prune_nothing(tree: cw.Tree, *, rows: float = 1) -> tuple[cw.Tree, float]:
        return tree, rows

    monkeypatch.setitem(PRUNERS, "none", Pruner(mistyped(prune_nothing), "Cut nothing."))
    tree = cw.ID3().learn(tennis_table())
    pruned: object = PRUNERS["none"](tree, tennis_table(), rows=3)
    assert pruned == (tree, 3)


@dataclass(frozen=True, kw_only=True)
class _Counting:
    """A learner's settings as someone new would declare them."""

    most: Annotated[int, Least(0), "How many at most."] = 3
    chosen: Annotated[int | None, Within(0, 10), "How many are chosen; none: all."] = None
    plain: Annotated[int, "Any whole number."] = -1
    part: Annotated[float, Least(0), "Any number."] = 0.5

    def __post_init__(self) -> None:
        check(self)


@pytest.mark.parametrize("name", ["most", "chosen", "plain"])
@pytest.mark.parametrize("value", [1.5, np.float64(2.5), True, False, np.True_, "3"])
def test_a_whole_setting_refuses_what_is_not_whole_whatever_its_bound(name: str, value: object) -> None:
    with pytest.raises(SettingError, match=f"{name} must be a"):
        _Counting(**{name: value})  # type: ignore[arg-type]


def test_a_whole_setting_takes_whole_numbers_of_any_kind() -> None:
    made = _Counting(most=np.int64(4), chosen=2.0, plain=-7, part=1.5)  # type: ignore[arg-type]
    assert (made.most, made.chosen, made.plain, made.part) == (4, 2, -7, 1.5)
    assert all(type(each) is int for each in (made.most, made.chosen, made.plain))
    assert _Counting().chosen is None


def test_a_parameter_without_a_type_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    def prune_nothing(tree, *, share: Annotated[float, Within(0, 1), "…"] = 0.5):  # type: ignore[no-untyped-def]
        return cw.prune_chi_square(tree, alpha=share)

    monkeypatch.setitem(PRUNERS, "mine", Pruner(prune_nothing, "One without types."))
    assert list(settings_of(prune_nothing)) == ["share"]
    assert PRUNERS["mine"](cw.ID3().learn(tennis_table()), share=0.9).tree.size > 1
