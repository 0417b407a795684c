// Moves: what one cell may become, and how far that is.
//
// Glossary. An option is a cell that a column may hold: option 0 is the cell as it is and costs nothing; the others
// follow by cost, and equal costs by value. A set of options is a big integer with one bit for each. Costs are Gower's
// distances: of a number |new − old| ÷ the column's scale; of an ordinal value its part of the steps; of a nominal
// value 1; of a cell that was empty, or held a value never met, 1. A number with more decimals than its column costs
// 1 more. Numbers are tried once in every interval between the model's thresholds.

import { boundsOf, takesMissing } from "./conditions.js";
import { decimalsOf, isWritten, justAbove, justBelow } from "./written_numbers.js";

/**
 * @typedef {{fixed: Set<string>, onlyUp: Set<string>, onlyDown: Set<string>, ranges: Map<string, [number, number]>}} Constraints
 *   columns that stay as they are, or go one way; between which numbers a column stays
 * @typedef {{column: string, before: Cell, after: Cell, cost: number}} Changed
 * @typedef {{name: string, cells: Cell[], costs: number[], all: bigint, taking: Taking}} Moves
 * @typedef {(condition: Condition) => bigint} Taking  the options that satisfy it
 * @typedef {{cost: number, place: number, after: Cell}} Option
 */

/**
 * The options of a column whose thresholds in the model are these, ascending.
 * @param {Column} column @param {Cell} cell @param {number[]} thresholds @param {Constraints} constraints @returns {Moves}
 */
export function movesOf(column, cell, thresholds, constraints) {
    const numeric = column.kind === "numeric";
    /** @type {Option[]} */
    let options = [];
    if (!constraints.fixed.has(column.name) && !numeric) options = valuesFor(column, cell, constraints);
    else if (!constraints.fixed.has(column.name))
        options = numbersFor(column.name, /** @type {number | null} */ (cell), thresholds, constraints);
    options.sort((a, b) => a.cost - b.cost || a.place - b.place);
    const cells = [cell, ...options.map((option) => option.after)];
    const costs = [0, ...options.map((option) => option.cost)];
    const missingAsIs = (/** @type {Condition} */ condition) => (cell === null && takesMissing(condition) ? 1n : 0n);
    const taking = numeric ? takingNumbers(cells, missingAsIs) : takingValues(cells, missingAsIs);
    return { name: column.name, cells, costs, all: (1n << BigInt(cells.length)) - 1n, taking };
}

/** What it is to take an option. @param {Moves} moves @returns {Changed} @param {number} option */
export function changedTo({ name, cells, costs }, option) {
    return { column: name, before: cells[0], after: cells[option], cost: costs[option] };
}

/** The changed cell, as an entry of a row. @param {Changed} changed @returns {[string, Cell]} */
export function pairOf({ column, after }) {
    return [column, after];
}

/**
 * May the number, or the place in an order, go from the one to the other?
 * @param {Constraints} constraints @param {string} name @param {number} before @param {number} after
 */
export function goesAllowedWay(constraints, name, before, after) {
    return !(constraints.onlyUp.has(name) && after < before) && !(constraints.onlyDown.has(name) && after > before);
}

/** The number of the lowest bit. @param {bigint} bits */
export function lowestBit(bits) {
    let place = 0;
    while (!(BigInt.asUintN(32, bits) & 0xffffffffn)) [bits, place] = [bits >> 32n, place + 32];
    const low = Number(BigInt.asUintN(32, bits));
    return place + 31 - Math.clz32(low & -low);
}

/** @param {Cell[]} cells @param {Taking} missingAsIs @returns {Taking} */
function takingNumbers(cells, missingAsIs) {
    const ranked = cells.flatMap((value, bit) => (value === null ? [] : [{ value: Number(value), bit }]));
    ranked.sort((a, b) => a.value - b.value || a.bit - b.bit);
    const upTo = [0n];
    for (const { bit } of ranked) upTo.push(upTo[upTo.length - 1] | (1n << BigInt(bit)));
    const below = (/** @type {number} */ limit) => upTo[ranked.filter(({ value }) => value <= limit).length];
    return (condition) => {
        if (condition.missing) return missingAsIs(condition);
        const [low, high] = boundsOf(condition);
        return missingAsIs(condition) | (below(high) & ~below(low));
    };
}

/** @param {Cell[]} cells @param {Taking} missingAsIs @returns {Taking} */
function takingValues(cells, missingAsIs) {
    const bits = new Map(cells.map((value, bit) => [value, 1n << BigInt(bit)]));
    return (condition) => {
        const values = condition.is !== undefined ? [condition.is] : (condition.in ?? []);
        return values.reduce((options, value) => options | (bits.get(value) ?? 0n), missingAsIs(condition));
    };
}

/**
 * @param {string} name @param {number | null} cell @param {number[]} limits @param {Constraints} constraints
 * @returns {Option[]}
 */
function numbersFor(name, cell, limits, constraints) {
    const decimals = decimalsOf(cell, limits);
    const scale = scaleOf(limits, name, constraints);
    const [bottom, top] = constraints.ranges.get(name) ?? [-Infinity, Infinity];
    const ends = [-Infinity, ...limits, Infinity];
    const options = [];
    for (let place = 0; place + 1 < ends.length; place += 1) {
        const low = ends[place];
        if (cell !== null && low < cell && cell <= ends[place + 1]) continue;
        const high = Math.min(ends[place + 1], top);
        const near = cell === null ? anyNumber : high < cell ? justBelow : justAbove;
        const after = Math.max(near(low, high, decimals), bottom);
        if (!(low < after && after <= high && bottom <= after && after <= top)) continue;
        if (cell !== null && !goesAllowedWay(constraints, name, cell, after)) continue;
        const cost = (cell === null ? 1 : wayTo(cell, after, scale)) + Number(!isWritten(after, decimals));
        options.push({ cost, place, after });
    }
    return options;
}

/**
 * How far it is from one number to another, in scales; at most so far that several still have a sum.
 * @param {number} cell @param {number} after @param {number} scale
 */
export function wayTo(cell, after, scale) {
    return Math.min(Math.abs(after - cell) / scale, 1e300);
}

/**
 * For an empty cell: the largest number of the interval, or where it has no end the smallest.
 * @param {number} low @param {number} high @param {number} decimals
 */
function anyNumber(low, high, decimals) {
    if (high < Infinity) return justBelow(low, high, decimals);
    return low > -Infinity ? justAbove(low, high, decimals) : 0;
}

/**
 * How far is far: the column's range; else from the model's lowest threshold to its highest; of one its size.
 * @param {number[]} limits @param {string} name @param {Constraints} constraints
 */
function scaleOf(limits, name, constraints) {
    let [low, high] = constraints.ranges.get(name) ?? [0, 0];
    if (!(low < high)) [low, high] = [limits[0] ?? 0, limits.at(-1) ?? 0];
    return Math.min(high - low, Number.MAX_VALUE) || Math.abs(low) || 1;
}

/** @param {Column} column @param {Cell} cell @param {Constraints} constraints @returns {Option[]} */
function valuesFor({ name, kind, values }, cell, constraints) {
    const now = values.indexOf(/** @type {string} */ (cell));
    const steps = kind === "ordinal" && now >= 0 ? values.length - 1 : 0;
    return values.flatMap((after, place) => {
        if (place === now || (steps && !goesAllowedWay(constraints, name, now, place))) return [];
        return [{ cost: steps ? Math.abs(place - now) / steps : 1, place, after }];
    });
}
