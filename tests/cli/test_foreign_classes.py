"""Classes that do not match (0 and 1 of an import, good and bad of a table) are refused, with the mapping."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SchemaError, SettingError
from clearwood.scoring.evaluation import ClassEvaluation, ForeignClassesError
from tests.cli.conftest import Command
from tests.typed import sure


def models() -> tuple[cw.Tree, cw.Tree, dict[str, list[object]]]:
    x = np.random.default_rng(0).normal(size=80)
    named: dict[str, list[object]] = {"x": x.tolist(), "y": np.where(x > 0, "good", "bad").tolist()}
    coded: dict[str, list[object]] = {"x": x.tolist(), "y": np.where(x > 0, "1", "0").tolist()}
    return (
        cw.CART().learn(cw.read_table(named, target="y")),
        cw.CART().learn(cw.read_table(coded, target="y", kinds={"y": "nominal"})),
        named,
    )


@pytest.mark.parametrize(
    "command", [("evaluate", "m.json"), ("calibration", "m.json"), ("compare", "m.json", "n.json")]
)
def test_some_rows_of_a_class_that_the_model_does_not_know_are_said(
    clearwood: Command, tmp_path: Path, command: tuple[str, ...]
) -> None:
    x = np.random.default_rng(0).normal(size=80)
    classes = np.where(x > 0, "good", "bad").astype(object)
    for name, turned in (("old.csv", classes), ("new.csv", np.where(np.arange(80) < 6, "Good", classes))):
        cells = [f'{a},{a * a},"{y}"' for a, y in zip(x, turned, strict=True)]
        (tmp_path / name).write_text("\n".join(["x,z,y", *cells, ""]))
    for saved in ("m.json", "n.json"):
        assert clearwood("fit", "old.csv", "-t", "y", "-l", "cart", "--save", saved).code == 0
    met = clearwood(*command, "new.csv").err
    assert "y: 6 rows of a class that the model does not know ('Good'): no prediction of them can" in met
    assert "If Good is good: --recode y=Good:good." in met
    assert "does not know" not in clearwood(*command, "old.csv").err
    (tmp_path / "c.toml").write_text('[[score]]\nscore = "accuracy"\nat_least = 0.5\n')
    assert (
        "6 of them of a class that the model does not know"
        in clearwood("check", "m.json", "c.toml", "new.csv").out
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("importances", "m.json"), ()),
        (("report",), ("--model", "m.json", "-o", "r.html")),
        (("decide", "m.json"), ("--positive", "bad")),
        (("distil", "m.json"), ()),
    ],
    ids=lambda part: part[0] if part else "",
)
def test_every_command_that_counts_such_rows_says_them(
    clearwood: Command, tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    x = np.random.default_rng(0).normal(size=80)
    classes = np.where(x > 0, "good", "bad").astype(object)
    for name, turned in (("old.csv", classes), ("new.csv", np.where(np.arange(80) < 6, "Good", classes))):
        cells = [f'{a},{a * a},"{y}"' for a, y in zip(x, turned, strict=True)]
        (tmp_path / name).write_text("\n".join(["x,z,y", *cells, ""]))
    assert clearwood("fit", "old.csv", "-t", "y", "-l", "cart", "--save", "m.json", "--no-judge").code == 0
    done = clearwood(*before, "new.csv", *after)
    assert done.code == 0, done.err
    assert "y: 6 rows of a class that the model does not know ('Good')" in done.err


def test_an_evaluation_says_how_many_rows_are_of_classes_that_the_model_does_not_know() -> None:
    _, coded, rows = models()
    evaluation = cw.evaluate(coded, {**rows, "y": ["0", "1", *["odd"] * 78]})
    assert "78 of them of classes that the model does not know: no prediction" in str(evaluation)


def test_no_accuracy_of_zero_is_given_for_names_that_differ() -> None:
    _, coded, rows = models()
    for table in (rows, cw.read_table(rows, target="y")):
        with pytest.raises(
            ForeignClassesError, match="predicts y as 0 and 1, and the rows have bad and good"
        ) as e:
            cw.evaluate(coded, table)
        assert e.value.advice[0].value == {"y": {"bad": "0", "good": "1"}}
        with pytest.raises(SchemaError, match="class that the model knows"):
            cw.calibration(coded, table)
    named = cw.read_table(rows, recode={"y": {"bad": "0", "good": "1"}}, target="y", kinds={"y": "nominal"})
    assert sure(ClassEvaluation, cw.evaluate(coded, named)).accuracy == 1.0


def test_models_of_other_classes_are_not_compared() -> None:
    named, coded, rows = models()
    for compare in (cw.compare_models, lambda both, rows: cw.diff(both["final"], both["xgb"], rows)):
        with pytest.raises(
            SettingError, match=r"no class is the same\. If 0 is bad and 1 is good, import"
        ) as error:
            compare({"final": named, "xgb": coded}, rows)
        assert error.value.advice[0].value == ["bad", "good"]


def test_diff_refuses_rows_of_classes_that_neither_model_knows() -> None:
    named, coded, rows = models()
    for table in (rows, cw.read_table(rows, target="y")):
        with pytest.raises(ForeignClassesError, match="predicts y as 0 and 1, and the rows have") as error:
            cw.diff(coded, coded, table)
        assert error.value.advice[0].value == {"y": {"bad": "0", "good": "1"}}
    assert cw.diff(coded, coded, {"x": rows["x"]}).rows == 80.0
    assert cw.diff(named, named, {**rows, "y": ["odd"] * 79 + ["bad"]}).rows == 80.0


def test_diff_counts_rows_of_a_class_that_one_of_the_models_knows() -> None:
    x = np.random.default_rng(0).normal(size=80)
    three = np.where(x > 1, "best", np.where(x > 0, "good", "bad"))
    before = cw.CART().learn(cw.read_table({"x": x, "y": np.where(x > 0, "good", "bad")}, target="y"))
    after = cw.CART().learn(cw.read_table({"x": x, "y": three}, target="y"))
    best = {"x": x[x > 1].tolist(), "y": three[x > 1].tolist()}
    for old, new in ((before, after), (after, before)):
        assert cw.diff(old, new, best).changed == len(best["x"])


def test_a_class_that_is_new_beside_known_ones_still_counts_as_wrong() -> None:
    _, coded, rows = models()
    rows = {**rows, "y": ["0", "1", *["odd"] * 78]}
    evaluation = cw.evaluate(coded, rows)
    assert evaluation.accuracy < 0.1  # type: ignore[union-attr]


def test_the_commands_refuse_and_predict_answers_without_judging(clearwood: Command, tmp_path: Path) -> None:
    named, coded, rows = models()
    cw.save(coded, tmp_path / "coded.json")
    cw.save(named, tmp_path / "named.json")
    data = tmp_path / "rows.csv"
    lines = [f"{x},{y}" for x, y in zip(rows["x"], rows["y"], strict=True)]
    data.write_text("\n".join(["x,y", *lines, ""]), encoding="utf-8")
    toml = tmp_path / "a.toml"
    toml.write_text('[[score]]\nscore = "accuracy"\nat_least = 0.9\n', encoding="utf-8")
    wanted = "--recode y=bad:0,good:1"
    assert wanted in clearwood("evaluate", tmp_path / "coded.json", data).err
    assert wanted in clearwood("calibration", tmp_path / "coded.json", data).err
    checked = clearwood("check", tmp_path / "coded.json", toml, data)
    assert wanted in " ".join(checked.out.split())
    assert wanted in clearwood("importances", tmp_path / "coded.json", data).err
    both = (tmp_path / "named.json", tmp_path / "coded.json")
    for command in ("compare", "diff"):
        assert "--classes bad,good" in clearwood(command, *both, data).err
    differing = clearwood("diff", tmp_path / "coded.json", tmp_path / "coded.json", data)
    assert differing.code == 2
    assert wanted in differing.err
    predicted = clearwood("predict", tmp_path / "coded.json", data)
    assert wanted in predicted.err
    assert "right" not in predicted.err
    assert len(predicted.out.splitlines()) == 81
    mended = clearwood("evaluate", tmp_path / "coded.json", data, "--recode", "y=bad:0,good:1")
    assert "1.0000" in mended.out


def test_names_are_matched_by_spelling_and_else_both_ways_are_given() -> None:
    x = np.random.default_rng(0).normal(size=40)
    rows = {"x": x.tolist(), "y": np.where(x > 0, "left", "stayed").tolist()}
    model = cw.CART().learn(cw.read_table(rows, target="y"))

    def advised(left: str, stayed: str) -> list[object]:
        with pytest.raises(ForeignClassesError) as error:
            cw.evaluate(model, {**rows, "y": np.where(x > 0, left, stayed).tolist()})
        return [each.value for each in error.value.advice if each.option == "recode"]

    assert advised("lEFT", "STAYED") == [{"y": {"lEFT": "left", "STAYED": "stayed"}}]
    assert advised("0", "1") == [
        {"y": {"0": "left", "1": "stayed"}},
        {"y": {"0": "stayed", "1": "left"}},
    ]
