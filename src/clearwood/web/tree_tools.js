// The tools above a tree: how deep it is shown, and how large; and walking it by keys: up and down through what is
// shown, right to unfold, left to fold, Enter to do either.

import { rowsText } from "./amounts.js";
import { button, make } from "./html.js";

/**
 * @param {number} deepest @param {{showDepth: (depth: number) => void, zoom: (factor: number) => void, fit: () => void}} does
 * @returns {{element: HTMLElement, onPaper: HTMLElement, showCount: (depth: number | null, few: number, all: number) => void}}
 *   `showCount` shows how deep the tree is shown (null: as it was), and how many of its nodes; `onPaper` is that for print
 */
export function treeTools(deepest, does) {
    const input = () => does.showDepth(Number(slider.value));
    const slider = make("input", { type: "range", id: "tree-depth", min: 1, max: Math.max(deepest, 1), step: 1, input });
    const count = make("output", { for: "tree-depth" });
    const onPaper = make("p", { class: "paper" });
    const label = make("label", { for: "tree-depth" }, "Depth");
    const all = button(() => does.showDepth(deepest), {}, "Unfold all");
    const zooming = make(
        "span",
        { class: "group" },
        button(() => does.zoom(0.8), { "aria-label": "Zoom out" }, "−"),
        button(() => does.zoom(1.25), { "aria-label": "Zoom in" }, "+"),
        button(does.fit, {}, "Fit"),
    );
    const about = { class: "tools", role: "toolbar", "aria-label": "The tree's view" };
    const element = make("div", about, label, slider, count, all, zooming);
    /** @param {number | null} depth @param {number} few @param {number} all */
    function showCount(depth, few, all) {
        if (depth !== null) slider.value = String(depth);
        count.value = few === all ? "" : `${rowsText(few)} of ${rowsText(all)} nodes shown`;
        onPaper.textContent = count.value && `${count.value}; the others are folded away.`;
    }
    return { element, onPaper, showCount };
}

/** How the tree is moved and walked, in a line below it. @param {import("./tree.js").Shape} shape */
export function treeHint(shape) {
    const splits = shape.nodes.filter((_, node) => shape.children[node].length);
    const ways = [];
    if (splits.some((node) => node.surrogates?.length)) ways.push("a surrogate column");
    if (splits.some((node) => node.otherwise !== undefined)) ways.push("the branch marked *");
    if (splits.some((node) => node.otherwise === undefined)) ways.push("every branch, weighted by its share");
    const follow = ways.length ? ` Missing and unknown values follow ${ways.join(", else ")}.` : "";
    const moving = "Drag to move. Pinch, or Ctrl and the wheel, to zoom. Arrow keys walk the tree, Enter folds and unfolds.";
    return make("p", { class: "hint" }, `${moving}${follow}`);
}

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
    const isOpen = isSplit && tree.isOpen(node);
    const to = (/** @type {number | undefined} */ next) => () => next !== undefined && tree.focus(next);
    const unfold = () => isSplit && tree.fold(node, !isOpen);
    const larger = () => tree.zoom(1.25);
    /** @type {{[key: string]: () => unknown}} */
    const does = {
        ArrowDown: to(shown[place + 1]),
        ArrowUp: to(shown[place - 1]),
        Home: to(shown[0]),
        End: to(shown.at(-1)),
        ArrowRight: isOpen ? to(shape.children[node][0]) : unfold,
        ArrowLeft: isOpen ? unfold : to(shape.nodes[node].parent),
        Enter: unfold,
        " ": unfold,
        "+": larger,
        "=": larger,
        "-": () => tree.zoom(0.8),
        0: tree.fit,
    };
    if (!Object.hasOwn(does, key)) return false;
    does[key]();
    return true;
}
