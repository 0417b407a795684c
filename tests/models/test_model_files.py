"""A model file holds the whole tree, and only a whole tree is read from one."""

from __future__ import annotations

import math
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.errors import ModelFileError
from clearwood.formulas.conditions import Above, AtMost, IsMissing
from clearwood.models.files import from_json, load, save, to_json
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Tree
from clearwood.models.lineage import Origin
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from tests.models.published_schema import fits_the_published_schema
from tests.trees import tennis_tree, trees


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(trees())
def test_a_tree_comes_back_as_it_was_and_fits_the_published_schema(tree: Tree) -> None:
    text = to_json(tree)
    assert from_json(text) == tree
    fits_the_published_schema(text)


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(0, 1), st.floats())
def test_every_number_comes_back_exactly(limit: float, share: float, score: float) -> None:
    schema = Schema((Numeric("x"),), Nominal("t", ("a",)))
    branches = (
        Branch(AtMost("x", limit), share, Leaf((share,))),
        Branch(Above("x", limit), 1 - share, Leaf((1e300,))),
    )
    tree = tree_of(schema, Split((share + 1e300,), {"s": score}, branches))
    assert from_json(to_json(tree)) == tree


def test_a_branch_for_every_known_number_comes_back() -> None:
    schema = Schema((Numeric("x"),), Nominal("t", ("a",)))
    branches = (Branch(AtMost("x", math.inf), 0.5, Leaf((1.0,))), Branch(IsMissing("x"), 0.5, Leaf((1.0,))))
    tree = tree_of(schema, Split((2.0,), {}, branches))
    assert from_json(to_json(tree)) == tree
    assert str(tree.condition(1)) == "x is known"


def test_settings_come_back_as_plain_values() -> None:
    origin = Origin(
        "CART",
        {"measure": "auto", "priors": {"No": 0.5}, "names": ("a", ("b",)), "depth": None},
        "1",
        "ab",
        3,
    )
    tree = replace(tennis_tree(), origin=origin)
    assert from_json(to_json(tree)).origin == origin


def test_settings_that_are_not_plain_are_refused_when_saved() -> None:
    tree = replace(tennis_tree(), origin=Origin("CART", {"costs": {("a", "b"): 1.0}}))  # type: ignore[dict-item]
    with pytest.raises(ModelFileError, match=r"settings\.costs has the key \('a', 'b'\)"):
        to_json(tree)


def test_save_returns_the_path_and_load_reads_it(tmp_path: Path) -> None:
    place = save(tennis_tree(), str(tmp_path / "tennis.json"))
    assert place == tmp_path / "tennis.json"
    assert load(place) == tennis_tree()
    assert load(save(tennis_tree(), tmp_path / "tennis.json.gz")) == tennis_tree()
    assert (tmp_path / "tennis.json.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_a_name_that_json_must_escape_comes_back() -> None:
    schema = Schema((), Nominal('a "quoted"\n\t名\\', ("é", "\u2028", "")))
    tree = tree_of(schema, Leaf((1.0, 2.0, 3.0)))
    assert from_json(to_json(tree)) == tree


def test_a_failing_save_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = save(tennis_tree(), tmp_path / "model.json")
    before = place.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ModelFileError, match=r"Cannot write .*model\.json: No space left on device\."):
        save(replace(tennis_tree(), origin=Origin("other")), place)
    assert place.read_bytes() == before
    assert os.listdir(tmp_path) == ["model.json"]  # noqa: PTH208


def test_ctrl_c_during_a_save_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = save(tennis_tree(), tmp_path / "model.json")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(replace(tennis_tree(), origin=Origin("other")), place)
    assert load(place) == tennis_tree()
    assert [each.name for each in tmp_path.iterdir()] == ["model.json"]


def test_a_new_file_has_usual_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    ordinary = tmp_path / "ordinary"
    ordinary.touch()
    place = save(tennis_tree(), tmp_path / "model.json")
    assert stat.S_IMODE(place.stat().st_mode) == stat.S_IMODE(ordinary.stat().st_mode)
    place.chmod(0o640)
    save(tennis_tree(), place)
    assert stat.S_IMODE(place.stat().st_mode) == 0o640


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"Cannot write .*nowhere.*: No such file or directory\."):
        save(tennis_tree(), tmp_path / "nowhere" / "model.json")
    with pytest.raises(ModelFileError, match=r"Cannot read .*gone\.json: No such file or directory\."):
        load(tmp_path / "gone.json")
    with pytest.raises(ModelFileError, match=r"Cannot read .*: Is a directory\."):
        load(tmp_path)
