// Boxes: sets of rows, each column held to some of its options, searched in the order of their cheapest row.
//
// A box's key is: cells changed, sum of their costs in schema order, their places in the schema, the options chosen;
// all of its cheapest row. Whatever narrows a box can only raise its key, so a search that always takes the box of the
// lowest key has, when the cheapest row of that box is an answer, the smallest change of all.

import { lowestBit } from "./moves.js";
import { present } from "./present.js";

/**
 * @typedef {Map<number, bigint>} Box  a column's place in the schema → its options; one not named has them all
 * @typedef {Map<number, import("./moves.js").Moves>} Options  by place: the columns that the model uses
 * @typedef {{cells: number, distance: number, places: number[], chosen: number[]}} Key
 */

const MOST_BOXES = 200000; // a search that has met so many gives up, and says so

/** Things by their keys, lowest first; of equal keys the one that came first. @template T */
class Queue {
    /** @type {{key: Key, thing: T, met: number}[]} */
    #heap = [];
    met = 0;

    get isEmpty() {
        return this.#heap.length === 0;
    }

    /** @param {Key} key @param {T} thing */
    put(key, thing) {
        this.met += 1;
        const entry = { key, thing, met: this.met };
        let place = this.#heap.push(entry) - 1;
        for (let above = (place - 1) >> 1; place > 0 && comesBefore(entry, this.#heap[above]); above = (place - 1) >> 1) {
            this.#heap[place] = this.#heap[above];
            place = above;
        }
        this.#heap[place] = entry;
    }

    take() {
        const heap = this.#heap;
        const [first, last] = [heap[0], present(heap.pop())];
        if (heap.length) {
            let place = 0;
            for (let below = 1; below < heap.length; below = 2 * place + 1) {
                if (below + 1 < heap.length && comesBefore(heap[below + 1], heap[below])) below += 1;
                if (!comesBefore(heap[below], last)) break;
                heap[place] = heap[below];
                place = below;
            }
            heap[place] = last;
        }
        return first.thing;
    }
}

/**
 * What is opened first and is found: cheapest first, each either an answer (the cells chosen) or parted into others.
 * @template T @param {[Key, T][]} starts
 * @param {(thing: T, put: (key: Key, thing: T) => void) => Map<number, number> | null} open
 * @returns {{chosen: Map<number, number> | null, proven: boolean}}
 */
export function cheapestFirst(starts, open) {
    const queue = /** @type {Queue<T>} */ (new Queue());
    const put = (/** @type {Key} */ key, /** @type {T} */ thing) => queue.put(key, thing);
    for (const [key, thing] of starts) put(key, thing);
    while (!queue.isEmpty && queue.met < MOST_BOXES) {
        const chosen = open(queue.take(), put);
        if (chosen) return { chosen, proven: true };
    }
    return { chosen: null, proven: queue.isEmpty };
}

/** The key of the box's cheapest row. @param {Options} options @param {Box} box @returns {Key} */
export function keyOf(options, box) {
    const chosen = cheapestIn(box);
    let distance = 0;
    for (const [place, option] of chosen) distance += present(options.get(place)).costs[option];
    return { cells: chosen.size, distance, places: [...chosen.keys()], chosen: [...chosen.values()] };
}

/** The cells that the box's cheapest row changes, in schema order. @param {Box} box @returns {Map<number, number>} */
export function cheapestIn(box) {
    const changed = [...box].filter(([, held]) => !(held & 1n)).sort(([a], [b]) => a - b);
    return new Map(changed.map(([place, held]) => [place, lowestBit(held)]));
}

/**
 * The box with a column held to fewer options.
 * @param {Box} box @returns {Box} @param {number} place @param {bigint} held
 */
export function narrowed(box, place, held) {
    return new Map(box).set(place, held);
}

/** @param {{key: Key, met: number}} one @param {{key: Key, met: number}} other */
function comesBefore(one, other) {
    const [a, b] = [one.key, other.key];
    const by = a.cells - b.cells || a.distance - b.distance || inOrder(a.places, b.places) || inOrder(a.chosen, b.chosen);
    return (by || one.met - other.met) < 0;
}

/** @param {number[]} one @param {number[]} other */
function inOrder(one, other) {
    const differing = one.findIndex((each, i) => each !== other[i]);
    return differing < 0 ? one.length - other.length : differing < other.length ? one[differing] - other[differing] : 1;
}
