"""A tree in a file: one node a line, columns and values by name, numbers that read back exactly.

A child follows its parent, and every subtree is a run of lines (preorder), so that the file reads from the
top like the tree itself.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Final, Literal, TypeAlias

import numpy as np
from msgspec import UNSET, Meta, UnsetType

from clearwood.arrays import Floats
from clearwood.errors import ModelFileError, no_such
from clearwood.formulas.conditions import high_limit, low_limit
from clearwood.models.decision import Answers
from clearwood.models.files.conditions import (
    ConditionForm,
    LimitInFile,
    bounds_in,
    limit_from_json,
    limit_to_json,
    tests_in,
)
from clearwood.models.files.forms import Finite, Form, Share, refuse, without_point
from clearwood.models.files.heading import Heading
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema

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


# A tree from its form: whatever is not exactly a tree is refused, with its place in the file.


_MOST_NODES: Final = 50_000_000
_ROUNDING: Final = 1e-6  # of a node's weight: what sums over its branches may be off by
_OF_A_BRANCH: Final = ("parent", "when", "share")
_OF_A_NODE: Final = ("counts", "score", "otherwise", "surrogates")
_BOUNDS: Final = {"above", "at_least", "at_most", "below"}
_NAMES: Final = "'above', 'at_most', 'known' or 'missing'"


def tree_from_form(form: TreeForm, heading: Heading) -> Tree:
    names = form.score_names
    if len(set(names)) != len(names):
        refuse("body.score_names", "must be different texts", list(names))
    nodes = _Reader(heading.schema, names).nodes(form.nodes)
    return Tree(
        heading.schema,
        nodes,
        names,
        heading.decision,
        heading.origin,
        form.answers,
        form.measure,
        heading.profile,
    )


class _Reader:
    """Node after node, with the path down to the last one: a node's parent must be on it."""

    def __init__(self, schema: Schema, names: tuple[str, ...]) -> None:
        self.schema, self.names = schema, names
        self.numeric = isinstance(schema.target, Numeric)
        self.width = 3 if self.numeric else len(schema.classes)
        self.codes = {
            a.name: schema.codes(a.name) for a in schema.attributes if isinstance(a, Nominal | Ordinal)
        }
        self.numbers = {a.name for a in schema.attributes if isinstance(a, Numeric)}
        self.parents, self.ends, self.branches = [-1], list[int](), list[int]()
        self.path: list[int] = []
        self.conditions: list[tuple[int, float, float, bool]] = [(-1, -math.inf, math.inf, False)]
        self.beside: set[tuple[Any, ...]] = set()
        self.set_start, self.set_codes = [0, 0], list[int]()
        self.s_rows: list[tuple[int, float, int, float]] = []
        self.s_set_codes: list[int] = []
        self.s_set_start, self.s_set_split = [0], list[int]()

    def nodes(self, entries: tuple[NodeForm, ...]) -> Nodes:
        if not entries:
            refuse("body.nodes", "must hold at least the root", [])
        if len(entries) > _MOST_NODES:
            raise ModelFileError(f"body.nodes: {len(entries)} nodes; at most {_MOST_NODES} are read.")
        size = len(entries)
        self.ends, self.branches = [0] * size, [0] * size
        s_start = [0]
        for i, entry in enumerate(entries):
            if i:
                self._branch(entry, i)
            else:
                _check_root(entry)
            self.path.append(i)
            if entry.surrogates is not UNSET:
                for k, each in enumerate(entry.surrogates):
                    self._surrogate(each, f"body.nodes[{i}].surrogates[{k}]")
            s_start.append(len(self.s_rows))
        while self.path:
            self.ends[self.path.pop()] = size
        counts = self._counts(entries)
        shares = np.array([1.0, *(entry.share for entry in entries[1:])], dtype=np.float64)
        self._check_sums(self.parents, shares, counts)
        otherwise = [-1 if entry.otherwise is UNSET else entry.otherwise for entry in entries]
        for i in range(size):
            if otherwise[i] >= 0 and otherwise[i] >= self.branches[i]:
                refuse(
                    f"body.nodes[{i}].otherwise", f"must be one of {self.branches[i]} branches", otherwise[i]
                )
            if s_start[i] < s_start[i + 1] and self.branches[i] != 2:
                refuse(f"body.nodes[{i}].surrogates", "need a split of two branches", self.branches[i])
        attribute, low, high, or_missing = zip(*self.conditions, strict=True)
        s_attribute, s_limit, s_branch, s_agreement = (
            zip(*self.s_rows, strict=True) if self.s_rows else ((),) * 4
        )
        return Nodes(
            parent=np.array(self.parents),
            end=np.array(self.ends),
            counts=counts,
            scores=self._scores(entries),
            share=shares,
            otherwise=np.array(otherwise),
            attribute=np.array(attribute),
            low=np.array(low),
            high=np.array(high),
            or_missing=np.array(or_missing),
            set_start=np.array(self.set_start),
            set_codes=np.array(self.set_codes),
            s_start=np.array(s_start),
            s_attribute=np.array(s_attribute),
            s_limit=np.array(s_limit),
            s_branch=np.array(s_branch),
            s_agreement=np.array(s_agreement),
            s_set_start=np.array(self.s_set_start),
            s_set_split=np.array(self.s_set_split),
            s_set_codes=np.array(self.s_set_codes),
        )

    def _branch(self, entry: NodeForm, i: int) -> None:
        """The way into a node: its parent, on the path, and its condition, which no branch beside it has."""
        parent: Any = entry.parent
        while self.path and self.path[-1] != parent:
            self.ends[self.path.pop()] = i
        when = entry.when
        if not self.path or when is UNSET or entry.share is UNSET:
            _refuse_branch(entry, i)
        assert isinstance(when, ConditionForm)
        self.branches[parent] += 1
        self.parents.append(parent)
        condition = self._condition(when, i)
        self.conditions.append(condition)
        if self.branches[parent] > 1 and condition[0] != self.conditions[parent + 1][0]:
            refuse(f"body.nodes[{i}].when.column", "must be that of the branches beside it", when.column)
        question = (parent, *condition[1:3], *sorted(self.set_codes[self.set_start[-1] :]))
        if question in self.beside:
            tests = {name: getattr(when, f"{name}_", None) or getattr(when, name) for name in tests_in(when)}
            refuse(f"body.nodes[{i}].when", "must not be that of a branch beside it", tests)
        self.beside.add(question)
        self.set_start.append(len(self.set_codes))

    def _check_sums(self, parents: list[int], shares: Any, counts: Any) -> None:
        """Refuse branches whose shares do not add up to 1, or whose counts not to those they branch from."""
        width = 1 if self.numeric else self.width  # of a number's weight, value and error the weight adds up
        above = np.array(parents[1:], dtype=np.int64)
        own = counts[:, :width]
        split = np.bincount(above, minlength=len(parents)) > 0
        with np.errstate(over="ignore", invalid="ignore"):
            parts = np.bincount(above, shares[1:], len(parents))
            # Where a raised subtree's question met no row, no branch has a share.
            for node in np.flatnonzero(split & (parts != 0) & ~(np.abs(parts - 1.0) <= _ROUNDING))[:1]:
                demand = "must have branches whose shares add up to 1"
                refuse(f"body.nodes[{node}]", demand, float(parts[node]))
            below = np.stack([np.bincount(above, own[1:, c], len(parents)) for c in range(width)], axis=1)
            wrong = ~(np.abs(below - own) <= _ROUNDING * own.sum(axis=1, keepdims=True)).all(axis=1)
            for node in np.flatnonzero(split & wrong)[:1]:
                refuse(
                    f"body.nodes[{node}].counts",
                    f"must be the sum of its branches' {below[node].tolist()}",
                    counts[node].tolist(),
                )

    def _counts(self, entries: tuple[NodeForm, ...]) -> Any:
        for i, entry in enumerate(entries):
            if len(entry.counts) != self.width:
                refuse(
                    f"body.nodes[{i}].counts", f"must be a list of {self.width} numbers", list(entry.counts)
                )
        counts = np.array([entry.counts for entry in entries], dtype=np.float64).reshape(-1, self.width)
        weights = counts[:, ::2] if self.numeric else counts  # a number's value may be below 0
        if (weights < 0).any():
            i, k = np.argwhere(weights < 0)[0].tolist()
            place = 2 * k if self.numeric else k
            refuse(f"body.nodes[{i}].counts[{place}]", "must be a finite number ≥ 0", float(counts[i, place]))
        return counts

    def _scores(self, entries: tuple[NodeForm, ...]) -> Any:
        scores = np.full((len(entries), len(self.names)), np.nan)
        for i, entry in enumerate(entries):
            if entry.score is UNSET:
                continue
            if tuple(entry.score) != self.names:
                self._check_names(entry.score, f"body.nodes[{i}].score")
            for k, name in enumerate(self.names):
                value = entry.score[name]
                if value is not None:
                    scores[i, k] = limit_from_json(value)
        return scores

    def _check_names(self, score: dict[str, Any], where: str) -> None:
        for name in self.names:
            if name not in score:
                raise ModelFileError(f"{where}: '{name}' is missing.")
        for name in score:
            if name not in self.names:
                raise ModelFileError(f"{where}: {no_such('field', name, self.names)}")

    def _condition(self, when: ConditionForm, node: int) -> tuple[int, float, float, bool]:
        column, missing = when.column, when.or_missing is True
        if column in self.numbers:
            position = self.schema.positions[column]
            if when.is_ is UNSET and when.in_ is UNSET and when.known is UNSET and when.missing is UNSET:
                bounds = bounds_in(when)
                if bounds is not None and bounds != _EVERYWHERE:
                    low, high = bounds
                    if not low < high:
                        demand = "must have 'above' below 'at_most'"
                        refuse(f"body.nodes[{node}].when", demand, [low, high])
                    return position, low, high, missing
            tests = tests_in(when)
            if tests == ["known"] and when.known is True:
                return position, -math.inf, math.inf, missing
            if tests == ["missing"] and when.missing is True and when.or_missing is UNSET:
                return position, math.inf, math.inf, True
            refuse(f"body.nodes[{node}].when", f"must have {_NAMES}", tests)
        where = f"body.nodes[{node}].when"
        self._check_column(column, where)
        position, tests = self.schema.positions[column], tests_in(when)
        if tests == ["missing"] and when.missing is True and when.or_missing is UNSET:
            return position, -math.inf, math.inf, True
        if tests == ["is"]:
            values: Any = (when.is_,)
        elif tests == ["in"]:
            values = when.in_
        else:
            refuse(where, "must have 'is', 'in' or 'missing'", tests)
        self.set_codes.extend(self._values(column, values, where))
        return position, -math.inf, math.inf, missing

    def _surrogate(self, entry: SurrogateForm, where: str) -> None:
        column = entry.column
        self._check_column(column, where)
        limits: tuple[str, ...] = ("at_most",)
        sets: tuple[str, ...] = ("in", "not_in")
        required, other = (limits, sets) if column in self.numbers else (sets, limits)
        given: dict[str, Any] = {"at_most": entry.at_most, "in": entry.in_, "not_in": entry.not_in}
        for name in required:
            if given[name] is UNSET:
                raise ModelFileError(f"{where}: '{name}' is missing.")
        for name in other:
            if given[name] is not UNSET:
                raise ModelFileError(f"{where}: {no_such('field', name, ('column', *required))}")
        limit = 0.0
        if column in self.numbers:
            limit = float(given["at_most"])
            self.s_set_split.append(len(self.s_set_codes))
        else:
            first = self._values(column, given["in"], f"{where}.in")
            second = self._values(column, given["not_in"], f"{where}.not_in")
            if set(first) & set(second):
                refuse(where, "must not send a value both ways", sorted(set(first) & set(second)))
            self.s_set_codes.extend(first)
            self.s_set_split.append(len(self.s_set_codes))
            self.s_set_codes.extend(second)
        self.s_set_start.append(len(self.s_set_codes))
        self.s_rows.append((self.schema.positions[column], limit, entry.then, entry.agreement))

    def _check_column(self, column: str, where: str) -> None:
        if column not in self.codes and column not in self.numbers:
            if column in self.schema.positions:
                refuse(f"{where}.column", "must be one a tree can test", self.schema[column].kind)
            raise ModelFileError(f"{where}: {no_such('column', column, self.schema.positions)}")

    def _values(self, column: str, values: Any, where: str) -> list[int]:
        codes = self.codes[column]
        if not values or len(set(values)) != len(values):
            refuse(where, "must name at least one value, and each once", list(values))
        try:
            return [codes[value] for value in values]
        except KeyError as error:
            value = str(error.args[0])
            raise ModelFileError(
                f"{where}: {no_such(f'value of {column} called', value, codes, plural='values')}"
            ) from None


def _check_root(entry: NodeForm) -> None:
    for name in _OF_A_BRANCH:
        if getattr(entry, name) is not UNSET:
            raise ModelFileError(f"body.nodes[0]: {no_such('field', name, _OF_A_NODE)}")


def _refuse_branch(entry: NodeForm, i: int) -> None:
    for name in _OF_A_BRANCH[1:]:
        if getattr(entry, name) is UNSET and entry.parent is not UNSET:
            raise ModelFileError(f"body.nodes[{i}]: '{name}' is missing.")
    given = None if entry.parent is UNSET else entry.parent
    refuse(f"body.nodes[{i}].parent", ON_THE_PATH, given)


_EVERYWHERE: Final = (-math.inf, math.inf)
