import { readFileSync } from "node:fs";
import { unaryTest, evaluate } from "FEELIN";
import { DmnModdle } from "DMN-MODDLE";
const read = (text, context) => evaluate(text, context).value;
const known = new Map();  // tests are parsed each time they are asked
const holds = (test, value) => {
  const key = test + "\u0000" + JSON.stringify(value);
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
const lines = readFileSync(0, "utf8").split("\n").filter((line) => line);
for (const [place, line] of lines.entries()) {
  known.clear();
  process.stdout.write(JSON.stringify(await asked(`model_${place}.dmn`, JSON.parse(line))) + "\n");
}
