// From counts to an answer: shares of a sum, and the class of least expected cost.

/** @typedef {{factors: number[], costs: number[][], cutoff?: {positive: string, at: number}|null}} Decision */

/** Shares of a sum; equal ones where there is nothing to divide. @param {number[]} counts */
export function divided(counts) {
    const total = sum(counts);
    return counts.map((count) => (total > 0 ? count / total : 1 / counts.length));
}

/** Counts as the decision weighs them. @param {number[]} counts @param {Decision} decision */
export function factored(counts, decision) {
    return decision.factors.length ? counts.map((count, c) => count * decision.factors[c]) : counts;
}

/** The place of the class that costs least, first of equals. @param {number[]} shares @param {Decision} decision */
export function cheapest(shares, decision) {
    if (!decision.costs.length) return shares.indexOf(greatest(shares));
    const paid = shares.map((_, called) => sum(shares.map((share, truth) => share * decision.costs[truth][called])));
    return paid.indexOf(least(paid));
}

/** As far below the largest log a sum may lie by rounding alone, by its size: the two are equal. */
const ROUNDING = 1e-12;

/** Logs as shares of their sum; the largest is taken out first, so that none underflows. @param {number[]} logs */
export function sharesOfLogs(logs) {
    const most = greatest(logs);
    const level = most - ROUNDING * Math.max(1, Math.abs(most));
    return divided(logs.map((log) => (log >= level ? 1 : Math.exp(log - most))));
}

/** From the first to the last, as Python adds. @param {number[]} numbers */
export function sum(numbers) {
    return numbers.reduce((total, each) => total + each, 0);
}

/** One by one: spread into arguments, a hundred thousand numbers are too many for a call. @param {number[]} numbers */
export function greatest(numbers) {
    return numbers.reduce((most, each) => (each > most ? each : most), -Infinity);
}

/** @param {number[]} numbers */
export function least(numbers) {
    return -greatest(numbers.map((each) => -each));
}
