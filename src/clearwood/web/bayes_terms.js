// Terms: what each column of a Bayes model adds to the log of each class, worked out once.

import { greatest, least, sum } from "./answers.js";
import { bellsOf, hillHeights, hillsOf } from "./curves.js";
import { isMissing } from "./conditions.js";
import { plain } from "./exact.js";
import { byKind } from "./kinds.js";
import { wordTerm } from "./words.js";
import { present } from "./present.js";

/**
 * @typedef {import("./conditions.js").Cell} Cell
 * @typedef {{column: string, added: (cell: any) => number[], sizes?: number[], times?: boolean,
 *   away?: (cell: any) => number[], base?: number[] | null, knownWords?: (text: any) => import("./words.js").KnownWord[]}} Term
 *   `added`: the logs by class of a cell that is known, of its column's own kind. `sizes`: what probabilities divide
 *   by; a zero counts as 1 ÷ size, `times` over where the cell counts things. `away`: log (distance ÷ width)²/2 from
 *   a curve. `knownWords`: those of a text, `base`: what a text without any adds.
 */

/**
 * The log of each prior; −∞ for a class that never occurred, or is given none.
 * @param {BayesModel} model @returns {number[]}
 */
export function logPriors(model) {
    const classes = model.classes.map(plain);
    if (model.priors === "equal") return classes.map(() => Math.log(1 / classes.length));
    if (model.priors === "estimated") return classes.map((count) => Math.log(count / sum(classes)));
    return model.priors.map(Math.log);
}

/**
 * Every column's term, in the model's order; a column without influence has none.
 * @param {BayesModel} model @param {Letters} [letters] @returns {Term[]}
 */
export function termsOf(model, letters) {
    return model.distributions.flatMap((each) => byKind(MAKERS, "distribution", each.kind)(model, each, letters));
}

/**
 * What a term adds for a cell: nothing for an empty one.
 * @param {Term} term @param {Cell | undefined} cell @param {number} classes @returns {number[]}
 */
export function addedBy(term, cell, classes) {
    return isMissing(cell) ? new Array(classes).fill(0) : term.added(cell);
}

/**
 * Logs less the largest of them: what all classes share is taken out, so that it swallows nothing when added.
 * @param {number[]} logs
 */
export function apart(logs) {
    const most = greatest(logs);
    return most === -Infinity ? logs : logs.map((log) => log - most);
}

/**
 * P(value|c), P of a value never met, and N + m, of counts [class][value]; P = (n + m·p) ÷ (N + m).
 * @param {number[][]} counts @param {"laplace" | number} smoothing @param {number[] | null} prior
 */
function valueChances(counts, smoothing, prior) {
    const width = counts[0].length;
    const m = smoothing === "laplace" ? width : smoothing;
    const p = prior ?? new Array(width).fill(1 / Math.max(width, 1));
    const rarest = least([1, ...p]);
    const sizes = counts.map((line) => sum(line) + m);
    const chances = counts.map((line, c) => line.map((n, v) => (sizes[c] > 0 ? (n + m * p[v]) / sizes[c] : p[v])));
    const unseen = sizes.map((size) => (size > 0 ? (m * rarest) / size : rarest));
    return { chances, unseen, sizes };
}

/** @param {BayesModel} model @param {Categorical} of @returns {Term[]} */
function categoricalTerm(model, { column, counts, smoothing, prior }) {
    const { values } = present(model.schema.columns.find((each) => each.name === column));
    const table = counts.map((line) => line.map(plain));
    const { chances, unseen, sizes } = valueChances(table, smoothing, valuePrior(prior, table));
    const logs = new Map(values.map((value, v) => [value, chances.map((line) => Math.log(line[v]))]));
    const other = unseen.map(Math.log);
    return [{ column, sizes, added: (cell) => logs.get(cell) ?? other }];
}

/** @param {Categorical["prior"]} prior @param {number[][]} counts */
function valuePrior(prior, counts) {
    if (prior === "equal") return null;
    if (prior !== "overall") return prior;
    const together = counts[0].map((_, v) => sum(counts.map((line) => line[v])));
    return sum(together) > 0 ? together.map((each) => each / sum(together)) : null;
}

/** @param {BayesModel} _ @param {Cuts} of @returns {Term[]} */
function cutsTerm(_, { column, cuts, counts, smoothing }) {
    const { chances, sizes } = valueChances(
        counts.map((line) => line.map(plain)),
        smoothing,
        null,
    );
    const logs = [...cuts, null].map((_, v) => chances.map((line) => Math.log(line[v])));
    return [{ column, sizes, added: (cell) => logs[cuts.filter((cut) => cut < cell).length] }];
}

/** @param {BayesModel} _ @param {Gaussian} distribution @returns {Term[]} */
function gaussianTerm(_, distribution) {
    const bells = bellsOf(distribution);
    if (bells === null) return [];
    const constants = bells.map(({ variance }) => -0.5 * Math.log(2 * Math.PI * variance));
    return [
        {
            column: distribution.column,
            added: (x) =>
                bells.map(({ mean, variance }, c) => constants[c] - (x - mean) * (x - mean) * (0.5 / variance)),
            away: (x) => bells.map(({ mean, variance }) => 2 * Math.log(Math.abs(x - mean)) + Math.log(0.5 / variance)),
        },
    ];
}

/** @param {BayesModel} _ @param {Kernel} distribution @returns {Term[]} */
function kernelTerm(_, distribution) {
    const hills = hillsOf(distribution);
    if (hills === null) return [];
    return [
        {
            column: distribution.column,
            added: remembered((x) => hills.map((hill) => hillHeights(hill, x))),
            away: (x) =>
                hills.map(({ points, width }) => {
                    const nearest = least(Array.from(points, (point) => Math.abs(x - point)));
                    return 2 * (Math.log(nearest) - Math.log(width)) - Math.log(2);
                }),
        },
    ];
}

/**
 * A curve of thousands of points is evaluated at the same number again and again, while other cells change.
 * @param {(x: number) => number[]} added @returns {(x: number) => number[]}
 */
function remembered(added) {
    const known = new Map();
    return (x) => {
        if (!known.has(x)) known.set(x, added(x));
        return known.get(x);
    };
}

/** @param {BayesModel} _ @param {Bag} of @returns {Term[]} */
function bagTerms(_, { columns, event, counts, known, alpha }) {
    const table = counts.map((line) => line.map(plain));
    if (event === "bernoulli") return columns.map((column, j) => presenceTerm(column, j, table, known, alpha));
    const together = columns.map((_, j) => sum(table.map((line) => line[j])));
    const met = event === "complement" ? table.map((line) => line.map((n, j) => together[j] - n)) : table;
    const sizes = met.map((line) => sum(line.map((n) => n + alpha)));
    return columns.map((column, j) => {
        const chances = met.map((line, c) => (sizes[c] > 0 ? (line[j] + alpha) / sizes[c] : 1 / columns.length));
        const logs = chances.map((p) => (event === "complement" ? -Math.log(p) : Math.log(p)));
        return { column, sizes, times: true, added: (x) => logs.map((log) => (x > 0 ? x * log : 0)) };
    });
}

/**
 * @param {string} column @param {number} j @param {number[][]} table @param {Written[][]} known
 * @param {number} alpha @returns {Term}
 */
function presenceTerm(column, j, table, known, alpha) {
    const rows = known.map((line) => plain(line[j]));
    const sizes = rows.map((each) => each + 2 * alpha);
    /** @param {number[]} tops */
    const log = (tops) => tops.map((top, c) => Math.log(sizes[c] > 0 ? (top + alpha) / sizes[c] : 0.5));
    const present = log(table.map((line) => line[j]));
    // Not 1 − P, which is not 0 for a P that is 1 but for rounding.
    const absent = log(table.map((line, c) => rows[c] - line[j]));
    return { column, sizes, added: (x) => (x > 0 ? present : absent) };
}

/** @param {BayesModel} _ @param {Words} distribution @param {Letters} [letters] @returns {Term[]} */
function wordTerms(_, distribution, letters) {
    return [wordTerm(distribution, present(letters))];
}

/** @type {{[kind: string]: (model: BayesModel, distribution: any, letters?: Letters) => Term[]}} */
const MAKERS = {
    categorical: categoricalTerm,
    cuts: cutsTerm,
    gaussian: gaussianTerm,
    kernel: kernelTerm,
    bag: bagTerms,
    words: wordTerms,
};
