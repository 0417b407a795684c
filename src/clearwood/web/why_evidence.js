// Why Bayes tables or weights answer what they answer: the log odds of the answer against the runner-up, step by step.

import { isolated, make, visible } from "./html.js";
import { pointLines } from "./why_points.js";

/**
 * @param {string[]} classes
 * @param {import("./evidence.js").Evidence} evidence
 * @param {Cell} answer
 */
export function whyEvidence(classes, evidence, answer) {
    const place = classes.indexOf(/** @type {string} */ (answer));
    const others = classes.map((_, c) => c).filter((c) => c !== place);
    if (!others.length) return [make("p", "The model knows one class only.")];
    const rival = others.reduce((best, c) => (evidence.shares[c] > evidence.shares[best] ? c : best));
    /** @param {string} name @param {Cell} value @param {number[]} logs */
    const piece = (name, value, logs) => ({ name, value, points: [difference(logs[place], logs[rival])] });
    const sides = ["Log odds for ", isolated(classes[place]), " against ", isolated(classes[rival])];
    const intro = make("p", ...sides, comparedWith(evidence.begins), ", the strongest evidence first:");
    const zeros = "Every class meets a probability of 0 here; the probabilities are the limit as smoothing goes to 0.";
    const limit = evidence.byLimit ? make("p", { class: "muted" }, zeros) : null;
    const pieces = evidence.pieces.map(({ name, value, logs }) => piece(name, value, logs));
    return [intro, ...pointLines(pieces, (odds) => odds.toFixed(2), [piece(evidence.begins, "", evidence.priors)]), limit];
}

/** A reference in a phrase; empty where cells are compared with none. @param {string} begins */
function comparedWith(begins) {
    if (begins === "average row") return ", each cell compared with the average training row";
    if (begins === "given row") return ", each cell compared with the row kept";
    return begins.startsWith("row most in favour of ") ? `, each cell compared with the ${visible(begins)}` : "";
}

/** Of two logs; 0 where both are −∞, for then neither is favoured. @param {number} one @param {number} other */
function difference(one, other) {
    return one === other ? 0 : one - other;
}
