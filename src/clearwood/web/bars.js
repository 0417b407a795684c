// The classes in their colours: the share of each as a bar, with its name and its number beside it; the legend.

import { percent } from "./amounts.js";
import { sum } from "./answers.js";
import { isolated, make } from "./html.js";

const MOST = 6; // bars
const MOST_NAMED = 12; // in the legend

/**
 * A list of bars, the greatest first where there are more classes than can stand there; the rest in one line.
 * @param {string[]} classes @param {number[]} shares @param {[string, string][]} colours
 * @param {(c: number) => string} [beside] what stands behind the share
 */
export function shareBars(classes, shares, colours, beside = () => "") {
    const order = classes.map((_, c) => c);
    if (classes.length > MOST) order.sort((a, b) => shares[b] - shares[a] || a - b);
    const shown = order.slice(0, MOST).filter((c) => classes.length <= MOST || shares[c] > 0);
    const rest = order.slice(shown.length);
    const lines = shown.map((c) => {
        const bar = make("span", { class: "bar", style: { "--share": shares[c], "--class": colours[c][0] } });
        const share = make("span", { class: "bar-share" }, percent(shares[c]) + beside(c));
        return make("li", make("span", { class: "bar-name" }, isolated(classes[c])), bar, share);
    });
    if (rest.length) {
        const together = percent(sum(rest.map((c) => shares[c])));
        lines.push(make("li", { class: "bar-rest" }, `${rest.length} more classes: ${together} together`));
    }
    return make("ul", { class: "bars" }, ...lines);
}

/** Which colour is which class. @param {string[]} classes @param {[string, string][]} colours */
export function legendOf(classes, colours) {
    const shown = classes.slice(0, MOST_NAMED).map((name, c) =>
        make("li", make("span", { class: "swatch", style: { "--class": colours[c][0] } }), isolated(name)));
    const rest = classes.length - shown.length;
    if (rest > 0) shown.push(make("li", { class: "muted" }, `and ${rest} more`));
    return make("ul", { class: "legend", "aria-label": "Colours of the classes" }, ...shown);
}
