// The members of a forest one by one: a stepper, and below it the tree that it has come to, with the form's row in it.

import { greatest, least } from "./answers.js";
import { figure } from "./amounts.js";
import { memberOf } from "./ensemble.js";
import { button, fill, make, visible } from "./html.js";
import { predictor } from "./predict.js";
import { signal } from "./signal.js";
import { shapeOf } from "./tree.js";
import { mountTree } from "./tree_view.js";

/** @param {HTMLElement} place @param {Study & {model: EnsembleModel}} study */
export function mountMembers(place, study) {
    const { model } = study;
    const count = model.members.length;
    const tree = make("div");
    const status = make("output", { for: "member" });
    let follow = /** @type {((row: Row) => void) | null} */ (null);
    let asked = /** @type {Row | null} */ (null);

    const range = { min: 1, max: count, value: 1 };
    const number = make("input", { type: "number", id: "member", ...range, change: () => show(Number(number.value)) });
    const input = () => show(Number(slider.value));
    const slider = make("input", { type: "range", step: 1, "aria-label": "Tree", ...range, input });
    const back = button(() => show(Number(number.value) - 1), { "aria-label": "Tree before" }, "‹");
    const next = button(() => show(Number(number.value) + 1), { "aria-label": "Next tree" }, "›");

    /** @param {number} wanted from 1 */
    function show(wanted) {
        const chosen = Math.min(Math.max(Math.round(wanted) || 1, 1), count);
        for (const input of [number, slider]) input.value = String(chosen);
        [back.disabled, next.disabled] = [chosen === 1, chosen === count];
        const own = studyOf(study, chosen - 1);
        const fresh = make("div");
        fill(tree, fresh);
        follow = (row) => own.cases.send({ row, answered: own.ask(row) });
        if (asked) follow(asked);
        mountTree(fresh, own);
        status.value = `of ${figure(count)}${weightText(model, chosen - 1)}${stepText(model, chosen - 1)}`;
    }

    study.cases.listen(({ row }) => {
        asked = row;
        follow?.(row);
    });
    const about = { class: "tools members", role: "toolbar", "aria-label": "Which tree is shown" };
    const group = make("span", { class: "group" }, back, number, next);
    const tools = make("div", about, make("label", { for: "member" }, "Tree"), group, status, count > 2 ? slider : null);
    const others = model.weights.length || model.adds_to.length;
    const rest = others > count ? make("p", { class: "muted" }, `This page holds ${figure(count)} of ${figure(others)} trees.`) : null;
    fill(place, tools, tree, rest);
    show(1);
}

/** What the tree of one member needs to be drawn. @param {Study & {model: EnsembleModel}} study @param {number} member @returns {TreeStudy} */
function studyOf(study, member) {
    const model = /** @type {TreeModel} */ (memberOf(study.model, study.model.members[member]));
    const shape = shapeOf(model);
    const values = shape.nodes.filter((_, node) => shape.weight[node] > 0).map((node) => node.counts[1]);
    return {
        ...study,
        model,
        shape,
        range: shape.numeric ? { low: least(values), high: greatest(values) } : null,
        ask: predictor(model),
        cases: signal(),
        pointed: signal(),
        summaries: { count: 0, entry: () => Promise.resolve([]) },
        steps: { ...study.steps, at: () => [] },
        derive: () => {},
    };
}

/** Of a member that weighs more or less than the others. @param {EnsembleModel} model @param {number} member */
function weightText(model, member) {
    const weights = new Set(model.weights);
    return weights.size > 1 ? `, weight ${figure(model.weights[member])}` : "";
}

/** What the numbers of a tree are added to, where that is not the answer itself. @param {EnsembleModel} model @param {number} member */
function stepText(model, member) {
    if (model.combined_by !== "sum") return "";
    const classes = model.schema.target.values ?? [];
    const score = model.adds_to[member];
    const names = { logistic: `log odds of ${classes[1]}`, softmax: `score of ${classes[score]}`, exp: "log of the number", identity: "number" };
    return `: steps of the ${visible(names[model.link])}`;
}
