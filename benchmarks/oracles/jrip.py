"""WEKA's JRip, inside the Java machine of `weka.py`: its rules, how many test rows are right, seconds."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from benchmarks.oracles import weka
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class JRip:
    """What JRip made of one table: test rows it got right, its rules with the default, seconds to learn.

    A line a rule, columns by position: `a0 = v1 and a2 = v0: c1`.
    """

    right: int
    rules: int
    lines: tuple[str, ...]
    seconds: float


def jrip(train: Table, test: Table | None = None, options: str = "") -> JRip:
    """Learn from one table, count the right answers on another; the seconds are those of learning alone."""
    rows = weka.instances(train)
    import jpype

    learner = jpype.JClass("weka.classifiers.rules.JRip")()
    if options:
        learner.setOptions(jpype.JArray(jpype.JString)(options.split()))
    start = time.perf_counter()
    learner.buildClassifier(rows)
    seconds = time.perf_counter() - start
    right = 0
    if test is not None:
        evaluation = jpype.JClass("weka.classifiers.evaluation.Evaluation")(rows)
        evaluation.evaluateModel(learner, weka.instances(test))
        right = int(evaluation.correct())
    printed = _RULE.findall(str(learner.toString()))
    lines = tuple(f"{re.sub('[()]', '', body).strip()}: {code}" for body, code in printed)
    return JRip(right, int(learner.getRuleset().size()), lines, seconds)


_RULE = re.compile(r"^(.*)=> y=(c\d+) \(", re.MULTILINE)
