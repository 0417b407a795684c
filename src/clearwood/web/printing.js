// Printing: on paper the tree is as it is unfolded, all of it, and folded parts are open.

import { MARGIN } from "./fitting.js";
import { make } from "./html.js";

const MOST = 100; // table rows of a folded part that is still put on paper

/**
 * @param {SVGSVGElement} svg @param {SVGGElement} inside what the viewport moves
 * @param {() => import("./layout.js").Layout} layout @param {(sight: Object) => void} paint @param {() => void} after
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

/** Folded parts are opened for paper and closed again after it; of a very large one it is said that it is left out. */
export function printUnfolded() {
    let after = [];
    window.addEventListener("beforeprint", () => {
        for (const details of document.querySelectorAll("main details:not([open])")) after.push(...unfolded(details));
    });
    window.addEventListener("afterprint", () => {
        after.forEach((undo) => undo());
        after = [];
    });
}

/** Opens a part and what is folded inside it, if there is something to see. @returns {(() => void)[]} that undo it */
function unfolded(details) {
    if (details.open) return [];
    if (details.classList.contains("under")) details.dispatchEvent(new Event("toggle")); // it is filled when first unfolded
    if (details.childElementCount < 2) return [];
    if (details.querySelectorAll("tr").length > MOST) {
        const left = make("p", { class: "paper" }, "Left out on paper; it unfolds on the screen.");
        details.after(left);
        return [() => left.remove()];
    }
    details.open = true;
    return [() => (details.open = false), ...[...details.querySelectorAll("details")].flatMap(unfolded)];
}
