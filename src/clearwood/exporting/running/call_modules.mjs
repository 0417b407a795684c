import { readFileSync } from "node:fs";
const lines = readFileSync(0, "utf8").split("\n").filter((line) => line);
for (const [place, line] of lines.entries()) {
  const model = await import(`./model_${place}.mjs`);
  const { CLASSES, explain, predict, shares } = model;
  // By name: an object has keys such as "1" and "0" in an order of its own.
  const inOrder = (by) => CLASSES.map((name) => by[name]);
  const points = (row) => (model.points ? [model.points(row)] : []);
  const asked = (row) => [predict(row), [...inOrder(shares(row)), ...points(row)], explain(row) ?? null];
  process.stdout.write(JSON.stringify(JSON.parse(line).map(asked)) + "\n");
}
