// Conditions: what a branch or a rule asks of a row, as a model file writes it.

import { unknownKind } from "./kinds.js";
import { nextBelow } from "./written_numbers.js";

/**
 * @typedef {string | number | null} Cell  null, and a number that is none, are missing
 * @typedef {Map<string, Cell>} Row  by column; a column that is not there is missing
 * @typedef {{column: string, is?: string, in?: string[], above?: number | string, at_least?: number | string,
 *   at_most?: number | string, below?: number | string, known?: true, missing?: true, or_missing?: boolean}} Condition
 */

const LIMITS = /** @type {const} */ (["above", "at_least", "at_most", "below"]);

/** Does this row satisfy the condition? @param {Condition} condition @param {Row} row */
export function takes(condition, row) {
    return holds(condition, row.get(condition.column));
}

/** Does this cell satisfy the condition? @param {Condition} condition @param {Cell | undefined} cell */
export function holds(condition, cell) {
    if (isMissing(cell)) return takesMissing(condition);
    if (condition.missing) return false;
    if (condition.is !== undefined) return cell === condition.is;
    if (condition.in !== undefined) return condition.in.includes(/** @type {string} */ (cell));
    const [low, high] = intervalOf(condition);
    const number = /** @type {number} */ (cell); // a condition on a range stands on a column of numbers
    return number > low && number <= high;
}

/** @param {Cell | undefined} cell @returns {cell is null | undefined} */
export function isMissing(cell) {
    return cell === null || cell === undefined || Number.isNaN(cell);
}

/** Does an empty cell satisfy it? @param {Condition} condition */
export function takesMissing(condition) {
    return Boolean(condition.missing || condition.or_missing);
}

/**
 * The numbers low < x ≤ high that satisfy it: x < 21 is x ≤ the number before 21, and x ≥ 21 is x > that.
 * @param {Condition} condition @returns {[number, number]}
 */
export function boundsOf({ above, at_least, at_most, below }) {
    return [
        at_least === undefined ? limitOf(above, -Infinity) : nextBelow(limitOf(at_least)),
        below === undefined ? limitOf(at_most, Infinity) : nextBelow(limitOf(below)),
    ];
}

/** The same of a condition on numbers; any other is refused. @param {Condition} condition */
export function intervalOf(condition) {
    if (LIMITS.every((name) => condition[name] === undefined) && !condition.known)
        return unknownKind("condition", Object.keys(condition).join(", "));
    return boundsOf(condition);
}

/**
 * JSON has no infinite numbers, so a limit may be a word.
 * @param {number | string | undefined} value @param {number} [without] @returns {number}
 */
export function limitOf(value, without = NaN) {
    if (value === undefined) return without;
    if (value === "infinity") return Infinity;
    return value === "-infinity" ? -Infinity : /** @type {number} */ (value);
}
