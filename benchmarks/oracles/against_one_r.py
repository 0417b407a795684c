"""OneR against WEKA's OneR: the same column, the same intervals and the same classes.

WEKA 3.6 has it built in (Debian's package `weka`); WEKA_JAR says where its jar lies. Where rows of one number
have several classes, WEKA's intervals depend on the order of the rows; ours do not.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from tests.nominal_tables import named_as_declared, nominal_table, rules_of_one_column
from tests.shared_data import NAMES, describe, load_shared

from benchmarks.arff import arff, by_position
from benchmarks.oracles.against_prism import JAR
from benchmarks.oracles.verdict import Verdict
from clearwood.learners.rules.one_r import OneR
from clearwood.table.table import Table

_SIGNIFICANT: Final = re.compile(r"(?<=[<=] )\S+")


def compare(tables: int) -> Iterator[Verdict]:
    for name, table in _tables(tables):
        theirs, ours = one_r(table), rules_of_one_column(OneR().learn(named_as_declared(table)))
        yield Verdict(name, ours == theirs, f"{ours} and {theirs}")


def figures(tables: int) -> dict[str, Any]:
    """What the tests store: WEKA's column and rules, a list of texts per table."""
    return {"program": "WEKA 3.6.14 OneR", "tables": {name: one_r(table) for name, table in _tables(tables)}}


def one_r(table: Table) -> list[str]:
    """The column and the rules that OneR prints, as `a3`, `< 0.8 c0`, `>= 0.8 c1`, `? c1`, without those of
    values that no row has."""
    with tempfile.NamedTemporaryFile("w", suffix=".arff") as file:
        file.write(arff(by_position(table)))
        file.flush()
        done = subprocess.run(
            ["java", "-cp", JAR, "weka.classifiers.rules.OneR", "-t", file.name, "-no-cv"],
            capture_output=True,
            text=True,
            check=False,
        )
    if "instances correct" not in done.stdout:
        raise RuntimeError(f"OneR printed no rules: {done.stderr[:300]}")
    column, *rules = done.stdout.strip().split("\n(", 1)[0].splitlines()
    column = column.removesuffix(":")
    occurs = np.unique(table.columns[table.schema.attributes[int(column[1:])].name])
    unused = {f"v{code} " for code in range(1000)} - {f"v{code:.0f} " for code in occurs.tolist()}
    texts = [_SIGNIFICANT.sub(_rounded, rule.strip().replace("\t-> ", " ")) for rule in rules]
    return [column, *(text for text in texts if text.partition(" ")[0] + " " not in unused)]


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.12g}"


def _tables(generated: int) -> Iterator[tuple[str, Table]]:
    for name in NAMES:
        if describe(name)["task"] == "classification" and name != "sms_spam":
            yield name, load_shared(name, train=True)
    for seed in range(5 * generated):
        yield f"generated {seed}", nominal_table(seed)
