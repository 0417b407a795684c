"""A FEEL engine runs exports to DMN: Node, where `dmn-moddle` reads the file and `feelin` asks its tests."""

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from clearwood.exporting.exportable import inputs_of
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
from clearwood.exporting.tables.dmn import names_in_dmn

_PACKAGES: Final = ("feelin", "dmn-moddle")
# Whatever the reader of DMN warns of is an error: an element or attribute that the standard does not have.
_MAIN: Final = """
import { readFileSync } from "node:fs";
import { unaryTest, evaluate } from "FEELIN";
import { DmnModdle } from "DMN-MODDLE";
const read = (text, context) => evaluate(text, context).value;
const known = new Map();  // tests are parsed each time they are asked
const holds = (test, value) => {
  const key = test + "\\u0000" + JSON.stringify(value);
  if (!known.has(key)) known.set(key, unaryTest(test, { "?": value }).value === true);
  return known.get(key);
};
const asked = async (file, rows) => {
  const { rootElement, warnings } = await new DmnModdle().fromXML(readFileSync(file, "utf8"));
  if (warnings.length) throw new Error(warnings.map((each) => each.message).join("; "));
  const decision = rootElement.drgElement.find((each) => each.$type === "dmn:Decision");
  const table = decision.decisionLogic;
  const named = (table.input || []).map((each) => each.inputExpression.text);
  const rules = (table.rule || []).map((rule) => ({
    tests: (rule.inputEntry || []).map((each) => each.text),
    results: rule.outputEntry.map((each) => read(each.text, {})),
    reason: rule.annotationEntry?.[0]?.text || null,
  }));
  return rows.map((row) => {
    const given = named.map((name) => read(name, row));
    const hits = [];
    for (const rule of rules) {
      if (rule.tests.every((test, k) => holds(test, given[k]))) {
        hits.push(rule);
        if (table.hitPolicy === "FIRST") break;
      }
    }
    if (hits.length !== 1) throw new Error(`${hits.length} rules hold for ${JSON.stringify(row)}`);
    const [answer, ...shares] = hits[0].results;
    return [answer, shares, hits[0].reason];
  });
};
const lines = readFileSync(0, "utf8").split("\\n").filter((line) => line);
for (const [place, line] of lines.entries()) {
  known.clear();
  process.stdout.write(JSON.stringify(await asked(`model_${place}.dmn`, JSON.parse(line))) + "\\n");
}
"""


def run_feel(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What the decision tables answer, their unary tests asked by the hit policy that they state."""
    node = program_at("node")
    if node is None:
        return [NotRun("Node is not installed.")] * len(tasks)
    places = {name: _package_at(name) for name in _PACKAGES}
    main = _MAIN
    versions = {"Node": output_of([node, "--version"]).strip()}
    for name, place in places.items():
        if place is None:
            because = (
                f"The package {name} of Node is not in a folder that NODE_PATH names: npm install "
                f"{' '.join(_PACKAGES)}, then set NODE_PATH to the folder node_modules."
            )
            return [NotRun(because)] * len(tasks)
        about = json.loads(Path(place, "package.json").read_text())
        main = main.replace(f'"{name.upper()}"', json.dumps(Path(place, about["main"]).as_uri()))
        versions[name] = str(about["version"])
    with tempfile.TemporaryDirectory() as folder:
        for number, task in enumerate(tasks):
            Path(folder, f"model_{number}.dmn").write_bytes(task.exported.data)
        Path(folder, "main.mjs").write_text(main)
        given = as_lines([_by_feel_names(task) for task in tasks])
        lines = output_of([node, "main.mjs"], given=given, folder=folder, seconds=seconds_for(len(tasks)))
    return ran_from_lines(tasks, lines, versions)


def _by_feel_names(task: RunTask) -> RunTask:
    model = task.exported.model
    names = names_in_dmn(model)
    columns = [each.name for each in inputs_of(model)]
    return replace(task, rows=[{names[name]: row.get(name) for name in columns} for row in task.rows])


def _package_at(name: str) -> Path | None:
    """Where a package of Node is installed, by NODE_PATH; None: it is not."""
    for folder in os.environ.get("NODE_PATH", "").split(os.pathsep):
        if folder and Path(folder, name, "package.json").exists():
            return Path(folder, name).resolve()
    return None


RUNNER: Final = Runner("feel", run_feel, most=50)
