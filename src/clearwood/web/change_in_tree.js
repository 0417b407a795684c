// The smallest change in a tree, exactly: the row goes down with all its options, cheapest box first.
//
// At a split a box is parted by the branches: each takes the options of the split's column that satisfy its condition
// and no earlier one's. Options that no branch takes ask the surrogates in order, which part the box by their own
// columns; what is left follows `otherwise`, or goes down every branch with its share. So a box has pending nodes, and
// the leaves that it came to. A box that cannot lead to a wanted class is dropped: each node knows, from the leaves
// below, by how much each class can at best lie ahead.

import { cheapest, leads } from "./answers.js";
import { cheapestFirst, cheapestIn, keyOf, narrowed } from "./boxes.js";
import { routeAt } from "./routing.js";
import { nodeShares } from "./tree.js";
import { present } from "./present.js";

/**
 * @typedef {import("./boxes.js").Box} Box
 * @typedef {{box: Box, pending: [number, number][], leaves: number[], bound: number[]}} State
 * @typedef {{part: Box, onward: [number, number][]}} Onward  nodes, and the share of the row that goes to each
 */

const NEARLY = 1e-9; // a bound is a sum in another order than the answer's

/**
 * The cheapest options that change the answer. @param {TreeModel} model @param {Shape} shape @param {Options} options
 * @param {Cell} answer @param {(chosen: Map<number, number>) => Cell} answerWith
 * @returns {{chosen: Map<number, number> | null, proven: boolean}}
 */
export function changeInTree(model, shape, options, answer, answerWith) {
    const classes = model.schema.target.values;
    const shares = shape.nodes.map((_, node) => nodeShares(shape, node, model.decision));
    const answers = shares.map((each) => classes[cheapest(each, model.decision)]);
    const lead = leadsOver(model, shape, shares, classes.indexOf(/** @type {string} */ (answer)));
    const ways = waysOver(model, shape, options);
    /** @param {Box} box @param {Omit<State, "box">} known @returns {[import("./boxes.js").Key, State]} */
    const state = (box, known) => [keyOf(options, box), { box, ...known }];
    return cheapestFirst([state(new Map(), { pending: [[0, 1]], leaves: [], bound: lead[0] })], (taken, put) => {
        const { box, pending, leaves, bound } = taken;
        if (!pending.length) {
            const chosen = cheapestIn(box);
            return (leaves.length === 1 ? answers[leaves[0]] : answerWith(chosen)) === answer ? null : chosen;
        }
        const [[node, share], ...rest] = pending;
        if (!shape.children[node].length) put(...state(box, { pending: rest, leaves: [...leaves, node], bound }));
        else
            for (const { part, onward } of ways(node, box)) {
                const ahead = bound.map((each, c) => each - share * lead[node][c]);
                for (const [child, ofIt] of onward) ahead.forEach((_, c) => (ahead[c] += share * ofIt * lead[child][c]));
                if (!ahead.some((each, c) => classes[c] !== answer && each >= -NEARLY)) continue;
                const below = onward.map(([child, ofIt]) => /** @type {[number, number]} */ ([child, share * ofIt]));
                put(...state(part, { pending: [...below, ...rest], leaves, bound: ahead }));
            }
        return null;
    });
}

/**
 * The parts of a box at a node, each with the nodes it comes to and their shares.
 * @param {TreeModel} model @param {Shape} shape @param {Options} options
 * @returns {(node: number, box: Box) => Onward[]}
 */
function waysOver(model, shape, options) {
    const places = new Map(model.schema.columns.map((column, place) => [column.name, place]));
    const placeOf = (/** @type {Condition} */ condition) => present(places.get(condition.column));
    const known = new Map();
    /** @param {Condition} condition @returns {bigint} */
    const taking = (condition) => {
        if (!known.has(condition)) known.set(condition, present(options.get(placeOf(condition))).taking(condition));
        return known.get(condition);
    };
    const routes = /** @type {Map<number, import("./routing.js").Route>} */ (new Map());

    return (node, box) => {
        if (!routes.has(node)) routes.set(node, routeAt(shape, node));
        const { tests, rest } = present(routes.get(node));
        const parts = /** @type {Onward[]} */ ([]);
        let left = box;
        for (const { when, way } of tests) {
            const place = placeOf(when);
            const held = left.get(place) ?? present(options.get(place)).all;
            const taken = held & taking(when);
            if (!taken) continue;
            parts.push({ part: narrowed(left, place, taken), onward: [[way.to, 1]] });
            if (taken === held) return parts;
            left = narrowed(left, place, held & ~taken);
        }
        parts.push({ part: left, onward: rest.map(({ to, part }) => [to, part]) });
        return parts;
    };
}

/**
 * [node][class] how far each class is at best ahead of the answer in a leaf below, by share or by less cost.
 * @param {TreeModel} model @param {Shape} shape @param {number[][]} shares @param {number} answer
 */
function leadsOver(model, shape, shares, answer) {
    const lead = shares.map((each, node) =>
        shape.children[node].length ? each.map(() => -Infinity) : leads(each, model.decision, answer));
    for (let node = shape.nodes.length - 1; node > 0; node -= 1) {
        const above = lead[present(shape.nodes[node].parent)];
        lead[node].forEach((value, c) => (above[c] = Math.max(above[c], value)));
    }
    return lead;
}
