// A node as a card or as a line, and the label of its branch: how much room they need, and how they are drawn.
//
// Where a tree grows down, a node is a card: question or answer, class bar, share and rows below each other. Where
// it grows to the right, a leaf is one line, so that leaves stand below each other as in a table.

import { greatest, sum } from "./answers.js";
import { drawn } from "./html.js";
import { broken, textWidth } from "./lettering.js";
import { present } from "./present.js";

const [HEAD, LABEL, SMALL] = [13, 12, 11];
const LEADING = 1.25;
const PAD = 9;
const BAR = 7;
const BAR_WIDTH = 64;
const WIDEST_HEAD = 170;
const WIDEST_LABEL = 150;
const MOST_LINES = 6;
const STACK = 6; // how far the cards behind a folded one look out

/**
 * @typedef {import("./node_words.js").NodeWords} NodeWords
 * @typedef {import("./node_words.js").BranchWords} BranchWords
 * @typedef {(x: number, y: number, width: number, height?: number) => Element[]} Bar
 * @typedef {{words: NodeWords, branch: BranchWords | null,
 *   below: string, head: string[], label: string[], block: import("./layout.js").Block}} Card
 *   `below`: what a folded node shows of its leaves; it is a stack of cards
 */

/**
 * The words of a node and of the branch into it, set in lines.
 * @param {NodeWords} words @param {BranchWords | null} branch @param {Direction} direction
 * @param {number} hidden @returns {Card}
 */
export function cardOf(words, branch, direction, hidden) {
    const below = hidden ? `${hidden} ${hidden === 1 ? "leaf" : "leaves"} below` : "";
    const head = firstLines(broken(words.head, WIDEST_HEAD, HEAD, true));
    const headWidth = greatest(head.map((line) => textWidth(line, HEAD, true)));
    const small = Math.max(textWidth(words.detail, SMALL), textWidth(below, SMALL));
    const lines = head.length * HEAD * LEADING;
    const flat = isLine(words, direction);
    const stack = below ? STACK : 0;
    const width = flat ? BAR_WIDTH + 10 + headWidth + 8 + small : Math.max(headWidth, small, 60) + 2 * PAD + stack;
    const height = flat ? lines + 6 : 2 * PAD + lines + BAR + 6 + SMALL + (below ? SMALL * LEADING : 0) + stack;
    const label = branch === null ? [] : labelLines(branch);
    const [labelWidth, labelHeight] = branch === null ? [0, 0] : labelSize(label, branch.rows, direction);
    return { words, branch, below, head, label, block: { width, height, labelWidth, labelHeight } };
}

/**
 * The node itself, drawn at its place.
 * @param {Card} card @param {Place} at @returns {Element[]} @param {Direction} direction @param {Bar} bar
 */
export function cardMarks(card, at, direction, bar) {
    return isLine(card.words, direction) ? lineMarks(card, at, bar) : boxMarks(card, at, bar);
}

/**
 * The node from afar, where no letter could be read: a bar as large as the node.
 * @param {Place} at @returns {Element[]} @param {Bar} bar
 */
export function farMarks({ x, y, width, height }, bar) {
    return [frame({ x, y, width, height }, "frame", 0), ...bar(x, y, width, height), frame({ x, y, width, height }, "halo", 0)];
}

/**
 * The condition on a branch and the rows that take it.
 * @param {Card} card @param {Place} at @returns {Element[]} @param {Direction} direction
 */
export function labelMarks({ label, branch }, at, direction) {
    if (branch === null) return [];
    const down = direction === "down";
    const high = label.length * LABEL * LEADING;
    const x = down ? at.x + at.width / 2 : at.x + 3;
    const lines = linesAt(label, x, at.y, LABEL, down ? "label middle" : "label");
    if (down) return [...lines, words(x, at.y + high + SMALL * LEADING - 4, branch.rows, "small middle")];
    return [...lines, words(x + 6 + textWidth(label[label.length - 1], LABEL), at.y + high - 4, branch.rows, "small")];
}

/**
 * The counts by class side by side; or where a number stands among all the tree's numbers.
 * @param {TreeStudy} study @param {number} node @param {number} x @param {number} y @param {number} width
 * @param {number} [height] @returns {Element[]}
 */
export function barMarks(study, node, x, y, width, height = BAR) {
    const { shape, colours, range } = study;
    const { counts } = shape.nodes[node];
    if (shape.numeric) {
        const axis = drawn("rect", { class: "axis", x, y: y + height / 2 - 0.75, width, height: 1.5 });
        if (!(counts[0] > 0)) return [axis];
        const { low, high } = present(range);
        const part = high > low ? (counts[1] - low) / (high - low) : 0.5;
        return [axis, drawn("rect", { class: "needle", x: x + (width - 4) * part, y, width: 4, height, rx: 1 })];
    }
    const total = sum(counts);
    if (!(total > 0)) return [drawn("rect", { class: "empty", x, y, width, height })];
    const marks = /** @type {Element[]} */ ([]);
    let from = x;
    counts.forEach((count, c) => {
        const part = (width * count) / total;
        if (part > 0) marks.push(drawn("rect", { x: from, y, width: part, height, fill: colours[c][0] }));
        from += part;
    });
    return height === BAR ? [...marks, drawn("rect", { class: "outline", x, y, width, height })] : marks;
}

/** @param {NodeWords} words @param {Direction} direction */
function isLine(words, direction) {
    return direction === "right" && words.isLeaf;
}

/** @param {Card} card @param {Place} place @param {Bar} bar */
function boxMarks(card, place, bar) {
    const stack = card.below ? STACK : 0;
    const at = { ...place, width: place.width - stack, height: place.height - stack };
    const middle = at.x + at.width / 2;
    const behind = card.below ? [STACK, STACK / 2] : [];
    const bottom = at.y + PAD + card.head.length * HEAD * LEADING;
    const y = bottom + BAR + 6 + SMALL;
    const marks = [
        ...behind.map((away) => frame({ ...at, x: at.x + away, y: at.y + away }, "frame behind", 5)),
        frame(at, card.words.isLeaf ? "frame leaf" : "frame", card.words.isLeaf ? 12 : 5),
        ...linesAt(card.head, middle, at.y + PAD, HEAD, "head middle"),
        ...bar(at.x + PAD, bottom, at.width - 2 * PAD),
        words(middle, y - 1, card.words.detail, "small middle"),
    ];
    if (card.below) marks.push(words(middle, y + SMALL * LEADING - 1, card.below, "small middle"));
    return marks;
}

/** @param {Card} card @param {Place} at @param {Bar} bar */
function lineMarks(card, at, bar) {
    const middle = at.y + at.height / 2;
    const x = at.x + BAR_WIDTH + 10;
    const beside = x + greatest(card.head.map((line) => textWidth(line, HEAD, true))) + 8;
    return [
        frame({ ...at, x: at.x - 5, width: at.width + 10 }, "frame line", 6),
        ...bar(at.x, middle - BAR / 2, BAR_WIDTH),
        ...linesAt(card.head, x, middle - (card.head.length * HEAD * LEADING) / 2, HEAD, "head"),
        words(beside, middle + 4, card.words.detail, "small"),
    ];
}

/** @param {string[]} lines @param {number} x @param {number} y where they begin @param {number} size @param {string} name */
function linesAt(lines, x, y, size, name) {
    return lines.map((line, i) => words(x, y + (i + 1) * size * LEADING - 4, line, name));
}

/** @param {Place} at @param {string} name @param {number} radius */
function frame({ x, y, width, height }, name, radius) {
    return drawn("rect", { class: name, x, y, width, height, rx: radius });
}

/** @param {number} x @param {number} y @param {string} text @param {string} name */
function words(x, y, text, name) {
    return drawn("text", { x, y, class: name }, `\u2068${text}\u2069`);
}

/** The panel and the title have all of a long name; the card its beginning. @param {string[]} lines */
function firstLines(lines) {
    return lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES - 1), `${lines[MOST_LINES - 1]}…`];
}

/** @param {string[]} label @param {string} rows @param {Direction} direction @returns {[number, number]} */
function labelSize(label, rows, direction) {
    const widths = label.map((line) => textWidth(line, LABEL));
    const beside = textWidth(rows, SMALL);
    if (direction === "down") {
        return [Math.max(...widths, beside) + 6, label.length * LABEL * LEADING + SMALL * LEADING];
    }
    widths[widths.length - 1] += beside + 6;
    return [Math.max(...widths) + 6, label.length * LABEL * LEADING];
}

/** The condition in lines; of very many values some are named and the rest are counted. @param {BranchWords} branch */
function labelLines({ parts, tail }) {
    // A line holds a few values at least, so that the first try is never far off.
    for (let named = Math.min(parts.length, 40); named > 1; named -= 1) {
        const lines = labelOf(parts, tail, named);
        if (lines.length <= MOST_LINES) return lines;
    }
    return labelOf(parts, tail, 1);
}

/** @param {string[]} parts @param {string} tail @param {number} named */
function labelOf(parts, tail, named) {
    const left = parts.length - named;
    const text = [...parts.slice(0, named), ...(left ? [`… ${left} more`] : [])].join(", ");
    return broken(`${text} ${tail}`.trim(), WIDEST_LABEL, LABEL);
}
