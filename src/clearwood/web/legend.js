// The legend: which colour is which class.

import { isolated, make } from "./html.js";

const MOST = 12;

/** @param {string[]} classes @param {[string, string][]} colours */
export function legendOf(classes, colours) {
    const shown = classes
        .slice(0, MOST)
        .map((name, c) =>
            make("li", {}, make("span", { class: "swatch", style: { "--class": colours[c][0] } }), isolated(name)),
        );
    const rest = classes.length - shown.length;
    if (rest > 0) shown.push(make("li", { class: "muted" }, `and ${rest} more`));
    return make("ul", { class: "legend", "aria-label": "Colours of the classes" }, ...shown);
}
