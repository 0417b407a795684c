"""The proof asks the origin itself: it finds what was changed, and says what could not be asked."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.exporting.proof.critical_cells import around, jumps_of
from clearwood.importing.asked_origin import adversarial_groups
from clearwood.models.kinds.tree.nodes import Nodes

pytest.importorskip("sklearn")
pytest.importorskip("pandas")

from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.importing.fitted import AMOUNTS, GAPS, NUMBERS, TWO

STORED = Path(__file__).parent / "stored"


def with_nodes(tree: cw.Tree, **changed: object) -> cw.Tree:
    columns = {name: getattr(tree.nodes, name) for name in Nodes.__slots__}
    return replace(tree, nodes=Nodes(**{**columns, **changed}))


def test_a_threshold_that_is_not_moved_is_found() -> None:
    source = DecisionTreeClassifier(max_depth=3, random_state=0).fit(NUMBERS, TWO)
    model = cw.import_model(source)
    assert isinstance(model, cw.Tree)
    assert cw.prove_import(model, source, NUMBERS).holds
    # As it is printed by scikit-learn: all rows of the table are answered alike, and yet it differs.
    high, low = model.nodes.high.copy(), model.nodes.low.copy()
    for column in (high, low):
        finite = np.isfinite(column)
        column[finite] = [round(each, 6) for each in column[finite]]
    naive = with_nodes(model, high=high, low=low)
    assert cw.predict(naive, NUMBERS).tolist() == source.predict(NUMBERS).tolist()
    proof = cw.prove_import(naive, source, NUMBERS)
    assert not proof.holds
    assert proof.different
    assert f"{len(proof.different)} rows differ" in str(proof)


def test_a_share_that_is_off_by_little_is_found() -> None:
    source = DecisionTreeClassifier(max_depth=2, random_state=0).fit(NUMBERS, TWO)
    model = cw.import_model(source)
    assert isinstance(model, cw.Tree)
    proof = cw.prove_import(with_nodes(model, counts=model.nodes.counts + 1e-9), source)
    assert not proof.holds
    assert 1e-12 < proof.largest < 1e-8


def test_numbers_are_compared_relative_to_their_size() -> None:
    source = DecisionTreeRegressor(max_depth=3).fit(GAPS, AMOUNTS * 1e9)
    model = cw.import_model(source)
    assert isinstance(model, cw.Tree)
    assert cw.prove_import(model, source, GAPS).holds
    assert not cw.prove_import(with_nodes(model, counts=model.nodes.counts * [1, 1 + 1e-10, 1]), source).holds


def test_rows_that_the_origin_refuses_are_counted_with_what_it_says() -> None:
    source = GaussianNB().fit(NUMBERS, TWO)
    proof = cw.prove_import(cw.import_model(source), source, GAPS)
    assert proof.holds
    assert proof.given == int(GAPS.notna().all(axis=1).sum())
    assert proof.refused["given rows with empty cells"] == len(GAPS) - proof.given
    assert proof.because == "Input X contains NaN."
    assert "Rows that scikit-learn" in str(proof)


def test_where_nothing_could_be_asked_nothing_is_proven() -> None:
    place = STORED / "lightgbm_binary.json"
    proof = cw.prove_import(cw.import_model(place), place)
    assert not proof.holds
    assert proof.rows == 0
    assert str(proof).startswith("Not run: LightGBM ")
    assert proof.to_json()["not_run"]


def test_rows_that_hurt_lie_on_every_threshold_and_beside_it() -> None:
    model = cw.import_model(DecisionTreeClassifier(max_depth=3).fit(NUMBERS, TWO))
    groups = adversarial_groups(model)
    cells = {row["pay"] for row in groups[0].rows}
    for limit in jumps_of(model, [])["pay"]:
        assert {limit, math.nextafter(limit, 9), math.nextafter(limit, -9)} <= cells
        assert set(around(limit, single=True)) <= cells
    assert {each.what for each in groups} > {"age missing", "pay missing", "several cells missing"}
    assert any(set(row.values()) == {None} for each in groups for row in each.rows)


def answers(place: Path, lines: list[str]) -> Path:
    place.write_text("\n".join(lines) + "\n")
    return place


def test_answers_from_elsewhere_are_compared_row_by_row(tmp_path: Path) -> None:
    model = cw.import_model(DecisionTreeClassifier(max_depth=2, random_state=0).fit(NUMBERS, TWO))
    rows = NUMBERS.head(20)
    own, shares = cw.predict(model, rows).tolist(), cw.shares(model, rows).tolist()
    head = "target,probability(no),probability(yes)"
    lines = [head, *(f"{each},{no!r},{yes!r}" for each, (no, yes) in zip(own, shares, strict=True))]
    assert cw.compare_answers(model, rows, answers(tmp_path / "a.csv", lines)).holds
    wrong = [head, f"{'no' if own[0] == 'yes' else 'yes'},{shares[0][0]!r},{shares[0][1]!r}", *lines[2:]]
    assert len(cw.compare_answers(model, rows, answers(tmp_path / "b.csv", wrong)).different) == 1
    only = ["answer", *own]
    assert cw.compare_answers(model, rows, answers(tmp_path / "c.csv", only)).holds


def test_the_proof_says_what_of_the_answers_was_compared(tmp_path: Path) -> None:
    source = DecisionTreeClassifier(max_depth=2, random_state=0).fit(NUMBERS, TWO)
    model = cw.import_model(source)
    both = cw.prove_import(model, source)
    assert both.to_json()["compared"] == "classes and probabilities"
    assert "Compared: classes, and probabilities to 1e-12. Largest difference: " in str(both)
    only = answers(tmp_path / "a.csv", ["answer", *cw.predict(model, NUMBERS.head(20)).tolist()])
    classes = cw.compare_answers(model, NUMBERS.head(20), only)
    assert classes.holds
    assert classes.to_json()["compared"] == "classes"
    assert "Compared: classes alone, since the origin gives no probabilities." in str(classes)
    assert "Largest difference" not in str(classes)
    amounts = DecisionTreeRegressor(max_depth=3).fit(GAPS, AMOUNTS)
    numbers = cw.prove_import(cw.import_model(amounts), amounts)
    assert numbers.to_json()["compared"] == "numbers"
    assert "Compared: numbers to 1e-12 of their size." in str(numbers)


def test_a_tie_that_is_answered_otherwise_is_counted(tmp_path: Path) -> None:
    source = DecisionTreeClassifier().fit([[1.0], [1.0]], ["no", "yes"])
    model = cw.import_model(source, columns=["hours"])
    head = "answer,no,yes"
    proof = cw.compare_answers(
        model, [{"hours": 1.0}] * 2, answers(tmp_path / "a.csv", [head, "no,0.5,0.5", "yes,0.5,0.5"])
    )
    assert proof.holds
    assert proof.to_json()["ties"] == 1
    assert "every prediction is the same but for 1 tie." in str(proof)


def test_answers_that_do_not_fit_the_rows_are_refused(tmp_path: Path) -> None:
    model = cw.import_model(DecisionTreeClassifier(max_depth=2).fit(NUMBERS, TWO))
    with pytest.raises(SettingError, match="20 rows but 2 predictions"):
        cw.compare_answers(model, NUMBERS.head(20), answers(tmp_path / "a.csv", ["answer", "no", "yes"]))
    with pytest.raises(SettingError, match="need a column called 'target', 'answer'"):
        cw.compare_answers(model, NUMBERS.head(2), answers(tmp_path / "b.csv", ["a,b", "1,2", "1,2"]))
