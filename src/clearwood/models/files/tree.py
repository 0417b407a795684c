"""A tree in a file: one node a line, columns and values by name, numbers that read back exactly.

A child follows its parent, and every subtree is a run of lines (preorder), so that the file reads from the
top like the tree itself.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import numpy as np
from msgspec import UNSET, Meta, UnsetType

from clearwood.arrays import Floats
from clearwood.models.answers import Answers
from clearwood.models.files.conditions import ConditionForm, LimitInFile, limit_to_json
from clearwood.models.files.forms import Finite, Form, Share, without_point
from clearwood.models.limits import high_limit, low_limit
from clearwood.models.tree import Tree
from clearwood.table.attributes import Nominal, Numeric, Ordinal

ON_THE_PATH: Final = "must be a node on the path to the node before it"
_PARENT: TypeAlias = Annotated[int, Meta(ge=0, extra={"demand": ON_THE_PATH})]
_BRANCH: TypeAlias = Annotated[int, Meta(ge=0, extra={"demand": "must be the position of a branch"})]


class SurrogateForm(Form, frozen=True, kw_only=True, rename={"in_": "in"}):
    """Stands in, first to last, where the split's own cell is empty: x ≤ at_most, or a value in 'in', goes to
    branch 'then'; above it, or a value in 'not_in', to the other; anything else asks the next surrogate."""

    column: str
    at_most: Finite | UnsetType = UNSET
    in_: tuple[str, ...] | UnsetType = UNSET
    not_in: tuple[str, ...] | UnsetType = UNSET
    then: Annotated[Literal[0, 1], Meta(extra={"demand": "must be 0 or 1"})]
    agreement: Share


class NodeForm(Form, frozen=True, kw_only=True):
    """The root has no parent, when or share; every other node has all three. `parent` is the place of the
    node above in this list, `share` the branch's part of the weight known at its parent. `counts`: row weight
    by class; for a numeric target weight, value and error. `score` by name; null where undefined.
    `otherwise`: the branch (0, 1, …) for a row that no branch and no surrogate takes; without it the row goes
    down every branch by its share."""

    parent: _PARENT | UnsetType = UNSET
    when: ConditionForm | UnsetType = UNSET
    share: Share | UnsetType = UNSET
    counts: tuple[Finite, ...]
    score: dict[str, LimitInFile | None] | UnsetType = UNSET
    otherwise: _BRANCH | UnsetType = UNSET
    surrogates: tuple[SurrogateForm, ...] | UnsetType = UNSET


class TreeForm(Form, frozen=True):
    """Splits and leaves. `answers` says what the numbers of a node mean: shares of classes, a mean, a
    median, or a step of an ensemble; `measure` names the impurity that the splits lowered, `score_names` what
    the learner computed for each of them. `nodes` are in preorder: a node follows its parent, and every
    subtree is a run of entries; the first is the root."""

    answers: Answers
    measure: str
    score_names: tuple[str, ...]
    nodes: tuple[NodeForm, ...]


def tree_to_form(tree: Tree) -> TreeForm:
    return TreeForm(
        answers=tree.answers, measure=tree.measure, score_names=tree.score_names, nodes=tuple(_nodes(tree))
    )


def _nodes(tree: Tree) -> list[NodeForm]:
    n = tree.nodes
    parents, otherwise = n.parent.tolist(), n.otherwise.tolist()
    shares, surrogates = _numbers(n.share), n.s_start.tolist()
    scores = n.scores.tolist()
    scored: list[bool] = np.any(~np.isnan(n.scores), axis=1).tolist()
    conditions = _conditions(tree)
    forms = []
    for node, counts in enumerate(_numbers(n.counts)):
        form: dict[str, Any] = {"counts": counts}
        if node:
            form["parent"], form["when"], form["share"] = parents[node], conditions[node], shares[node]
        if scored[node]:
            named = zip(tree.score_names, scores[node], strict=True)
            form["score"] = {name: None if score != score else limit_to_json(score) for name, score in named}
        if otherwise[node] >= 0:
            form["otherwise"] = otherwise[node]
        if surrogates[node] < surrogates[node + 1]:
            form["surrogates"] = _surrogates(tree, node)
        forms.append(NodeForm(**form))
    return forms


def _numbers(array: Floats) -> list[Any]:
    """As nested lists, whole numbers without a point; most trees count whole rows."""
    if np.isfinite(array).all() and np.abs(array).max(initial=0) < 1e15 and (array == np.floor(array)).all():
        whole: list[float] = array.astype(np.int64).tolist()
        return whole
    return [
        without_point(each) if isinstance(each, float) else tuple(map(without_point, each))
        for each in array.tolist()
    ]


def _conditions(tree: Tree) -> list[Any]:
    """[node] what the branch into each node asks."""
    n, attributes = tree.nodes, tree.schema.attributes
    starts, codes = n.set_start.tolist(), n.set_codes.tolist()
    columns = (n.attribute, n.low, n.high, n.or_missing)
    forms: list[Any] = []
    for node, (place, low, high, or_missing) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        if not node:
            forms.append(UNSET)
            continue
        attribute = attributes[place]
        test: dict[str, Any] = {}
        if isinstance(attribute, Nominal | Ordinal):
            values = tuple(attribute.values[code] for code in codes[starts[node] : starts[node + 1]])
            if values:
                test = {"is_": values[0]} if len(values) == 1 else {"in_": values}
        elif low == -np.inf and high == np.inf:
            test = {"known": True}
        elif low < np.inf:
            lower, upper = low_limit(low), high_limit(high)
            if low > -np.inf:
                test["at_least" if lower.included else "above"] = without_point(lower.number)
            if high < np.inf:
                test["at_most" if upper.included else "below"] = without_point(upper.number)
        if or_missing:
            test["or_missing" if test else "missing"] = True
        forms.append(ConditionForm(column=attribute.name, **test))
    return forms


def _surrogates(tree: Tree, node: int) -> tuple[SurrogateForm, ...]:
    n = tree.nodes
    forms = []
    for s in range(int(n.s_start[node]), int(n.s_start[node + 1])):
        attribute = tree.schema.attributes[int(n.s_attribute[s])]
        form: dict[str, Any] = {
            "then": int(n.s_branch[s]),
            "agreement": without_point(float(n.s_agreement[s])),
        }
        if isinstance(attribute, Numeric):
            form["at_most"] = without_point(float(n.s_limit[s]))
        elif isinstance(attribute, Nominal | Ordinal):
            start, split, stop = int(n.s_set_start[s]), int(n.s_set_split[s]), int(n.s_set_start[s + 1])
            form["in_"] = tuple(attribute.values[code] for code in n.s_set_codes[start:split].tolist())
            form["not_in"] = tuple(attribute.values[code] for code in n.s_set_codes[split:stop].tolist())
        forms.append(SurrogateForm(column=attribute.name, **form))
    return tuple(forms)
