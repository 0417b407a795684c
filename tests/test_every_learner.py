"""What a learner owes by being in the catalogue: each is found there and tried, none is named here."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood import estimators
from clearwood.catalogue import LEARNERS
from clearwood.cli import run
from clearwood.errors import ClearwoodError, ClearwoodWarning
from clearwood.models.files import from_json, to_json

EVERY = pytest.mark.parametrize("name", LEARNERS)
ROWS: list[dict[str, Any]] = [
    {"sky": sky, "wind": wind, "warmth": warmth, "play": play}
    for sky, wind, warmth, play in zip(
        ["sun", "sun", "rain", "rain", "cloud", "cloud", None, "sun", "rain", "cloud", "sun", "rain"],
        [
            "weak",
            "strong",
            "weak",
            None,
            "strong",
            "weak",
            "weak",
            "weak",
            "strong",
            "strong",
            "weak",
            "weak",
        ],
        [21.0, 30.5, 12.0, 9.5, None, 18.0, 25.0, 28.0, 7.5, 15.0, 23.0, 11.0],
        ["yes", "no", "yes", "no", "yes", "yes", "no", "yes", "no", "yes", "yes", "no"],
        strict=True,
    )
]


@pytest.fixture(autouse=True)
def _few_rows_are_remarked_upon() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        yield


def table(rows: list[dict[str, Any]], **more: Any) -> cw.Table:
    return cw.read_table(rows, target="play", **more)


def learn(name: str, rows: cw.Table) -> Any:
    return LEARNERS[name].make().learn(rows)


def body(model: Any) -> Any:
    """What a model says, without where it came from."""
    return json.loads(to_json(model))["body"]


@EVERY
def test_one_row_and_one_class_are_learned_or_refused_in_a_sentence(name: str) -> None:
    for rows in (ROWS[:1], [row for row in ROWS if row["play"] == "yes"]):
        try:
            model = learn(name, table(rows))
        except ClearwoodError as error:
            assert str(error).endswith(".")  # noqa: PT017 (a refusal is as good as a model)
        else:
            assert list(cw.predict(model, table(rows))) == ["yes"] * len(rows)


@EVERY
def test_no_rows_are_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(ClearwoodError, match=r"\.$"):
        learn(name, table(ROWS).take(np.array([], dtype=np.int64)))


@EVERY
def test_missing_and_unseen_cells_are_answered_and_shares_sum_to_one(name: str) -> None:
    model = learn(name, table(ROWS))
    odd = [{"sky": None, "wind": None, "warmth": None}, {"sky": "hail", "wind": "gale", "warmth": 1e9}]
    assert all(answer in ("yes", "no", None) for answer in cw.predict(model, odd))
    shares = np.asarray(cw.shares(model, odd), dtype=np.float64)
    assert shares.shape == (2, 2)
    assert np.allclose(shares[~np.isnan(shares).any(axis=1)].sum(axis=1), 1.0)


@EVERY
def test_a_row_by_itself_is_answered_as_among_others(name: str) -> None:
    model = learn(name, table(ROWS))
    one = cw.row_predictor(model)
    cells = [{key: value for key, value in row.items() if key != "play"} for row in ROWS]
    assert [one(row) for row in cells] == list(cw.predict(model, cells))


@EVERY
def test_a_weight_of_two_is_a_row_twice_and_of_none_a_row_left_out(name: str) -> None:
    weights = [2, 1, 1, 0, 1, 2, 1, 1, 3, 1, 0, 1]
    weighed = [{**row, "n": weight} for row, weight in zip(ROWS, weights, strict=True)]
    repeated = [row for row, weight in zip(ROWS, weights, strict=True) for _ in range(weight)]
    kinds = {"sky": "nominal", "wind": "nominal", "warmth": "numeric"}
    try:
        one = learn(name, table(weighed, weight="n", kinds=kinds))
    except ClearwoodError as error:
        assert "weight" in str(error)  # noqa: PT017 (what takes no weights says so)
        return
    two = learn(name, table(repeated, kinds=kinds))
    cells = [{key: value for key, value in row.items() if key != "play"} for row in ROWS]
    assert list(cw.predict(one, cells)) == list(cw.predict(two, cells))


@EVERY
def test_the_same_table_gives_the_same_model(name: str) -> None:
    assert body(learn(name, table(ROWS))) == body(learn(name, table(ROWS)))


@EVERY
def test_rows_in_another_order_are_answered_alike_unless_the_learner_draws_some(name: str) -> None:
    learner, rows = LEARNERS[name].make(), table(ROWS)
    if hasattr(learner, "seed") or isinstance(learner, cw.ILA):
        pytest.skip("it draws rows, or takes the first of equal descriptions as they appear")
    turned = rows.take(np.arange(len(rows))[::-1].copy())
    first, second = (
        np.asarray(cw.shares(learner.learn(each), rows), dtype=np.float64) for each in (rows, turned)
    )
    assert np.allclose(first, second, rtol=1e-6, atol=1e-9, equal_nan=True)


@EVERY
def test_a_model_comes_back_from_its_file_as_it_was(name: str) -> None:
    model = learn(name, table(ROWS))
    again = from_json(to_json(model))
    assert again == model
    assert again.origin == model.origin


@pytest.mark.slow
@EVERY
def test_a_model_explains_draws_and_reports_itself(name: str, tmp_path: Path) -> None:
    rows = table(ROWS)
    model = learn(name, rows)
    assert str(model)
    assert str(cw.explain(model, {"sky": "sun", "wind": "weak", "warmth": 20.0}))
    assert cw.picture(model).svg.startswith("<svg")
    page = cw.report(rows, model=model).save(tmp_path / "report.html")
    assert "</html>" in Path(page).read_text(encoding="utf-8")


@EVERY
def test_a_model_shows_how_it_was_computed(name: str) -> None:
    rows = table(ROWS)
    steps = cw.derive(learn(name, rows), rows)
    assert len(steps) > 0
    assert str(steps)


@EVERY
def test_the_command_line_fits_it_and_lists_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, model = tmp_path / "days.csv", tmp_path / "model.json"
    lines = [",".join("" if cell is None else str(cell) for cell in row.values()) for row in ROWS]
    file.write_text("\n".join([",".join(ROWS[0]), *lines]), encoding="utf-8")
    assert run(["fit", str(file), "--target", "play", "--learner", name, "--save", str(model)]) == 0
    assert cw.load(model).origin.learner == LEARNERS[name].name
    capsys.readouterr()
    assert run(["learners", name]) == 0
    assert LEARNERS[name].about.split()[0] in capsys.readouterr().out


@EVERY
def test_it_has_an_estimator(name: str) -> None:
    kind = LEARNERS[name].load()
    offered = [getattr(estimators, each) for each in estimators.__all__]
    assert any(issubclass(kind, each.LEARNER) for each in offered if hasattr(each, "LEARNER"))
