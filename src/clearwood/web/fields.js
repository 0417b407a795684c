// The fields of the form: one for each column the model uses, read as a row.

import { figure } from "./amounts.js";
import { isolated, make } from "./html.js";
import { byKind } from "./kinds.js";
import { present } from "./present.js";

/**
 * @typedef {{element: HTMLElement, column: string, cell: () => import("./conditions.js").Cell,
 *   put: (cell: import("./conditions.js").Cell) => void, reset: () => void}} Field
 * @typedef {{usual: string | number | null, least: number | null, greatest: number | null, met_in: string}} Hint
 */

const MISSING = "missing";
const OTHER = "other";
/** No column can list it as a value: it is not even text that a person could mean. */
const UNKNOWN = "\u0000 a value that the model does not know";

/** @param {Column} column @param {Hint | undefined} hint @param {number} place @returns {Field} */
export function fieldOf(column, hint, place) {
    const id = `field-${place}`;
    const parts = byKind(FIELDS, "column", column.kind);
    const { input, note, cell, put } = parts(column, hint, id);
    const label = make("label", { for: id }, isolated(column.name));
    const reset = () => put(hint?.usual ?? null);
    reset();
    return { element: make("div", { class: "field" }, label, input, note), column: column.name, cell, put, reset };
}

/** @param {Column} column @param {Hint | undefined} _ @param {string} id */
function choiceField({ values }, _, id) {
    const options = values.map((value, place) =>
        make("option", { value: String(place), dir: "auto" }, value === "" ? "(empty text)" : value));
    const odd = [make("option", { value: MISSING }, "missing"), make("option", { value: OTHER }, "another value")];
    const input = make("select", { id }, ...options, make("hr"), ...odd);
    const cell = () => (input.value === MISSING ? null : input.value === OTHER ? UNKNOWN : values[Number(input.value)]);
    const put = (/** @type {Cell} */ value) => {
        const place = values.findIndex((each) => each === value);
        input.value = place < 0 ? MISSING : String(place);
    };
    return { input, note: null, cell, put };
}

/** @param {Column} _ @param {Hint | undefined} hint @param {string} id */
function numberField(_, hint, id) {
    const note = make("small", { id: `${id}-note` }, rangeText(hint));
    const input = make("input", { id, type: "number", step: "any", placeholder: "missing", "aria-describedby": note.id });
    const cell = () => {
        const wrong = input.validity.badInput;
        input.setAttribute("aria-invalid", String(wrong));
        const number = Number.isNaN(input.valueAsNumber) ? null : input.valueAsNumber;
        note.textContent = wrong ? "Not a number: taken as missing." : `${rangeText(hint)}${remarkOn(number, hint)}`;
        return number;
    };
    const put = (/** @type {Cell} */ value) => (input.value = value === null ? "" : String(value));
    return { input, note, cell, put };
}

/** @param {Column} _ @param {Hint | undefined} __ @param {string} id */
function textField(_, __, id) {
    const input = make("textarea", { id, rows: 3, placeholder: "missing", dir: "auto" });
    const put = (/** @type {Cell} */ text) => (input.value = String(text ?? ""));
    return { input, note: null, cell: () => input.value || null, put };
}

/** @param {Hint | undefined} hint */
function rangeText(hint) {
    if (hint?.least === null || hint?.least === undefined) return "";
    return `${figure(hint.least, 4)} – ${figure(present(hint.greatest), 4)} in ${hint.met_in}`;
}

/**
 * What lies outside is answered all the same, but no row shows that it is so.
 * @param {number | null} number @param {Hint | undefined} hint
 */
function remarkOn(number, hint) {
    if (number === null || !hint || !rangeText(hint)) return "";
    return present(hint.least) <= number && number <= present(hint.greatest) ? "" : ": no row is like this.";
}

const FIELDS = { nominal: choiceField, ordinal: choiceField, numeric: numberField, text: textField };
