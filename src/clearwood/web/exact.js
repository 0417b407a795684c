// Exact sums: a model file's whole numbers and fractions, added without loss and rounded once.

/** @typedef {{top: bigint, bottom: bigint}} Exact  bottom is above 0 */

/**
 * What a model file writes: a number, or the text of a whole number or a fraction.
 * @param {Written} written @returns {Exact}
 */
export function exactOf(written) {
    if (typeof written === "string") {
        const [top, bottom = "1"] = written.split("/");
        return { top: BigInt(top), bottom: BigInt(bottom) };
    }
    let bottom = 1n;
    let scaled = written;
    // Every double is a whole number over a power of two.
    while (!Number.isInteger(scaled)) {
        scaled *= 2;
        bottom *= 2n;
    }
    return { top: BigInt(scaled), bottom };
}

/** @param {Exact[]} numbers @returns {Exact} */
export function exactSum(numbers) {
    return numbers.reduce((a, b) => ({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }), {
        top: 0n,
        bottom: 1n,
    });
}

/** @param {Exact} one @param {Exact} other @returns {Exact} */
export function exactProduct(one, other) {
    return { top: one.top * other.top, bottom: one.bottom * other.bottom };
}

/** @param {Exact} one @param {Exact} other @returns {Exact} */
export function exactQuotient(one, other) {
    const sign = other.top < 0n ? -1n : 1n;
    return { top: sign * one.top * other.bottom, bottom: sign * one.bottom * other.top };
}

/** @param {Exact} of @returns {Exact} */
export function exactNegative({ top, bottom }) {
    return { top: -top, bottom };
}

/** The nearest double. @param {Exact} of @returns {number} */
export function rounded({ top, bottom }) {
    if (top < 0n) return -rounded({ top: -top, bottom });
    // 66 bits and one more that says whether any are left: Number() then rounds once, and to even.
    const shift = 66 - (bitLength(top) - bitLength(bottom));
    const [up, down] = shift > 0 ? [top << BigInt(shift), bottom] : [top, bottom << BigInt(-shift)];
    const bits = Number(((up / down) << 1n) | (up % down ? 1n : 0n));
    return timesPowerOfTwo(bits, -shift - 1);
}

/** A written number as the nearest double. @param {Written} written */
export function plain(written) {
    return typeof written === "number" ? written : rounded(exactOf(written));
}

/** @param {bigint} whole */
function bitLength(whole) {
    return whole.toString(2).length;
}

/** In steps that no double overflows. @param {number} number @param {number} exponent */
function timesPowerOfTwo(number, exponent) {
    for (; exponent > 1000; exponent -= 1000) number *= 2 ** 1000;
    for (; exponent < -1000; exponent += 1000) number *= 2 ** -1000;
    return number * 2 ** exponent;
}
