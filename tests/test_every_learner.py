"""What a learner owes by being in the catalogue: each is found there and tried, none is named here."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
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
from clearwood.table.attributes import Nominal

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


def tables() -> Iterator[cw.Table]:
    """Rows with empty cells; with weights that are no whole numbers; with copies and three classes."""
    rows = table(ROWS)
    yield rows
    yield replace(rows, weights=np.linspace(0.3, 2.7, len(rows)), weights_are="counts")
    twice = table([*ROWS, *ROWS[2:9], *ROWS[:4]])
    yield twice
    third = np.arange(len(twice)) % 4 == 1
    assert isinstance(twice.schema.target, Nominal)
    schema = replace(twice.schema, target=replace(twice.schema.target, values=("no", "yes", "maybe")))
    codes = np.where(third, np.int32(2), twice.target).astype(np.int32)
    yield replace(twice, schema=schema, columns={**twice.columns, "play": codes})


def declared(rows: cw.Table, names: tuple[str, ...]) -> cw.Table:
    """The same rows with the classes declared in another order."""
    target = rows.schema.target
    assert isinstance(target, Nominal)
    codes = np.array([names.index(name) for name in target.values], dtype=np.int32)[rows.target]
    schema = replace(rows.schema, target=replace(target, values=names))
    return replace(rows, schema=schema, columns={**rows.columns, target.name: codes})


@EVERY
def test_rows_in_another_order_give_the_same_file(name: str) -> None:
    learner = LEARNERS[name].make()
    for rows in tables():
        model = learned(learner, rows)
        for seed in range(3):
            other = rows.take(np.random.default_rng(seed).permutation(len(rows)))
            assert learned(learner, other) == model


def learned(learner: Any, rows: cw.Table) -> str:
    """The model's file, or why there is none."""
    try:
        return to_json(learner.learn(rows))
    except ClearwoodError as error:
        return str(error)


@EVERY
def test_classes_declared_in_another_order_have_the_same_probabilities(name: str) -> None:
    learner = LEARNERS[name].make()
    for rows in tables():
        try:
            model = learner.learn(rows)
        except ClearwoodError as error:
            assert "weight" in str(error)  # noqa: PT017 (what takes no such weights says so)
            continue
        shares = np.asarray(cw.shares(model, rows), dtype=np.float64)
        best = shares.max(axis=1, keepdims=True)
        torn = (shares > best - 1e-9).sum(axis=1) > 1  # then the class declared first is predicted
        for names in permutations(rows.schema.classes):
            other = learner.learn(declared(rows, names))
            again = np.asarray(cw.shares(other, rows), dtype=np.float64)
            assert np.allclose(
                shares, again[:, [names.index(each) for each in rows.schema.classes]], atol=1e-9
            )
            both = zip(cw.predict(model, rows), cw.predict(other, rows), torn.tolist(), strict=True)
            assert all(one == two or tied for one, two, tied in both)


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
