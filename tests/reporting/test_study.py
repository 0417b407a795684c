"""What a report rests on: which rows are learned from, which judge, and what is the same every time."""

from __future__ import annotations

import builtins
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import clearwood as cw
from clearwood.cli.app import program
from clearwood.reporting import on_paper
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.study.study import study_of

TENNIS = str(cw.datasets.path("tennis"))


def table_of(rows: int) -> cw.Table:
    return cw.read_table(
        {"x": [i % 7 for i in range(rows)], "y": ["p" if i % 3 else "q" for i in range(rows)]}, target="y"
    )


def run(*arguments: str) -> Any:
    return CliRunner().invoke(program(), ["report", *arguments])


def test_from_a_hundred_rows_on_a_quarter_is_held_out() -> None:
    study = study_of(cw.C45(), table_of(100))
    assert study.learned_from is not None
    assert study.held_out is not None
    assert (len(study.learned_from), len(study.held_out)) == (75, 25)
    assert study.model.origin.rows == 75


def test_with_fewer_rows_all_are_learned_and_folds_judge() -> None:
    study = study_of(cw.C45(), table_of(99))
    assert study.folds is not None
    assert (len(study.folds.folds), study.model.origin.rows) == (10, 99)


def test_the_numbers_of_the_page_are_those_of_the_model_shown() -> None:
    table = table_of(200)
    report = cw.report(table, seed=3)
    _, held = cw.hold_out(table, 0.25, 3)
    judged = cw.evaluate(report.study.model, table.take(held))
    assert isinstance(judged, ClassEvaluation)
    assert report.study.judged == judged
    assert f"{100 * judged.accuracy:.1f}\N{NO-BREAK SPACE}%" in report.html


@pytest.mark.slow
def test_the_same_table_gives_the_same_bytes() -> None:
    made = [cw.report(cw.datasets.path("tennis_numeric"), target="Play").html for _ in range(2)]
    assert made[0] == made[1]


def test_a_page_made_in_python_tells_the_call() -> None:
    html = cw.report(TENNIS, target="PlayTennis", learner=cw.ID3(min_rows=3)).html
    assert "cw.report(&#39;tennis.csv&#39;, target=&#39;PlayTennis&#39;, learner=cw.ID3(min_rows=3))" in html


@pytest.mark.slow
def test_the_command_writes_the_page_and_tells_itself_in_it(tmp_path: Path) -> None:
    pages = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        answer = run(TENNIS, "--target", "PlayTennis", "-l", "id3", "-o", str(folder / "my tennis.html"))
        assert answer.exit_code == 0, answer.output
        pages.append((folder / "my tennis.html").read_text(encoding="utf-8"))
    assert pages[0] == pages[1]
    command = "clearwood report tennis.csv --target PlayTennis --learner id3 --output 'my tennis.html'"
    assert command in unescape(pages[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        ("--prune", "reduced-error"),
        ("--learner", "cart", "--prune", "cost-complexity:alpha=0.05"),
        ("--cross-validate", "3", "--seed", "5"),
        ("--test-part", "0.3", "--title", "A title"),
        ("--learner", "exhaustive-chaid"),
        ("--learner", "cn2-unordered"),
    ],
    ids=" ".join,
)
def test_the_options_of_fit_are_those_of_a_report(tmp_path: Path, more: tuple[str, ...]) -> None:
    answer = run(TENNIS, "--target", "PlayTennis", "-o", str(tmp_path / "report.html"), *more)
    assert answer.exit_code == 0, answer.output


def test_a_saved_model_is_judged_on_other_rows() -> None:
    table = table_of(200)
    model = cw.C45().learn(table.take(cw.hold_out(table, 0.5, 1)[0]))
    report = cw.report(table, model=model)
    assert report.study.learned_from is None
    assert "learned from other rows" in report.html


def test_a_saved_model_on_its_own_rows_has_its_derivation() -> None:
    table = table_of(60)
    report = cw.report(table, model=cw.C45().learn(table))
    assert report.study.judged is None
    assert 'data-live="steps"' in report.html


@pytest.mark.slow
def test_a_saved_model_comes_by_the_command_line(tmp_path: Path) -> None:
    place = tmp_path / "model.json"
    cw.save(cw.ID3().learn(cw.read_table(TENNIS, target="PlayTennis")), place)
    answer = run(TENNIS, "--model", str(place), "-o", str(tmp_path / "report.html"))
    assert answer.exit_code == 0, answer.output
    refused = run(TENNIS, "--model", str(place), "--learner", "id3", "-o", str(tmp_path / "report.html"))
    assert isinstance(refused.exception, cw.errors.SettingError)
    assert "--learner is for learning" in str(refused.exception)


def test_a_name_that_is_neither_html_nor_pdf_is_refused(tmp_path: Path) -> None:
    with pytest.raises(cw.errors.SettingError, match="html"):
        cw.report(TENNIS, target="PlayTennis").save(tmp_path / "report.docx")


def test_without_a_browser_a_pdf_is_refused_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(on_paper, "_PLACES", ())
    with pytest.raises(cw.errors.SourceError, match=r"Write the report as \.html"):
        cw.report(TENNIS, target="PlayTennis").save(tmp_path / "report.pdf")


@pytest.mark.slow
@pytest.mark.usefixtures("browser")
def test_a_browser_prints_the_report(tmp_path: Path) -> None:
    place = cw.report(TENNIS, target="PlayTennis", learner=cw.ID3()).save(tmp_path / "report.pdf")
    assert place.read_bytes().startswith(b"%PDF")


def test_without_the_extra_for_pictures_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "vl_convert":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(cw.errors.MissingExtraError, match=r"clearwood\[pictures\]"):
        cw.report(TENNIS, target="PlayTennis")


def test_a_large_tree_tells_of_its_weightiest_nodes_only() -> None:
    table = cw.read_table(TENNIS, target="PlayTennis")
    tree = cw.ID3().learn(table)
    all_of_it, some = cw.derive(tree, table), cw.derive(tree, table, nodes=[0, 5])
    assert [step.node for step in some] == [0, 5]
    assert [step.title for step in some] == [all_of_it[0].title, all_of_it[5].title]


def test_a_pruned_tree_tells_of_the_places_that_are_left() -> None:
    rows = {
        "x": [(i * 37) % 101 for i in range(400)],
        "y": ["p" if (i * 53) % 7 < 3 else "q" for i in range(400)],
    }
    table = cw.read_table(rows, target="y")
    for learner in (cw.C45(min_rows=1), cw.CART(alpha=0.004)):
        tree = learner.learn(table)
        whole, left = cw.derive(tree, table), cw.derive(tree, table, nodes=range(tree.size))
        texts = [step.title for step in whole if step.node is not None or step.title == "The price of a leaf"]
        assert [step.title for step in left] == texts
