// Walking a tree by keys: up and down through what is shown, right to unfold, left to fold, Enter to do either.

import { present } from "./present.js";

/**
 * @typedef {{focus: (node: number) => void, fold: (node: number, open: boolean) => void, isOpen: (node: number) => boolean,
 *   shown: () => number[], zoom: (factor: number) => void, fit: () => void}} Walked
 */

/**
 * Does what a key asks for at a node; false if it asks for nothing.
 * @param {string} key @param {number} node @param {Shape} shape @param {string} key @param {Walked} tree
 */
export function walkByKey(key, node, shape, tree) {
    const shown = tree.shown();
    const place = shown.indexOf(node);
    const isSplit = shape.children[node].length > 0;
    switch (key) {
        case "ArrowDown":
            return step(tree, shown[place + 1]);
        case "ArrowUp":
            return step(tree, shown[place - 1]);
        case "Home":
            return step(tree, shown[0]);
        case "End":
            return step(tree, shown.at(-1));
        case "ArrowRight":
            if (isSplit && tree.isOpen(node)) return step(tree, shape.children[node][0]);
            if (isSplit) tree.fold(node, true);
            return true;
        case "ArrowLeft":
            if (isSplit && tree.isOpen(node)) tree.fold(node, false);
            else if (node > 0) tree.focus(present(shape.nodes[node].parent));
            return true;
        case "Enter":
        case " ":
            if (isSplit) tree.fold(node, !tree.isOpen(node));
            return true;
        case "+":
        case "=":
            tree.zoom(1.25);
            return true;
        case "-":
            tree.zoom(0.8);
            return true;
        case "0":
            tree.fit();
            return true;
        default:
            return false;
    }
}

/** @param {Walked} tree @param {number | undefined} node */
function step(tree, node) {
    if (node !== undefined) tree.focus(node);
    return true;
}
