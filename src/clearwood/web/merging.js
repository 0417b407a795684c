// Conditions merged: one for each column, in the order of their columns' first mention.

import { boundsOf, takesMissing } from "./conditions.js";

/** @typedef {import("./conditions.js").Condition} Condition */

/** Of two upper bounds the tighter, of two sets the common part. @param {Condition[]} conditions @returns {Condition[]} */
export function merged(conditions) {
    const byColumn = new Map();
    for (const condition of conditions) {
        const before = byColumn.get(condition.column);
        byColumn.set(condition.column, before === undefined ? condition : both(before, condition));
    }
    return [...byColumn.values()];
}

/**
 * A way down a tree leaves something to satisfy at every step, so two conditions on it never exclude each other.
 * @param {Condition} one @param {Condition} two @returns {Condition}
 */
function both(one, two) {
    const { column } = one;
    const orMissing = takesMissing(one) && takesMissing(two);
    if (one.missing || two.missing) return { column, missing: true };
    const [values, others] = [valuesOf(one), valuesOf(two)];
    if (values !== null && others !== null) {
        const common = values.filter((value) => others.includes(value));
        if (!common.length) return { column, missing: true };
        return common.length === 1 && !orMissing
            ? { column, is: common[0] }
            : { column, in: common, or_missing: orMissing };
    }
    const [bounds, more] = [boundsOf(one), boundsOf(two)];
    const [low, high] = [bounds[0] >= more[0] ? one : two, bounds[1] <= more[1] ? one : two];
    if (orMissing && boundsOf(low)[0] >= boundsOf(high)[1]) return { column, missing: true };
    const ends = { ...lowerEnd(low), ...upperEnd(high) };
    /** @type {Pick<Condition, "known">} */
    const known = Object.keys(ends).length ? {} : { known: true };
    return { column, ...ends, ...known, or_missing: orMissing };
}

/** @param {Condition} condition */
function lowerEnd({ above, at_least }) {
    return at_least !== undefined ? { at_least } : above !== undefined ? { above } : {};
}

/** @param {Condition} condition */
function upperEnd({ at_most, below }) {
    return below !== undefined ? { below } : at_most !== undefined ? { at_most } : {};
}

/** @param {Condition} condition */
function valuesOf({ is, in: values }) {
    return is !== undefined ? [is] : (values ?? null);
}
