"""JSON text to a tree: whatever is not exactly a tree is refused, with its place in the file."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from clearwood.errors import ModelFileError, SchemaError, no_such
from clearwood.models.files.fields import as_list, as_number, fields, refuse
from clearwood.models.files.heading import HEADING, read_heading
from clearwood.models.files.version_1 import answers_of, measure_of
from clearwood.models.limits import Limit, high_bound, low_bound
from clearwood.models.nodes import Nodes
from clearwood.models.tree import Tree
from clearwood.table.attributes import Nominal, Numeric, Ordinal, kind_of
from clearwood.table.schema import Schema

_MOST_NODES: Final = 50_000_000
_ROOT: Final = frozenset(("counts", "score", "otherwise", "surrogates"))
_NODE: Final = frozenset(("parent", "when", "share", *_ROOT))
_ROUNDING: Final = 1e-6  # of a node's weight: what sums over its branches may be off by
_INFINITE: Final = {"infinity": math.inf, "-infinity": -math.inf}


def tree_from_json(data: Mapping[str, Any]) -> Tree:
    """The tree in the fields of a model file, its heading (format, version, model) left out."""
    fields(data, "the file", required=(*HEADING, "score_names", "nodes"))
    schema, origin, decision = read_heading(data)
    width = 3 if isinstance(schema.target, Numeric) else len(schema.classes)
    names = tuple(as_list(data["score_names"], "score_names"))
    if not all(isinstance(name, str) for name in names) or len(set(names)) != len(names):
        refuse("score_names", "must be different texts", list(names))
    nodes = _Reader(schema, width, names).nodes(as_list(data["nodes"], "nodes"))
    try:
        return Tree(
            schema,
            nodes,
            names,
            decision,
            origin,
            answers=answers_of(origin),
            measure=measure_of(origin, numeric=isinstance(schema.target, Numeric)),
        )
    except SchemaError as error:
        raise ModelFileError(f"not a tree: {error}") from None


class _Reader:
    """Node after node, with the path down to the last one: a node's parent must be on it."""

    def __init__(self, schema: Schema, width: int, names: tuple[str, ...]) -> None:
        self.schema, self.width, self.names = schema, width, names
        self.numeric = isinstance(schema.target, Numeric)
        self.codes = {
            a.name: {value: code for code, value in enumerate(a.values)}
            for a in schema.attributes
            if isinstance(a, Nominal | Ordinal)
        }
        self.numbers = {a.name for a in schema.attributes if isinstance(a, Numeric)}
        self.set_codes: list[int] = []
        self.s_rows: list[tuple[int, float, int, float]] = []
        self.s_set_codes: list[int] = []
        self.s_set_start, self.s_set_split = [0], list[int]()

    def nodes(self, entries: list[Any]) -> Nodes:
        if not entries:
            refuse("nodes", "must hold at least the root", entries)
        if len(entries) > _MOST_NODES:
            raise ModelFileError(f"nodes: {len(entries)} nodes; at most {_MOST_NODES} are read.")
        size = len(entries)
        parents, ends, counts, scores = [-1], [0] * size, [], []
        shares, branches, otherwise = [1.0], [0] * size, []
        conditions: list[tuple[int, float, float, bool]] = [(-1, -math.inf, math.inf, False)]
        set_start, s_start = [0, 0], [0]
        no_score = [math.nan] * len(self.names)
        path: list[int] = []
        beside: set[tuple[Any, ...]] = set()
        for i, entry in enumerate(entries):
            where = f"nodes[{i}]"
            if type(entry) is not dict:
                refuse(where, "must be an object", entry)
            if not entry.keys() <= (_NODE if i else _ROOT):
                fields(entry, where, optional=tuple(sorted(_NODE if i else _ROOT)))
            if i:
                parent = entry.get("parent")
                while path and path[-1] != parent:
                    ends[path.pop()] = i
                if not path or type(parent) is not int:
                    refuse(f"{where}.parent", "must be a node on the path to the node before it", parent)
                branches[parent] += 1
                parents.append(parent)
                shares.append(as_number(entry.get("share"), where, "share", 0.0, 1.0))
                conditions.append(self._condition(entry.get("when"), where))
                if branches[parent] > 1 and conditions[i][0] != conditions[parent + 1][0]:
                    refuse(
                        f"{where}.when.column",
                        "must be that of the branches beside it",
                        entry["when"]["column"],
                    )
                asked = (parent, *conditions[i][1:3], *sorted(self.set_codes[set_start[-1] :]))
                if asked in beside:
                    refuse(f"{where}.when", "must not be that of a branch beside it", entry["when"])
                beside.add(asked)
                set_start.append(len(self.set_codes))
            path.append(i)
            counts.append(self._counts(entry.get("counts"), where))
            scores.append(self._score(entry["score"], where) if "score" in entry else no_score)
            chosen = entry.get("otherwise", -1)
            if type(chosen) is not int or ("otherwise" in entry and chosen < 0):
                refuse(f"{where}.otherwise", "must be the position of a branch", chosen)
            otherwise.append(chosen)
            for k, each in enumerate(as_list(entry.get("surrogates", []), f"{where}.surrogates")):
                self._surrogate(each, f"{where}.surrogates[{k}]")
            s_start.append(len(self.s_rows))
        while path:
            ends[path.pop()] = size
        self._check_sums(parents, shares, counts)
        for i in range(size):
            if otherwise[i] >= 0 and otherwise[i] >= branches[i]:
                refuse(f"nodes[{i}].otherwise", f"must be one of {branches[i]} branches", otherwise[i])
            if s_start[i] < s_start[i + 1] and branches[i] != 2:
                refuse(f"nodes[{i}].surrogates", "need a split of two branches", branches[i])
        attribute, low, high, or_missing = zip(*conditions, strict=True)
        s_attribute, s_limit, s_branch, s_agreement = (
            zip(*self.s_rows, strict=True) if self.s_rows else ((),) * 4
        )
        return Nodes(
            parent=np.array(parents),
            end=np.array(ends),
            counts=np.array(counts, dtype=np.float64).reshape(size, self.width),
            scores=np.array(scores, dtype=np.float64).reshape(size, len(self.names)),
            share=np.array(shares),
            otherwise=np.array(otherwise),
            attribute=np.array(attribute),
            low=np.array(low),
            high=np.array(high),
            or_missing=np.array(or_missing),
            set_start=np.array(set_start),
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

    def _check_sums(self, parents: list[int], shares: list[float], counts: list[list[float]]) -> None:
        """Refuse branches whose shares do not add up to 1, or whose counts not to those they branch from."""
        width = 1 if self.numeric else self.width  # of a number's weight, value and error the weight adds up
        above = np.array(parents[1:], dtype=np.int64)
        own = np.array([each[:width] for each in counts], dtype=np.float64)
        split = np.bincount(above, minlength=len(parents)) > 0
        with np.errstate(over="ignore", invalid="ignore"):
            parts = np.bincount(above, shares[1:], len(parents))
            # Where a raised subtree's question met no row, no branch has a share.
            for node in np.flatnonzero(split & (parts != 0) & ~(np.abs(parts - 1.0) <= _ROUNDING))[:1]:
                refuse(f"nodes[{node}]", "must have branches whose shares add up to 1", float(parts[node]))
            below = np.zeros_like(own)
            np.add.at(below, above, own[1:])
            wrong = ~(np.abs(below - own) <= _ROUNDING * own.sum(axis=1, keepdims=True)).all(axis=1)
            for node in np.flatnonzero(split & wrong)[:1]:
                refuse(
                    f"nodes[{node}].counts",
                    f"must be the sum of its branches' {below[node].tolist()}",
                    counts[node],
                )

    def _counts(self, counts: Any, where: str) -> list[float]:
        if type(counts) is not list or len(counts) != self.width:
            refuse(f"{where}.counts", f"must be a list of {self.width} numbers", counts)
        for k, count in enumerate(counts):
            lowest = -sys.float_info.max if self.numeric and k == 1 else 0.0
            if type(count) not in (int, float) or not lowest <= count <= sys.float_info.max:
                refuse(
                    f"{where}.counts[{k}]", "must be a finite number" + (" ≥ 0" if lowest == 0 else ""), count
                )
        return counts

    def _score(self, score: Any, where: str) -> list[float]:
        fields(score, f"{where}.score", required=self.names)
        found = []
        for name in self.names:
            value = score[name]
            if value is None:
                found.append(math.nan)
            elif isinstance(value, str) and value in _INFINITE:
                found.append(_INFINITE[value])
            else:
                found.append(as_number(value, f"{where}.score", name))
        return found

    def _condition(self, when: Any, where: str) -> tuple[int, float, float, bool]:
        if type(when) is not dict:
            refuse(f"{where}.when", "must be an object", when)
        column = self._column(when, f"{where}.when")
        position = self.schema.positions[column]
        or_missing = when.get("or_missing", False)
        if type(or_missing) is not bool:
            refuse(f"{where}.when.or_missing", "must be true or false", or_missing)
        keys = when.keys() - {"column", "or_missing"}
        if keys == {"missing"} and when["missing"] is True and "or_missing" not in when:
            return (position, math.inf if column in self.numbers else -math.inf, math.inf, True)
        if column in self.numbers:
            if keys == {"known"} and when["known"] is True:
                return (position, -math.inf, math.inf, or_missing)
            lows, highs = keys & {"above", "at_least"}, keys & {"at_most", "below"}
            if not keys or keys != lows | highs or len(lows) > 1 or len(highs) > 1:
                what = "must have 'above', 'at_most', 'at_least', 'below', 'known' or 'missing'"
                refuse(f"{where}.when", what, sorted(keys))
            limits = {key: as_number(when[key], f"{where}.when", key) for key in keys}
            low = max((low_bound(Limit(limits[key], key == "at_least")) for key in lows), default=-math.inf)
            high = min((high_bound(Limit(limits[key], key == "at_most")) for key in highs), default=math.inf)
            if not low < high:
                refuse(f"{where}.when", f"must have '{min(lows)}' below '{min(highs)}'", [low, high])
            return (position, low, high, or_missing)
        if keys != {"is"} and keys != {"in"}:
            refuse(f"{where}.when", "must have 'is', 'in' or 'missing'", sorted(keys))
        values = [when["is"]] if "is" in when else as_list(when["in"], f"{where}.when.in")
        self.set_codes.extend(self._values(column, values, f"{where}.when"))
        return (position, -math.inf, math.inf, or_missing)

    def _surrogate(self, entry: Any, where: str) -> None:
        column = self._column(entry, where)
        limits = ("at_most",) if column in self.numbers else ("in", "not_in")
        fields(entry, where, required=("column", *limits, "then", "agreement"))
        then = entry["then"]
        if type(then) is not int or then not in (0, 1):
            refuse(f"{where}.then", "must be 0 or 1", then)
        limit = 0.0
        if column in self.numbers:
            limit = as_number(entry["at_most"], where, "at_most")
            self.s_set_split.append(len(self.s_set_codes))
        else:
            first = self._values(column, as_list(entry["in"], f"{where}.in"), f"{where}.in")
            other = self._values(column, as_list(entry["not_in"], f"{where}.not_in"), f"{where}.not_in")
            if set(first) & set(other):
                refuse(where, "must not send a value both ways", sorted(set(first) & set(other)))
            self.s_set_codes.extend(first)
            self.s_set_split.append(len(self.s_set_codes))
            self.s_set_codes.extend(other)
        self.s_set_start.append(len(self.s_set_codes))
        agreement = as_number(entry["agreement"], where, "agreement", 0.0, 1.0)
        self.s_rows.append((self.schema.positions[column], limit, then, agreement))

    def _column(self, entry: Any, where: str) -> str:
        if type(entry) is not dict or not isinstance(entry.get("column"), str):
            refuse(where, "must be an object with a 'column'", entry)
        column: str = entry["column"]
        if column not in self.codes and column not in self.numbers:
            if column in self.schema.positions:
                refuse(f"{where}.column", "must be one a tree can test", kind_of(self.schema[column]))
            raise ModelFileError(f"{where}: {no_such('column', column, self.schema.positions)}")
        return column

    def _values(self, column: str, values: list[Any], where: str) -> list[int]:
        codes = self.codes[column]
        if not values or len(set(map(str, values))) != len(values):
            refuse(where, "must name at least one value, and each once", values)
        for value in values:
            if not isinstance(value, str) or value not in codes:
                raise ModelFileError(
                    f"{where}: {no_such(f'value of {column} called', str(value), codes, plural='values')}"
                )
        return [codes[value] for value in values]
