// From counts to an answer: shares of a sum, and the class of least expected cost.

import { kindOf, unknownKind } from "./kinds.js";

/**
 * @typedef {{method: "platt", slopes: number[], intercepts: number[], least: number} |
 *   {method: "isotonic", at: number[][], share: number[][]}} Calibration
 * @typedef {{factors: number[], costs: number[][], cutoff: {positive: string, at: number, costs?: number[][]} | null,
 *   refer: number | null, calibration: Calibration | null, prevalence: number[], trained_at: number[]}} Decision
 */

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
    const paid = expectedCosts(shares, decision.costs);
    return paid.indexOf(least(paid));
}

/** By class what answering it is expected to cost. @param {number[]} shares @param {number[][]} costs */
export function expectedCosts(shares, costs) {
    return shares.map((_, called) => sum(shares.map((share, truth) => share * costs[truth][called])));
}

/**
 * How far each class lies ahead of one of them, by share or by less cost.
 * @param {number[]} shares @param {Decision} decision @param {number} own
 */
export function leads(shares, { costs }, own) {
    const worth = costs.length ? expectedCosts(shares, costs).map((cost) => -cost) : shares;
    return worth.map((value) => value - worth[own]);
}

/** As far below the largest log a sum may lie by rounding alone, by its size: the two are equal. */
const ROUNDING = 1e-12;
/** Does the largest share, or the least cost, answer for the shares as they are? @param {Decision} decision */
export function isPlain(decision) {
    return decision.cutoff === null && decision.refer === null && !adjusts(decision);
}

/** Are shares changed on their way to an answer? @param {Decision} decision */
export function adjusts(decision) {
    return decision.calibration !== null || decision.prevalence.length > 0;
}

/** Shares by calibration and prevalence. @param {number[]} shares @param {Decision} decision */
export function adjusted(shares, decision) {
    if (!adjusts(decision) || !shares.some((share) => share > 0)) return shares;
    let now = shares;
    if (decision.calibration !== null) now = dividedOr(calibrated(now, decision.calibration), now);
    const { prevalence, trained_at: trained } = decision;
    const factors = prevalence.map((part, c) => (trained[c] > 0 ? part / trained[c] : 0));
    return prevalence.length ? dividedOr(now.map((share, c) => share * factors[c]), prevalence) : now;
}

/**
 * The place of the class that is answered by adjusted shares; −1: none.
 * @param {number[]} shares @param {Decision} decision @param {string[]} classes
 * @param {number} [named] the place of the class that a rule names itself
 */
export function decided(shares, decision, classes, named) {
    if (!shares.some((share) => share > 0)) return -1;
    if (decision.refer !== null && greatest(shares) < decision.refer) return -1;
    return classAt(shares, decision, classes, named);
}

/**
 * The same of shares that are not referred.
 * @param {number[]} shares @param {Decision} decision @param {string[]} classes @param {number} [named]
 */
export function classAt(shares, decision, classes, named) {
    if (decision.cutoff === null) return named ?? cheapest(shares, decision);
    const positive = classes.indexOf(decision.cutoff.positive);
    if (shares[positive] >= decision.cutoff.at || shares.length === 1) return positive;
    const others = shares.map((share, c) => (c === positive ? -1 : share));
    return others.indexOf(greatest(others));
}

/** @param {number[]} shares @param {Calibration} calibration */
function calibrated(shares, calibration) {
    switch (calibration.method) {
        case "platt":
            return shares.map((share, c) => {
                const held = Math.min(Math.max(share, calibration.least), 1 - calibration.least);
                const odds = Math.log(held) - Math.log1p(-held);
                return 1 / (1 + Math.exp(-(calibration.slopes[c] * odds + calibration.intercepts[c])));
            });
        case "isotonic":
            return shares.map((share, c) => between(share, calibration.at[c], calibration.share[c]));
        default:
            return unknownKind("calibration", kindOf(calibration, "method"));
    }
}

/**
 * A straight line between the steps, level beyond the first and the last.
 * @param {number} share @param {number[]} places @param {number[]} steps
 */
function between(share, places, steps) {
    const next = places.findIndex((place) => place > share);
    if (next === 0) return steps[0];
    if (next < 0) return steps[steps.length - 1];
    const slope = (steps[next] - steps[next - 1]) / (places[next] - places[next - 1]);
    return slope * (share - places[next - 1]) + steps[next - 1];
}

/** @param {number[]} parts @param {number[]} instead */
function dividedOr(parts, instead) {
    const total = sum(parts);
    return total > 0 ? parts.map((part) => part / total) : [...instead];
}

/** Logs as shares of their sum; the largest is taken out first, so that none underflows. @param {number[]} logs */
export function sharesOfLogs(logs) {
    const most = greatest(logs);
    const level = most - ROUNDING * (1 + Math.abs(most));
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
