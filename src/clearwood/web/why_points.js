// Why an additive model answers a number: what each cell adds to the average row's, the largest first.

import { figure } from "./amounts.js";
import { greatest } from "./answers.js";
import { numberText } from "./condition_words.js";
import { isolated, make } from "./html.js";

const FIRST = 8; // pieces seen at once
const MOST = 40; // unfolded

/** @typedef {{name: string, value: Cell, points: number[]}} Added */

/** @param {number} base @param {Added[]} added */
export function whyPoints(base, added) {
    return [
        make("p", `From the average training row's ${figure(base)}, the largest first:`),
        ...pointLines(added),
        make("p", `In all ${figure(added.reduce((sum, { points }) => sum + points[0], base))}.`),
    ];
}

/**
 * A bar for each cell, the largest first; those after the first few are folded behind what they add together.
 * @param {Added[]} added @param {(points: number) => string} [written] without the sign
 * @param {Added[]} [before] what stands above them
 */
export function pointLines(added, written = figure, before = []) {
    const ranked = [...added].sort((a, b) => Math.abs(b.points[0]) - Math.abs(a.points[0]));
    const few = ranked.length <= FIRST + 1 ? ranked.length : FIRST;
    const [first, others] = [[...before, ...ranked.slice(0, few)], ranked.slice(few)];
    const widest = greatest(first.map(({ points }) => Math.abs(points[0])).filter(Number.isFinite));
    const list = (/** @type {Added[]} */ lines) => make("ul", { class: "odds" }, ...lines.map((each) => line(each, widest, written)));
    if (!others.length) return [list(first)];
    const together = others.reduce((sum, { points }) => sum + points[0], 0);
    const sum = Number.isNaN(together) ? "" : `: ${signed(together, written)} together`;
    const summary = make("summary", `The other ${others.length}${sum}`);
    const left = others.length - MOST;
    const more = left > 0 ? make("p", { class: "muted" }, `${left} more add less.`) : null;
    return [list(first), make("details", summary, list(others.slice(0, MOST)), more)];
}

/** @param {number} points @param {(points: number) => string} written */
function signed(points, written) {
    return `${points < 0 ? "−" : "+"}${Number.isFinite(points) ? written(Math.abs(points)) : "∞"}`;
}

/** @param {Added} added @param {number} widest @param {(points: number) => string} written */
function line({ name, value, points: [points] }, widest, written) {
    const share = Number.isFinite(points) ? (widest > 0 ? Math.abs(points) / widest : 0) : 1;
    return make(
        "li",
        make("span", { class: "odds-name" }, isolated(name), value === "" ? "" : " ", value === "" ? "" : isolated(valueText(value))),
        make("span", { class: points < 0 ? "odds-bar against" : "odds-bar for", style: { "--share": share } }),
        make("span", { class: "bar-share" }, signed(points, written)),
    );
}

/** @param {Cell} value */
function valueText(value) {
    if (value === null) return "is missing";
    return typeof value === "number" ? `= ${numberText(value)}` : `= ${value}`;
}
