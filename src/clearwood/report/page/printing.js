// Printing: on paper the drawing is as it is unfolded, all of it.

import { MARGIN } from "./fitting.js";

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
