// Written numbers: the value just over a threshold, or just up to it, that a person would write.
//
// A column's decimals are the fewest at which the row's own cell can be written and every threshold lies on a written
// number or half way between two. Where no number of so many decimals lies in the interval, one more is allowed.

const [MOST, MORE] = [6, 15];
const EXACT = 2 ** 53; // whole numbers up to here are exact doubles

/** How many decimals the column's numbers have. @param {number | null} cell @param {number[]} thresholds */
export function decimalsOf(cell, thresholds) {
    for (let decimals = 0; decimals < MOST; decimals += 1) {
        const fits = (/** @type {number} */ number) => isWhole(number * 10 ** decimals);
        if ((cell === null || fits(cell)) && thresholds.every((limit) => isWhole(2 * limit * 10 ** decimals)))
            return decimals;
    }
    return MOST;
}

/** The smallest written number in low < x ≤ high. @param {number} low @param {number} high @param {number} decimals */
export function justAbove(low, high, decimals) {
    for (let more = decimals; more < MORE; more += 1) {
        const unit = 10 ** more;
        if (Math.abs(low) * unit >= EXACT) break;
        const whole = Math.floor(low * unit + 0.5);
        const value = whole / unit <= low ? (whole + 1) / unit : whole / unit;
        if (low < value && value <= high) return value;
    }
    return nextAbove(low);
}

/** The largest written number in low < x ≤ high. @param {number} low @param {number} high @param {number} decimals */
export function justBelow(low, high, decimals) {
    for (let more = decimals; more < MORE; more += 1) {
        const unit = 10 ** more;
        if (Math.abs(high) * unit >= EXACT) break;
        const whole = Math.floor(high * unit + 0.5);
        const value = whole / unit > high ? (whole - 1) / unit : whole / unit;
        if (low < value && value <= high) return value;
    }
    return high;
}

/** Can it be written with so many decimals? @param {number} value @param {number} decimals */
export function isWritten(value, decimals) {
    return isWhole(value * 10 ** decimals);
}

/** @param {number} value */
function isWhole(value) {
    return Math.abs(value) >= EXACT || Math.abs(value - Math.floor(value + 0.5)) < 1e-6;
}

/** The double before. @param {number} value */
export function nextBelow(value) {
    return -nextAbove(-value);
}

/** The next double. @param {number} value */
function nextAbove(value) {
    if (value === Infinity) return value;
    if (value === 0) return Number.MIN_VALUE;
    const bits = new BigInt64Array(new Float64Array([value]).buffer);
    bits[0] += value > 0 ? 1n : -1n;
    return new Float64Array(bits.buffer)[0];
}
