// Folding: which part of a tree is shown.

import { present } from "./present.js";

/** @typedef {{nodes: number[], parents: number[]}} Shown  nodes in preorder; `parents` by their place among them */

const MOST_REFUSED = 8;

/** The nodes in sight. @param {import("./tree.js").Shape} shape @param {Set<number>} opened @returns {Shown} */
export function shownNodes(shape, opened) {
    const nodes = [];
    const parents = [];
    const places = new Map();
    for (let node = 0; node < shape.nodes.length; node = opened.has(node) ? node + 1 : shape.end[node]) {
        places.set(node, nodes.length);
        nodes.push(node);
        parents.push(node === 0 ? -1 : places.get(shape.nodes[node].parent));
    }
    return { nodes, parents };
}

/**
 * The splits to open so that the tree is shown to this depth.
 * @param {Shape} shape @param {number} depth @returns {Set<number>}
 */
export function openedTo(shape, depth) {
    return new Set(splits(shape).filter((node) => shape.depth[node] < depth));
}

/**
 * The splits with the most rows, each opened if what is shown then still fits; the root in any case.
 * @param {import("./tree.js").Shape} shape @param {(opened: Set<number>) => boolean} fits @returns {Set<number>}
 */
export function openedByRows(shape, fits) {
    const opened = new Set([0]);
    const waiting = [...shape.children[0]];
    for (let refused = 0; waiting.length && refused < MOST_REFUSED;) {
        waiting.sort((a, b) => shape.weight[a] - shape.weight[b] || b - a);
        const node = present(waiting.pop());
        if (!shape.children[node].length) continue;
        opened.add(node);
        if (fits(opened)) waiting.push(...shape.children[node]);
        else {
            opened.delete(node);
            refused += 1;
        }
    }
    return opened;
}

/** How many questions the longest way has. @param {import("./tree.js").Shape} shape */
export function deepest(shape) {
    return shape.depth.reduce((most, depth) => Math.max(most, depth), 0);
}

/** Opens what hides a node. @param {Shape} shape @param {Set<number>} opened @param {number} node */
export function openTo(shape, opened, node) {
    for (let above = shape.nodes[node].parent; above !== undefined; above = shape.nodes[above].parent)
        opened.add(above);
}

/** @param {Shape} shape */
function splits(shape) {
    return shape.children.flatMap((below, node) => (below.length ? [node] : []));
}
