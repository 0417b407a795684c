"""The words in a picture of a tree: at each node the question or answer, on each branch its condition."""

import math
from collections.abc import Sequence
from typing import Final, assert_never

import numpy as np

from clearwood.draw.lettering import isolated_line, wrapped_text
from clearwood.draw.text import takes_the_rest
from clearwood.formulas.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    limits_of,
)
from clearwood.models.kinds.tree.tree import Tree, node_codes, node_values, shown_shares
from clearwood.models.predicted import predicted_quantile
from clearwood.predicting.of_trees import node_reach
from clearwood.records import dataclass
from clearwood.words.numbers import digits_of, figures, number, percent, row_count, rows


@dataclass(frozen=True, slots=True)
class NodeWords:
    """A node: `head` is its question or answer, `detail` its share and rows, `full` the whole text."""

    head: str
    detail: str
    full: tuple[str, ...]
    is_leaf: bool
    weight: float
    counts: Sequence[float]  # by class, or weight, value and error of a number
    code: int  # of the class answered; −1 for a number


@dataclass(frozen=True, slots=True)
class BranchWords:
    """A branch: its condition without the column's name, in parts that commas join; `full` with it."""

    parts: tuple[str, ...]
    tail: str
    rows: str  # '5 rows'
    short_rows: str  # '5'
    full: str
    only_missing: bool

    @property
    def in_line(self) -> str:
        """The condition in one line, without the column's name."""
        return f"{', '.join(self.parts)} {self.tail}".rstrip()


@dataclass(frozen=True, slots=True)
class Shown:
    """A node with the branch into it (None at the root) as a picture shows it."""

    node: NodeWords
    branch: BranchWords | None
    hidden: str = ""  # what a folded node shows of its leaves
    part: str = ""  # what part of a case comes here, where it goes several ways
    chosen: bool = False  # does a case come here?


def node_words(tree: Tree, nodes: Sequence[int]) -> list[NodeWords]:
    """The words of these nodes."""
    n = tree.nodes
    counts, leaf, tested = n.counts.tolist(), n.is_leaf.tolist(), n.attribute.tolist()
    answers, details, codes = _numbers(tree) if tree.is_numeric else _classes(tree)
    target = isolated_line(tree.schema.target.name if tree.schema.target else "")
    words = []
    for node in nodes:
        # The first child's branch names what its parent asks.
        head = answers[node] if leaf[node] else tree.schema.attributes[tested[node + 1]].name
        question = f"{target}: {answers[node]}" if leaf[node] else f"{head}?"
        detail = details[node][leaf[node]]
        named = [] if tree.is_numeric else zip(tree.schema.classes, counts[node], strict=True)
        by_class = ", ".join(f"{isolated_line(name)} {rows(count)}" for name, count in named if count)
        full = (question, detail, by_class) if by_class else (question, detail)
        weight = tree.weight(node)
        words.append(NodeWords(head, detail, full, leaf[node], weight, counts[node], codes[node]))
    return words


def branch_words(tree: Tree, node: int) -> BranchWords:
    """The words of the branch into a node.

    >>> _parts(Between("Age", 23.0, 31.0)), _parts(OneOf("Wind", ("Weak", "Strong"), or_missing=True))
    ((('> 23', '≤ 31'), ''), (('Weak', 'Strong'), 'or missing'))
    """
    condition = tree.condition(node)
    parts, tail = _parts(condition)
    if takes_the_rest(tree, node):
        tail = f"{tail} *".lstrip()
    count = row_count(tree.weight(node))
    only_missing = isinstance(condition, IsMissing)
    return BranchWords(parts, tail, count, count.split(" ")[0], str(condition), only_missing)


def _parts(condition: Condition) -> tuple[tuple[str, ...], str]:
    tail = "or missing" if getattr(condition, "or_missing", False) else ""
    match condition:
        case Equals(_, value):
            return (_bare(value),), tail
        case OneOf(_, values):
            return tuple(f"“{value}”" if ", " in value else _bare(value) for value in values), tail
        case AtMost(_, limit):
            return ("known" if limit == math.inf else f"≤ {number(limit)}",), tail
        case Below(_, limit):
            return (f"< {number(limit)}",), tail
        case Above(_, limit):
            return (f"> {number(limit)}",), tail
        case AtLeast(_, limit):
            return (f"≥ {number(limit)}",), tail
        case Between():
            low, high = limits_of(condition)
            above, below = "≥" if low.included else ">", "≤" if high.included else "<"
            return (f"{above} {number(low.number)}", f"{below} {number(high.number)}"), tail
        case IsMissing():
            return ("missing",), tail
        case _:
            assert_never(condition)


def _bare(value: str) -> str:
    """A value as it is, in quotes only where it would be read as something else."""
    return f"“{value}”" if value.strip() in ("", "missing", "known") else value


def _classes(tree: Tree) -> tuple[list[str], list[tuple[str, str]], list[int]]:
    """By node: the answer, its details at a split and at a leaf, and its code."""
    codes = node_codes(tree)
    share = shown_shares(tree)[np.arange(len(codes)), codes].tolist()
    weight = tree.nodes.counts.sum(axis=1).tolist()
    names = tree.schema.classes
    answers = [names[code] for code in codes.tolist()]
    details = []
    for s, w, answer in zip(share, weight, answers, strict=True):
        detail = f"{percent(s)} % · {row_count(w)}"
        details.append((f"{isolated_line(answer)}: {detail}", detail) if w > 0 else ("no rows", "no rows"))
    return answers, details, codes.tolist()


def _numbers(tree: Tree) -> tuple[list[str], list[tuple[str, str]], list[int]]:
    values = figures(node_values(tree).tolist())
    weight = tree.nodes.counts[:, 0].tolist()
    answers = values
    if predicted_quantile(tree) is None:
        # The numbers of a single row, or of equal ones, do not show how far the mean may be off.
        reach = [f" ± {digits_of(r, 2)}" if r > 0 else "" for r in node_reach(tree).tolist()]
        answers = [v + r for v, r in zip(values, reach, strict=True)]
    details = [
        (f"{answer} · {row_count(w)}", row_count(w)) if w > 0 else ("no rows", "no rows")
        for answer, w in zip(answers, weight, strict=True)
    ]
    return answers, details, [-1] * len(values)


# The lines below a tree, as text or as picture: size, origin and decision, and where unusual cells go.


# The condition of a branch set in lines; of very many values some are named and the rest counted.


LABEL: Final = 12.0  # the size of its letters
_WIDEST: Final = 150.0
_MOST_LINES: Final = 6


def label_lines(branch: BranchWords) -> tuple[str, ...]:
    """One value is set in full, however long it is; the full condition is always in the node's title."""
    for named in range(len(branch.parts), 0, -1):
        left = len(branch.parts) - named
        text = ", ".join((*branch.parts[:named], *((f"… {left} more",) if left else ())))
        lines = wrapped_text(f"{isolated_line(text)} {branch.tail}" if branch.tail else text, _WIDEST, LABEL)
        if len(lines) <= _MOST_LINES:
            break
    return lines
