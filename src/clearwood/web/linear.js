// A linear model: one row's terms times their weights, added up to each class's score.

import { divided, greatest, sum } from "./answers.js";
import { isMissing } from "./conditions.js";

/** @typedef {{column: string, is?: string, missing?: true, weights: number[]}} Term */

/** What a linear model needs to answer, worked out once: its columns, and the terms that it knows by name. */
export function preparedLinear(model) {
    const used = new Set(model.terms.map((term) => term.column));
    const columns = model.schema.columns.map((column) => column.name).filter((name) => used.has(name));
    const known = new Set([...model.terms, ...model.dependent].map(keyOf));
    const ofColumn = columns.map((name) => model.terms.flatMap((term, t) => (term.column === name ? [t] : [])));
    const contrasts = model.schema.target.values.map((name) => model.contrasts.indexOf(name));
    return { model, columns, known, ofColumn, contrasts };
}

/** Intercepts, what each column adds, and the shares. */
export function linearEvidence(prepared, row) {
    const { model, columns, ofColumn, contrasts } = prepared;
    const values = model.terms.map((term) => termValue(prepared, term, row.get(term.column)));
    const added = (terms, contrast) =>
        contrast < 0 ? 0 : sum(terms.map((t) => model.terms[t].weights[contrast] * values[t]));
    const all = model.terms.map((_, t) => t);
    const starts = contrasts.map((contrast, c) => {
        if (contrast >= 0) return model.intercepts[contrast];
        return model.schema.target.values[c] === model.against ? 0 : -Infinity;
    });
    return {
        priors: starts.map((start, c) => start + Math.log(model.decision.factors[c] ?? 1)),
        pieces: columns.map((name, i) => ({
            name,
            value: row.get(name) ?? null,
            logs: contrasts.map((contrast) => added(ofColumn[i], contrast)),
        })),
        byLimit: false,
        shares: sharesOfScores(
            starts.map((start, c) => start + added(all, contrasts[c])),
            model.decision,
        ),
    };
}

function sharesOfScores(scores, decision) {
    const high = greatest(scores);
    return divided(scores.map((score, c) => (decision.factors[c] ?? 1) * Math.exp(score - high)));
}

/** What a term is in a row with this cell in its column. @param {ReturnType<typeof preparedLinear>} prepared @param {Term} term */
function termValue({ model, known }, term, cell) {
    const { column } = term;
    const empty = isMissing(cell);
    if (term.missing) return Number(empty);
    if (term.is === undefined) return empty ? model.fills[column] : cell;
    if (empty && known.has(keyOf({ column, missing: true }))) return 0;
    // A value that is neither the reference nor has a term is taken for what fills the column.
    const hasPlace = !empty && (model.references[column] === cell || known.has(keyOf({ column, is: cell })));
    return Number(term.is === (hasPlace ? cell : model.fills[column]));
}

/** @param {{column: string, is?: string, missing?: boolean}} term */
function keyOf({ column, is, missing }) {
    return JSON.stringify([column, is ?? null, Boolean(missing)]);
}
