// The page comes to life: its data is read, and each live part is put in its place.

import { entries, part } from "./data.js";
import { greatest, least } from "./answers.js";
import { mountForm } from "./form.js";
import { mountMembers } from "./members_view.js";
import { predictor } from "./predict.js";
import { printUnfolded } from "./printing.js";
import { signal } from "./signal.js";
import { mountSteps, readSteps, showSteps } from "./steps.js";
import { shapeOf } from "./tree.js";
import { mountTree } from "./tree_view.js";
import { present } from "./present.js";

/**
 * What the live parts share. `cases` sends the form's row and its answer, `pointed` the node to look at; `range` is
 * that of a numeric tree's answers.
 * @typedef {{model: Model, shape: import("./tree.js").Shape | null, range: {low: number, high: number} | null,
 *   colours: [string, string][], hints: Map<string, import("./fields.js").Hint>, ask: import("./predict.js").Predictor,
 *   cases: import("./signal.js").Signal<{row: Row, answered: Answered}>, pointed: import("./signal.js").Signal<number>,
 *   summaries: {count: number, entry: (place: number) => Promise<[string, string][]>},
 *   steps: import("./steps.js").Steps, derive: (node: number, value?: number) => void}} Study
 * @typedef {Study & {model: TreeModel, shape: Shape}} TreeStudy
 */

/** @type {{[name: string]: (place: HTMLElement, study: any) => void}} only the page of a tree has a place for one, and only that of many trees one for members */
const PARTS = { form: mountForm, members: mountMembers, steps: mountSteps, tree: mountTree };

async function start() {
    const [model, colours, hints, letters] = await Promise.all(["model", "colours", "hints", "letters"].map(part));
    const [summaries, steps] = await Promise.all([entries("summaries"), readSteps()]);
    const shape = model.model === "tree" ? shapeOf(model) : null;
    /** @type {Study} */
    const study = {
        model,
        shape,
        range: shape?.numeric ? rangeOf(shape) : null,
        colours,
        hints: new Map(Object.entries(hints)),
        ask: predictor(model, letters),
        cases: signal(),
        pointed: signal(),
        summaries,
        steps,
        derive: (node, value) => showSteps(steps, node, value),
    };
    if (model.model === "rules") markRules(study);
    /** @type {NodeListOf<HTMLElement>} */
    const places = document.querySelectorAll("[data-live]");
    for (const place of places) PARTS[present(place.dataset.live)](place, study);
    printUnfolded();
    for (const event of ["resize", "toggle"]) window.addEventListener(event, letKeysScroll, true);
    letKeysScroll();
}

/** Wherever the page lists a rule (data-rule, from 0), those that answer the form's row are marked. @param {Study} study */
function markRules(study) {
    study.cases.listen(({ answered }) => {
        /** @type {NodeListOf<HTMLElement>} */
        const listed = document.querySelectorAll("[data-rule]");
        for (const { classList, dataset } of listed)
            classList.toggle("answers", answered.speaking?.includes(Number(dataset.rule)));
    });
}

/** What is wider than its place is scrolled by keys too. */
function letKeysScroll() {
    /** @type {NodeListOf<HTMLElement>} */
    const places = document.querySelectorAll(".scroll");
    for (const place of places) place.tabIndex = place.scrollWidth > place.clientWidth ? 0 : -1;
}

/** @param {Shape} shape */
function rangeOf(shape) {
    const values = shape.nodes.filter((_, node) => shape.weight[node] > 0).map((node) => node.counts[1]);
    return { low: least(values), high: greatest(values) };
}

start();
