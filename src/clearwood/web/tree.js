// A tree: one row down its branches, to every leaf it comes to.

import { divided, factored, greatest, sum } from "./answers.js";
import { routeAt, waysFrom } from "./routing.js";
import { present } from "./present.js";

const NOISE = 1e-9; // of the largest number of the tree

/**
 * @typedef {import("./conditions.js").Condition} Condition
 * @typedef {import("./conditions.js").Row} Row
 * @typedef {import("./routing.js").Surrogate} Surrogate
 * @typedef {{parent?: number, when?: Condition, share?: number, counts: number[], otherwise?: number,
 *   score?: Object<string, number | string | null>, surrogates?: Surrogate[]}} Node
 * @typedef {{nodes: Node[], children: number[][], depth: number[], end: number[], leaves: number[],
 *   weight: number[], answering: number[], numeric: boolean, noise: number}} Shape
 *   By node: `end` is one past the last node of its subtree, `leaves` how many the subtree has, `weight` that of its
 *   rows, `answering` the node whose counts answer there: itself, or the nearest above that has rows. `noise`: the
 *   number below which an answer is rounding error.
 * @typedef {import("./routing.js").Way & {from: number, weight: number}} Move
 * @typedef {{leaves: {node: number, weight: number}[], moves: Move[]}} Walk
 */

/** What is above and below each node of a tree's JSON. @param {TreeModel} model @returns {Shape} */
export function shapeOf(model) {
    const nodes = model.nodes;
    const numeric = model.schema.target.kind === "numeric";
    /** @type {number[][]} */
    const children = nodes.map(() => []);
    const depth = new Array(nodes.length).fill(0);
    const answering = nodes.map((_, node) => node);
    const weight = nodes.map(({ counts }) => (numeric ? counts[0] : sum(counts)));
    nodes.forEach((node, place) => {
        if (place === 0) return;
        const parent = present(node.parent);
        children[parent].push(place);
        depth[place] = depth[parent] + 1;
        if (!(weight[place] > 0)) answering[place] = answering[parent];
    });
    const end = nodes.map((_, node) => node + 1);
    const leaves = nodes.map(() => 0);
    for (let node = nodes.length - 1; node >= 0; node -= 1) {
        if (!children[node].length) leaves[node] = 1;
        if (node === 0) continue;
        const parent = present(nodes[node].parent);
        leaves[parent] += leaves[node];
        end[parent] = Math.max(end[parent], end[node]);
    }
    const noise = numeric ? NOISE * greatest(nodes.map(({ counts }) => Math.abs(counts[1])).filter(Number.isFinite)) : 0;
    return { nodes, children, depth, end, leaves, weight, answering, numeric, noise };
}

/** The number that a numeric tree answers at a node; what is only rounding error beside the others is 0. @param {Shape} shape @param {number} node */
export function meanAt({ nodes, answering, noise }, node) {
    const mean = nodes[answering[node]].counts[1];
    return Math.abs(mean) < noise ? 0 : mean;
}

/**
 * Every leaf the row comes to, from the first branch to the last, and the moves on the way.
 * @param {Shape} shape @param {Row} row @returns {Walk}
 */
export function walk(shape, row) {
    const leaves = [];
    const moves = [];
    const waiting = [{ node: 0, weight: 1 }];
    while (waiting.length) {
        const { node, weight } = present(waiting.pop());
        if (!shape.children[node].length) {
            leaves.push({ node, weight });
            continue;
        }
        const ways = waysFrom(routeAt(shape, node), row);
        const onward = ways.map((way) => ({ ...way, from: node, weight: weight * way.part }));
        moves.push(...onward);
        waiting.push(...onward.map((move) => ({ node: move.to, weight: move.weight })).reverse());
    }
    return { leaves, moves };
}

/** The share of each class where a row ends. @param {Shape} shape @param {Walk} walked @param {Decision} decision */
export function sharesOfWalk(shape, walked, decision) {
    const mixed = new Array(shape.nodes[0].counts.length).fill(0);
    for (const { node, weight } of walked.leaves) {
        nodeShares(shape, node, decision).forEach((share, c) => (mixed[c] += weight * share));
    }
    return mixed;
}

/** The number that a numeric tree answers. @param {Shape} shape @param {Walk} walked */
export function numberOfWalk(shape, walked) {
    return sum(walked.leaves.map(({ node, weight }) => weight * shape.nodes[shape.answering[node]].counts[1]));
}

/** The share of each class at a node. @param {Shape} shape @param {number} node @param {Decision} decision */
export function nodeShares(shape, node, decision) {
    return divided(factored(shape.nodes[shape.answering[node]].counts, decision));
}
