// A linear model: one row's terms times their weights, added up to each class's score.

import { divided, greatest, adjusted, sum } from "./answers.js";
import { isMissing } from "./conditions.js";
import { unknownKind } from "./kinds.js";

/**
 * @typedef {{column: string, is?: string, missing?: true, weights: number[]}} Term
 * @typedef {"average" | "best" | "zero" | Row | null} Reference what cells are compared with
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
 * Where the reference stands, what each column adds beyond it, and the shares.
 * @param {Prepared} prepared @param {Row} row @param {Reference} [reference]
 */
export function linearEvidence(prepared, row, reference) {
    const { model, columns, contrasts } = prepared;
    const byColumn = contributions(prepared, row);
    const starts = contrasts.map((contrast, c) => {
        if (contrast >= 0) return model.intercepts[contrast];
        return model.schema.target.values[c] === model.against ? 0 : -Infinity;
    });
    const shares = sharesOfScores(
        starts.map((start, c) => start + sum(byColumn.map((logs) => logs[c]))),
        model.decision,
    );
    const { name: begins, added } = referred(prepared, reference, shares);
    return {
        priors: starts.map(
            (start, c) => start + sum(added.map((logs) => logs[c])) + Math.log(model.decision.factors[c] ?? 1),
        ),
        pieces: columns.map((name, i) => ({
            name,
            value: row.get(name) ?? null,
            logs: contrasts.map((_, c) => byColumn[i][c] - added[i][c]),
        })),
        begins,
        byLimit: false,
        shares,
    };
}

/** Does the model keep what its columns add on average? One of an old file does not. @param {LinearModel} model */
export function hasAverages(model) {
    return model.terms.every((term) => term.column in model.averages);
}

/** Are the ranges known among which a best row is looked for? @param {LinearModel} model */
export function canBeBest(model) {
    const numeric = new Set(model.schema.columns.filter((each) => each.kind === "numeric").map((each) => each.name));
    return model.terms.every((term) => !numeric.has(term.column) || term.column in (model.ranges ?? {}));
}

/** [column][class] what the cells of a row add. @param {Prepared} prepared @param {Row} row */
function contributions(prepared, row) {
    return prepared.columns.map((name, i) => addedBy(prepared, i, row.get(name)));
}

/**
 * [class] what a cell adds in the column of this place.
 * @param {Prepared} prepared @param {number} place @param {Cell | undefined} cell
 */
function addedBy(prepared, place, cell) {
    const { model, columns, ofColumn, contrasts } = prepared;
    const name = columns[place];
    const averaged = isAveraged(prepared, name, cell);
    const values = ofColumn[place].map((t) => termValue(prepared, model.terms[t], cell));
    return contrasts.map((contrast) => {
        if (contrast < 0) return 0;
        if (averaged) return model.averages[name][contrast];
        return sum(ofColumn[place].map((t, k) => model.terms[t].weights[contrast] * values[k]));
    });
}

/**
 * A reference by name, and [column][class] what it adds; without one the average row, or zeros.
 * @param {Prepared} prepared @param {Reference | undefined} reference @param {number[]} shares
 * @returns {{name: string, added: number[][]}}
 */
function referred(prepared, reference, shares) {
    const { model, columns, contrasts } = prepared;
    if (reference instanceof Map) return { name: "given row", added: contributions(prepared, reference) };
    switch (reference ?? (hasAverages(model) ? "average" : "zero")) {
        case "average":
            return {
                name: "average row",
                added: columns.map((name) =>
                    contrasts.map((contrast) => (contrast < 0 ? 0 : model.averages[name][contrast])),
                ),
            };
        case "zero":
            return { name: "intercept", added: columns.map(() => contrasts.map(() => 0)) };
        case "best":
            return bestRow(prepared, adjusted(shares, model.decision));
        default:
            return unknownKind("reference", String(reference));
    }
}

/**
 * The cells that speak most for the runner-up against the likeliest class; a number's is an end of its range.
 * @param {Prepared} prepared @param {number[]} shares
 */
function bestRow(prepared, shares) {
    const { model, columns } = prepared;
    const classes = model.schema.target.values;
    const [answer, rival] = classes.map((_, c) => c).sort((a, b) => shares[b] - shares[a] || a - b);
    const added = columns.map((_, place) => {
        const tried = cellsOf(prepared, place).map((cell) => addedBy(prepared, place, cell));
        const favours = tried.map((logs) => logs[rival] - logs[answer]);
        return tried[favours.indexOf(greatest(favours))];
    });
    return { name: `row most in favour of ${classes[rival]}`, added };
}

/**
 * The cells that a best row may have in a column: the ends of its range, or the values that the model knows.
 * @param {Prepared} prepared @param {number} place @returns {Cell[]}
 */
function cellsOf({ model, columns, known, numeric }, place) {
    const name = columns[place];
    if (numeric.has(name)) return model.ranges?.[name] ?? [];
    const column = model.schema.columns.find((each) => each.name === name);
    const values = column !== undefined && "values" in column ? column.values : [];
    return values.filter((value) => hasPlace({ model, known }, name, value));
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
