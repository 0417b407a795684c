"""Node runs exports to JavaScript."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.export.exported import Exported
from clearwood.export.running.processes import as_lines, output_of, program_at, ran_from_lines
from clearwood.export.running.runner import NotRun, Ran, Runner
from clearwood.table.row import Row

_MAIN: Final = """
import { readFileSync } from "node:fs";
import * as model from "./model.mjs";
const { CLASSES, explain, predict, shares } = model;
const lines = readFileSync(0, "utf8").split("\\n").filter((line) => line);
// By name: an object has keys such as "1" and "0" in an order of its own.
const inOrder = (by) => CLASSES.map((name) => by[name]);
const points = (row) => (model.points ? [model.points(row)] : []);
const asked = (row) => [predict(row), [...inOrder(shares(row)), ...points(row)], explain(row) ?? null];
const given = lines.map((line) => asked(JSON.parse(line)));
process.stdout.write(given.map((each) => JSON.stringify(each) + "\\n").join(""));
"""


def run_node(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What the exported module answers, row by row."""
    node = program_at("node")
    if node is None:
        return NotRun("Node is not installed.")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.mjs").write_bytes(exported.data)
        Path(folder, "main.mjs").write_text(_MAIN)
        lines = output_of([node, "main.mjs"], given=as_lines(rows), folder=folder)
    return ran_from_lines(exported, lines, {"Node": output_of([node, "--version"]).strip()})


RUNNER: Final = Runner("node", run_node)
