// A linear model: one row's terms times their weights, added up to each class's score.

import { divided, greatest, sum } from "./answers.js";
import { isMissing } from "./conditions.js";

/**
 * @typedef {{column: string, is?: string, missing?: true, weights: number[]}} Term
 * @typedef {ReturnType<typeof preparedLinear>} Prepared
 */

/**
 * What a linear model needs to answer, worked out once: its columns, and the terms that it knows by name.
 * @param {LinearModel} model
 */
export function preparedLinear(model) {
    const used = new Set(model.terms.map((term) => term.column));
    const columns = model.schema.columns.map((column) => column.name).filter((name) => used.has(name));
    const known = new Set([...model.terms, ...model.dependent].map(keyOf));
    const ofColumn = columns.map((name) => model.terms.flatMap((term, t) => (term.column === name ? [t] : [])));
    const contrasts = model.schema.target.values.map((name) => model.contrasts.indexOf(name));
    const numeric = new Set(model.schema.columns.filter((each) => each.kind === "numeric").map((each) => each.name));
    return { model, columns, known, ofColumn, contrasts, numeric };
}

/**
 * Where the average row stands, what each column adds beyond its average, and the shares.
 * @param {Prepared} prepared @param {Row} row
 */
export function linearEvidence(prepared, row) {
    const { model, columns, ofColumn, contrasts } = prepared;
    const values = model.terms.map((term) => termValue(prepared, term, row.get(term.column)));
    /** @param {string} name @param {number[]} terms @param {number} contrast */
    const added = (name, terms, contrast) => {
        if (contrast < 0) return 0;
        if (isAveraged(prepared, name, row.get(name))) return model.averages[name][contrast];
        return sum(terms.map((t) => model.terms[t].weights[contrast] * values[t]));
    };
    const byColumn = columns.map((name, i) => contrasts.map((contrast) => added(name, ofColumn[i], contrast)));
    const starts = contrasts.map((contrast, c) => {
        if (contrast >= 0) return model.intercepts[contrast];
        return model.schema.target.values[c] === model.against ? 0 : -Infinity;
    });
    // A model without averages, as an old file holds, is compared with zeros.
    const hasAverages = columns.every((name) => name in model.averages);
    /** @param {string} name @param {number} contrast */
    const average = (name, contrast) => (hasAverages && contrast >= 0 ? model.averages[name][contrast] : 0);
    return {
        priors: starts.map(
            (start, c) =>
                start +
                sum(columns.map((name) => average(name, contrasts[c]))) +
                Math.log(model.decision.factors[c] ?? 1),
        ),
        pieces: columns.map((name, i) => ({
            name,
            value: row.get(name) ?? null,
            logs: contrasts.map((contrast, c) => byColumn[i][c] - average(name, contrast)),
        })),
        begins: hasAverages ? "average row" : "intercept",
        byLimit: false,
        shares: sharesOfScores(
            starts.map((start, c) => start + sum(byColumn.map((logs) => logs[c]))),
            model.decision,
        ),
    };
}

/** @param {number[]} scores @param {Decision} decision */
function sharesOfScores(scores, decision) {
    const high = greatest(scores);
    return divided(scores.map((score, c) => (decision.factors[c] ?? 1) * Math.exp(score - high)));
}

/**
 * Does the column add its average, because the model has no weight for its cell? A number is filled instead.
 * @param {Prepared} prepared @param {string} column @param {Cell | undefined} cell
 */
function isAveraged({ model, known, numeric }, column, cell) {
    if (numeric.has(column) || !(column in model.averages)) return false;
    if (isMissing(cell)) return !known.has(keyOf({ column, missing: true }));
    return !hasPlace({ model, known }, column, cell);
}

/**
 * What a term is in a row with this cell in its column.
 * @param {Prepared} prepared @param {Term} term @param {Cell | undefined} cell
 * @returns {number}
 */
function termValue({ model, known }, term, cell) {
    const { column } = term;
    const empty = isMissing(cell);
    if (term.missing) return Number(empty);
    if (term.is === undefined) return /** @type {number} */ (empty ? model.fills[column] : cell);
    if (empty && known.has(keyOf({ column, missing: true }))) return 0;
    const has = !empty && hasPlace({ model, known }, column, cell);
    return Number(term.is === (has ? cell : model.fills[column]));
}

/**
 * Is the value the reference, or has it a term?
 * @param {{model: LinearModel, known: Set<string>}} of @param {string} column @param {Cell | undefined} cell
 */
function hasPlace({ model, known }, column, cell) {
    return model.references[column] === cell || known.has(keyOf({ column, is: /** @type {string} */ (cell) }));
}

/** @param {{column: string, is?: string, missing?: boolean}} term */
function keyOf({ column, is, missing }) {
    return JSON.stringify([column, is ?? null, Boolean(missing)]);
}
