"""LightGBM's and XGBoost's models answer stored rows as their origin did, and as it does where installed.

The files in `stored` were written by LightGBM 4.7.0 and XGBoost 3.2.0, with their answers to rows on the
thresholds and beside them, some with empty cells or values never met.
"""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ModelFileError
from clearwood.importing.asked_origin import SINGLE_BOUND

STORED = Path(__file__).parent / "stored"
FILES = sorted(each for each in STORED.iterdir() if each.suffix in (".txt", ".json", ".ubj"))
CLASSES = ["maybe", "no", "yes"]


def stored(place: Path) -> tuple[list[dict[str, Any]], np.ndarray[Any, np.dtype[np.float64]]]:
    with (STORED / f"{place.stem}_answers.csv").open(newline="") as file:
        head, *lines = csv.reader(file)
    names = [name for name in head if not name.startswith("share of") and name != "answer"]
    rows = [
        {
            n: (cell if n == "d" else float(cell)) if cell else None
            for n, cell in zip(names, line, strict=False)
        }
        for line in lines
    ]
    return rows, np.array([[float(cell) for cell in line[len(names) :]] for line in lines])


@pytest.mark.parametrize("place", FILES, ids=lambda each: each.name)
def test_a_stored_model_answers_as_its_origin_did(place: Path) -> None:
    model = cw.import_model(place)
    rows, theirs = stored(place)
    assert len(rows) > 200
    bound = SINGLE_BOUND if place.stem.startswith("xgboost") else 1e-12
    if model.is_numeric:
        ours = np.asarray(cw.predict(model, rows), dtype=np.float64)
        assert (np.abs(ours - theirs[:, 0]) <= bound * (1 + np.abs(theirs[:, 0]))).all()
    else:
        assert np.abs(cw.shares(model, rows) - theirs).max() <= bound


def test_the_text_and_the_dump_of_lightgbm_are_the_same_model() -> None:
    for place in STORED.glob("lightgbm*.txt"):
        text, dump = cw.import_model(place), cw.import_model(place.with_suffix(".json"))
        assert isinstance(text, cw.Ensemble)
        assert isinstance(dump, cw.Ensemble)
        assert text.trees is not None
        assert dump.trees is not None
        assert text.schema == dump.schema
        assert text.trees.nodes.attribute.tolist() == dump.trees.nodes.attribute.tolist()
        assert text.trees.nodes.counts[:, 1].tolist() == pytest.approx(dump.trees.nodes.counts[:, 1].tolist())


def test_categories_and_classes_have_their_names() -> None:
    model = cw.import_model(STORED / "xgboost_classes.json", classes=CLASSES, target="answer")
    assert model.schema["d"] == cw.Nominal("d", ("u", "v", "w"))
    assert model.schema.target == cw.Nominal("answer", ("maybe", "no", "yes"))
    assert cw.import_model(STORED / "lightgbm_classes.txt").schema["d"] == cw.Nominal("d", ("u", "v", "w"))


def test_zero_goes_the_way_of_missing_where_lightgbm_was_told_so() -> None:
    model = cw.import_model(STORED / "lightgbm_zero_as_missing.txt")
    rows = [{"a": each, "b": 0.3, "c": 1.0, "d": "u"} for each in (0.0, None, 1e-36, -1e-36)]
    assert len(set(cw.predict(model, rows).tolist())) == 1


def test_the_origin_of_a_file_has_its_fingerprint() -> None:
    origin = cw.import_model(STORED / "xgboost_binary.json").origin
    assert origin.title == "XGBoost binary:logistic"
    done = origin.after[0]
    assert (done.program, done.version) == ("XGBoost", "3.2.0")  # type: ignore[union-attr]
    assert len(done.fingerprint) == 16  # type: ignore[union-attr]


def changed(name: str, path: tuple[Any, ...], value: Any, folder: Path) -> Path:
    data = json.loads((STORED / name).read_text())
    at = data
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    (folder / name).write_text(json.dumps(data))
    return folder / name


TREE = ("learner", "gradient_booster", "model", "trees", 0)


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("learner", "objective", "name"), "survival:cox", "the objective 'survival:cox' cannot be read"),
        (("learner", "gradient_booster", "name"), "gblinear", "the booster 'gblinear' has no trees"),
        (("learner", "learner_model_param", "num_target"), "2", "several targets"),
        (("learner", "learner_model_param", "base_score"), "[1E0]", "base_score 1E0 has no log"),
        ((*TREE, "left_children", 0), 0, "hangs below itself"),
        ((*TREE, "left_children", 0), 99, "there is no node 99"),
        ((*TREE, "split_indices", 0), 77, "there is no feature 77"),
        ((*TREE, "split_conditions", 0), "NaN", "must be a number"),
        ((*TREE, "split_conditions"), [1.0], "must be"),
        (("learner", "objective"), [], "'objective' must be an object"),
    ],
)
def test_a_damaged_file_of_xgboost_is_refused_in_a_sentence(
    path: tuple[Any, ...], value: Any, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(ModelFileError, match=sentence):
        cw.import_model(changed("xgboost_binary.json", path, value, tmp_path))


def test_a_count_that_no_float_has_is_refused_in_a_sentence(tmp_path: Path) -> None:
    text = (STORED / "lightgbm_binary.json").read_text()
    place = tmp_path / "model.json"
    place.write_text(re.sub(r'"leaf_count": ?\d+', f'"leaf_count": 1{"0" * 400}', text, count=1))
    with pytest.raises(ModelFileError, match="'leaf_count' must be a number"):
        cw.import_model(place)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("objective=binary sigmoid:0.7", "objective=multiclassova", "'multiclassova' cannot be read"),
        ("objective=binary sigmoid:0.7", "objective=regression sqrt", "has 'sqrt', which is not read"),
        ("is_linear=0", "is_linear=1", "linear models in its leaves"),
        ("end of trees", "", "the file is cut off"),
        ("num_leaves=6", "num_leaves=60", "'leaf_count' must be 60 finite numbers|must be"),
        ("decision_type=", "decision_type=99 ", "decision_type"),
        ("left_child=", "left_child=7 ", "left_child"),
        (
            "split_feature=0",
            "split_feature=0.7",
            "'split_feature' holds 0.7, where a whole number must stand",
        ),
        ("decision_type=", "decision_type=1e300 ", "decision_type"),
        ("num_leaves=6", "num_leaves=0_6", "'num_leaves' must be a whole number"),
        ("split_feature=0", "split_feature=0_0", "'split_feature' must be numbers"),
        ("split_feature=0", "split_feature=\u0660", "'split_feature' must be numbers"),
    ],
)
def test_a_damaged_text_of_lightgbm_is_refused_in_a_sentence(
    old: str, new: str, sentence: str, tmp_path: Path
) -> None:
    text = (STORED / "lightgbm_binary.txt").read_text()
    assert old in text
    (tmp_path / "model.txt").write_text(text.replace(old, new))
    with pytest.raises(ModelFileError, match=sentence):
        cw.import_model(tmp_path / "model.txt")


def test_names_that_xgboost_cut_are_asked_for(tmp_path: Path) -> None:
    path = ("learner", "gradient_booster", "model", "cats", "enc", 3, "values")
    place = changed("xgboost_binary.json", path, [117, 118, -61], tmp_path)
    with pytest.raises(ModelFileError, match="not ASCII, as those of 'd'"):
        cw.import_model(place)
    assert cw.import_model(place, values={"d": ["u", "v", "é"]}).schema["d"] == cw.Nominal(
        "d", ("u", "v", "é")
    )


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\x80\x04\x95", "To read a pickle is to run it"),
        (b"binf\x00\x00", "XGBoost's old binary form. Save the model again"),
        (b"hello", "not a model file that is known here"),
        (b'{"learner": {}, "gradient_booster"', "not valid JSON"),
        (b'{"format": "clearwood"}', "a model of Clearwood already"),
    ],
)
def test_another_file_is_refused_and_never_run(content: bytes, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_bytes(content)
    with pytest.raises(ModelFileError, match=sentence):
        cw.import_model(tmp_path / "model.bin")


def random_rows(seed: int) -> Any:
    import pandas as pd

    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(draw.normal(size=(300, 2)).round(2), columns=["a", "b"])
    frame["d"] = pd.Categorical(draw.choice(list("uvw"), 300))
    frame.loc[draw.random(300) < 0.2, "a"] = np.nan
    return frame, draw


@pytest.mark.parametrize(
    "settings",
    [
        {"objective": "binary"},
        {"objective": "multiclass", "num_class": 3},
        {"objective": "regression", "zero_as_missing": True},
        {"objective": "tweedie", "boosting": "dart"},
        {"objective": "binary", "boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.5},
        {"objective": "quantile", "alpha": 0.3, "use_missing": False},
    ],
)
def test_lightgbm_itself_answers_alike(settings: dict[str, Any]) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    frame, draw = random_rows(1)
    target = draw.integers(0, settings.get("num_class", 2), 300)
    booster = lightgbm.train(
        {"verbose": -1, "num_leaves": 8, "num_threads": 1, "min_data_in_leaf": 5, **settings},
        lightgbm.Dataset(frame, target), 8,
    )  # fmt: skip
    proof = cw.prove_import(cw.import_model(booster), booster, frame)
    assert proof.holds, str(proof)


@pytest.mark.parametrize(
    "settings",
    [
        {"objective": "binary:logistic", "max_cat_to_onehot": 1},
        {"objective": "multi:softprob", "num_class": 3},
        {"objective": "multi:softmax", "num_class": 3},
        {"objective": "reg:squarederror", "num_parallel_tree": 3, "subsample": 0.5},
        {"objective": "count:poisson", "booster": "dart", "rate_drop": 0.4},
    ],
)
def test_xgboost_itself_answers_alike(settings: dict[str, Any]) -> None:
    xgboost = pytest.importorskip("xgboost")
    frame, draw = random_rows(2)
    target = draw.integers(0, settings.get("num_class", 2), 300)
    matrix = xgboost.DMatrix(frame, target, enable_categorical=True)
    booster = xgboost.train({"nthread": 1, "max_depth": 4, **settings}, matrix, 6)
    proof = cw.prove_import(cw.import_model(booster), booster, frame)
    assert proof.holds, str(proof)
    assert proof.bound == 1e-6


def test_wrappers_are_read_with_their_classes() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    frame, draw = random_rows(3)
    target = draw.choice(["no", "yes"], 300)
    wrapper = lightgbm.LGBMClassifier(n_estimators=5, verbose=-1, n_jobs=1).fit(frame, target)
    model = cw.import_model(wrapper)
    assert model.schema.classes == ("no", "yes")
    assert cw.predict(model, frame).tolist() == wrapper.predict(frame).tolist()


@pytest.mark.parametrize("word", ["-1", "4294967296"])
def test_words_of_categories_that_are_not_32_bits_are_refused(word: str, tmp_path: Path) -> None:
    text = (STORED / "lightgbm_classes.txt").read_text()
    damaged = re.sub(r"(?m)^(cat_threshold=)\d+", rf"\g<1>{word}", text, count=1)
    assert damaged != text
    (tmp_path / "model.txt").write_text(damaged)
    with pytest.raises(ModelFileError, match="'cat_threshold' must be words of 32 bits"):
        cw.import_model(tmp_path / "model.txt")


@pytest.mark.parametrize("place", ["inf", "1" * 400, "0.5", "1e300"])
def test_a_set_of_categories_at_an_infinite_place_or_a_fraction_is_refused(
    place: str, tmp_path: Path
) -> None:
    text = (STORED / "lightgbm_classes.txt").read_text()
    old = "threshold=1.5000000000000002 2.5000000000000004 0 "
    assert old in text
    (tmp_path / "model.txt").write_text(text.replace(old, f"{old[:-2]}{place} "))
    with pytest.raises(ModelFileError, match=r"'threshold' holds .*, where a whole number must stand"):
        cw.import_model(tmp_path / "model.txt")
