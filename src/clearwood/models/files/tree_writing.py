"""A tree as JSON text: one node a line, columns and values by name, numbers that read back exactly.

The form is published in `model.schema.json`. A child follows its parent, and every subtree is a run
of lines (preorder), so that the file reads from the top like the tree itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from clearwood.models.files.heading import dumps, exact, heading_lines
from clearwood.models.limits import high_limit, low_limit
from clearwood.models.tree import Tree
from clearwood.table.attributes import Nominal, Numeric, Ordinal


def tree_to_json(tree: Tree) -> str:
    """The whole text of a model file."""
    heading = "".join(heading_lines("tree", tree.schema, tree.origin, tree.decision))
    names = f' "score_names": {dumps(tree.score_names)},\n'
    return "".join(["{\n", heading, names, ' "nodes": [\n  ', ",\n  ".join(_nodes(tree)), "\n ]\n}\n"])


def _nodes(tree: Tree) -> Iterator[str]:
    n = tree.nodes
    parents, shares, otherwise = n.parent.tolist(), n.share.tolist(), n.otherwise.tolist()
    surrogates = n.s_start.tolist()
    scores = n.scores.tolist()
    conditions = _conditions(tree)
    for node, counts in enumerate(n.counts.tolist()):
        entry = f'counts": [{", ".join(map(exact, counts))}]'
        if node:
            entry = f'parent": {parents[node]}, {conditions[node]}, "share": {exact(shares[node])}, "{entry}'
        if any(score == score for score in scores[node]):
            entry += f', "score": {_score(tree.score_names, scores[node])}'
        if otherwise[node] >= 0:
            entry += f', "otherwise": {otherwise[node]}'
        if surrogates[node] < surrogates[node + 1]:
            entry += f', "surrogates": [{_surrogates(tree, node)}]'
        yield f'{{"{entry}}}'


def _conditions(tree: Tree) -> list[str]:
    """[node] what the branch into each node asks."""
    n = tree.nodes
    heads = [f'"when": {{"column": {dumps(attribute.name)}' for attribute in tree.schema.attributes]
    names = [
        [dumps(value) for value in attribute.values] if isinstance(attribute, Nominal | Ordinal) else None
        for attribute in tree.schema.attributes
    ]
    starts, codes = n.set_start.tolist(), n.set_codes.tolist()
    written = [""]
    columns = (n.attribute, n.low, n.high, n.or_missing)
    for node, (attribute, low, high, or_missing) in enumerate(
        zip(*(c.tolist() for c in columns), strict=True)
    ):
        if not node:
            continue
        values = names[attribute]
        if values is not None:
            chosen = [values[code] for code in codes[starts[node] : starts[node + 1]]]
            test = (
                f', "is": {chosen[0]}'
                if len(chosen) == 1
                else f', "in": [{", ".join(chosen)}]'
                if chosen
                else ""
            )
        elif low == math.inf:
            test = ""
        else:
            above, at_most = low_limit(low), high_limit(high)
            key = "at_least" if above.included else "above"
            test = "" if low == -math.inf else f', "{key}": {exact(above.number)}'
            key = "at_most" if at_most.included else "below"
            test += "" if high == math.inf else f', "{key}": {exact(at_most.number)}'
            test = test or ', "known": true'
        test += ', "or_missing": true' if or_missing and test else ', "missing": true' if or_missing else ""
        written.append(f"{heads[attribute]}{test}}}")
    return written


def _surrogates(tree: Tree, node: int) -> str:
    n = tree.nodes
    written = []
    for s in range(int(n.s_start[node]), int(n.s_start[node + 1])):
        attribute = tree.schema.attributes[int(n.s_attribute[s])]
        entry: dict[str, Any] = {"column": attribute.name}
        if isinstance(attribute, Numeric):
            entry["at_most"] = float(n.s_limit[s])
        elif isinstance(attribute, Nominal | Ordinal):
            start, split, stop = int(n.s_set_start[s]), int(n.s_set_split[s]), int(n.s_set_start[s + 1])
            entry["in"] = [attribute.values[code] for code in n.s_set_codes[start:split].tolist()]
            entry["not_in"] = [attribute.values[code] for code in n.s_set_codes[split:stop].tolist()]
        written.append(dumps({**entry, "then": int(n.s_branch[s]), "agreement": float(n.s_agreement[s])}))
    return ", ".join(written)


def _score(names: tuple[str, ...], scores: list[float]) -> str:
    return dumps({name: _maybe_infinite(score) for name, score in zip(names, scores, strict=True)})


def _maybe_infinite(score: float) -> float | str | None:
    """A statistic may be infinite or undefined; strict JSON has no such numbers."""
    if math.isinf(score):
        return "infinity" if score > 0 else "-infinity"
    return None if math.isnan(score) else score
