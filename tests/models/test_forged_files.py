"""Forged, cut-off and mutated model files: a sentence with its place, and never anything else."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import ModelFileError
from clearwood.formulas.conditions import Above, AtMost
from clearwood.models.files import from_json, load, save, storing, to_json
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Surrogate, Tree
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from tests.trees import tennis_tree
from tests.typed import mistyped

Data = dict[str, Any]


def surrogate_tree() -> Tree:
    """Two branches, a numeric and a nominal surrogate."""
    schema = Schema((Numeric("x"), Nominal("c", ("p", "q", "r"))), Nominal("t", ("a", "b")))
    from clearwood.formulas.conditions import Equals, OneOf

    surrogates = (
        Surrogate(AtMost("x", 1.0), 1, Above("x", 1.0), 0.9),
        Surrogate(Equals("c", "r"), 0, OneOf("c", ("p", "q")), 0.8),
    )
    branches = (
        Branch(AtMost("x", 0.5, or_missing=True), 0.5, Leaf((1.0, 0.0))),
        Branch(Above("x", 0.5), 0.5, Leaf((0.0, 1.0))),
    )
    return tree_of(schema, Split((1.0, 1.0), {"decrease": 0.5}, branches, surrogates, 1))


def _set(*path: Any, to: Any) -> Callable[[Data], None]:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return change


def _drop(*path: Any) -> Callable[[Data], None]:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


def _node(*path: Any, to: Any) -> Callable[[Data], None]:
    return _set("body", "nodes", *path, to=to)


def _drop_in_node(*path: Any) -> Callable[[Data], None]:
    return _drop("body", "nodes", *path)


FORGERIES: dict[str, tuple[Callable[[Data], None], str]] = {
    "not ours": (_set("format", to="other"), "not a Clearwood model"),
    "newer": (_set("version", to=3), "written in version 3 .* reads up to 2. Upgrade it"),
    "version true": (_set("version", to=True), "version must be a whole number"),
    "version zero": (_set("version", to=0), "version must be a whole number"),
    "version of a draft": (
        _set("version", to=1),
        "version must be a whole number, 2 as clearwood.save writes",
    ),
    "unknown model": (_set("model", to="treee"), "No kind of model 'treee'. Did you mean 'tree'"),
    "no nodes": (_set("body", "nodes", to=[]), "nodes must hold at least the root"),
    "nodes not a list": (_set("body", "nodes", to={}), "nodes must be a list"),
    "field missing": (_drop("origin"), "'origin' is missing"),
    "field too many": (_set("comment", to="hi"), "No field 'comment'"),
    "node field too many": (_node(1, "colour", to="red"), r"nodes\[1\]: No field 'colour'"),
    "root has a parent": (_node(0, "parent", to=0), r"nodes\[0\]: No field 'parent'"),
    "its own parent": (
        _node(1, "parent", to=1),
        r"nodes\[1\].parent must be a node on the path",
    ),
    "a later parent": (
        _node(1, "parent", to=2),
        r"nodes\[1\].parent must be a node on the path",
    ),
    "a negative parent": (
        _node(1, "parent", to=-1),
        r"nodes\[1\].parent must be a node on the path",
    ),
    "a parent true": (
        _node(2, "parent", to=False),
        r"nodes\[2\].parent must be a node on the path",
    ),
    "a parent missing": (
        _drop_in_node(1, "parent"),
        r"nodes\[1\].parent must be a node on the path",
    ),
    "unknown column": (
        _node(1, "when", "column", to="xx"),
        r"nodes\[1\].when: No column 'xx'",
    ),
    "mixed columns": (
        _node(2, "when", to={"column": "c", "is": "p"}),
        "must be that of the branches beside",
    ),
    "unknown value": (
        _node(1, "when", to={"column": "c", "is": "z"}),
        "No value of c called 'z'",
    ),
    "a value that isn't text": (
        _node(1, "when", to={"column": "c", "is": 1}),
        r"nodes\[1\].when.is must be text, not 1",
    ),
    "a value twice": (_node(1, "when", to={"column": "c", "in": ["p", "p"]}), "each once"),
    "no values": (_node(1, "when", to={"column": "c", "in": []}), "at least one value"),
    "a limit for values": (
        _node(1, "when", to={"column": "c", "at_most": 1}),
        "must have 'is', 'in'",
    ),
    "a value for numbers": (
        _node(1, "when", to={"column": "x", "is": "p"}),
        "must have 'above', 'at_most'",
    ),
    "no condition": (_node(1, "when", to={"column": "x"}), "must have 'above', 'at_most'"),
    "the target as condition": (_node(1, "when", "column", to="t"), "No column 't'"),
    "a limit that is text": (
        _node(1, "when", "at_most", to="0.5"),
        "at_most must be a finite number",
    ),
    "an endless limit": (
        _node(1, "when", "at_most", to=10**400),
        "at_most must be a finite number",
    ),
    "an empty interval": (
        _node(1, "when", to={"column": "x", "above": 2, "at_most": 2}),
        "'above' below",
    ),
    "or_missing as a number": (
        _node(1, "when", "or_missing", to=1),
        "or_missing must be true or false",
    ),
    "negative counts": (
        _node(1, "counts", to=[-1, 2]),
        r"nodes\[1\].counts\[0\] must be a finite number ≥ 0",
    ),
    "a boolean count": (
        _node(1, "counts", to=[True, 2]),
        r"nodes\[1\].counts\[0\] must be a finite number",
    ),
    "an overflowing count": (
        _node(1, "counts", to=[10**400, 2]),
        r"nodes\[1\].counts\[0\] must be a finite",
    ),
    "too few counts": (
        _node(1, "counts", to=[1]),
        r"nodes\[1\].counts must be a list of 2 numbers",
    ),
    "a share above one": (
        _node(1, "share", to=1.5),
        r"nodes\[1\].share must be a finite number from 0 to 1",
    ),
    "a negative share": (
        _node(1, "share", to=-0.5),
        r"nodes\[1\].share must be a finite number from 0 to 1",
    ),
    "shares that are no whole": (
        _node(1, "share", to=0.9),
        r"nodes\[0\] must have branches whose shares add up to 1, not 1\.4",
    ),
    "counts that don't add up": (
        _node(1, "counts", to=[0, 40]),
        r"nodes\[0\]\.counts must be the sum of its branches' \[0\.0, 41\.0\]",
    ),
    "a branch twice": (
        _node(2, "when", to={"column": "x", "at_most": 0.5}),
        r"nodes\[2\]\.when must not be that of a branch beside it",
    ),
    "no share": (_drop_in_node(1, "share"), r"nodes\[1\]: 'share' is missing"),
    "another score": (_node(0, "score", to={"gain": 1}), "'decrease' is missing"),
    "a score that is text": (
        _node(0, "score", "decrease", to="big"),
        "decrease must be a finite number",
    ),
    "otherwise too far": (
        _node(0, "otherwise", to=2),
        r"nodes\[0\].otherwise must be one of 2 branches",
    ),
    "otherwise at a leaf": (
        _node(1, "otherwise", to=0),
        r"nodes\[1\].otherwise must be one of 0 branches",
    ),
    "otherwise negative": (
        _node(0, "otherwise", to=-1),
        "otherwise must be the position of a branch",
    ),
    "surrogates at a leaf": (
        lambda data: data["body"]["nodes"][1].update(surrogates=data["body"]["nodes"][0]["surrogates"]),
        "need a split of two branches",
    ),
    "a surrogate both ways": (
        _node(0, "surrogates", 1, "not_in", to=["r"]),
        "must not send a value both ways",
    ),
    "a surrogate's branch": (_node(0, "surrogates", 0, "then", to=2), "then must be 0 or 1"),
    "a surrogate's agreement": (
        _node(0, "surrogates", 0, "agreement", to=2),
        "agreement must be a finite",
    ),
    "factors of another length": (_set("decision", "factors", to=[1]), "one number per class"),
    "costs of another shape": (_set("decision", "costs", to=[[0, 1]]), "2 by 2"),
    "a negative cost": (
        _set("decision", "costs", to=[[0, -1], [1, 0]]),
        r"costs\[0\]\[1\] must be a finite number ≥ 0",
    ),
    "a learner that is no text": (_set("origin", "learner", to=3), "origin.learner must be text"),
    "rows below zero": (_set("origin", "rows", to=-3), "origin.rows must be a whole number"),
    "no target": (_set("schema", "target", to=None), "must name what the model predicts"),
    "a schema in disorder": (_set("schema", "columns", 0, "kind", to="number"), "schema: .*No kind 'number'"),
    "score names twice": (_set("body", "score_names", to=["a", "a"]), "must be different texts"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_file_gets_a_sentence_with_its_place(name: str, tmp_path: Path) -> None:
    change, sentence = FORGERIES[name]
    data = json.loads(to_json(surrogate_tree()))
    change(data)
    place = tmp_path / "forged.json"
    place.write_text(json.dumps(data))
    with pytest.raises(ModelFileError, match=rf"forged\.json: .*{sentence}") as caught:
        load(place)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "not a model file: it is empty. Copy the file again"),
        (b"a;b\n1;2\n", "not a model file: it does not begin with {. .*clearwood.save"),
        (b'{"a": "b\n"}', "not JSON at line 1, column 9: Invalid control character. Copy"),
        (b'{"a": 1} x', "not JSON at line 1, column 10: Extra data. Copy"),
        (b"PK\x03\x04\xff\xfe", "not UTF-8 text"),
        (b"[1, 2]", "not a Clearwood model"),
        (b"null", "not a Clearwood model"),
        (b'{"format": "clearwood", "format": "clearwood"}', "the field 'format' twice"),
        (b'{"format": "clearwood", "version": NaN}', "holds NaN"),
        (b'{"format": "clearwood", "version": -Infinity}', "holds -Infinity"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 200_000, "nested too deeply"),
        (b"9" * 5000, "a number that cannot be read"),
        (
            b'{"format": "clearwood", "version": ' + b"9" * 5000 + b"}",
            "a number that cannot be read, of thousands of digits; no model has one. Copy the file again",
        ),
        (b'{"format": "clearwood", "version": ' + b"9" * 4000 + b"}", "in version 9{10,100}… of the format"),
        (b'"\\ud800"', "broken text"),
        (b"cos\nsystem\n(S'echo'\ntR.", "not a model file"),
    ],
)
def test_what_is_no_model_gets_a_sentence(content: bytes, sentence: str, tmp_path: Path) -> None:
    place = tmp_path / "model.json"
    place.write_bytes(content)
    with pytest.raises(ModelFileError, match=rf"model\.json: .*{sentence}"):
        load(place)


def test_what_is_no_path_is_refused() -> None:
    with pytest.raises(ModelFileError, match="from the path of its file, not a dict"):
        load(mistyped({}))


def test_a_file_cut_off_anywhere_says_so(tmp_path: Path) -> None:
    place = save(tennis_tree(), tmp_path / "model.json")
    text = place.read_text()
    for length in range(0, len(text.rstrip()), 7):
        place.write_text(text[:length])
        with pytest.raises(ModelFileError, match=r"seems cut off; it is not JSON at|it is empty"):
            load(place)
    packed = save(tennis_tree(), tmp_path / "model.json.gz")
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(ModelFileError, match="damaged or cut off"):
        load(packed)


def test_a_file_too_big_for_a_model_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clearwood.models.files.storing._MOST_BYTES", 1 << 20)
    bomb = tmp_path / "bomb.json.gz"
    bomb.write_bytes(gzip.compress(b" " * (1 << 24)))
    with pytest.raises(ModelFileError, match="more than 1 MB"):
        load(bomb)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_mutated_file_is_a_tree_or_a_sentence(data: st.DataObject) -> None:
    text = to_json(data.draw(st.sampled_from((tennis_tree(), surrogate_tree()))))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        length = data.draw(st.integers(0, 12))
        new = data.draw(
            st.sampled_from(("", "0", "-1", "1e999", '"', "{", "[", "null", "true", "\\u", ",", "2"))
        )
        text = text[:at] + new + text[at + length :]
    try:
        tree = from_json(text)
    except ModelFileError:
        return
    assert from_json(to_json(tree)) == tree


@pytest.mark.slow
@settings(max_examples=600, deadline=None)
@given(st.data())
def test_a_mutated_value_is_a_tree_or_a_sentence(data: st.DataObject) -> None:
    fields = json.loads(to_json(data.draw(st.sampled_from((tennis_tree(), surrogate_tree())))))
    other: st.SearchStrategy[Any] = st.sampled_from(
        (None, True, 0, -1, 1.5, 10**400, "", "x", "c", [], [0], [[]], {}, {"column": "c"}, {"a": 1})
    )
    at: Any = fields
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = data.draw(st.sampled_from(keys))
        if not at[key] or not isinstance(at[key], dict | list) or data.draw(st.integers(0, 3)) == 0:
            at[key] = data.draw(other)
            break
        at = at[key]
    try:
        tree = from_json(json.dumps(fields))
    except ModelFileError:
        return
    assert from_json(to_json(tree)) == tree


def claims(text: str, change: Callable[[Any], None]) -> str:
    data = json.loads(text)
    change(data)
    return json.dumps(data, separators=(",", ":"))


def test_a_small_file_cannot_claim_a_large_model() -> None:
    """One number may stand for a whole column: not for more than a file of its size can mean."""
    rows = [{"a": float(x % 7), "b": float(x % 5), "y": "uv"[(x % 7 > 3) != (x % 5 > 2)]} for x in range(90)]
    table = cw.read_table(rows, target="y", kinds={"a": "numeric", "b": "numeric"})
    gam = to_json(cw.GAM(bags=2, pairs=1, seed=1).learn(table))
    forest = to_json(cw.Forest(trees=3, seed=1).learn(table))

    def wide_pair(data: Any) -> None:
        pair = data["body"]["pairs"][0]
        pair["cuts"] = [{"type": "u4", "values": 1}] * 2
        pair["cut_counts"] = [30_000, 30_000]
        pair["points"] = [{"type": "u1", "values": 0}]
        pair["errors"], pair["rows"] = [], None

    def many_trees(data: Any) -> None:
        trees = data["body"]["trees"]
        trees["trees"] = 50_000_000
        for name in ("sizes", "branches", "adds_to"):
            trees[name] = {"type": "u1", "values": int(name == "sizes")}

    def many_names(data: Any) -> None:
        many_trees(data)
        trees = data["body"]["trees"]
        trees["trees"] = 1_000_000
        trees["score_names"] = [f"n{at}" for at in range(1000)]

    for text, change in ((gam, wide_pair), (forest, many_trees), (forest, many_names)):
        with pytest.raises(ModelFileError, match="entries are claimed by a file of"):
            from_json(claims(text, change))
    assert to_json(from_json(gam)) == gam
    assert to_json(from_json(forest)) == forest


def test_memory_that_runs_out_is_a_sentence_about_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(storing, "model_of", full)
    with pytest.raises(ModelFileError, match="too big for this machine's memory"):
        from_json(to_json(tennis_tree()))


def test_minus_zero_comes_back() -> None:
    schema = Schema((Numeric("x"),), Numeric("t"))
    branches = (
        Branch(AtMost("x", -0.0), 0.5, Leaf((1.0, -0.0, 0.0))),
        Branch(Above("x", -0.0), 0.5, Leaf((1.0, 1.0, 0.0))),
    )
    tree = tree_of(schema, Split((2.0, 0.5, 0.5), {}, branches))
    again = from_json(to_json(tree))
    assert isinstance(again, Tree)
    assert [str(each) for each in again.nodes.counts[:, 1].tolist()] == ["0.5", "-0.0", "1.0"]
    rules = cw.RuleList(schema, (Rule((AtMost("x", 1.0),), -0.0),), Otherwise(-0.0))
    assert str(cw.predict(from_json(to_json(rules)), [{"x": 0.0}]).tolist()) == "[-0.0]"
