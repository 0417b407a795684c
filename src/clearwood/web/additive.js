// An additive model: the points of one row's cells, added up to scores, and the shares or the number they give.

import { divided, greatest } from "./answers.js";
import { isMissing } from "./conditions.js";
import { numberText } from "./condition_words.js";

/**
 * @typedef {{column: string, cuts: number[]}} Side
 * @typedef {{name: string, sides: Side[], points: number[][]}} AdditiveTerm
 */

/** By column its values; none of a number. @param {AdditiveModel} model */
export function preparedAdditive(model) {
    const values = new Map(
        model.schema.columns.map((column) => [column.name, column.kind === "numeric" ? null : column.values]),
    );
    return { model, values };
}

/**
 * [score] what each term of a row adds, with its name and cell.
 * @param {ReturnType<typeof preparedAdditive>} prepared @param {Row} row
 */
export function pointsOf({ model, values }, row) {
    return model.terms.map(({ name, sides, points }) => {
        let place = 0;
        for (const { column, cuts } of sides) {
            const known = values.get(column) ?? null;
            place = place * (known === null ? cuts.length + 3 : known.length + 2) + cellOf(known, cuts, row.get(column));
        }
        const cells = sides.map(({ column }) => row.get(column) ?? null);
        const value = cells.length === 1 ? cells[0] : cells.map(cellText).join(", ");
        return { name, value, points: points.map((of) => of[place]) };
    });
}

/** [score] the base and all points. @param {AdditiveModel} model @param {{points: number[]}[]} added */
export function scoresOf(model, added) {
    return model.base.map((base, s) => added.reduce((total, { points }) => total + points[s], base));
}

/** The number that a score stands for. @param {AdditiveModel} model @param {number} score */
export function numberOf(model, score) {
    return model.link === "exp" ? Math.exp(score) : score;
}

/**
 * Where the average row stands, what each term adds, and the shares.
 * @param {ReturnType<typeof preparedAdditive>} prepared @param {Row} row
 */
export function additiveEvidence(prepared, row) {
    const { model } = prepared;
    const added = pointsOf(prepared, row);
    const scores = byClass(model, scoresOf(model, added));
    const high = greatest(scores);
    const factors = model.decision.factors;
    return {
        priors: byClass(model, model.base).map((base, c) => base + Math.log(factors[c] ?? 1)),
        pieces: added.map(({ name, value, points }) => ({ name, value, logs: byClass(model, points) })),
        begins: "average row",
        byLimit: false,
        shares: divided(scores.map((score, c) => (factors[c] ?? 1) * Math.exp(score - high))),
    };
}

/** [class] of [score]: of two classes the first has 0. @param {AdditiveModel} model @param {number[]} scores */
function byClass(model, scores) {
    return model.link === "logistic" ? [0, ...scores] : scores;
}

/**
 * The interval low < x ≤ high or the value that a cell is; then missing, then unseen.
 * @param {string[] | null} values @param {number[]} cuts @param {Cell | undefined} cell
 */
function cellOf(values, cuts, cell) {
    if (values === null) {
        if (isMissing(cell)) return cuts.length + 1;
        const number = Number(cell);
        let [low, high] = [0, cuts.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (cuts[middle] < number) low = middle + 1;
            else high = middle;
        }
        return low;
    }
    if (isMissing(cell)) return values.length;
    const place = values.indexOf(String(cell));
    return place < 0 ? values.length + 1 : place;
}

/** @param {Cell} cell */
function cellText(cell) {
    if (cell === null) return "missing";
    return typeof cell === "number" ? numberText(cell) : cell;
}
