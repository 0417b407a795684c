"""A tree as rules: one line for each leaf that has rows, its way down merged to the fewest conditions."""

from __future__ import annotations

import numpy as np

from clearwood.draw.columns import printable
from clearwood.models.conditions import number
from clearwood.models.paths import path_to
from clearwood.models.tree import Tree
from clearwood.predict.answers import node_codes, node_shares, node_values


def draw_rules(tree: Tree) -> str:
    """`IF … THEN …` with rows and, for classes, the share that the rule gets right in training.

    IF Outlook = Sunny AND Humidity ≤ 75 THEN Play = Play  (2 rows, 100 %)
    """
    target = printable(tree.schema.target.name) if tree.schema.target else ""
    answers = _answers(tree)
    weights = tree.nodes.counts[:, 0] if tree.is_numeric else tree.nodes.counts.sum(axis=1)
    lines = []
    for node in np.flatnonzero(tree.nodes.is_leaf & (weights > 0)).tolist():
        conditions = " AND ".join(printable(str(condition)) for condition in path_to(tree, node))
        rows = f"{weights[node]:.4g} row" + ("" if weights[node] == 1 else "s")
        answer, share = answers[node]
        said = rows if share is None else f"{rows}, {share:.0%}".replace("%", " %")
        lines.append(f"{f'IF {conditions}' if conditions else 'ALWAYS'} THEN {target} = {answer}  ({said})")
    return "\n".join(lines)


def _answers(tree: Tree) -> list[tuple[str, float | None]]:
    """[node] the answer as it is written, and its share."""
    if tree.is_numeric:
        return [(number(value), None) for value in node_values(tree).tolist()]
    classes = tree.schema.classes
    codes, shares = node_codes(tree).tolist(), node_shares(tree)
    return [(printable(classes[code]), float(shares[node, code])) for node, code in enumerate(codes)]
