// How sure is an answer? The interval of 95 % from the rows that stand behind it.

const Z = 1.959963984540054; // the normal quantile of 97.5 %

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
