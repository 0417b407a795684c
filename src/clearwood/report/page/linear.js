// A linear model: one row's terms times their weights, added up to each class's score.

import { divided, greatest, sum } from "./answers.js";
import { isMissing } from "./conditions.js";

/** @typedef {{column: string, is?: string, missing?: true, weights: number[]}} Term */

/** Intercepts, what each column adds, and the shares. */
export function linearEvidence(model, row) {
  const classes = model.schema.target.values;
  const values = model.terms.map((term) => termValue(model, term, row.get(term.column)));
  const columns = [...new Set(model.schema.columns.map((each) => each.name))].filter((name) =>
    model.terms.some((term) => term.column === name),
  );
  const scores = classes.map((name) => {
    const contrast = model.contrasts.indexOf(name);
    if (contrast < 0) return name === model.against ? 0 : -Infinity;
    return model.intercepts[contrast] + sum(model.terms.map((term, t) => term.weights[contrast] * values[t]));
  });
  const added = (name, column) => {
    const contrast = model.contrasts.indexOf(name);
    if (contrast < 0) return 0;
    const own = model.terms.map((term, t) => (term.column === column ? term.weights[contrast] * values[t] : 0));
    return sum(own);
  };
  return {
    priors: classes.map((name, c) => startOf(model, name) + Math.log(model.decision.factors[c] ?? 1)),
    pieces: columns.map((column) => ({
      name: column,
      value: row.get(column) ?? null,
      logs: classes.map((name) => added(name, column)),
    })),
    byLimit: false,
    shares: sharesOfScores(scores, model.decision),
  };
}

function sharesOfScores(scores, decision) {
  const high = greatest(scores);
  return divided(scores.map((score, c) => (decision.factors[c] ?? 1) * Math.exp(score - high)));
}

function startOf(model, name) {
  const contrast = model.contrasts.indexOf(name);
  return contrast >= 0 ? model.intercepts[contrast] : name === model.against ? 0 : -Infinity;
}

/** What a term is in a row with this cell in its column. @param {Term} term */
function termValue(model, term, cell) {
  const empty = isMissing(cell);
  if (term.missing) return Number(empty);
  if (term.is === undefined) return empty ? model.fills[term.column] : cell;
  if (empty && hasTerm(model, { column: term.column, missing: true })) return 0;
  const known = !empty && hasPlace(model, term.column, cell);
  return Number(term.is === (known ? cell : model.fills[term.column]));
}

/** Is the value the reference, or has it a term? Others are taken for what fills the column. */
function hasPlace(model, column, value) {
  return (
    (Object.hasOwn(model.references, column) && model.references[column] === value) ||
    hasTerm(model, { column, is: value })
  );
}

function hasTerm(model, { column, is, missing }) {
  return [...model.terms, ...model.dependent].some(
    (term) => term.column === column && term.is === is && term.missing === missing,
  );
}
