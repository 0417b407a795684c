// The smallest change, shown: what to change, what the answer is then, and which columns are to stay as they are.

import { canChange, smallestChange } from "./change.js";
import { numberText } from "./condition_words.js";
import { button, fill, isolated, make } from "./html.js";
import { present } from "./present.js";

const REST = 150; // milliseconds without typing before the search begins

/**
 * A place that follows the form's row. @param {import("./main.js").Study} study
 * @param {(cells: import("./moves.js").Changed[]) => void} tryIt puts the changed cells into the form
 * @returns {{element: HTMLElement, follow: (row: import("./conditions.js").Row) => void} | null} null for models without
 */
export function changeViewOf(study, tryIt) {
    if (!canChange(study.model)) return null;
    const element = make("div", { class: "change" });
    const [fixed, onlyUp, onlyDown] = [new Set(), new Set(), new Set()];
    const kinds = new Map(study.model.schema.columns.map((column) => [column.name, column]));
    const ranges = /** @type {Map<string, [number, number]>} */ (new Map());
    for (const [name, { least, greatest }] of study.hints)
        if (least !== null) ranges.set(name, [least, present(greatest)]);
    let [waiting, row] = [0, new Map()];

    /** @param {Row} next */
    function follow(next) {
        row = next;
        element.setAttribute("aria-busy", "true");
        clearTimeout(waiting);
        waiting = setTimeout(show, REST);
    }

    function show() {
        const change = smallestChange(study, row, { fixed, onlyUp, onlyDown, ranges });
        element.setAttribute("aria-busy", "false");
        fill(
            element,
            make("h3", "The smallest change"),
            ...(change.cells === null ? noChange(change) : changes({ ...change, cells: change.cells })),
            limits("Kept as they are: ", fixed),
            limits("Only up: ", onlyUp),
            limits("Only down: ", onlyDown),
        );
    }

    /** @param {{cells: Changed[], instead: Cell, proven: boolean}} change */
    function changes({ cells, instead, proven }) {
        const lines = cells.map(({ column, before, after }) => {
            const change = [isolated(cellText(before)), " → ", make("strong", isolated(cellText(after))), " "];
            const keep = limit(fixed, column, "keep as it is", `Keep ${column} as it is`);
            return make("li", isolated(column), ": ", ...change, keep, ...oneWay(column, before, after));
        });
        const sure = proven ? "" : " (a smaller change may exist)";
        return [
            make("p", "The prediction would be ", make("strong", isolated(instead)), sure, " with"),
            make("ul", { class: "ways" }, ...lines),
            make("p", button(() => tryIt(cells), {}, "Try it")),
        ];
    }

    /** @param {{proven: boolean}} change */
    function noChange({ proven }) {
        const none = "No change of the columns that may change leads to another prediction.";
        return [make("p", proven ? none : "None was found among those tried.")];
    }

    /**
     * A column that has an order may be kept from going the way of this change.
     * @param {string} column @param {Cell} before @param {Cell} after
     */
    function oneWay(column, before, after) {
        const { kind, values } = present(kinds.get(column));
        if (before === null || after === null || !["numeric", "ordinal"].includes(kind)) return [];
        const isUp = kind === "numeric" ? after > before : values.indexOf(String(after)) > values.indexOf(String(before));
        const [limited, way] = isUp ? [onlyDown, "only down"] : [onlyUp, "only up"];
        return [" ", limit(limited, column, way, `Let ${column} go ${way}`)];
    }

    /** @param {Set<string>} limited @param {string} column @param {string} text @param {string} label */
    function limit(limited, column, text, label) {
        const click = () => again(() => limited.add(column));
        return button(click, { class: "link", "aria-label": label }, text);
    }

    /** @param {string} text @param {Set<string>} limited */
    function limits(text, limited) {
        if (!limited.size) return null;
        const free = [...limited].map((column) => {
            const click = () => again(() => limited.delete(column));
            return button(click, { "aria-label": `Let ${column} change` }, isolated(column), " ×");
        });
        return make("p", { class: "kept" }, text, ...free);
    }

    /** @param {() => void} change */
    function again(change) {
        change();
        show();
    }

    return { element, follow };
}

/** @param {Cell} cell */
function cellText(cell) {
    if (cell === null) return "missing";
    return typeof cell === "number" ? numberText(cell) : cell.startsWith("\u0000") ? "another value" : cell;
}
