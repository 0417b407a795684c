// The panel of a node: its rows by class, how sure its answer is, the way there, and the numbers of its split.

import { adjusted } from "./answers.js";
import { figure, rowsInWords, rowsText } from "./amounts.js";
import { shareBars } from "./bars.js";
import { intervalText } from "./answer_view.js";
import { button, isolated, make } from "./html.js";
import { answerAt } from "./node_words.js";
import { nodeShares } from "./tree.js";
import { balancedText, meanText, wayList } from "./why_tree.js";
import { present } from "./present.js";

/** @param {TreeStudy} study @param {number} node @param {(node: number) => void} show @returns {(Node | null)[]} */
export function panelOf(study, node, show) {
    const { model, shape, colours } = study;
    const { answer, place } = answerAt(model, shape, node);
    const below = shape.children[node];
    const classes = model.schema.target.values;
    const { counts } = shape.nodes[node];
    const [what, name] = below.length ? ["Splits on ", present(shape.nodes[below[0]].when).column] : ["Predicts ", answer];
    const size = `${rowsInWords(shape.weight[node])}${balancedText(model)}${meanText(model, shape, node)}`;
    /** @type {Node[]} */
    const parts = [
        make("h3", what, isolated(name)),
        make("p", `${size}. ${intervalText(model, shape, node, classes?.[place])}`),
    ];
    if (!shape.numeric) {
        const shares = adjusted(nodeShares(shape, node, model.decision), model.decision);
        parts.push(shareBars(classes, shares, colours, (c) => ` · ${rowsText(counts[c])}`));
    }
    const moved = "Probabilities are moved to the original class frequencies; the counts behind them are as balanced.";
    if (model.balanced) parts.push(make("p", { class: "muted" }, moved));
    return [...parts, ...wayThere(shape, node, show), ...scores(study, node), ...rowsHere(study, node)];
}

/** @param {Shape} shape @param {number} node @param {(node: number) => void} show */
function wayThere(shape, node, show) {
    if (node === 0) return [];
    const way = [];
    for (let at = node; at > 0; at = present(shape.nodes[at].parent)) way.unshift(at);
    return [make("h4", "The way there"), wayList(shape, way.map((at) => [at, ""]), show)];
}

/**
 * What decided the split; each number opens its derivation, where the page has it.
 * @param {TreeStudy} study @param {number} node
 */
function scores(study, node) {
    const known = Object.entries(study.shape.nodes[node].score ?? {}).filter(([, value]) => value !== null);
    const derived = study.steps.at(node).length > 0;
    if (!known.length && !derived) return [];
    const lines = known.flatMap(([key, value]) => {
        const name = key.replaceAll("_", " ");
        const text = typeof value === "number" ? figure(value) : value === "infinity" ? "∞" : "−∞";
        const derive = () => study.derive(node, /** @type {number} */ (value));
        const shown = derived ? button(derive, { class: "number", "aria-label": `How ${name} was computed` }, text) : text;
        return [make("dt", isolated(name)), make("dd", shown)];
    });
    return [
        make("h4", study.shape.children[node].length ? "What decided the split" : "What was decided"),
        make("dl", { class: "scores" }, ...lines),
        derived ? button(() => study.derive(node), {}, "How this was decided") : null,
    ];
}

/** The columns of its rows, when they have been unpacked. @param {TreeStudy} study @param {number} node */
function rowsHere(study, node) {
    if (study.summaries.count <= node) return [];
    const table = make("dl", { class: "summary" });
    study.summaries.entry(node).then((lines) => {
        table.append(...lines.flatMap(([name, text]) => [make("dt", isolated(name)), make("dd", isolated(text))]));
    });
    return [make("h4", study.model.balanced ? "Its rows, before balancing" : "Its rows"), table];
}
