"""Node runs exports to JavaScript."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.exporting.running.runner import (
    NotRun,
    Ran,
    Runner,
    RunTask,
    as_lines,
    output_of,
    program_at,
    ran_from_lines,
    seconds_for,
)

_MAIN: Final = """
import { readFileSync } from "node:fs";
const lines = readFileSync(0, "utf8").split("\\n").filter((line) => line);
for (const [place, line] of lines.entries()) {
  const model = await import(`./model_${place}.mjs`);
  const { CLASSES, explain, predict, shares } = model;
  // By name: an object has keys such as "1" and "0" in an order of its own.
  const inOrder = (by) => CLASSES.map((name) => by[name]);
  const points = (row) => (model.points ? [model.points(row)] : []);
  const asked = (row) => [predict(row), [...inOrder(shares(row)), ...points(row)], explain(row) ?? null];
  process.stdout.write(JSON.stringify(JSON.parse(line).map(asked)) + "\\n");
}
"""


def run_node(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What the exported modules answer, row by row."""
    node = program_at("node")
    if node is None:
        return [NotRun("Node is not installed.")] * len(tasks)
    with tempfile.TemporaryDirectory() as folder:
        for place, task in enumerate(tasks):
            Path(folder, f"model_{place}.mjs").write_bytes(task.exported.data)
        Path(folder, "main.mjs").write_text(_MAIN)
        lines = output_of(
            [node, "main.mjs"], given=as_lines(tasks), folder=folder, seconds=seconds_for(len(tasks))
        )
    return ran_from_lines(tasks, lines, {"Node": output_of([node, "--version"]).strip()})


RUNNER: Final = Runner("node", run_node, most=100)
