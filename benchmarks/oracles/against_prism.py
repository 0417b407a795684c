"""PRISM against WEKA's Prism: the very same rules, on tables of values without empty cells.

WEKA 3.6 has it built in (Debian's package `weka`); WEKA_JAR says where its jar lies.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from typing import Any

from tests.nominal_tables import nominal_table, rules_by_position
from tests.shared_data import NAMES, describe, load_shared

from benchmarks.arff import arff, by_position
from benchmarks.oracles.verdict import Verdict
from clearwood.learners.rules.prism import PRISM
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table

JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")


def compare(tables: int) -> Iterator[Verdict]:
    for name, table in _tables(tables):
        theirs, ours = prism(table), rules_by_position(PRISM().learn(table))
        yield Verdict(name, ours == theirs, f"rules {len(ours)} and {len(theirs)}")


def figures(tables: int) -> dict[str, Any]:
    """What the tests store: Prism's rules, a list of texts a table."""
    return {"program": "WEKA 3.6.14 Prism", "tables": {name: prism(table) for name, table in _tables(tables)}}


def prism(table: Table) -> list[str]:
    """The rules Prism prints, as `a0=v1 a3=v0 c2`."""
    with tempfile.NamedTemporaryFile("w", suffix=".arff") as file:
        file.write(arff(by_position(table)))
        file.flush()
        done = subprocess.run(
            ["java", "-cp", JAR, "weka.classifiers.rules.Prism", "-t", file.name, "-no-cv"],
            capture_output=True,
            text=True,
            check=False,
        )
    if "Prism rules" not in done.stdout:
        raise RuntimeError(f"Prism printed no rules: {done.stderr[:300]}")
    printed = done.stdout.split("----------\n", 1)[1].split("\n\n")[0]
    rules = re.sub(r"\n +and ", " ", printed).splitlines()
    return [
        re.sub(r"(a\d+) = (v\d+)", r"\1=\2", rule).removeprefix("If ").replace("then ", "") for rule in rules
    ]


def _tables(generated: int) -> Iterator[tuple[str, Table]]:
    for name in NAMES:
        if describe(name)["task"] == "classification":
            table = load_shared(name, train=True)
            if all(_is_full(table, attribute) for attribute in table.schema.inputs):
                yield name, table
    for seed in range(5 * generated):
        yield f"generated {seed}", nominal_table(seed)


def _is_full(table: Table, attribute: Any) -> bool:
    return isinstance(attribute, Nominal | Ordinal) and bool((table.columns[attribute.name] >= 0).all())
