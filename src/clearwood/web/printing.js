// Printing: on paper the tree is as it is unfolded, all of it, and folded parts are open.

import { MARGIN } from "./fitting.js";
import { make } from "./html.js";

const MOST = 100; // table rows of a folded part that is still put on paper
const LINES = 900; // for the figures of a derivation, some 16 pages: formulas, rows of tables and sentences, in whatever font

/**
 * @param {SVGSVGElement} svg @param {SVGGElement} inside what the viewport moves
 * @param {() => import("./layout.js").Layout} layout @param {(sight: import("./scene.js").Sight) => void} paint @param {() => void} after
 */
export function printWhole(svg, inside, layout, paint, after) {
    window.addEventListener("beforeprint", () => {
        const { width, height } = layout();
        svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`);
        svg.style.maxWidth = `${width + 2 * MARGIN}px`;
        inside.removeAttribute("transform");
        paint({ x: 0, y: 0, width, height, scale: 1 });
    });
    window.addEventListener("afterprint", () => {
        svg.removeAttribute("viewBox");
        svg.style.maxWidth = "";
        after();
    });
}

/** Folded parts are opened for paper and closed again after it; a note says where a very large one is left out. */
export function printUnfolded() {
    let after = /** @type {(() => void)[]} */ ([]);
    window.addEventListener("beforeprint", () => {
        /** @type {NodeListOf<HTMLDetailsElement>} */
        const folded = document.querySelectorAll("main details:not([open])");
        for (const details of folded)
            if (!details.closest(".steps")) after.push(...unfolded(details));
        /** @type {NodeListOf<HTMLDetailsElement>} */
        const steps = document.querySelectorAll("main .steps > details");
        after.push(...unfoldedSteps([...steps]));
    });
    window.addEventListener("afterprint", () => {
        after.forEach((undo) => undo());
        after = [];
    });
}

/**
 * Opens the first steps of a derivation, the root's before all, as far as the lines for them go; the others are named.
 * @param {HTMLDetailsElement[]} steps @returns {(() => void)[]} that undo it
 */
function unfoldedSteps(steps) {
    const undo = [];
    let used = 0;
    const left = steps.filter((details) => {
        if (details.open) return false;
        if (used >= LINES || !isFilled(details)) return true;
        details.open = true;
        undo.push(() => (details.open = false));
        // What is folded inside a step is opened where it adds little.
        if (details.querySelectorAll("tr").length <= MOST)
            undo.push(...[...details.querySelectorAll("details")].flatMap(unfolded));
        used += details.querySelectorAll(".line, tr, p, h4").length;
        return false;
    });
    if (left.length) {
        const steps = left.length === 1 ? "1 step is" : `${left.length} steps are`;
        const note = make("p", { class: "paper" }, `The figures of ${steps} left out on paper; they unfold on the screen.`);
        left[0].before(note);
        undo.push(() => note.remove());
    }
    return undo;
}

/**
 * Opens a part and what is folded inside it, if there is something to see.
 * @param {HTMLDetailsElement} details @returns {(() => void)[]} that undo it
 */
function unfolded(details) {
    if (details.open) return [];
    if (!isFilled(details)) return [];
    if (details.querySelectorAll("tr").length > MOST) {
        const left = make("p", { class: "paper" }, "Left out on paper; it unfolds on the screen.");
        details.after(left);
        return [() => left.remove()];
    }
    details.open = true;
    return [() => (details.open = false), ...[...details.querySelectorAll("details")].flatMap(unfolded)];
}

/** Is there something under the summary? What is ready to be filled in, when it is first unfolded, is. @param {HTMLDetailsElement} details */
function isFilled(details) {
    if (details.classList.contains("ready")) details.dispatchEvent(new Event("toggle"));
    return details.childElementCount > 1;
}
