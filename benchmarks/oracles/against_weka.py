"""C4.5 against WEKA's J48: the whole printed tree, on the reference tables and on generated ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.generated_tables import FLAVOURS, generated_table
from tests.outlines import outline
from tests.shared_data import NAMES, describe, load_shared

from benchmarks.oracles import weka
from benchmarks.oracles.verdict import Verdict
from clearwood.learners.trees.c45 import C45
from clearwood.table.table import Table

# Our settings beside J48's options for the same thing. Unpruned trees are the sharper test of growing.
SETTINGS: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, ""),
    ({"prune": False, "collapse": False}, "-U -O"),
    ({"raise_subtrees": False}, "-S"),
    ({"min_rows": 5, "confidence": 0.1}, "-M 5 -C 0.1"),
)


def compare(tables: int) -> Iterator[Verdict]:
    """Every reference table with classes, then `tables` generated ones of each flavour under each setting."""
    for name in reference_tables():
        yield _verdict(name, load_shared(name, train=True), *SETTINGS[0])
    for flavour in FLAVOURS:
        for seed in range(tables):
            for settings, options in SETTINGS:
                yield _verdict(
                    f"{flavour} {seed} {options}".strip(), generated_table(flavour, seed), settings, options
                )


def figures(tables: int) -> dict[str, Any]:
    """What the tests store: J48's figures for the same tables."""
    reference = {name: _figures(weka.j48(load_shared(name, train=True))) for name in reference_tables()}
    generated = []
    for flavour in FLAVOURS:
        for seed in range(tables if flavour != "large" else 2):
            for settings, options in SETTINGS:
                tree = weka.j48(generated_table(flavour, seed), options)
                generated.append({"flavour": flavour, "seed": seed, "settings": settings, **_figures(tree)})
    return {"program": f"{weka.version()} J48", "reference": reference, "generated": generated}


def _figures(tree: weka.J48) -> dict[str, Any]:
    return {
        "leaves": tree.leaves,
        "nodes": tree.nodes,
        "lines": list(tree.outline.lines),
        "weights": list(tree.outline.weights),
    }


def reference_tables() -> list[str]:
    """Those with classes to learn and no free text among their features."""
    return [name for name in NAMES if _fits(describe(name))]


def _fits(about: dict[str, Any]) -> bool:
    kinds = {about["kinds"][feature] for feature in about["features"]}
    return about["task"] == "classification" and "text" not in kinds


def _verdict(name: str, table: Table, settings: dict[str, Any], options: str) -> Verdict:
    theirs = weka.j48(table, options)
    ours = outline(C45(**settings).learn(table))
    detail = f"leaves {ours.leaves} and {theirs.leaves}, nodes {ours.nodes} and {theirs.nodes}"
    return Verdict(name, ours.same_as(theirs.outline), detail)
