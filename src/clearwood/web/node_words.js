// The texts of a tree: at each node the question or answer, on each branch its condition.

import { figure, meanReach, percent, rowsInWords, rowsText } from "./amounts.js";
import { classAt, adjusted } from "./answers.js";
import { conditionText, endsText } from "./condition_words.js";
import { visible } from "./html.js";
import { meanAt, nodeShares } from "./tree.js";
import { present } from "./present.js";

const MOST_LETTERS = 32;

/**
 * @typedef {{head: string, detail: string, full: string, isLeaf: boolean, place: number}} NodeWords
 *   `head`: its question or answer; `detail`: share and rows; `full`: everything in one line; `place`: of the class
 *   answered, −1 for a number
 * @typedef {{parts: string[], tail: string, rows: string, onlyMissing: boolean}} BranchWords
 *   the condition without its column, in parts that commas join
 */

/** @param {TreeStudy} study @param {number} node @returns {NodeWords} */
export function nodeWords({ model, shape }, node) {
    const below = shape.children[node];
    const isLeaf = !below.length;
    const { answer, share, place } = answerAt(model, shape, node);
    const rows = shape.weight[node] > 0 ? rowsInWords(shape.weight[node]) : "no rows";
    const head = isLeaf ? answer : visible(present(shape.nodes[below[0]].when).column);
    const detail = isLeaf ? [share, rows] : [share ? `${share} ${short(answer)}` : answer, rows];
    const content = isLeaf
        ? `${visible(model.schema.target.name)}: ${answer}`
        : `split on ${head}; ${share ? `${share} ` : ""}${answer}`;
    const full = [node ? conditionText(present(shape.nodes[node].when)) : "all rows", content, rows].join("; ");
    return { head, detail: detail.filter(Boolean).join(" · "), full, isLeaf, place };
}

/** @param {TreeStudy} study @param {number} node @returns {BranchWords} */
export function branchWords({ shape }, node) {
    const [when, parent] = [present(shape.nodes[node].when), present(shape.nodes[node].parent)];
    const tail = when.or_missing ? ["or missing"] : [];
    const chosen = shape.nodes[parent].otherwise;
    if (chosen !== undefined && shape.children[parent][chosen] === node) tail.push("*");
    const onlyMissing = Boolean(when.missing);
    return { parts: partsOf(when), tail: tail.join(" "), rows: rowsText(shape.weight[node]), onlyMissing };
}

/**
 * What a node answers, the share of it, and the place of its class.
 * @param {TreeModel} model @param {Shape} shape @param {number} node
 */
export function answerAt(model, shape, node) {
    if (shape.numeric) {
        const { counts } = shape.nodes[shape.answering[node]];
        const reach = model.answers === "median" ? 0 : meanReach(counts);
        const around = reach > 0 ? ` ± ${figure(reach, 4)}` : "";
        return { answer: `${figure(meanAt(shape, node), 4)}${around}`, share: "", place: -1 };
    }
    const shares = adjusted(nodeShares(shape, node, model.decision), model.decision);
    const place = classAt(shares, model.decision, model.schema.target.values);
    return { answer: visible(model.schema.target.values[place]), share: percent(shares[place]), place };
}

/** The beginning of a long name: all of it stands in the panel. @param {string} name */
function short(name) {
    const letters = name.match(/\P{M}\p{M}*|\p{M}+/gsu) ?? [];
    return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS - 1).join("")}…` : name;
}

/** @param {Condition} when */
function partsOf(when) {
    if (when.missing) return ["missing"];
    if (when.is !== undefined) return [bare(when.is)];
    if (when.in !== undefined) return when.in.map(bare);
    const parts = endsText(when);
    return parts.length ? parts : ["known"];
}

/** A value as it is, in quotes only where it would be read as something else. @param {string} value */
function bare(value) {
    const odd = ["", "missing", "known"].includes(value.trim()) || value.includes(", ");
    return odd ? `“${visible(value)}”` : visible(value);
}
