// Conditions merged: what is said twice of a column said once, in the order of their columns' first mention.

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

/** A way down a tree leaves something to satisfy at every step, so two conditions on it never exclude each other. */
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
    const [low, high] = [Math.max(boundsOf(one)[0], boundsOf(two)[0]), Math.min(boundsOf(one)[1], boundsOf(two)[1])];
    if (orMissing && low >= high) return { column, missing: true };
    const above = low === -Infinity ? {} : { above: low };
    const atMost = high === Infinity ? {} : { at_most: high };
    const known = low === -Infinity && high === Infinity ? { known: true } : {};
    return { column, ...above, ...atMost, ...known, or_missing: orMissing };
}

function valuesOf({ is, in: values }) {
    return is !== undefined ? [is] : (values ?? null);
}
