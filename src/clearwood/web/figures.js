// Figures: numbers that show their work, with the figures under them to unfold.

import { isWrittenWhole, rowsInWords } from "./amounts.js";
import { hasNames, mathOf, numberElement, numberInWords } from "./expressions.js";
import { isolated, make, math } from "./html.js";

/**
 * @typedef {import("./expressions.js").Expression} Expression
 * @typedef {{name: string, value: unknown, unit?: string, exact?: [number, number], formula?: number, put_in?: Expression,
 *   rows?: {weight: number, when: string}, because?: string, grids?: Grid[], under?: Figure[], again?: number}} Figure
 *   as Python's deriving/as_json.py writes it; `formula` is a place in the list of formulas, `again` that of a figure
 *   of the same step
 * @typedef {{title: string, columns: string[], cells: unknown[][], chosen?: number, more?: [number, number],
 *   work?: Object<string, Figure>}} Grid  cells are [column][row]
 * @typedef {{formulas: Expression[], all: Figure[]}} Known  `all`: the figures of the step, as `again` counts them
 */

/**
 * All figures of a step, each before those of its grids, and those before the ones under it.
 * @param {{figures?: Figure[]}} step @returns {Figure[]}
 */
export function figuresIn(step) {
    const figures = /** @type {Figure[]} */ ([]);
    const visit = (/** @type {Figure} */ figure) => {
        if (figure.again !== undefined) return;
        figures.push(figure);
        for (const grid of figure.grids ?? []) Object.values(grid.work ?? {}).forEach(visit);
        (figure.under ?? []).forEach(visit);
    };
    (step.figures ?? []).forEach(visit);
    return figures;
}

/** @param {Figure} figure @param {Known} known @returns {HTMLElement} */
export function figureView(figure, known) {
    if (figure.again !== undefined) {
        const same = known.all[figure.again];
        return later("figure", () => [figureView(same, known)], isolated(figure.name), ` ${signOf(figure)} `, valueText(figure), " as above");
    }
    const { under = [] } = figure;
    /** @type {(Node | null)[]} */
    const parts = calculation(figure, known.formulas);
    if (figure.because) parts.push(make("p", isolated(figure.because)));
    if (figure.rows) {
        const { weight, when } = figure.rows;
        parts.push(make("p", { class: "muted" }, `Counted over ${rowsInWords(weight)}: `, isolated(when)));
    }
    parts.push(...(figure.grids ?? []).flatMap((grid) => gridView(grid, known)));
    const views = () => under.map((each) => figureView(each, known));
    if (under.length) parts.push(later("under ready", views, "From ", isolated(namesOf(under))));
    return make("div", { class: "figure", "data-figure": known.all.indexOf(figure) }, ...parts);
}

/**
 * The name, the formula, the numbers put in, the value: each on a line of its own.
 * @param {Figure} figure @param {Expression[]} formulas
 */
function calculation(figure, formulas) {
    const lines = [];
    const equals = typeof figure.value === "boolean" ? ":" : "=";
    if (figure.formula !== undefined) lines.push(mathOf(formulas[figure.formula], "names"));
    if (figure.put_in !== undefined && hasNames(figure.put_in)) lines.push(mathOf(figure.put_in, "names"));
    if (figure.put_in !== undefined) lines.push(mathOf(figure.put_in, "values"));
    if (figure.exact !== undefined && !isFraction(figure.put_in, figure.exact))
        lines.push([math("math", numberElement(figure.exact))]);
    const unit = figure.unit ? [" ", make("span", { class: "muted" }, figure.unit)] : [];
    if (figure.value !== null) lines.push([make("strong", valueText(figure)), ...unit]);
    const last = figure.value === null ? -1 : lines.length - 1;
    const spans = lines.flatMap((line, i) => [
        make("span", { class: "equals" }, i === last ? signOf(figure) : equals),
        make("span", { class: "line" }, ...line),
    ]);
    return [make("h4", { class: "figure-name" }, isolated(figure.name)), make("div", { class: "calculation" }, ...spans)];
}

/**
 * Does the fraction stand there already, as it was put in?
 * @param {unknown} expression @param {[number, number]} exact
 */
function isFraction(expression, [top, bottom]) {
    return Array.isArray(expression) && expression[0] === "/" && expression[1] === top && expression[2] === bottom;
}

/** What stands before a value: "≈" where its digits are not all. @param {Figure} figure */
function signOf({ value }) {
    if (typeof value === "boolean") return ":";
    return typeof value === "number" && !isWrittenWhole(value) ? "≈" : "=";
}

/** @param {Figure} figure */
function valueText({ value }) {
    if (typeof value === "boolean") return value ? "holds" : "does not hold";
    return cellText(value);
}

/** @param {Grid} grid @param {Known} known @returns {HTMLElement[]} */
function gridView(grid, known) {
    const rows = grid.cells[0].map((_, row) => grid.columns.map((_, column) => grid.cells[column][row]));
    const numeric = grid.columns.map((_, column) => grid.cells[column].every((cell) => typeof cell !== "string"));
    const kind = (/** @type {number} */ column) => (numeric[column] ? "number" : null);
    const cell = (/** @type {unknown} */ value, /** @type {number} */ column) =>
        make(column ? "td" : "th", { scope: column ? null : "row", class: kind(column) }, isolated(cellText(value)));
    const more = (/** @type {number} */ count) =>
        count ? make("tr", { class: "muted" }, make("td", { colspan: grid.columns.length }, `… ${count} more`)) : null;
    const [before, after] = grid.more ?? [0, 0];
    const heads = grid.columns.map((name, column) => make("th", { scope: "col", class: kind(column) }, isolated(name)));
    const lines = rows.map((row, place) => make("tr", { class: place === grid.chosen ? "chosen" : null }, ...row.map(cell)));
    const table = make(
        "table",
        grid.title ? make("caption", isolated(grid.title)) : null,
        make("thead", make("tr", ...heads)),
        make("tbody", more(before), ...lines, more(after)),
    );
    const work = Object.entries(grid.work ?? {}).map(([row, figure]) =>
        later("under ready", () => [figureView(figure, known)], "The work of ", isolated(cellText(rows[Number(row)][0]))),
    );
    const about = { class: "grid", tabindex: "0", role: "region", "aria-label": grid.title || "Table" };
    return [make("div", about, table), ...work];
}

/** @param {unknown} value */
function cellText(value) {
    if (value === null) return "";
    if (typeof value === "boolean") return value ? "yes" : "no";
    return typeof value === "string" ? value : numberInWords(/** @type {import("./expressions.js").Value} */ (value));
}

/** @param {Figure[]} figures */
function namesOf(figures) {
    const names = figures.slice(0, 4).map((figure) => figure.name);
    return figures.length > 4 ? `${names.join(", ")} and ${figures.length - 4} more` : names.join(", ");
}

/**
 * What is made when it is first unfolded.
 * @param {string} name @param {() => Node[]} content @param {...(Node | string)} summary
 */
function later(name, content, ...summary) {
    const details = make("details", { class: name }, make("summary", ...summary));
    details.addEventListener("toggle", () => details.append(...content()), { once: true });
    return details;
}
