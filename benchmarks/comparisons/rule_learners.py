"""Learners of rules: ILA alone, RIPPER beside JRip and wittgenstein, CN2 beside Orange's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from benchmarks import apart
from benchmarks.comparison import (
    OURS,
    Absent,
    Comparison,
    Contestant,
    Entrant,
    Measured,
    Size,
    at_most,
    faster,
)
from benchmarks.reference import ADULT, CAR, MUSHROOM, NURSERY, Reference
from clearwood.learners.rules.cn2 import CN2
from clearwood.learners.rules.ila import ILA, ILA2
from clearwood.learners.rules.ripper import RIPPER
from clearwood.predicting.batch import predict_codes
from clearwood.table.table import Table

ORANGE = Path(__file__).parents[1] / "oracles" / "orange_cn2.py"
WITTGENSTEIN = Path(apart.__file__).with_name("wittgenstein_ripper.py")


def _ila(reference: Reference) -> Callable[[Size], Sequence[Entrant]]:
    def enter(size: Size) -> Sequence[Entrant]:
        table = reference.table(size)
        return [
            Contestant(OURS, lambda: ILA().learn(table), _rules),
            Contestant(f"{OURS} ILA-2, fast", lambda: ILA2(fast=True).learn(table), _rules),
        ]

    return enter


def _ripper_nursery(size: Size) -> Sequence[Entrant]:
    table = NURSERY.table(size)
    return [Contestant(OURS, lambda: RIPPER().learn(table), _right(table)), _jrip(table)]


def _ripper_adult(size: Size) -> Sequence[Entrant]:
    table = ADULT.table(size)
    return [
        Contestant(OURS, lambda: RIPPER().learn(table), _right(table)),
        _jrip(table),
        _wittgenstein(table),
    ]


def _jrip(table: Table) -> Entrant:
    """The table is in the Java machine before the clock starts."""
    from benchmarks.oracles import weka
    from benchmarks.oracles.jrip import jrip

    name = "WEKA JRip"
    if not weka.available():
        return Absent(name, "python-weka-wrapper3 or Java is not installed")

    def run() -> Measured:
        learned = jrip(table, table)
        return Measured(learned.seconds, _summary(learned.rules - 1, learned.right, len(table)))

    return Contestant(name, run)


def _wittgenstein(table: Table) -> Entrant:
    """It knows two classes and learns rules for one: the rarer, as RIPPER does. Numbers it cuts into ten."""
    name = "wittgenstein"
    if apart.version(name) is None:
        return Absent(name, "not in the peers' environment")
    rarest = int(np.argmin(np.bincount(table.target)))

    def run() -> Measured:
        answer = apart.ask(WITTGENSTEIN, {**apart.as_numbers(table), "positive": rarest})
        return Measured(answer["seconds"], _summary(answer["rules"], answer["right"], len(table)))

    return Contestant(name, run)


def _cn2(reference: Reference) -> Callable[[Size], Sequence[Entrant]]:
    """Orange as it comes, ours with its beam and measures; both ask `=` and `≠`."""

    def enter(size: Size) -> Sequence[Entrant]:
        table = reference.table(size)
        ordered = CN2(rules="ordered", measure="entropy", beam=10)
        unordered = CN2(rules="unordered", measure="laplace", beam=10)
        return [
            Contestant(f"{OURS}, ordered", lambda: ordered.learn(table), _rules),
            _orange(table, "ordered"),
            Contestant(f"{OURS}, unordered", lambda: unordered.learn(table), _rules),
            _orange(table, "unordered"),
        ]

    return enter


def _orange(table: Table, order: Literal["ordered", "unordered"]) -> Entrant:
    name = f"Orange, {order}"
    if apart.version("Orange3") is None:
        return Absent(name, "Orange3 is not in the peers' environment")

    def run() -> Measured:
        answer = apart.ask(ORANGE, {**apart.as_numbers(table), "folds": [], "learners": [order]})[order]
        return Measured(answer["seconds"], f"{answer['rules']:,} rules")

    return Contestant(name, run)


def _rules(rules: Any) -> str:
    return f"{len(rules):,} rules"


def _right(table: Table) -> Callable[[Any], str]:
    return lambda rules: _summary(
        len(rules), int((predict_codes(rules, table) == table.target).sum()), len(table)
    )


def _summary(rules: int, right: int, rows: int) -> str:
    return f"{rules:,} rules, {right / rows:.1%} of its rows right"


COMPARISONS = (
    Comparison("ila", f"ILA on {MUSHROOM.called}", _ila(MUSHROOM), (at_most(1, unit="s"),)),
    Comparison("ila-nursery", f"ILA on {NURSERY.called}", _ila(NURSERY), (at_most(2, unit="s"),)),
    Comparison(
        "ripper",
        f"RIPPER on {NURSERY.called}, learning alone from a coded table",
        _ripper_nursery,
        (faster("WEKA JRip", 10),),
    ),
    Comparison(
        "ripper-adult",
        f"RIPPER on {ADULT.called}, learning alone from a coded table",
        _ripper_adult,
        (faster("WEKA JRip", 10), faster("wittgenstein", 50)),
    ),
    *(
        Comparison(
            name,
            f"CN2 on {reference.called}, a beam of ten, at most five conditions, learning alone",
            _cn2(reference),
            tuple(faster(f"Orange, {order}", 20, f"{OURS}, {order}") for order in ("ordered", "unordered")),
        )
        for name, reference in (("cn2", NURSERY), ("cn2-car", CAR))
    ),
)
