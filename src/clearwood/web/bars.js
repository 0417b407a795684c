// Bars: the share of each class, with its name and its number beside it.

import { percent } from "./amounts.js";
import { sum } from "./answers.js";
import { isolated, make } from "./html.js";

const MOST = 6;

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
    const lines = shown.map((c) =>
        make(
            "li",
            {},
            make("span", { class: "bar-name" }, isolated(classes[c])),
            make("span", { class: "bar", style: { "--share": shares[c], "--class": colours[c][0] } }),
            make("span", { class: "bar-share" }, percent(shares[c]) + beside(c)),
        ),
    );
    if (rest.length) {
        const together = percent(sum(rest.map((c) => shares[c])));
        lines.push(make("li", { class: "bar-rest" }, `${rest.length} more classes: ${together} together`));
    }
    return make("ul", { class: "bars" }, ...lines);
}
