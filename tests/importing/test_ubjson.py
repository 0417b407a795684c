"""XGBoost's UBJSON is the model of its JSON, and a damaged file is refused in a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodError, ModelFileError
from clearwood.importing.importer import Content
from clearwood.importing.strict_files import ubjson_in
from clearwood.models.files import to_json

STORED = Path(__file__).parent / "stored"
BINARY = (STORED / "xgboost_binary.ubj").read_bytes()


@pytest.mark.parametrize("name", ["xgboost_binary", "xgboost_classes"])
def test_both_forms_of_a_file_are_one_model(name: str) -> None:
    binary, text = (cw.import_model(STORED / f"{name}{suffix}") for suffix in (".ubj", ".json"))
    one, other = json.loads(to_json(binary)), json.loads(to_json(text))
    for each in (one, other):
        del each["origin"]
    assert one == other


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"[$d#i\x01\x3f\x00\x00\x00", [0.5]),
        (b"[$L#U\x02" + b"\xff" * 8 + b"\x00" * 7 + b"\x09", [-1, 9]),
        (b"[#I\x00\x02TZ", [True, None]),
        (b"[i\x05SL" + b"\x00" * 7 + b"\x02\xc3\xa9]", [5, "é"]),
        (b"{}", {}),
        (b"D\x3f\xf0" + b"\x00" * 6, 1.0),
    ],
)
def test_values_of_every_kind_are_read(data: bytes, value: object) -> None:
    assert ubjson_in(Content(b"{i\x01a" + data + b"}", "here")) == {"a": value}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"{i\x01a[$d#L\x7f" + b"\xff" * 7, "the file is cut off"),
        (b"{i\x01a[#L\x7f" + b"\xff" * 7, "the file is cut off"),
        (b"{i\x01a[$Z#i\x02}", "an array of b'Z' is not read here"),
        (b"{i\x01a[$d}", "an array of one type has a count"),
        (b"{$i#i\x01i\x01a\x05}", "an object with a type or a count"),
        (b"{i\xffa", "a length is at least 0, not -1"),
        (b"{i\x01\xff", "a text is not UTF-8"),
        (b"{d", "a length is a whole number"),
        (b"{i\x01aH", "no value begins with b'H'"),
        (b"{i\x01aTi\x01aT}", "'a' is there twice"),
        (b"{}x", "1 bytes follow"),
        (b"{i\x01a" + b"[" * 100, "nested deeper than 64"),
        (b"T", "the model must be an object"),
    ],
)
def test_what_is_no_ubjson_is_refused_with_its_place(data: bytes, sentence: str) -> None:
    with pytest.raises(ModelFileError, match=sentence):
        ubjson_in(Content(data, "here"))


def test_a_file_that_ends_anywhere_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "model.ubj"
    for end in range(0, len(BINARY), 83):
        place.write_bytes(BINARY[:end])
        with pytest.raises(ModelFileError):
            cw.import_model(place)


def test_a_file_with_bytes_changed_is_refused_or_answers(tmp_path: Path) -> None:
    draw, place = Random(0), tmp_path / "model.ubj"
    refused = 0
    for _ in range(60):
        data = bytearray(BINARY)
        for _ in range(draw.choice((1, 1, 3))):
            data[draw.randrange(len(data))] = draw.randrange(256)
        place.write_bytes(bytes(data))
        try:
            cw.predict(cw.import_model(place), [{"a": 1.0, "b": None, "c": 0.0, "d": "u"}])
        except ClearwoodError:
            refused += 1
    assert 10 < refused < 60


def with_attributes(name: str, folder: Path, **attributes: str) -> Path:
    data = json.loads((STORED / name).read_text())
    data["learner"]["attributes"] = attributes
    (folder / name).write_text(json.dumps(data))
    return folder / name


def test_the_file_of_a_wrapper_answers_by_the_best_round_and_that_of_a_booster_by_all(tmp_path: Path) -> None:
    name = "xgboost_binary.json"
    whole = cw.import_model(STORED / name)
    booster = cw.import_model(with_attributes(name, tmp_path, best_iteration="0"))
    wrapper = cw.import_model(with_attributes(name, tmp_path, best_iteration="0", scikit_learn="{}"))
    assert isinstance(whole, cw.Ensemble)
    assert isinstance(booster, cw.Ensemble)
    assert isinstance(wrapper, cw.Ensemble)
    assert (booster.size, wrapper.size) == (whole.size, 1)
    with pytest.raises(ModelFileError, match="best_iteration must be"):
        cw.import_model(with_attributes(name, tmp_path, best_iteration="-2", scikit_learn="{}"))


def test_xgboost_itself_answers_its_ubjson_alike(tmp_path: Path) -> None:
    xgboost = pytest.importorskip("xgboost")
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(200, 3)).round(2)
    target = (rows[:, 0] > 0.3).astype(int)
    place = tmp_path / "model.ubj"
    wrapper = xgboost.XGBClassifier(n_estimators=30, max_depth=2, n_jobs=1, early_stopping_rounds=2)
    wrapper.fit(rows[:120], target[:120], eval_set=[(rows[120:], target[120:])], verbose=False)
    wrapper.save_model(place)
    model = cw.import_model(place)
    assert cw.prove_import(model, place).holds
    ours = cw.shares(model, [dict(zip(("x0", "x1", "x2"), row, strict=True)) for row in rows.tolist()])
    assert np.abs(ours - wrapper.predict_proba(rows)).max() <= 1e-6
