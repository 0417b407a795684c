"""A FEEL engine runs exports to DMN: Node, where `dmn-moddle` reads the file and `feelin` asks its tests."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.export.dmn.dmn import names_in_dmn
from clearwood.export.exported import Exported
from clearwood.export.program.inputs import inputs_of
from clearwood.export.running.processes import as_lines, output_of, program_at, ran_from_lines
from clearwood.export.running.runner import NotRun, Ran, Runner
from clearwood.table.row import Row

_PACKAGES: Final = ("feelin", "dmn-moddle")
# Whatever the reader of DMN warns of is an error: an element or attribute that the standard does not have.
_MAIN: Final = """
import { readFileSync } from "node:fs";
import { unaryTest, evaluate } from "FEELIN";
import { DmnModdle } from "DMN-MODDLE";
const { rootElement, warnings } = await new DmnModdle().fromXML(readFileSync("model.dmn", "utf8"));
if (warnings.length) throw new Error(warnings.map((each) => each.message).join("; "));
const decision = rootElement.drgElement.find((each) => each.$type === "dmn:Decision");
const table = decision.decisionLogic;
const read = (text, context) => evaluate(text, context).value;
const rows = readFileSync(0, "utf8").split("\\n").filter((line) => line).map((line) => JSON.parse(line));
const named = (table.input || []).map((each) => each.inputExpression.text);
const rules = (table.rule || []).map((rule) => ({
  tests: (rule.inputEntry || []).map((each) => each.text),
  results: rule.outputEntry.map((each) => read(each.text, {})),
}));
const known = new Map();  // tests are parsed each time they are asked
const holds = (test, value) => {
  const key = test + "\\u0000" + JSON.stringify(value);
  if (!known.has(key)) known.set(key, unaryTest(test, { "?": value }).value === true);
  return known.get(key);
};
const answers = rows.map((row) => {
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
  return JSON.stringify([answer, shares]) + "\\n";
});
process.stdout.write(answers.join(""));
"""


def run_feel(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What the decision table answers, its unary tests asked by the hit policy that it states."""
    node = program_at("node")
    if node is None:
        return NotRun("Node is not installed.")
    places = {name: _package_at(name) for name in _PACKAGES}
    main = _MAIN
    versions = {"Node": output_of([node, "--version"]).strip()}
    for name, place in places.items():
        if place is None:
            return NotRun(
                f"The package {name} of Node is not in a folder that NODE_PATH names: npm install "
                f"{' '.join(_PACKAGES)}, then set NODE_PATH to the folder node_modules."
            )
        about = json.loads(Path(place, "package.json").read_text())
        main = main.replace(f'"{name.upper()}"', json.dumps(Path(place, about["main"]).as_uri()))
        versions[name] = str(about["version"])
    names = names_in_dmn(exported.model)
    columns = [each.name for each in inputs_of(exported.model)]
    given = [{names[name]: row.get(name) for name in columns} for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.dmn").write_bytes(exported.data)
        Path(folder, "main.mjs").write_text(main)
        lines = output_of([node, "main.mjs"], given=as_lines(given), folder=folder)
    return ran_from_lines(exported, lines, versions)


def _package_at(name: str) -> Path | None:
    """Where a package of Node is installed, by NODE_PATH; None: it is not."""
    for folder in os.environ.get("NODE_PATH", "").split(os.pathsep):
        if folder and Path(folder, name, "package.json").exists():
            return Path(folder, name).resolve()
    return None


RUNNER: Final = Runner("feel", run_feel)
