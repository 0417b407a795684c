// What a row of a linear model is compared with: the average row, the best row, zeros, or a row that was kept.

import { button, make } from "./html.js";
import { canBeBest, hasAverages } from "./evidence.js";

const KEPT = "kept";

/**
 * A choice for the form; null where cells are not compared with anything.
 * @typedef {{element: HTMLElement, reference: (row: Row) => import("./evidence.js").Reference}} Comparing
 * @param {Model} model @param {() => void} changed @returns {Comparing | null}
 */
export function comparingOf(model, changed) {
    if (model.model !== "linear" || model.schema.target.values.length < 2) return null;
    let now = /** @type {Row} */ (new Map());
    let kept = /** @type {Row | null} */ (null);
    const keptOption = make("option", { value: KEPT, disabled: true }, "the row kept");
    const average = hasAverages(model) ? make("option", { value: "average" }, "the average training row") : null;
    const best = canBeBest(model) ? make("option", { value: "best" }, "the row most in favour of the runner-up") : null;
    const zeros = make("option", { value: "zero" }, "zeros");
    const select = make("select", { id: "compared-with" }, average, best, zeros, keptOption);

    function keep() {
        kept = new Map(now);
        keptOption.removeAttribute("disabled");
        select.value = KEPT;
        changed();
    }
    const label = make("label", { for: "compared-with" }, "Compare each cell with");
    const keeping = button(keep, {}, "Keep this row to compare with");
    return {
        element: make("div", { class: "field comparing" }, label, select, keeping),
        reference(row) {
            now = row;
            return select.value === KEPT ? kept : /** @type {"average" | "best" | "zero"} */ (select.value);
        },
    };
}
