// A number line: the written numbers around a cell, for a number that a model weighs without thresholds.

import { toEven } from "./amounts.js";
import { goesAllowedWay, wayTo } from "./moves.js";
import { decimalsOf } from "./written_numbers.js";

const EVERY = 5000; // numbers of a line that are all tried
const MOST_POINTS = 2000; // of a kernel; with more, a page that tries so many numbers keeps its reader waiting
const GROWTH = 1.02;
const FARTHEST = 2 ** 20; // scales, where a span has no end
const PLACES = 24; // of a number that changes together with others

/**
 * @typedef {import("./moves.js").Changed} Changed
 * @typedef {{name: string, at: (step: number) => number, changed: (step: number) => Changed, ways: () => number[][], some: () => Changed[], isWhole: boolean}} NumberLine
 *   steps count the number's last decimal, from where it is; `isWhole`: every number of the line is tried
 */

/**
 * @param {Model} model @param {string} name @param {number | null} cell
 * @param {import("./moves.js").Constraints} constraints @returns {NumberLine}
 */
export function numberLine(model, name, cell, constraints) {
    const range = constraints.ranges.get(name);
    const [low, high] = model.spans[name];
    const [start, end] = range ?? [low ?? -Infinity, high ?? Infinity];
    const isClosed = Number.isFinite(start) && Number.isFinite(end);
    const term = "terms" in model ? model.terms.find((each) => each.name === name) : undefined;
    // What the model takes an empty cell for, or the middle of the span where it takes it for nothing.
    const usual = term?.kind === "slope" ? term.usual : isClosed ? (start + end) / 2 : 0;
    const points = term?.kind === "hills" ? term.points.flat().length : 0; // that its kernels stand on
    const scale = isClosed && end > start ? end - start : Math.abs(usual) || 1;
    const fine = -Math.floor(Math.log10(Math.max(scale, 1e-9) / 10));
    const here = cell ?? usual;
    const digits = String(Math.trunc(Math.abs(here))).length;
    const unit = 10 ** Math.max(0, Math.min(Math.max(decimalsOf(cell, []), fine), 15 - digits));
    const from = Math.floor(here * unit + 0.5);
    const stepsIn = (/** @type {number} */ reach) => Math.max(0, Math.floor(Math.min(reach, FARTHEST * scale) * unit));
    const [below, above] = [stepsIn(here - start), stepsIn(end - here)];
    const isWhole = Math.max(below, above) <= EVERY && points <= MOST_POINTS;

    const at = (/** @type {number} */ step) => (from + step) / unit;
    const isAllowed = (/** @type {number} */ step) =>
        goesAllowedWay(constraints, name, cell ?? at(step), at(step)) &&
        (range === undefined || (range[0] <= at(step) && at(step) <= range[1]));
    const changed = (/** @type {number} */ step) => ({
        column: name,
        before: cell,
        after: at(step),
        cost: cell === null ? 1 : wayTo(cell, at(step), scale),
    });

    /** The steps to be tried downwards and upwards. */
    function ways() {
        const down = growing(below, isWhole).map((step) => -step);
        const up = growing(above, isWhole);
        return [[...(cell === null ? [0] : []), ...down.filter(isAllowed)], up.filter(isAllowed)];
    }

    /** A few places of the line, its ends among them. */
    function some() {
        const steps = [...new Set(ways().flat())].sort((a, b) => a - b);
        if (!steps.length) return [];
        const apart = (steps.length - 1) / (PLACES - 1);
        const places = Array.from({ length: PLACES }, (_, k) => toEven(k === PLACES - 1 ? steps.length - 1 : k * apart));
        return [...new Set(places.map((place) => steps[place]))].sort((a, b) => a - b).map(changed);
    }

    return { name, at, changed, ways, some, isWhole };
}

/**
 * Every step, or 1, 2, 3, … and then further and further apart, to the end.
 * @param {number} most @param {boolean} isWhole
 */
function growing(most, isWhole) {
    const steps = [];
    for (let step = 1; step <= most; step = isWhole ? step + 1 : Math.max(step + 1, Math.trunc(step * GROWTH)))
        steps.push(step);
    if (steps.length && steps.at(-1) !== most) steps.push(most);
    return steps;
}
