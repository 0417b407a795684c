// Evidence: Bayes tables, weights and curves, whose cells add up. What each term adds to every class, and the shares.

import { adjusted, divided, greatest, least, sharesOfLogs } from "./answers.js";
import { isMissing } from "./conditions.js";
import { numberText } from "./condition_words.js";
import { byKind, unknownKind } from "./kinds.js";
import { present } from "./present.js";
import { wordsOf } from "./tokens.js";

/**
 * @typedef {{name: string, value: Cell, logs: number[]}} Piece
 * @typedef {{priors: number[], pieces: Piece[], byLimit: boolean, shares: number[], begins: string}} Evidence
 * @typedef {"average" | "best" | "zero" | Row | null} Reference what the cells of a linear model are compared with
 * @typedef {ReturnType<typeof preparedEvidence>} Prepared
 * @typedef {{added: (row: Row) => number[], away?: (x: number) => number[], pieces?: (row: Row) => Piece[]}} Adding
 *   `added`: the logs by class; of an empty cell mostly zeros. `away`: log (distance ÷ width)²/2 from a curve.
 *   `pieces`: where a cell has several
 */

const NEARLY = 1e-10;

/** The terms of a model, ready to be added. @param {EvidenceModel} model @param {Letters} [letters] for texts */
export function preparedEvidence(model, letters) {
    const values = new Map(model.schema.columns.map((column) => [column.name, column.values]));
    return { model, terms: model.terms.map((term) => ({ ...term, ...byKind(MAKERS, "term", term.kind)(term, { values, letters }) })) };
}

/** The number of the one score of a row, with what each term adds. @param {Prepared} prepared @param {Row} row */
export function numberOfRow({ model, terms }, row) {
    const added = terms.map((term) => ({ name: term.name, value: cellOf(term, row), points: term.added(row) }));
    const score = added.reduce((total, { points }) => total + points[0], startOf(model)[0]);
    return { answer: model.link === "exp" ? Math.exp(score) : score, added };
}

/**
 * What stands before any cell, what each cell adds beyond it, and the shares.
 * @param {Prepared} prepared @param {Row} row @param {Reference} [reference] @returns {Evidence}
 */
export function evidenceOf(prepared, row, reference) {
    const { model, terms } = prepared;
    const added = terms.map((term) => term.added(row));
    const start = startOf(model);
    if (model.model === "bayes") {
        const joint = added.map(apart).reduce(plus, start);
        const byLimit = joint.every((log) => log === -Infinity);
        const pieces = terms.flatMap((term, t) => term.pieces?.(row) ?? [{ name: term.name, value: cellOf(term, row), logs: added[t] }]);
        const shares = sharesOfLogs(byLimit ? limitOf(prepared, start, row) : joint);
        return { priors: start, pieces, byLimit, shares, begins: "prior" };
    }
    const factors = start.map((_, c) => model.decision.factors[c] ?? 1);
    const scores = added.reduce(plus, start);
    const high = greatest(scores);
    const shares = divided(scores.map((score, c) => factors[c] * Math.exp(score - high)));
    const { begins, from } = model.model === "linear" ? referred(prepared, reference, shares) : { begins: "average row", from: null };
    const beginning = from === null ? start : from.reduce(plus, start);
    return {
        priors: beginning.map((log, c) => log + Math.log(factors[c])),
        pieces: terms.map((term, t) => ({
            name: term.name,
            value: cellOf(term, row),
            logs: added[t].map((log, c) => log - (from === null ? 0 : from[t][c])),
        })),
        byLimit: false,
        shares,
        begins,
    };
}

/** Does the model keep what its columns add on average? One of an old file does not. @param {EvidenceModel} model */
export function hasAverages(model) {
    return model.terms.every(({ average }) => average);
}

/** Are the cells known among which a best row is looked for? @param {EvidenceModel} model */
export function canBeBest(model) {
    return model.terms.every(({ tried }) => tried?.length);
}

/** @param {EvidenceModel} model */
function startOf(model) {
    return model.start.map(logOf);
}

/** JSON has no −∞. @param {number | null} log */
function logOf(log) {
    return log ?? -Infinity;
}

/** @param {number[]} one @param {number[]} other */
function plus(one, other) {
    return one.map((each, c) => each + other[c]);
}

/** The cell that a term is about; of several, their texts. @param {EvidenceTerm} term @param {Row} row @returns {Cell} */
function cellOf(term, row) {
    if (term.kind !== "places" || term.sides.length === 1) return row.get(term.name) ?? null;
    const cells = term.sides.map(({ column }) => row.get(column) ?? null);
    return cells.map((cell) => (cell === null ? "missing" : typeof cell === "number" ? numberText(cell) : cell)).join(", ");
}

/**
 * A reference by name, and [column][class] what it adds; without one the average row, or zeros.
 * @param {Prepared} prepared @param {Reference | undefined} reference @param {number[]} shares
 * @returns {{begins: string, from: number[][]}}
 */
function referred({ model, terms }, reference, shares) {
    if (reference instanceof Map) return { begins: "given row", from: terms.map((term) => term.added(reference)) };
    switch (reference ?? (hasAverages(model) ? "average" : "zero")) {
        case "average":
            return { begins: "average row", from: terms.map(({ average }) => present(average)) };
        case "zero":
            return { begins: "intercept", from: terms.map(() => shares.map(() => 0)) };
        case "best": {
            // The cells that speak most for the runner-up against the likeliest class.
            const likely = adjusted(shares, model.decision);
            const [answer, rival] = likely.map((_, c) => c).sort((a, b) => likely[b] - likely[a] || a - b);
            const from = terms.map((term) => {
                const added = present(term.tried).map((cell) => term.added(new Map([[term.name, cell]])));
                const favours = added.map((logs) => logs[rival] - logs[answer]);
                return added[favours.indexOf(greatest(favours))];
            });
            return { begins: `row most in favour of ${model.schema.target.values[rival]}`, from };
        }
        default:
            return unknownKind("reference", String(reference));
    }
}

/**
 * Logs less the largest of them: what all classes share is taken out, so that it swallows nothing when added.
 * @param {number[]} logs
 */
function apart(logs) {
    const most = greatest(logs);
    return most === -Infinity ? logs : logs.map((log) => log - most);
}

/**
 * The logs that are left where every class meets a probability of 0: those of the classes with the fewest zeros,
 * each zero as 1/N of its class; where a number is too far out for any density, of the nearest curve.
 * @param {Prepared} prepared @param {number[]} start @param {Row} row
 */
function limitOf({ terms }, start, row) {
    const joint = [...start];
    const zeros = start.map((prior) => (prior === -Infinity ? Infinity : 0));
    const away = start.map(() => -Infinity);
    let beyond = false;
    for (const term of terms) {
        const cell = row.get(term.name);
        if (isMissing(cell)) continue;
        const distances = term.away?.(Number(cell));
        const left = term.added(row).map((log, c) => {
            const none = log === -Infinity;
            if (distances) {
                away[c] = logOfSum(away[c], distances[c]);
                beyond ||= none;
                return none ? 0 : log;
            }
            if (!none) return log;
            const times = term.kind === "times" ? Number(cell) : 1;
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
    return left.every((log) => log === -Infinity) ? start : left;
}

/** @param {number} one @param {number} other */
function logOfSum(one, other) {
    const most = Math.max(one, other);
    return most === -Infinity ? most : most + Math.log1p(Math.exp(Math.min(one, other) - most));
}

// The kinds of terms, as functions of a row.

/**
 * By the interval or the value that a cell is, or two cells are.
 * @param {PlacesTerm} term @param {{values: Map<string, string[]>}} of @returns {Adding}
 */
function byPlaces({ sides, logs }, { values }) {
    const asked = sides.map(({ column, cuts }) => ({ column, cuts, known: new Map(values.get(column)?.map((value, v) => [value, v])) }));
    return {
        added(row) {
            let place = 0;
            for (const { column, cuts, known } of asked)
                place = place * (cuts ? cuts.length + 3 : known.size + 2) + placeOf(row.get(column), cuts, known);
            return logs.map((line) => logOf(line[place]));
        },
    };
}

/**
 * The interval low < x ≤ high or the value; then missing, then unseen.
 * @param {Cell | undefined} cell @param {number[] | null} cuts @param {Map<string, number>} known
 */
function placeOf(cell, cuts, known) {
    if (cuts === null) return isMissing(cell) ? known.size : (known.get(String(cell)) ?? known.size + 1);
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

/**
 * A term of a number: what a known one adds, and an empty cell.
 * @param {string} name @param {number[]} missing @param {(x: number) => number[]} added @returns {(row: Row) => number[]}
 */
function ofNumber(name, missing, added) {
    return (row) => {
        const cell = row.get(name);
        return isMissing(cell) ? missing : added(Number(cell));
    };
}

/** @param {SlopeTerm} term @returns {Adding} */
function bySlope({ name, weights, missing }) {
    return { added: ofNumber(name, missing, (x) => weights.map((weight) => weight * x)) };
}

/** @param {TimesTerm} term @returns {Adding} */
function byTimes({ name, logs }) {
    return { added: ofNumber(name, nothing(logs), (x) => logs.map((log) => (x > 0 ? x * logOf(log) : 0))) };
}

/** @param {unknown[]} classes */
function nothing(classes) {
    return classes.map(() => 0);
}

/** @param {BellTerm} term @returns {Adding} */
function byBell({ name, constants, means, precisions }) {
    return {
        added: ofNumber(name, nothing(means), (x) => means.map((mean, c) => constants[c] - (x - mean) * (x - mean) * precisions[c])),
        away: (x) => means.map((mean, c) => 2 * Math.log(Math.abs(x - mean)) + Math.log(precisions[c])),
    };
}

/** @param {HillsTerm} term @returns {Adding} */
function byHills({ name, points, shares, widths }) {
    const hills = points.map((each, c) => ({ points: each, shares: shares[c].map(logOf), width: widths[c] }));
    // A curve of thousands of points is evaluated at the same number again and again, while other cells change.
    const heights = new Map();
    return {
        added: ofNumber(name, nothing(points), (x) => {
            if (!heights.has(x)) heights.set(x, hills.map((hill) => hillHeight(hill, x)));
            return heights.get(x);
        }),
        away: (x) => points.map((each, c) => 2 * (Math.log(least(each.map((point) => Math.abs(x - point)))) - Math.log(widths[c])) - Math.log(2)),
    };
}

/**
 * The log of the summed bells at x. In plain loops: a search asks thousands of points thousands of times.
 * @param {{points: number[], shares: number[], width: number}} hill @param {number} x
 */
function hillHeight({ points, shares, width }, x) {
    const height = (/** @type {number} */ i) => {
        const away = (x - points[i]) / width;
        return shares[i] - 0.5 * away * away;
    };
    let most = -Infinity;
    for (let i = 0; i < points.length; i += 1) most = Math.max(most, height(i));
    if (most === -Infinity) return -Infinity;
    let raised = 0;
    for (let i = 0; i < points.length; i += 1) raised += Math.exp(height(i) - most);
    return most + Math.log(raised) - Math.log(width * Math.sqrt(2 * Math.PI));
}

/** @param {WordsTerm} term @param {{letters?: Letters}} of @returns {Adding} */
function byWords({ name, words, logs, base, once, reading }, { letters }) {
    const places = new Map(words.map((word, place) => [word, place]));
    /** The known words of a text, in order of first appearance. @param {Cell} text @returns {Piece[]} */
    function known(text) {
        const times = new Map();
        for (const word of wordsOf(String(text), reading, present(letters))) if (places.has(word)) times.set(word, (times.get(word) ?? 0) + 1);
        return [...times].map(([word, count]) => ({
            name,
            value: count === 1 ? word : `${word} ×${count}`,
            logs: logs.map((line) => line[present(places.get(word))] * (once ? 1 : count)),
        }));
    }
    return {
        added(row) {
            const text = row.get(name);
            return isMissing(text) ? nothing(base) : known(text).reduce((sums, { logs }) => plus(sums, logs), base);
        },
        pieces(row) {
            const text = row.get(name);
            if (isMissing(text)) return [{ name, value: null, logs: nothing(base) }];
            return once ? [{ name, value: "(none of its words)", logs: base }, ...known(text)] : known(text);
        },
    };
}

/** @type {{[kind: string]: (term: any, of: {values: Map<string, string[]>, letters?: Letters}) => Adding}} */
const MAKERS = { places: byPlaces, slope: bySlope, times: byTimes, bell: byBell, hills: byHills, words: byWords };
