// What a row of a linear model is compared with: the average row, the best row, zeros, or a row that was kept.

import { make } from "./html.js";
import { canBeBest, hasAverages } from "./evidence.js";

const KEPT = "kept";

/**
 * A choice for the form; null where cells are not compared with anything.
 * @typedef {{element: HTMLElement, reference: (row: Row) => import("./evidence.js").Reference}} Comparing
 * @param {Model} model @param {() => void} changed @returns {Comparing | null}
 */
export function comparingOf(model, changed) {
    if (model.model !== "linear" || model.schema.target.values.length < 2) return null;
    /** @type {Row} */
    let now = new Map();
    /** @type {Row | null} */
    let kept = null;
    const keptOption = make("option", { value: KEPT, disabled: true }, "the row kept");
    const select = /** @type {HTMLSelectElement} */ (
        make(
            "select",
            { id: "compared-with" },
            hasAverages(model) ? make("option", { value: "average" }, "the average training row") : null,
            canBeBest(model) ? make("option", { value: "best" }, "the row most in favour of the runner-up") : null,
            make("option", { value: "zero" }, "zeros"),
            keptOption,
        )
    );
    function keep() {
        kept = new Map(now);
        keptOption.removeAttribute("disabled");
        select.value = KEPT;
        changed();
    }
    const label = make("label", { for: "compared-with" }, "Compare each cell with");
    const button = make("button", { type: "button", click: keep }, "Keep this row to compare with");
    return {
        element: make("div", { class: "field comparing" }, label, select, button),
        reference(row) {
            now = row;
            return select.value === KEPT ? kept : /** @type {"average" | "best" | "zero"} */ (select.value);
        },
    };
}
