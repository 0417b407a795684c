// Bayes' theorem for one row: log prior plus what each column adds; then shares that sum to 1.

import { least, sharesOfLogs } from "./answers.js";
import { addedBy, apart, logPriors, termsOf } from "./bayes_terms.js";
import { isMissing } from "./conditions.js";
import { present } from "./present.js";

/**
 * @typedef {import("./bayes_terms.js").Term} Term
 * @typedef {{name: string, value: Cell, logs: number[]}} Piece
 */

const NEARLY = 1e-10;

/** What a Bayes model needs to answer, worked out once. @param {BayesModel} model @param {Letters} [letters] */
export function preparedBayes(model, letters) {
    return { priors: logPriors(model), terms: termsOf(model, letters) };
}

/**
 * Log priors, what each cell or word adds, their sums, and the shares.
 * @param {ReturnType<typeof preparedBayes>} prepared @param {Row} row
 */
export function bayesEvidence({ priors, terms }, row) {
    const pieces = terms.flatMap((term) => piecesOf(term, row.get(term.column), priors.length));
    const added = terms.map((term) => apart(addedBy(term, row.get(term.column), priors.length)));
    const joint = priors.map((prior, c) => added.reduce((total, logs) => total + logs[c], prior));
    const byLimit = joint.every((log) => log === -Infinity);
    return { priors, pieces, byLimit, shares: sharesOfLogs(byLimit ? limitOf(priors, terms, row) : joint) };
}

/**
 * A text has one piece for each word; with bernoulli first one for their absence.
 * @param {Term} term @param {Cell | undefined} cell @param {number} classes @returns {Piece[]}
 */
function piecesOf(term, cell, classes) {
    if (!term.knownWords || isMissing(cell)) {
        return [{ name: term.column, value: cell ?? null, logs: addedBy(term, cell, classes) }];
    }
    const words = term.knownWords(cell).map(({ word, times, logs }) => {
        return { name: term.column, value: times === 1 ? word : `${word} ×${times}`, logs };
    });
    return term.base ? [{ name: term.column, value: "(none of its words)", logs: term.base }, ...words] : words;
}

/**
 * The logs that are left where every class meets a probability of 0: those of the classes with the fewest zeros,
 * each zero as 1/N of its class; where a number is too far out for any density, of the nearest curve.
 * @param {number[]} priors @param {Term[]} terms @param {Row} row
 */
function limitOf(priors, terms, row) {
    const joint = [...priors];
    const zeros = priors.map((prior) => (prior === -Infinity ? Infinity : 0));
    const away = priors.map(() => -Infinity);
    let beyond = false;
    for (const term of terms) {
        const cell = row.get(term.column);
        if (isMissing(cell)) continue;
        const distances = term.away?.(cell);
        const left = term.added(cell).map((log, c) => {
            const none = log === -Infinity;
            if (distances) {
                away[c] = logOfSum(away[c], distances[c]);
                beyond ||= none;
                return none ? 0 : log;
            }
            if (!none) return log;
            const times = term.times ? Number(cell) : 1;
            zeros[c] += times;
            // A class without rows has no N: a zero of it does not show how rare it would be.
            const size = present(term.sizes)[c];
            return size > 0 ? -times * Math.log(size) : 0;
        });
        apart(left).forEach((log, c) => (joint[c] += log));
    }
    const fewest = least(zeros);
    const nearest = least(away.map((each, c) => (zeros[c] > fewest ? Infinity : each)));
    const left = joint.map((log, c) => (zeros[c] > fewest || (beyond && away[c] > nearest + NEARLY) ? -Infinity : log));
    return left.every((log) => log === -Infinity) ? priors : left;
}

/** @param {number} one @param {number} other */
function logOfSum(one, other) {
    const most = Math.max(one, other);
    return most === -Infinity ? most : most + Math.log1p(Math.exp(Math.min(one, other) - most));
}
