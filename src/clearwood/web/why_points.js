// Why an additive model answers a number: what each cell adds to the average row's, the largest first.

import { figure } from "./amounts.js";
import { greatest } from "./answers.js";
import { numberText } from "./condition_words.js";
import { isolated, make } from "./html.js";

const MOST = 30;

/** @typedef {{name: string, value: Cell, points: number[]}} Added */

/** @param {number} base @param {Added[]} added */
export function whyPoints(base, added) {
    return [
        make("p", {}, `From the average training row's ${figure(base)}, the largest first:`),
        ...pointLines(added),
        make("p", {}, `In all ${figure(added.reduce((sum, { points }) => sum + points[0], base))}.`),
    ];
}

/** A bar for each cell, the largest first. @param {Added[]} added @param {(points: number) => string} [written] without the sign */
export function pointLines(added, written = figure) {
    const ranked = [...added].sort((a, b) => Math.abs(b.points[0]) - Math.abs(a.points[0]));
    const shown = ranked.slice(0, MOST);
    const widest = greatest(shown.map(({ points }) => Math.abs(points[0])));
    const rest = ranked.length - shown.length;
    return [
        make("ul", { class: "odds" }, ...shown.map((each) => line(each, widest, written))),
        rest > 0 ? make("p", { class: "muted" }, `${rest} more add less.`) : null,
    ];
}

/** @param {Added} added @param {number} widest @param {(points: number) => string} written */
function line({ name, value, points: [points] }, widest, written) {
    const share = widest > 0 ? Math.abs(points) / widest : 0;
    return make(
        "li",
        {},
        make("span", { class: "odds-name" }, isolated(name), " ", isolated(valueText(value))),
        make("span", { class: points < 0 ? "odds-bar against" : "odds-bar for", style: { "--share": share } }),
        make("span", { class: "bar-share" }, `${points < 0 ? "−" : "+"}${written(Math.abs(points))}`),
    );
}

/** @param {Cell} value */
function valueText(value) {
    if (value === null) return "is missing";
    return typeof value === "number" ? `= ${numberText(value)}` : `= ${value}`;
}
