// Curves: the bell, or the many small ones, that stand for a numeric column in each class of a Bayes model.

import { greatest, least, sum } from "./answers.js";
import { exactNegative, exactOf, exactProduct, exactQuotient, exactSum, plain, rounded } from "./exact.js";

/**
 * @typedef {import("./exact.js").Exact} Exact
 * @typedef {[value: number, weight: number]} Weighed
 * @typedef {{points: Float64Array, shares: Float64Array, width: number}} Hill  `shares`: logs of the points' shares
 */

const SMALLEST_NORMAL = 2 ** -1022;
/** By the range, no bell is narrower than a part of the gap between neighbouring numbers. */
const GAPS = 6;

/**
 * Mean and variance by class; null where the column never varied.
 * @param {Gaussian} of @returns {{mean: number, variance: number}[] | null}
 */
export function bellsOf({ weights, sums, squares, floor }) {
    const [exact, once, twice] = [weights, sums, squares].map((line) => line.map(exactOf));
    const all = moments(exactSum(exact), exactSum(once), exactSum(twice));
    if (!(all.variance > 0)) return null;
    const each = weights.map((weight, c) => (plain(weight) > 0 ? moments(exact[c], once[c], twice[c]) : all));
    const within = sum(each.map(({ variance }, c) => plain(weights[c]) * variance)) / rounded(exactSum(exact));
    return each.map(({ mean, variance }) => ({
        mean,
        variance: atLeast(variance > 0 ? variance : within, floor * all.variance),
    }));
}

/**
 * By class its points and their width; null where the column never varied.
 * @param {Kernel} of @returns {Hill[] | null}
 */
export function hillsOf({ points, bandwidth, floor }) {
    const classes = points.map((each) => each.map(weighed));
    const everyone = classes.flat().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const all = spreadOf(everyone);
    if (!(all.variance > 0)) return null;
    const spreads = classes.map(spreadOf);
    const within = sum(spreads.map(({ weight, variance }) => weight * variance)) / all.weight;
    const narrowest = gapOf(everyone) / GAPS;
    return classes.map((each) => {
        const own = each.length ? each : everyone;
        const width =
            bandwidth === "range"
                ? Math.max(rangeWidth(own), narrowest)
                : widthOf(own, bandwidth, each.length ? within : all.variance);
        const total = sum(own.map(([, weight]) => weight));
        return {
            points: Float64Array.from(own, ([value]) => value),
            shares: Float64Array.from(own, ([, weight]) => Math.log(weight / total)),
            width: Math.sqrt(atLeast(width * width, floor * all.variance)),
        };
    });
}

/**
 * The log of the summed bells at x. In plain loops: a search asks thousands of points thousands of times.
 * @param {Hill} hill @param {number} x
 */
export function hillHeights({ points, shares, width }, x) {
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

/** @param {[number, Written]} point @returns {Weighed} */
function weighed([value, weight]) {
    return [value, plain(weight)];
}

/** Of exact sums, so that nothing cancels. @param {Exact} weight @param {Exact} once @param {Exact} twice */
function moments(weight, once, twice) {
    if (!weight.top) return { mean: 0, variance: 0 };
    const mean = exactQuotient(once, weight);
    const square = exactNegative(exactProduct(mean, mean));
    return { mean: rounded(mean), variance: rounded(exactSum([exactQuotient(twice, weight), square])) };
}

/** @param {Weighed[]} points */
function spreadOf(points) {
    const weight = sum(points.map(([, each]) => each));
    if (!points.length) return { weight: 0, variance: 0 };
    // Counted from the first value, so that equal ones have no variance at all, however their mean is rounded.
    const away = points.map(([value, each]) => [value - points[0][0], each]);
    const mean = sum(away.map(([value, each]) => value * each)) / weight;
    return { weight, variance: sum(away.map(([value, each]) => (value - mean) * (value - mean) * each)) / weight };
}

/** How far neighbouring numbers of the column lie apart, on average. @param {Weighed[]} points */
function gapOf(points) {
    const values = [...new Set(points.map(([value]) => value))];
    return values.length > 1 ? (greatest(values) - least(values)) / (values.length - 1) : 0;
}

/** @param {Weighed[]} points */
function rangeWidth(points) {
    const values = points.map(([value]) => value);
    return (greatest(values) - least(values)) / Math.sqrt(spreadOf(points).weight);
}

/** @param {Weighed[]} points @param {string} rule @param {number} otherwise */
function widthOf(points, rule, otherwise) {
    const { weight: n, variance } = spreadOf(points);
    const own = n > 1 ? (variance * n) / (n - 1) : variance;
    return Math.sqrt(variance > 0 ? own : otherwise) / fifthRoot(rule === "silverman" ? 0.75 * n : n);
}

/**
 * Two steps of Newton's from a root in single precision: powers differ in the last bit between programs.
 * @param {number} number
 */
function fifthRoot(number) {
    let root = Math.fround(number ** 0.2);
    for (let step = 0; step < 2; step += 1) {
        const fourth = root * root * root * root;
        root -= (fourth * root - number) / (5 * fourth);
    }
    return root;
}

/** @param {number} variance @param {number} floor */
function atLeast(variance, floor) {
    return Math.max(variance, floor, SMALLEST_NORMAL);
}
