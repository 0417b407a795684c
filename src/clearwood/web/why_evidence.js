// Why Bayes tables or weights answer what they answer: the log odds of the answer against the runner-up, step by step.

import { greatest } from "./answers.js";
import { numberText } from "./condition_words.js";
import { isolated, make, visible } from "./html.js";

const MOST = 30;

/**
 * @param {string[]} classes
 * @param {{priors: number[], pieces: import("./bayes.js").Piece[], byLimit: boolean, shares: number[]}} evidence
 * @param {Cell} answer @param {string} begins
 */
export function whyEvidence(classes, evidence, answer, begins) {
    const place = classes.indexOf(/** @type {string} */ (answer));
    const others = classes.map((_, c) => c).filter((c) => c !== place);
    if (!others.length) return [make("p", {}, "The model knows one class only.")];
    const rival = others.reduce((best, c) => (evidence.shares[c] > evidence.shares[best] ? c : best));
    const bars = [
        { name: begins, value: "", odds: difference(evidence.priors[place], evidence.priors[rival]) },
        ...evidence.pieces.map(({ name, value, logs }) => ({
            name,
            value,
            odds: difference(logs[place], logs[rival]),
        })),
    ];
    const shown = [
        bars[0],
        ...bars
            .slice(1)
            .sort((a, b) => Math.abs(b.odds) - Math.abs(a.odds))
            .slice(0, MOST),
    ];
    const widest = greatest(shown.map((bar) => Math.abs(bar.odds)).filter(Number.isFinite));
    const intro = make(
        "p",
        {},
        "Log odds for ",
        isolated(classes[place]),
        " against ",
        isolated(classes[rival]),
        comparedWith(begins),
        ", the strongest evidence first:",
    );
    const limit = evidence.byLimit
        ? make(
              "p",
              { class: "muted" },
              "Every class meets a probability of 0 here; the shares are what is left with ever less smoothing.",
          )
        : null;
    const rest = bars.length - shown.length;
    return [
        intro,
        make("ul", { class: "odds" }, ...shown.map((bar) => line(bar, widest))),
        rest > 0 ? make("p", { class: "muted" }, `${rest} more weigh less.`) : null,
        limit,
    ];
}

/** A reference in a phrase; empty where cells are compared with none. @param {string} begins */
function comparedWith(begins) {
    if (begins === "average row") return ", each cell compared with the average training row";
    if (begins === "given row") return ", each cell compared with the row kept";
    return begins.startsWith("row most in favour of ") ? `, each cell compared with the ${visible(begins)}` : "";
}

/** @param {{name: string, value: Cell, odds: number}} bar @param {number} widest */
function line({ name, value, odds }, widest) {
    const part = Number.isFinite(odds) ? (widest > 0 ? Math.abs(odds) / widest : 0) : 1;
    return make(
        "li",
        {},
        make(
            "span",
            { class: "odds-name" },
            isolated(name),
            value === "" ? "" : " ",
            value === "" ? "" : isolated(valueText(value)),
        ),
        make("span", { class: odds < 0 ? "odds-bar against" : "odds-bar for", style: { "--share": part } }),
        make("span", { class: "bar-share" }, oddsText(odds)),
    );
}

/** With its sign, to two decimals. @param {number} odds */
function oddsText(odds) {
    if (!Number.isFinite(odds)) return odds > 0 ? "+∞" : "−∞";
    return `${odds < 0 ? "−" : "+"}${Math.abs(odds).toFixed(2)}`;
}

/** @param {Cell} value */
function valueText(value) {
    if (value === null) return "is missing";
    return typeof value === "number" ? `= ${numberText(value)}` : `= ${value}`;
}

/** Of two logs; 0 where both are −∞, for then neither is favoured. @param {number} one @param {number} other */
function difference(one, other) {
    return one === other ? 0 : one - other;
}
