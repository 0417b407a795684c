"""Showing the work: how the numbers of a large tree came about, its picture, a report on a whole table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

import clearwood as cw
from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Measured, Size, at_most
from benchmarks.reference import WHOLE_ADULT
from benchmarks.tables import half_nominal

ROWS = 50_000


def _derivation(size: Size) -> Sequence[Entrant]:
    frame, y = half_nominal(size.rows(ROWS), 10)
    mixed = cw.read_table(frame.assign(y=np.array(["no", "yes"])[y]), target="y")
    adult = WHOLE_ADULT.table(size)
    return [_walk(OURS, mixed, cw.CART(min_leaf=34)), _walk(f"{OURS}, adult", adult, cw.CART(min_leaf=24))]


def _walk(name: str, table: cw.Table, learner: cw.CART) -> Contestant:
    tree = learner.learn(table)
    return Contestant(
        name,
        lambda: sum(len(step.figures) for step in cw.derive(tree, table)),
        lambda figures: f"{tree.leaves:,} leaves, {figures:,} figures, those under them when asked for",
    )


def _picture(size: Size) -> Sequence[Entrant]:
    frame, y = half_nominal(size.rows(ROWS), 10)
    table = cw.read_table(frame.assign(y=np.array(["no", "yes"])[y]), target="y")
    tree = cw.CART(min_leaf=70).learn(table)
    return [
        Contestant(
            f"{OURS}, {direction}",
            partial(cw.picture, tree, fold=None, direction=direction),
            lambda picture: f"{tree.size:,} nodes, {len(picture.svg.encode()) / 1e6:.1f} MB",
        )
        for direction in ("right", "down")
    ]


def _report(size: Size) -> Sequence[Entrant]:
    table = WHOLE_ADULT.table(size)
    return [
        Contestant(OURS, lambda: cw.report(table), lambda made: f"{len(made.html.encode()) / 1e6:.2f} MB")
    ]


def _report_size(size: Size) -> Sequence[Entrant]:
    table = WHOLE_ADULT.table(size)
    return [Contestant(OURS, lambda: Measured(len(cw.report(table).html.encode()) / 1e6))]


COMPARISONS = (
    Comparison(
        "derivation",
        "A tree of a thousand leaves derived, every step walked: 50,000 × 10, half of it nominal, and "
        f"{WHOLE_ADULT.called}",
        _derivation,
        (at_most(3, OURS, "s"), at_most(3, f"{OURS}, adult", "s")),
    ),
    Comparison(
        "picture",
        "The SVG of a tree of a thousand nodes, nothing folded, growing to the right and down",
        _picture,
        (at_most(0.5, f"{OURS}, right", "s"), at_most(0.5, f"{OURS}, down", "s")),
    ),
    Comparison(
        "report",
        f"A report on {WHOLE_ADULT.called}, from a coded table to the page: C4.5, judged on rows held out",
        _report,
        (at_most(15, OURS, "s"),),
    ),
    Comparison("report-size", "The size of that page", _report_size, (at_most(3, OURS, "MB"),), unit="MB"),
)
