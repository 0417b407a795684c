// Why many trees answer what they answer: what each cell adds to the mean answer, the largest first.

import { figure, percent } from "./amounts.js";
import { fill, isolated, make } from "./html.js";
import { unknownKind } from "./kinds.js";
import { contributionsOf, hasContributions } from "./shap.js";
import { pointLines } from "./why_points.js";

/**
 * @param {EnsembleModel} model @param {Row} row @param {Cell} called the class, or any of a number
 * @returns {Node[]} filled when the answer has been painted: of many trees it takes a while
 */
export function whyShap(model, row, called) {
    if (!hasContributions(model)) return [];
    const place = make("div", { "aria-busy": "true" });
    requestAnimationFrame(() =>
        setTimeout(() => {
            if (!place.isConnected) return; // another row has been asked about
            fill(place, ...shapLines(model, row, called));
            place.removeAttribute("aria-busy");
        }),
    );
    return [place];
}

/** @param {EnsembleModel} model @param {Row} row @param {Cell} called @returns {Node[]} */
function shapLines(model, row, called) {
    const { base, added } = contributionsOf(model, row);
    const classes = model.schema.target.values ?? [];
    const place = classes.indexOf(/** @type {string} */ (called));
    const ofTwo = model.combined_by === "sum" && model.link === "logistic";
    const score = ofTwo || place < 0 ? 0 : place;
    // The log odds are those of the second class; for the first each cell does the opposite.
    const sign = ofTwo && place === 0 ? -1 : 1;
    const lines = added.map(({ name, value, points }) => ({ name, value, points: [sign * points[score]] }));
    const share = model.combined_by !== "sum" && place >= 0;
    const mean = share ? percent(base[score]) : figure(sign * base[score], 3);
    const name = place >= 0 ? classes[place] : model.schema.target.name;
    return [
        make("p", "From the mean ", what(model, place >= 0), isolated(name), `, ${mean}, each cell adds (SHAP values):`),
        ...pointLines(lines, share ? pointsOfPercent : (points) => figure(points, 3)),
    ];
}

/** @param {EnsembleModel} model @param {boolean} ofClasses */
function what(model, ofClasses) {
    switch (model.combined_by) {
        case "mean":
            return ofClasses ? "probability of " : "";
        case "votes":
            return "part of the votes for ";
        case "sum":
            return { logistic: "log odds of ", softmax: "score of ", exp: "log of ", identity: "" }[model.link];
        default:
            return unknownKind("combination", model.combined_by);
    }
}

/** In per cent, without the sign: what is added is a difference of shares. @param {number} share */
function pointsOfPercent(share) {
    return `${(100 * share).toFixed(1)} %`;
}
