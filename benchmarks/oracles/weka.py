"""WEKA's J48, called through PyPI's python-weka-wrapper3: the one place that starts a Java machine."""

from __future__ import annotations

import logging
import re
import time
from dataclasses import dataclass
from typing import Any

from tests.outlines import Outline, plain

from benchmarks.arff import arff, by_position
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class J48:
    """A tree of J48's: its outline, the two figures it prints, and the seconds it took to learn."""

    outline: Outline
    leaves: int
    nodes: int
    seconds: float


def available() -> bool:
    """Is the wrapper installed, and Java with it?"""
    try:
        _start()
    except Exception:
        return False
    return True


def version() -> str:
    _start()
    import jpype

    return f"WEKA {jpype.JClass('weka.core.Version').VERSION}"


def j48(table: Table, options: str = "") -> J48:
    """Learn from the table, columns by position; the seconds leave out writing and reading the ARFF text."""
    _start()
    return learn(instances(table), options)


def instances(table: Table) -> Any:
    """The table inside the Java machine."""
    _start()
    import jpype

    text = jpype.JClass("java.io.StringReader")(arff(by_position(table)))
    rows = jpype.JClass("weka.core.Instances")(text)
    rows.setClassIndex(rows.numAttributes() - 1)
    return rows


def learn(rows: Any, options: str = "") -> J48:
    import jpype

    learner = jpype.JClass("weka.classifiers.trees.J48")()
    if options:
        learner.setOptions(jpype.JArray(jpype.JString)(options.split()))
    start = time.perf_counter()
    learner.buildClassifier(rows)
    seconds = time.perf_counter() - start
    return J48(
        _outline(str(learner.toString())),
        int(learner.measureNumLeaves()),
        int(learner.measureTreeSize()),
        seconds,
    )


def _start() -> None:
    import weka.core.jvm as jvm

    if not jvm.started:
        jvm.start(packages=False, max_heap_size="4g", logging_level=logging.ERROR)


_LINE = re.compile(r"((?:\|   )*)a(\d+) (=|<=|>) (\S+?)(?:: (c\d+) \(([\d.]+)(?:/[\d.]+)?\))?")
_LEAF = re.compile(r": (c\d+) \(([\d.]+)(?:/[\d.]+)?\)")


def _outline(text: str) -> Outline:
    """J48's printed tree, whose lines look like `|   a0 <= 2.5: c1 (12.0/3.0)`."""
    body = [line for line in text.splitlines()[2:] if line and not line.startswith(("Number of", "Size of"))]
    if only := _LEAF.fullmatch(body[0]):
        return Outline((f": {only[1]}",), (float(only[2]),))
    lines, weights = [], []
    for line in body:
        match = _LINE.fullmatch(line)
        if match is None:
            raise ValueError(f"J48 printed a line of an unknown form: {line!r}")
        bars, position, test, value, leaf, weight = match.groups()
        shown = value if test == "=" else plain(float(value))
        lines.append("|  " * (len(bars) // 4) + f"a{position} {test} {shown}" + (f": {leaf}" if leaf else ""))
        if leaf:
            weights.append(float(weight))
    return Outline(tuple(lines), tuple(weights))
