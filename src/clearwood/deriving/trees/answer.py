"""An answer of a tree: the way down, the share of the row at each leaf, and the leaves' joint answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, assert_never

from clearwood.deriving.decided import PREDICTING, answered_steps
from clearwood.deriving.deriving import row_words
from clearwood.deriving.trees.leaves import (
    by_factors,
    interval_figures,
    mean_interval_figures,
    share_of,
    squared_error_figure,
)
from clearwood.explaining import by_path
from clearwood.explaining.by_path import Arrival, path_of
from clearwood.explaining.one_row import cell_text, row_for
from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import Number, Over, Product, Sum, Symbol, ValueOf, count, part
from clearwood.models.kinds.tree.nodes import weight_of
from clearwood.models.kinds.tree.tree import Tree, path_to
from clearwood.models.model import holds_medians
from clearwood.predicting.one import predict_one, shares_of_one
from clearwood.words.numbers import short
from clearwood.working.derivation import Answered, Derivation, Step
from clearwood.working.figures import Figure, Grid, Rows, in_decimals

_PART_LEAF: Final = Symbol("part", "leaf", "the part of the row that follows the branches to the leaf")

_MIXED: Final = Over("Σ", "leaf", _PART_LEAF * Symbol("P(c | leaf)"))
_ROWS: Final = Over("Σ", "leaf", _PART_LEAF * Symbol("n", "leaf", "the number of training rows in the leaf"))
_SPREAD: Final = Over("Σ", "leaf", _PART_LEAF * Symbol("MSE", "leaf", "the mean squared error of the leaf"))


def derive_tree_answer(tree: Tree, row: Mapping[str, Any]) -> Derivation:
    """Every question that the row met, the leaves it came to, and the answer.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> answer = derive_tree_answer(cw.ID3().learn(table), {"Outlook": "Sunny", "Humidity": "High"})
    >>> [step.decision for step in answer][:2]
    ['Outlook is Sunny: on to Outlook = Sunny.', 'Humidity is High: on to Humidity = High.']
    >>> answer.figure("P(No | the row)").exact
    Fraction(1, 1)
    """
    cells = row_for(tree, row)
    leaves = path_of(tree, cells).leaves
    answer = predict_one(tree, cells)
    steps = [*_questions(tree, leaves), *_at_leaves(tree, leaves)]
    if tree.is_numeric:
        steps.append(_number(tree, leaves, float(answer)))
    else:
        steps += _shares(tree, leaves, list(shares_of_one(tree, cells).values()), str(answer))
    row_text = row_words(row)
    return Derivation(
        f"{row_text}: what does the tree predict?" if row_text else "What does the tree predict?", steps
    )


def _questions(tree: Tree, leaves: Sequence[Arrival]) -> list[Step]:
    """A step for each split that the row met, from the top."""
    met: dict[int, list[by_path.PathStep]] = {}
    for leaf in leaves:
        for each in leaf.steps:
            followed = met.setdefault(int(tree.nodes.parent[each.node]), [])
            if each not in followed:
                followed.append(each)
    return [_question(tree, node, met[node]) for node in sorted(met)]


def _question(tree: Tree, node: int, followed: Sequence[by_path.PathStep]) -> Step:
    first = followed[0]
    name = first.when.name
    figures: tuple[Figure, ...] = ()
    match first.by:
        case "cell":
            decision = f"{name} is {cell_text(first.cell)}: on to {first.when}."
        case "surrogate":
            assert first.surrogate is not None
            surrogate = first.surrogate
            decision = (
                f"{name} is {_standing(first)}, and {surrogate.when.name} stands in: {surrogate.when}, "
                f"so on to {first.when}."
            )
            figures = (Figure(f"Agreement({surrogate.when})", surrogate.agreement),)
        case "otherwise":
            decision = f"{name} is {_standing(first)}: on to the larger side, {first.when}."
        case "every branch":
            decision = f"{name} is {_standing(first)}: down every branch, by its share."
            figures = tuple(_share(tree, node, each) for each in followed)
        case _:
            assert_never(first.by)
    where = path_to(tree, node)
    rows = Rows(tree.weight(node), where)
    title = str(rows) if where else "The first question"
    return Step(PREDICTING, title, figures, decision, None, rows, node)


def _standing(step: by_path.PathStep) -> str:
    return "missing" if step.standing == "missing" else f"{cell_text(step.cell)}, which no branch takes"


def _share(tree: Tree, node: int, step: by_path.PathStep) -> Figure:
    """A branch's share of the row, as the tree keeps it."""
    because = "The branch's part of the training rows whose cell was known there."
    rows = Rows(tree.weight(node), path_to(tree, node))
    return Figure(f"Share({step.when})", step.share, because=because, rows=rows)


def _at_leaves(tree: Tree, leaves: Sequence[Arrival]) -> list[Step]:
    """Where a row comes to several leaves, the answer of each."""
    return [_at_leaf(tree, leaf) for leaf in leaves] if len(leaves) > 1 else []


def _at_leaf(tree: Tree, leaf: Arrival) -> Step:
    shares = () if tree.is_numeric else tuple(_leaf_shares(tree, leaf, f"leaf {leaf.node}"))
    decision = (
        f"{short(leaf.weight)} of the row comes here, where the prediction is {_answer_text(leaf.answer)}."
    )
    weight = weight_of(leaf.counts, numeric=tree.is_numeric)
    rows = Rows(weight, path_to(tree, leaf.node))
    return Step(PREDICTING, str(rows), (_part(tree, leaf), *shares), decision, None, rows, leaf.node)


def _part(tree: Tree, leaf: Arrival) -> Figure:
    """The part of the row that comes to a leaf."""
    split = [each for each in leaf.steps if each.by == "every branch"]
    shares = tuple(_share(tree, int(tree.nodes.parent[each.node]), each) for each in split)
    put_in, because = Product(tuple(map(in_decimals, shares))), "The shares on the way, multiplied."
    return Figure(f"part at leaf {leaf.node}", leaf.weight, put_in=put_in, because=because, under=shares)


def _answer_text(answer: str | float) -> str:
    return answer if isinstance(answer, str) else short(answer)


def _leaf_shares(tree: Tree, leaf: Arrival, of: str) -> list[Figure]:
    """The share of each class at a leaf, by its counts and the factors that priors give."""
    classes = tree.schema.classes
    factors = tree.decision.factors or (1.0,) * len(classes)
    weighed = [c * f for c, f in zip(leaf.counts, factors, strict=True)]
    total = math.fsum(weighed)
    reason = (
        "No row came to this leaf when it grew: the rows of the node above are used." if leaf.borrowed else ""
    )
    columns: tuple[str, ...] = ("class", "rows")
    lines: list[tuple[Any, ...]] = list(zip(classes, leaf.counts, strict=True))
    if tree.decision.factors:
        columns = ("class", "rows", "factor", "weight")
        lines = list(zip(classes, leaf.counts, factors, weighed, strict=True))
    grid = Grid("Rows at the leaf", columns, lines)
    because, figures = reason or by_factors(tree.decision.factors), []
    for place, (name, weight) in enumerate(zip(classes, weighed, strict=True)):
        called = f"P({written(name)} | {of})"
        figure = Figure(called, 1 / len(classes), put_in=part(1.0, float(len(classes))))
        if total > 0:
            figure = Figure(called, weight / total, *share_of(leaf.counts, tree.decision.factors, place))
        figures.append(replace(figure, because=because, share_of=name))
    return [replace(figures[0], grids=(grid,)), *figures[1:]]


def _shares(tree: Tree, leaves: Sequence[Arrival], shares: list[float], answer: str) -> list[Step]:
    """The share of each class for the row, and the answer."""
    classes = tree.schema.classes
    if len(leaves) == 1:
        figures = _leaf_shares(tree, leaves[0], "the row")
    else:
        figures = [
            replace(_mixed(tree, leaves, f"P({written(name)} | the row)", shares[code], code), share_of=name)
            for code, name in enumerate(classes)
        ]
    code = classes.index(answer)
    share = shares[code]
    behind = _behind(leaves, [math.fsum(each.counts) for each in leaves])
    sure: tuple[Figure, ...] = ()
    if behind.number > 0:
        p, n = ValueOf(f"P({written(answer)} | the row)", share), in_decimals(behind)
        sure = behind, *interval_figures(share * behind.number, behind.number, p=p, n=n)
    decided = f"The prediction is {answer}, with the largest probability, {short(share)}."
    given = {"decided": decided, "before_costs": "The costs decide."}
    return answered_steps(tree, "The rows behind the prediction", (*figures, *sure), shares, answer, **given)


def _mixed(tree: Tree, leaves: Sequence[Arrival], name: str, share: float, code: int) -> Figure:
    """A class's share where several leaves answer: theirs, each by the part of the row that came to it."""
    under, terms = [], []
    for leaf in leaves:
        came, leaf_share = _part(tree, leaf), _leaf_shares(tree, leaf, f"leaf {leaf.node}")[code]
        under += [came, leaf_share]
        terms.append(in_decimals(came) * in_decimals(leaf_share))
    return Figure(name, share, _MIXED, Sum(tuple(terms)), under=tuple(under))


def _number(tree: Tree, leaves: Sequence[Arrival], answer: float) -> Step:
    """The numbers of the leaves, each by the part of the row that came to it."""
    terms = tuple(_came(leaf) * Number(leaf.counts[1]) for leaf in leaves)
    figure = Figure("prediction", answer, put_in=Sum(terms), because="By their parts.")
    if len(leaves) == 1:
        figure = Figure("prediction", answer, put_in=Number(leaves[0].counts[1]))
    behind = _behind(leaves, [leaf.counts[0] for leaf in leaves])
    sure: tuple[Figure, ...] = ()
    if not holds_medians(tree) and behind.number > 0:
        spread = _spread(leaves)
        sure = behind, spread, *mean_interval_figures(figure, spread, in_decimals(behind))
    decision = f"The prediction is {short(answer)}."
    return Step(PREDICTING, "The rows behind the prediction", (figure, *sure), decision, Answered(answer))


def _came(leaf: Arrival) -> ValueOf:
    return ValueOf(f"part at leaf {leaf.node}", leaf.weight)


def _behind(leaves: Sequence[Arrival], weights: Sequence[float]) -> Figure:
    """The rows behind the prediction: those of its leaves, each by the part of the row that came to it."""
    if len(leaves) == 1:
        return Figure("n", weights[0], put_in=count(weights[0]))
    terms = [_came(leaf) * count(weight) for leaf, weight in zip(leaves, weights, strict=True)]
    value = math.fsum(leaf.weight * weight for leaf, weight in zip(leaves, weights, strict=True))
    return Figure("n", value, _ROWS, Sum(tuple(terms)), because="Rows of the leaves, by their parts.")


def _spread(leaves: Sequence[Arrival]) -> Figure:
    """How far the rows behind the answer lie from the answers of their leaves."""
    held = [leaf for leaf in leaves if leaf.counts[0] > 0]
    if len(leaves) == 1:
        return squared_error_figure(held[0].counts[2], held[0].counts[0])
    own = [part(leaf.counts[2], leaf.counts[0]) for leaf in held]
    terms = [_came(leaf) * each for leaf, each in zip(held, own, strict=True)]
    value = math.fsum(leaf.weight * leaf.counts[2] / leaf.counts[0] for leaf in held)
    return Figure("MSE", value, _SPREAD, Sum(tuple(terms)), because="Of the leaves, by their parts.")
