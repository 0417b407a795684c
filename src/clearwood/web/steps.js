// The steps of a derivation: those of one node in a dialog, or all of them in a list.

import { entries, part } from "./data.js";
import { figuresIn, figureView } from "./figures.js";
import { button, fill, isolated, make } from "./html.js";

const MOST = 20; // steps listed at once
const LONG = 60; // letters of a title that would shout in bold
const FIRST = 5; // steps of many that are unpacked beforehand, for paper

/**
 * @typedef {{chapter: string, title: string, decision: string, node: number | null, depth: number, last: string}} Listed
 *   `depth` of its rows' conditions and the `last` of them, where the title is nothing but these conditions
 * @typedef {Listed & {number: number}} Numbered
 * @typedef {{list: Listed[], at: (node: number) => number[], read: (place: number) => Promise<(value?: number) => HTMLElement>}} Steps
 *   `read` unpacks a step; what it gives makes the step's elements at once
 */

/** @returns {Promise<Steps>} */
export async function readSteps() {
    const [index, formulas, steps] = await Promise.all([part("step-index"), part("formulas"), entries("steps")]);
    /** @type {[string, string, string, number | null, number, string][]} */
    const lines = index ?? [];
    /** @type {Listed[]} */
    const list = lines.map(([chapter, title, decision, node, depth, last]) => ({ chapter, title, decision, node, depth, last }));
    const byNode = Map.groupBy(list.map(({ node }, place) => ({ node, place })), ({ node }) => node);
    return {
        list,
        at: (node) => (byNode.get(node) ?? []).map(({ place }) => place),
        read: async (place) => {
            const step = await steps.entry(place);
            return (value) => stepView(step, formulas, value);
        },
    };
}

/**
 * A step's figures and what was decided by them; the figure of a value is marked.
 * @param {{figures?: import("./figures.js").Figure[], decision?: string}} step @param {import("./expressions.js").Expression[]} formulas
 * @param {number} [value]
 */
function stepView(step, formulas, value) {
    const known = { formulas, all: figuresIn(step) };
    const views = (step.figures ?? []).map((figure) => figureView(figure, known));
    const pointedAt = value === undefined ? -1 : known.all.findIndex((figure) => isNearly(figure.value, value));
    const decision = step.decision ? make("p", { class: "decision" }, isolated(step.decision)) : null;
    const view = make("div", { class: "step" }, ...views, decision);
    view.querySelector(`[data-figure="${pointedAt}"]`)?.classList.add("pointed-at");
    return view;
}

/**
 * A derivation counts again in another order than the learner: the last digit may differ.
 * @param {unknown} one @param {number} other
 */
function isNearly(one, other) {
    return typeof one === "number" && Math.abs(one - other) <= 1e-9 * Math.abs(other);
}

/**
 * Shows how a node came to be what it is; with a value, the figure it is the value of.
 * @param {Steps} steps @param {number} node @param {number} [value]
 */
export function showSteps(steps, node, value) {
    const body = make("div", { class: "dialog-body" });
    const close = button(() => dialog.close(), { autofocus: true }, "Close");
    const places = steps.at(node);
    const heading = make("h2", { id: "steps-heading" }, isolated(steps.list[places[0]].title));
    const about = { "aria-labelledby": "steps-heading", close: () => dialog.remove() };
    const dialog = make("dialog", about, make("div", { class: "dialog-head" }, heading, close), body);
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    document.body.append(dialog);
    dialog.showModal();
    Promise.all(places.map(steps.read)).then((views) => {
        views.forEach((view, i) => body.append(make("h3", isolated(steps.list[places[i]].chapter)), view(value)));
        body.querySelector(".pointed-at")?.scrollIntoView({ block: "center" });
    });
}

/** The list of all steps, by chapter. @param {HTMLElement} place @param {import("./main.js").Study} study */
export function mountSteps(place, { steps }) {
    const chapters = Map.groupBy(steps.list.map((step, number) => ({ ...step, number })), (step) => step.chapter);
    fill(place, ...[...chapters].flatMap(([chapter, listed]) => [make("h3", isolated(chapter)), stepList(listed, steps)]));
}

/**
 * Few steps are unpacked beforehand, so that they can be printed; of many the first, and paper has the titles and decisions of the others.
 * @param {Numbered[]} listed @param {Steps} steps
 */
function stepList(listed, steps) {
    const list = make("div", { class: "steps" });
    const more = button(() => add(), {});
    const left = make("p", { class: "paper" });
    const isShort = steps.list.length <= MOST;
    let shown = 0;
    function add() {
        const next = listed.slice(shown, shown + MOST);
        list.append(...next.map((step) => stepLine(step, steps, isShort || step.number < FIRST)));
        shown += next.length;
        const count = listed.length - shown;
        more.textContent = count <= MOST ? `Show the last ${count === 1 ? "step" : `${count} steps`}` : `Show more of the ${count} steps left`;
        more.hidden = shown === listed.length;
        const rest = count ? `${count} more ${count === 1 ? "step is" : "steps are"} left out on paper. ` : "";
        left.textContent = isShort ? "" : `${rest}On the screen each step unfolds to its figures.`;
    }
    add();
    return make("div", list, more, left);
}

/** @param {Numbered} step @param {Steps} steps @param {boolean} atOnce */
function stepLine({ number, title, decision, depth, last }, steps, atOnce) {
    const summary = make(
        "summary",
        { title: last ? title : null },
        `${number + 1}. `,
        make(last || title.length <= LONG ? "strong" : "span", {}, isolated(last || title)),
        " ",
        make("span", { class: "muted" }, isolated(decision)),
    );
    const details = make("details", { style: { "--depth": depth } }, summary);
    let view = /** @type {(() => HTMLElement) | null} */ (null);
    const reading = () => steps.read(number).then((read) => (view = read));
    if (atOnce) reading().then(() => details.classList.add("ready"));
    details.addEventListener("toggle", async () => details.append((view ?? (await reading()))()), { once: true });
    return details;
}
