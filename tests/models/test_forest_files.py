"""Many trees in a file: every sort of split comes back, and a column that no tree has is refused."""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from clearwood.errors import ModelFileError
from clearwood.formulas.conditions import Above, AtMost, Between, Condition, Equals, IsMissing, OneOf
from clearwood.models.files import from_json, to_json
from clearwood.models.files.packed import PackedColumn, unpacked
from clearwood.models.kinds.ensemble.ensemble import Ensemble, LearningCurve, score_name
from clearwood.models.kinds.ensemble.many_trees import Trees, joined_trees
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Surrogate, Tree
from clearwood.models.lineage import Origin
from clearwood.table.attributes import Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema

SCHEMA = Schema(
    (Numeric("x"), Nominal("v", ("a", "b", "c")), Ordinal("size", ("S", "M")), Text("t")),
    Nominal("y", ("no", "yes")),
)
BY_X = Surrogate(AtMost("x", 4.0), 1, Above("x", 4.0), 0.75)
BY_V = Surrogate(OneOf("v", ("c", "a")), 0, Equals("v", "b"), 0.5)


def split(
    *branches: tuple[Condition, tuple[float, ...]],
    counts: tuple[float, ...] = (),
    shares: tuple[float, ...] = (),
    surrogates: tuple[Surrogate, ...] = (),
    otherwise: int | None = None,
    schema: Schema = SCHEMA,
) -> Tree:
    """A tree of one split, its leaves' counts beside their conditions."""
    leaves = [leaf for _, leaf in branches]
    whole = counts or tuple(map(sum, zip(*leaves, strict=True)))
    numeric = isinstance(schema.target, Numeric)
    weights = [leaf[0] if numeric else sum(leaf) for leaf in leaves]
    parts = shares or tuple(each / sum(weights) for each in weights)
    below = tuple(Branch(when, part, Leaf(leaf)) for (when, leaf), part in zip(branches, parts, strict=True))
    return tree_of(schema, Split(whole, {"gain": 0.5}, below, surrogates, otherwise))


CUT = split((AtMost("x", 1.5), (3.0, 1.0)), (Above("x", 1.5), (0.0, 4.0)))
TURNED = split((Above("x", 1.5), (0.0, 4.0)), (AtMost("x", 1.5), (3.0, 1.0)))
APART = split((AtMost("x", 1.0), (3.0, 1.0)), (Above("x", 2.0), (0.0, 4.0)))
THREE = split(
    (AtMost("x", 1.0), (3.0, 1.0)),
    (Between("x", 1.0, 2.0), (1.0, 1.0)),
    (Above("x", 2.0, or_missing=True), (0.0, 2.0)),
)
KNOWN = split((AtMost("x", math.inf), (3.0, 1.0)), (IsMissing("x"), (0.0, 4.0)))
VALUES = split(
    (OneOf("v", ("c", "a")), (3.0, 1.0)), (Equals("v", "b"), (1.0, 1.0)), (IsMissing("v"), (0.0, 2.0))
)
STANDING_IN = split(
    (Equals("size", "S"), (3.0, 1.0)),
    (Equals("size", "M"), (0.0, 4.0)),
    surrogates=(BY_X, BY_V),
    otherwise=1,
)
OTHER_SHARES = split((AtMost("x", 1.5), (3.0, 1.0)), (Above("x", 1.5), (0.0, 4.0)), shares=(0.25, 0.75))
LEFT_OUT = split((AtMost("x", 1.5), (3.0, 1.0)), (Above("x", 1.5), (0.0, 4.0)), counts=(3.0, 5.000001))
NO_ROWS = split((AtMost("x", 1.5), (0.0, 0.0)), (Above("x", 1.5), (0.0, 0.0)), shares=(0.0, 0.0))
LEAF = tree_of(SCHEMA, Leaf((2.0, 1.0)))
DEEP = tree_of(
    SCHEMA,
    Split(
        (5.0, 5.0),
        {"gain": 0.5},
        (
            Branch(AtMost("x", 1.5), 0.5, Leaf((2.0, 3.0))),
            Branch(
                Above("x", 1.5),
                0.5,
                Split(
                    (3.0, 2.0),
                    {"gain": 0.25},
                    (
                        Branch(Equals("v", "a"), 0.6, Leaf((3.0, 0.0))),
                        Branch(OneOf("v", ("b", "c")), 0.4, Leaf((0.0, 2.0))),
                    ),
                ),
            ),
        ),
    ),
)
TREES = {
    "cut": CUT, "turned": TURNED, "apart": APART, "three": THREE, "known": KNOWN, "values": VALUES,
    "standing in": STANDING_IN, "shares": OTHER_SHARES, "left out": LEFT_OUT, "no rows": NO_ROWS,
    "leaf": LEAF, "deep": DEEP,
}  # fmt: skip


SURROGATE = {"column": "x", "at_most": 4, "then": 1, "agreement": 0.75}
BOTH_WAYS = {"column": "v", "in": ["a"], "not_in": ["a", "b"], "then": 1, "agreement": 0.75}


def joined(*trees: Tree) -> Trees:
    return replace(joined_trees([tree.nodes for tree in trees], "shares"), score_names=("gain",))


@pytest.mark.parametrize("first", [each for each in TREES if each != "leaf"])
def test_two_trees_of_any_sort_come_back(first: str) -> None:
    for second, tree in TREES.items():
        if second == "leaf":
            continue
        ensemble = Ensemble(SCHEMA, joined(TREES[first], tree), weights=(1.0, 0.5))
        again = from_json(to_json(ensemble))
        assert again == ensemble
        assert isinstance(again, Ensemble)
        one, other = again.members
        assert isinstance(one, Tree)
        assert isinstance(other, Tree)
        assert (one.nodes, other.nodes) == (TREES[first].nodes, tree.nodes)
    assert copy.deepcopy(ensemble) == pickle.loads(pickle.dumps(ensemble)) == ensemble


@pytest.mark.parametrize("name", TREES)
def test_a_tree_of_any_sort_comes_back_by_itself(name: str) -> None:
    tree = TREES[name]
    assert from_json(to_json(tree)) == tree
    assert copy.deepcopy(tree) == pickle.loads(pickle.dumps(tree)) == tree


@pytest.mark.parametrize(
    ("tree", "path", "to", "sentence"),
    [
        (CUT, (1, "when"), {"column": "x", "at_most": "infinity"}, "must have 'above', 'at_most'"),
        (CUT, (1, "when"), {"column": "x", "above": "infinity"}, "must have 'above' below 'at_most'"),
        (CUT, (1, "when"), {"column": "x", "above": 2, "at_most": 2}, "below 'at_most', not [2.0, 2.0]"),
        (CUT, (1, "when"), {"column": "x", "known": False}, "must have 'above', 'at_most', 'known'"),
        (CUT, (1, "when"), {"column": "x", "missing": True, "or_missing": True}, "must have 'above'"),
        (CUT, (1, "when"), {"column": "t", "is": "a"}, "when.column must be one a tree can test, not 'text'"),
        (CUT, (1, "counts"), [3, 1, 1], "nodes[1].counts must be a list of 2 numbers"),
        (CUT, (1, "counts"), [3, -1], "nodes[1].counts[1] must be a finite number ≥ 0, not -1"),
        (CUT, (1, "counts"), [3, 2], "nodes[0].counts must be the sum of its branches' [3.0, 6.0]"),
        (CUT, (0, "counts"), [3, 5.00001], "nodes[0].counts must be the sum of its branches'"),
        (CUT, (1, "share"), 0.75, "nodes[0] must have branches whose shares add up to 1, not 1.25"),
        (CUT, (0, "otherwise"), 2, "nodes[0].otherwise must be one of 2 branches, not 2"),
        (CUT, (1, "otherwise"), 0, "nodes[1].otherwise must be one of 0 branches, not 0"),
        (CUT, (2, "when"), {"column": "x", "at_most": 1.5}, "must not be that of a branch beside it"),
        (VALUES, (1, "when"), {"column": "v", "above": 1}, "must have 'is', 'in' or 'missing', not"),
        (VALUES, (1, "when"), {"column": "v", "missing": False}, "must have 'is', 'in' or 'missing', not"),
        (VALUES, (2, "when"), {"column": "v", "in": ["a", "c"]}, "must not be that of a branch beside it"),
        (THREE, (0, "surrogates"), [SURROGATE], "surrogates need a split of two branches, not 3"),
        (STANDING_IN, (0, "surrogates"), [{**SURROGATE, "in": ["a"]}], "No field 'in'"),
        (STANDING_IN, (0, "surrogates"), [{**SURROGATE, "column": "v"}], "surrogates[0]: 'in' is missing"),
        (STANDING_IN, (0, "surrogates"), [{**SURROGATE, "column": "t"}], "must be one a tree can test"),
        (STANDING_IN, (0, "surrogates"), [{**SURROGATE, "column": "w"}], "surrogates[0]: No column 'w'"),
        (STANDING_IN, (0, "surrogates"), [BOTH_WAYS], "must not send a value both ways, not [0]"),
        (STANDING_IN, (0, "surrogates"), [{**BOTH_WAYS, "in": ["d"]}], "[0].in: No value of v called 'd'"),
    ],
)  # fmt: skip
def test_a_node_that_no_tree_has_is_refused_with_its_place(
    tree: Tree, path: tuple[Any, ...], to: Any, sentence: str
) -> None:
    data = json.loads(to_json(tree))
    data["body"]["nodes"][path[0]][path[1]] = to
    with pytest.raises(ModelFileError) as error:
        from_json(json.dumps(data))
    assert str(error.value).startswith("body.nodes")
    assert sentence in str(error.value)


def test_sums_of_a_node_may_be_off_by_rounding() -> None:
    data = json.loads(to_json(CUT))
    data["body"]["nodes"][0]["counts"] = [3, 5.000007]  # a millionth of eight rows
    data["body"]["nodes"][1]["share"] = 0.5000009
    read = from_json(json.dumps(data))
    assert isinstance(read, Tree)
    assert read.nodes.counts[0].tolist() == [3, 5.000007]
    data["body"]["nodes"][0]["otherwise"] = 1
    assert from_json(json.dumps(data)) != read


def test_leaves_alone_come_back() -> None:
    ensemble = Ensemble(SCHEMA, joined_trees([LEAF.nodes] * 3, "shares"))
    assert from_json(to_json(ensemble)) == ensemble


def body(*trees: Tree) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(to_json(Ensemble(SCHEMA, joined(*trees))))
    form: dict[str, Any] = data["body"]["trees"]
    return form


def listed(column: dict[str, Any], size: int) -> list[float]:
    values = column["values"]
    return values if isinstance(values, list) else [values] * size


def test_what_follows_from_other_columns_is_left_out() -> None:
    form = body(CUT, TURNED, THREE)
    assert listed(form["is_cut"], 3) == [1, 0, 0]
    assert listed(form["cut"], 1) == [1.5]
    low = unpacked(PackedColumn(**form["low"]), 5, "low")
    assert low.tolist() == [1.5, -math.inf, -math.inf, 1.0, 2.0]
    assert form["share"] is None
    assert [each["of"] for each in form["counts"]] == ["leaves", "leaves"]
    assert [each["of"] for each in form["scores"]] == ["splits"]
    assert form["surrogates"] is None
    assert body(APART)["is_cut"]["values"] == body(KNOWN)["is_cut"]["values"] == 0
    assert listed(body(OTHER_SHARES)["share"], 2) == [0.25, 0.75]
    assert [each["of"] for each in body(LEFT_OUT)["counts"]] == ["leaves", "nodes"]
    scored = replace(CUT.nodes, scores=np.array([[0.5], [0.25], [math.nan]]))
    trees = replace(joined_trees([scored], "shares"), score_names=("gain",))
    ensemble = Ensemble(SCHEMA, trees)
    assert json.loads(to_json(ensemble))["body"]["trees"]["scores"][0]["of"] == "nodes"
    assert from_json(to_json(ensemble)) == ensemble


def test_surrogates_are_columns_of_their_own() -> None:
    form = body(CUT, STANDING_IN)["surrogates"]
    assert listed(form["sizes"], 2) == [0, 2]
    assert listed(form["attribute"], 2) == [0, 1]
    assert listed(form["limit"], 2) == [4, 0]
    assert listed(form["branch"], 2) == [1, 0]
    assert listed(form["agreement"], 2) == [0.75, 0.5]
    assert listed(form["set_sizes"], 2) == [0, 3]
    assert listed(form["set_splits"], 2) == [0, 2]
    assert listed(form["set_codes"], 3) == [2, 0, 1]


# Forgeries: a column of numbers that no tree has.


def column(*values: float, of: str = "u1") -> dict[str, Any]:
    return {"type": of, "values": list(values)}


def read_with(trees: tuple[Tree, ...], *path: Any, to: Any) -> Ensemble:
    data = json.loads(to_json(Ensemble(SCHEMA, joined(*trees))))
    here = data["body"]["trees"]
    for key in path[:-1]:
        here = here[key]
    assert path[-1] in here or isinstance(here, list)
    here[path[-1]] = to
    read = from_json(json.dumps(data))
    assert isinstance(read, Ensemble)
    return read


S = ("surrogates",)
FORGERIES: list[tuple[tuple[Tree, ...], tuple[Any, ...], Any, str]] = [
    ((CUT,), ("score_names",), ["gain", "gain"], "score_names must be different texts"),
    ((CUT,), ("trees",), 50_000_001, "50000001 trees; at most 50000000 are read"),
    ((CUT,), ("sizes",), column(0), "sizes.values must be from 1 to 50000000, not 0"),
    ((CUT,), ("sizes",), column(3.0, of="f4"), "sizes.type must be one of whole numbers"),
    ((CUT,), ("sizes",), column(3, 3), "sizes.values must be 1 numbers, not 2"),
    ((CUT,), ("sizes",), {"type": "u1", "values": "AQE="}, "must hold 1 entries of 1 bytes, not '2 bytes'"),
    ((CUT,), ("sizes",), {"type": "u1", "values": "?"}, "sizes.values must be base64"),
    ((CUT,), ("sizes",), column(300), "sizes.values must fit the type u1"),
    ((CUT, CUT), ("sizes",), column(30_000_000, 30_000_000, of="u4"), "60000000 nodes; at most 50000000"),
    ((CUT,), ("branches",), column(2, 0, 1), "these branches do not make trees of these sizes"),
    ((CUT,), ("branches",), column(4, 0, 0), "branches.values must be from 0 to 3, not 4"),
    ((CUT,), ("attribute",), column(4), "attribute.values must be from 0 to 3, not 4"),
    ((CUT,), ("attribute",), column(3), "attribute must name columns that a tree can test, not 't'"),
    ((CUT,), ("otherwise",), column(2), "otherwise must be one of a split's branches, or −1, not 2"),
    ((CUT,), ("otherwise",), column(-2, of="i1"), "otherwise.values must be from -1 to"),
    ((THREE,), ("is_cut",), column(1), "is_cut must be 1 for splits of two branches only"),
    ((CUT,), ("is_cut",), column(2), "is_cut.values must be from 0 to 1, not 2"),
    ((CUT,), ("cut",), {"type": "f8", "values": "AAAAAAAA8H8="}, "cut must be finite numbers, not inf"),
    ((TURNED,), ("low",), {"type": "f8", "values": "AAAAAAAA+H8AAAAAAADw/w=="}, "low must be numbers"),
    ((TURNED,), ("low",), column(2.0, 3.0, of="f4"), "low must be below 'high', not [3.0, 1.5]"),
    ((TURNED,), ("low",), column(1.5, 1.5, of="f4"), "low must be below 'high', not [1.5, 1.5]"),
    ((KNOWN,), ("or_missing",), column(0, 0), "low must be below 'high', not [inf, inf]"),
    ((VALUES,), ("or_missing",), column(0, 0, 0), "set_sizes must be 1 or more where empty cells do not go"),
    ((VALUES,), ("or_missing",), column(0, 0, 2), "or_missing.values must be from 0 to 1, not 2"),
    ((VALUES,), ("set_sizes",), column(4, 0, 0), "set_sizes.values must be from 0 to 3, not 4"),
    ((VALUES,), ("set_codes",), column(2, 3, 1), "set_codes.values must be from 0 to 2, not 3"),
    (
        (STANDING_IN,),
        ("set_codes",),
        column(0, 2),
        "set_codes must be values of 'size' by their places, not 2",
    ),
    ((CUT,), ("counts",), [{"of": "leaves", "column": column(3, 0)}], "counts must be 2 columns, not 1"),
    ((CUT,), ("counts", 0, "of"), "splits", "counts[0].of must be 'leaves' or 'nodes', not 'splits'"),
    ((CUT,), ("counts", 1, "column"), column(-1, 4, of="i1"), "counts[1] must be finite numbers ≥ 0, not -1"),
    (
        (CUT,),
        ("counts", 0),
        {"of": "nodes", "column": column(5.0, 3.0, 1.0, of="f4")},
        "counts[0] must be the sum of its branches' 4 at node 0, not 5",
    ),
    ((CUT,), ("scores",), [], "scores must be 1 columns, not 0"),
    ((CUT,), ("scores", 0, "of"), "leaves", "scores[0].of must be 'splits' or 'nodes', not 'leaves'"),
    ((CUT,), ("share",), column(0.25, 1.25, of="f4"), "share must be from 0 to 1, not 1.25"),
    ((CUT,), ("share",), column(-0.25, 1.0, of="f4"), "share must be from 0 to 1, not -0.25"),
    ((CUT,), ("share",), column(0.25, 0.5, of="f4"), "share must add up to 1 at node 0, not 0.75"),
    ((CUT,), ("share",), column(0.5, 0.500002, of="f8"), "share must add up to 1 at node 0"),
    ((CUT,), ("share",), column(0.5, of="f4"), "share.values must be 2 numbers, not 1"),
    ((STANDING_IN,), (*S, "sizes"), column(3), "surrogates.attribute.values must be 3 numbers, not 2"),
    ((STANDING_IN,), (*S, "attribute"), column(0, 3), "surrogates.attribute must name columns that a tree"),
    ((STANDING_IN,), (*S, "attribute"), column(0, 4), "surrogates.attribute.values must be from 0 to 3"),
    (
        (STANDING_IN,),
        (*S, "limit"),
        {"type": "f4", "values": "AACAfwAAAAA="},
        "surrogates.limit must be finite numbers, not inf",
    ),
    ((STANDING_IN,), (*S, "branch"), column(1, 2), "surrogates.branch.values must be from 0 to 1, not 2"),
    ((STANDING_IN,), (*S, "agreement"), column(0.5, 1.5, of="f4"), "agreement must be from 0 to 1"),
    ((STANDING_IN,), (*S, "agreement"), column(-0.5, 1.0, of="f4"), "agreement must be from 0 to 1"),
    ((STANDING_IN,), (*S, "set_splits"), column(0, 4), "set_splits must be at most the set's size, not 4"),
    ((STANDING_IN,), (*S, "set_codes"), column(2, 0, 3), "surrogates.set_codes must be values of 'v'"),
    ((STANDING_IN,), (*S, "set_sizes"), column(0, 50_000_001, of="u4"), "set_sizes.values must be from 0 to"),
    (
        (STANDING_IN,),
        (*S, "set_sizes"),
        column(1, 50_000_000, of="u4"),
        "surrogates.set_sizes: 50000001 values; at most 50000000 are read",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("trees", "path", "to", "sentence"),
    FORGERIES,
    ids=[f"{'.'.join(map(str, path))}: {sentence}" for _, path, _, sentence in FORGERIES],
)
def test_a_column_that_no_trees_have_is_refused_with_its_place(
    trees: tuple[Tree, ...], path: tuple[Any, ...], to: Any, sentence: str
) -> None:
    with pytest.raises(ModelFileError) as error:
        read_with(trees, *path, to=to)
    assert str(error.value).startswith("body.trees.")
    assert sentence in str(error.value)


def test_surrogates_are_of_splits_of_two_branches() -> None:
    with pytest.raises(ModelFileError, match="must be 0 but at splits of two branches, not 2"):
        read_with((STANDING_IN, THREE), "surrogates", "sizes", to=column(0, 2))
    with pytest.raises(ModelFileError, match="is_cut must be 1 for splits of two"):
        read_with((CUT, THREE), "is_cut", to=column(1, 1))


@pytest.mark.parametrize(
    ("trees", "path", "to", "sees"),
    [
        ((CUT,), ("otherwise",), column(1), lambda nodes: nodes.otherwise[0] == 1),
        ((CUT,), ("share",), column(0.0, 1.0, of="f4"), lambda nodes: nodes.share.tolist() == [1, 0, 1]),
        ((CUT,), ("share",), column(0.0, 0.0, of="f4"), lambda nodes: nodes.share.tolist() == [1, 0, 0]),
        ((CUT,), ("share",), column(0.5, 0.5000009, of="f8"), lambda nodes: nodes.share[2] == 0.5000009),
        (
            (CUT,),
            ("counts", 0),
            {"of": "nodes", "column": column(3.000002, 3.0, 0.0, of="f8")},
            lambda nodes: nodes.counts[0, 0] == 3.000002,
        ),
        ((STANDING_IN,), (*S, "agreement"), column(0, 1), lambda nodes: nodes.s_agreement.tolist() == [0, 1]),
        ((STANDING_IN,), (*S, "set_splits"), column(0, 3), lambda nodes: nodes.s_set_split[1] == 3),
    ],
)  # fmt: skip
def test_what_trees_only_just_may_have_is_read(
    trees: tuple[Tree, ...], path: tuple[Any, ...], to: Any, sees: Callable[[Any], bool]
) -> None:
    read = read_with(trees, *path, to=to)
    assert read.trees is not None
    assert sees(read.trees.nodes)


# Members that are looked at one by one.


def numbers(step: float) -> Tree:
    schema = replace(SCHEMA, target=Numeric("price"))
    return split(
        (AtMost("x", 1.5), (3.0, -step, 0.5)),
        (Above("x", 1.5), (1.0, step, 0.0)),
        counts=(4.0, 0.0, 0.5),
        schema=schema,
    )


def test_steps_come_back_with_the_scores_that_they_add_to() -> None:
    steps = joined_trees([numbers(1.0).nodes, numbers(2.5).nodes], "step")
    steps = replace(steps, adds_to=np.array([1, 0]), score_names=("gain",))
    ensemble = Ensemble(
        SCHEMA, steps, combined_by="sum", base=(0.5, -0.5), link="softmax", origin=Origin("Boosting")
    )
    again = from_json(to_json(ensemble))
    assert again == ensemble
    first, second = ensemble.members
    assert isinstance(first, Tree)
    assert first.schema.target == Numeric("score of yes")
    assert second.schema.target == Numeric("score of no")
    assert [each.origin.learner for each in ensemble.members] == [
        "member 1 of Boosting",
        "member 2 of Boosting",
    ]
    assert ensemble.members[1:] == (second,)
    assert ensemble.members[-1] == second
    assert len(ensemble.members) == ensemble.size == 2
    with pytest.raises(IndexError):
        ensemble.members[2]
    trees = ensemble.trees
    assert trees is not None
    assert list(trees) == [trees[0], trees[1]]
    for place in (-1, 2):
        with pytest.raises(IndexError, match="There are 2 trees"):
            trees[place]
    assert trees == replace(trees)
    for other in (
        replace(trees, adds_to=np.array([0, 1])), replace(trees, measure="gini"),
        replace(trees, answers="mean"), joined_trees([numbers(1.0).nodes] * 2, "step"),
    ):  # fmt: skip
        assert trees != other


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("logistic", "log odds of yes"),
        ("softmax", "score of no"),
        ("exp", "log of y"),
        ("identity", "y"),
    ],
)
def test_a_score_is_called_by_what_its_link_makes_of_it(link: Any, name: str) -> None:
    assert score_name(SCHEMA, link, 0) == name


def test_members_of_other_kinds_come_back_with_the_priors_of_the_whole() -> None:
    rules = RuleList(
        SCHEMA, (Rule((Equals("v", "a"),), "yes"),), Otherwise("no"), origin=Origin("member 1 of E")
    )
    tree = replace(CUT, origin=Origin("member 2 of E"))
    ensemble = Ensemble(SCHEMA, models=(rules, tree), weights=(1.0, 2.0), origin=Origin("E"))
    assert from_json(to_json(ensemble)) == ensemble
    data = json.loads(to_json(ensemble))
    data["body"]["models"][1]["body"]["nodes"][1]["when"]["column"] = "z"
    with pytest.raises(ModelFileError, match=r"^body\.models\[1\]\.body\.nodes\[1\]\.when: No column 'z'"):
        from_json(json.dumps(data))
    data = json.loads(to_json(ensemble))
    data["body"]["models"][0]["body"]["rules"][0]["then"] = "maybe"
    with pytest.raises(ModelFileError, match=r"^body\.models\[0\]\.body.*No class 'maybe'"):
        from_json(json.dumps(data))


def test_a_curve_is_least_where_it_first_is_and_nowhere_if_all_members_are_as_good() -> None:
    falls = LearningCurve("error", "training rows", (0.5, 0.25, 0.25, 0.75))
    assert (falls.error, falls.least) == (0.75, 2)
    assert LearningCurve("error", "held-out rows", (0.5, 0.25)).least is None
    assert LearningCurve("error", "held-out rows", (0.25 * (1 - 1e-10), 0.25)).least is None
    assert LearningCurve("error", "held-out rows", (0.25 * (1 - 1e-8), 0.25)).least == 1
    assert LearningCurve("error", "held-out rows", (0.0, 1e-13)).least is None
    # Of a forest the first nine are judged on few rows: the tenth is the first to be compared.
    values = (*(0.0,) * 9, 0.25, 0.5, 0.5)
    assert LearningCurve("error", "out-of-bag rows", values).least == 10
    assert LearningCurve("error", "training rows", values).least == 1
    assert LearningCurve("error", "out-of-bag rows", (0.25, 0.5)).least is None
    ensemble = Ensemble(
        SCHEMA, joined(CUT), curves=(falls, LearningCurve("error", "out-of-bag rows", values))
    )
    assert ensemble.out_of_bag == ensemble.curves[1]
    assert Ensemble(SCHEMA, joined(CUT), curves=(falls,)).out_of_bag is None
    assert from_json(to_json(ensemble)) == ensemble
    assert repr(ensemble).endswith(": 1 member>")
    assert repr(Ensemble(SCHEMA, joined(CUT, CUT))).endswith(": 2 members>")
