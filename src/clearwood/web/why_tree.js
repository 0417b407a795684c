// Why a tree answers what it answers: the way of the row, in words, with what each empty or unknown cell did.

import { figure, percent, rowsInWords } from "./amounts.js";
import { branchText, conditionText, numberText } from "./condition_words.js";
import { button, isolated, make } from "./html.js";
import { unknownKind } from "./kinds.js";
import { present } from "./present.js";
import { merged } from "./merging.js";
import { isMissing } from "./conditions.js";
import { meanAt } from "./tree.js";

const MOST = 5;
const LONG = 6; // steps

/**
 * The way to the leaf, or to the heaviest of several.
 * @param {import("./tree.js").Shape} shape @param {import("./tree.js").Walk} walked
 * @param {import("./conditions.js").Row} row @param {(node: number) => void} show points at a node of the tree
 */
export function whyTree(shape, walked, row, show) {
    const into = new Map(walked.moves.map((move) => [move.to, move]));
    const leaves = [...walked.leaves].sort((a, b) => b.weight - a.weight);
    if (!walked.moves.length) return [make("p", "It has no split: every row gets the same prediction.")];
    if (leaves.length === 1) return [wayTo(shape, leaves[0].node, into, row, show)];
    const parts = leaves.slice(0, MOST).map(({ node, weight }) =>
        make("li", make("p", `${percent(weight)} of the row`), wayTo(shape, node, into, row, show)));
    const more = leaves.length - parts.length;
    const intro = `Cells that are missing or unknown divide the row: it comes to ${leaves.length} leaves, and their probabilities are mixed.`;
    return [
        make("p", intro),
        make("ul", { class: "ways" }, ...parts),
        more > 0 ? make("p", { class: "muted" }, `And ${more} more, each with a smaller part.`) : null,
    ];
}

/**
 * @param {Shape} shape @param {number} leaf @param {Map<number, import("./tree.js").Move>} into @param {Row} row
 * @param {(node: number) => void} show
 */
function wayTo(shape, leaf, into, row, show) {
    const moves = [];
    for (let move = into.get(leaf); move !== undefined; move = into.get(move.from)) moves.unshift(move);
    /** @type {[number, string][]} */
    const steps = moves.map((move) => [move.to, reason(shape, move, row)]);
    return wayList(shape, steps, show);
}

/**
 * The steps of a way, each a button that points at its node; a long way is first shown in short.
 * @param {import("./tree.js").Shape} shape @param {[number, string][]} steps nodes, and a remark on each
 * @param {(node: number) => void} show
 */
export function wayList(shape, steps, show) {
    const lines = steps.map(([node, remark]) => {
        const condition = isolated(conditionText(present(shape.nodes[node].when)));
        const link = button(() => show(node), { class: "link" }, condition);
        return make("li", link, make("span", { class: "muted" }, remark));
    });
    const all = make("ol", { class: "way" }, ...lines);
    const short = merged(steps.map(([node]) => present(shape.nodes[node].when)));
    if (lines.length <= LONG || short.length + 2 > lines.length) return all;
    return make(
        "div",
        make("ul", { class: "way" }, ...short.map((condition) => make("li", isolated(conditionText(condition))))),
        make("details", make("summary", `Its ${lines.length} steps`), all),
    );
}

/**
 * How the row came to take this branch.
 * @param {Shape} shape @param {import("./tree.js").Move} move @param {Row} row
 */
function reason(shape, move, row) {
    const when = present(shape.nodes[move.to].when);
    const cell = row.get(when.column);
    const state = isMissing(cell) ? "it is missing" : "its value is unknown here";
    switch (move.because) {
        case "cell":
            if (isMissing(cell)) return " (it is missing)";
            return typeof cell === "number" ? ` (it is ${numberText(cell)})` : "";
        case "surrogate":
            return (
                `: ${state}; ${conditionText(present(move.when))} stands in for it ` +
                `(it agrees on ${percent(present(move.surrogate).agreement)} of the rows)`
            );
        case "otherwise":
            return `: ${state}, and such rows go here`;
        case "every branch":
            return `: ${state}; ${percent(move.part)} of the rows here are ${branchText(when)}`;
        default:
            return unknownKind("reason", move.because);
    }
}

/**
 * What stands at the end of the way: how many rows.
 * @param {TreeModel} model @param {Shape} shape @param {number} leaf
 */
export function leafText(model, shape, leaf) {
    const answering = shape.answering[leaf];
    const where = answering === leaf ? "leaf" : "leaf without rows, which predicts as the node above it does,";
    return `It ends in a ${where} of ${rowsInWords(shape.weight[answering])}${balancedText(model)}${meanText(model, shape, leaf)}.`;
}

/** Whose counts they are, where they are not of the rows as they came. @param {TreeModel} model */
export function balancedText(model) {
    return model.balanced ? " as balanced for learning" : "";
}

/**
 * A numeric tree's answer at a node; nothing of another.
 * @param {TreeModel} model @param {Shape} shape @param {number} node
 */
export function meanText(model, shape, node) {
    if (!shape.numeric) return "";
    const word = model.answers ?? "mean";
    return `, ${word} ${figure(meanAt(shape, node))}`;
}
