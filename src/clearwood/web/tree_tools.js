// The tools above a tree: how deep it is shown, and how large.

import { rowsText } from "./amounts.js";
import { make } from "./html.js";

/**
 * @param {number} deepest @param {{showDepth: (depth: number) => void, zoom: (factor: number) => void, fit: () => void}} does
 * @returns {{element: HTMLElement, onPaper: HTMLElement, showCount: (depth: number | null, few: number, all: number) => void}}
 *   `showCount` shows how deep the tree is shown (null: as it was), and how many of its nodes; `onPaper` is that for print
 */
export function treeTools(deepest, does) {
    const slider = make("input", {
        type: "range",
        id: "tree-depth",
        min: 1,
        max: Math.max(deepest, 1),
        step: 1,
        input: () => does.showDepth(Number(slider.value)),
    });
    const count = make("output", { for: "tree-depth" });
    const onPaper = make("p", { class: "paper" });
    /** @param {string} text @param {() => void} click @param {string} [label] */
    const button = (text, click, label) => make("button", { type: "button", click, "aria-label": label }, text);
    const element = make(
        "div",
        { class: "tools", role: "toolbar", "aria-label": "The tree's view" },
        make("label", { for: "tree-depth" }, "Depth"),
        slider,
        count,
        button("Unfold all", () => does.showDepth(deepest)),
        make(
            "span",
            { class: "group" },
            button("−", () => does.zoom(0.8), "Zoom out"),
            button("+", () => does.zoom(1.25), "Zoom in"),
            button("Fit", does.fit),
        ),
    );
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
    const ways = [
        ...(splits.some((node) => node.surrogates?.length) ? ["a surrogate column"] : []),
        ...(splits.some((node) => node.otherwise !== undefined) ? ["the branch marked *"] : []),
        ...(splits.some((node) => node.otherwise === undefined) ? ["every branch, weighted by its share"] : []),
    ];
    const follow = ways.length ? ` Missing and unknown values follow ${ways.join(", else ")}.` : "";
    return make(
        "p",
        { class: "hint" },
        `Drag to move. Pinch, or Ctrl and the wheel, to zoom. Arrow keys walk the tree, Enter folds and unfolds.${follow}`,
    );
}
