// Routing: the one way down a split. Which branches a row follows, with which part of it, and why.
//
// As `models/routing.py` has it: the first branch whose condition holds takes the whole row; else the first side of a
// surrogate that holds; else the split's `otherwise`; and where there is none, every branch takes its share.

import { takes } from "./conditions.js";
import { present } from "./present.js";

/**
 * @typedef {import("./conditions.js").Condition} Condition
 * @typedef {import("./conditions.js").Row} Row
 * @typedef {import("./tree.js").Shape} Shape
 * @typedef {{column: string, at_most?: number, in?: string[], not_in?: string[], then: number,
 *   agreement: number}} Surrogate
 * @typedef {"cell" | "surrogate" | "otherwise" | "every branch"} Because
 * @typedef {{to: number, part: number, because: Because, surrogate?: Surrogate, when?: Condition}} Way
 *   To a node. `when` is the side of the surrogate that sends the row there.
 * @typedef {{tests: {when: Condition, way: Way}[], rest: Way[]}} Route
 *   The tests in the order of asking, and where a row goes for which none holds.
 */

/** @param {Shape} shape @param {number} node a split @returns {Route} */
export function routeAt(shape, node) {
    const below = shape.children[node];
    const { surrogates = [], otherwise } = shape.nodes[node];
    /** @type {Route["tests"]} */
    const tests = below.map((to) => ({ when: present(shape.nodes[to].when), way: { to, part: 1, because: "cell" } }));
    for (const surrogate of surrogates) {
        const to = [below[surrogate.then], below[1 - surrogate.then]];
        sidesOf(surrogate).forEach((when, side) =>
            tests.push({ when, way: { to: to[side], part: 1, because: "surrogate", surrogate, when } }),
        );
    }
    if (otherwise !== undefined) return { tests, rest: [{ to: below[otherwise], part: 1, because: "otherwise" }] };
    /** @type {Way[]} */
    const rest = below.map((to) => ({ to, part: shape.nodes[to].share ?? 0, because: "every branch" }));
    return { tests, rest: rest.filter((way) => way.part > 0) };
}

/** Where a row goes. @param {Route} route @param {Row} row @returns {Way[]} */
export function waysFrom(route, row) {
    const first = route.tests.find((test) => takes(test.when, row));
    return first === undefined ? route.rest : [first.way];
}

/** A surrogate's two conditions: the one for its branch, and the one for the other. @param {Surrogate} surrogate */
function sidesOf({ column, at_most, in: values, not_in: others }) {
    if (at_most !== undefined)
        return [{ column, at_most }, { column, above: at_most }];
    return [{ column, in: values }, { column, in: others }];
}
