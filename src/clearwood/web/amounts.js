// Amounts in few letters: shares in per cent, weights of rows, figures, as the text drawings write them; and how sure
// they are: the interval of 95 % from the rows behind them.

const Z = 1.959963984540054; // the normal quantile of 97.5 %

/** Whole per cent, but never 0 or 100 for what is only close to it. @param {number} share */
export function percent(share) {
    const text = String(toEven(100 * share));
    if (text === "0" && share > 0) return "<1 %";
    return text === "100" && share < 1 ? ">99 %" : `${text} %`;
}

/** A weight to one decimal, whole where it is whole. @param {number} weight */
export function rowsText(weight) {
    if (weight > 0 && weight < 0.05) return weight.toPrecision(1);
    return grouped(String(toEven(10 * weight) / 10));
}

/** How many rows, in words. @param {number} weight */
export function rowsInWords(weight) {
    return `${rowsText(weight)} ${weight === 1 ? "row" : "rows"}`;
}

/** A number to so many places, without noughts at its end; one with more before its point is written out. @param {number} value */
export function figure(value, places = 5) {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "undefined" : value > 0 ? "∞" : "−∞";
    if (Number.isInteger(value) && Math.abs(value) < 1e9) return signed(grouped(String(value)));
    if (Math.abs(value) >= 10 ** places && Math.abs(value) < 1e9) return signed(grouped(String(toEven(value))));
    const [digits, exponent] = value.toPrecision(places).split("e");
    const short = digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
    return signed(exponent === undefined ? short : `${short} · 10^${Number(exponent)}`);
}

/** Do the digits of a figure say all of it? @param {number} value */
export function isWrittenWhole(value, places = 5) {
    if (!Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) < 1e9)) return true;
    const written = Math.abs(value) >= 10 ** places && Math.abs(value) < 1e9 ? toEven(value) : Number(value.toPrecision(places));
    return Math.abs(written - value) <= 1e-12 * Math.abs(value);
}

/** @param {string} text */
function signed(text) {
    return text.replaceAll("-", "−");
}

/** @param {string} text */
function grouped(text) {
    return text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",");
}

/** The nearest whole number, of two the even one, as Python rounds. @param {number} value */
export function toEven(value) {
    const below = Math.floor(value);
    if (value - below !== 0.5) return Math.round(value);
    return below % 2 === 0 ? below : below + 1;
}

/**
 * Wilson's interval for count ÷ total; [0, 1] where nothing was counted.
 * @param {number} count @param {number} total @returns {[number, number]}
 */
export function wilson(count, total) {
    if (!(total > 0)) return [0, 1];
    const p = count / total;
    const stretch = 1 + (Z * Z) / total;
    const centre = (p + (Z * Z) / (2 * total)) / stretch;
    const reach = (Z / stretch) * Math.sqrt((p * (1 - p)) / total + (Z * Z) / (4 * total * total));
    const low = count > 0 ? Math.max(centre - reach, 0) : 0;
    const high = count < total ? Math.min(centre + reach, 1) : 1;
    return [low, high];
}

/** How far the interval of a mean reaches to each side, of a node's weight, value and error. @param {number[]} counts */
export function meanReach([weight, , error]) {
    return weight > 0 ? Z * Math.sqrt(error / weight / weight) : NaN;
}
