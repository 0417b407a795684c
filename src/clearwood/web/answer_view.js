// What the model answers, shown: the answer, the share of each class, and why.

import { figure, percent } from "./amounts.js";
import { shareBars } from "./bars.js";
import { isolated, make, visible } from "./html.js";
import { meanReach, wilson } from "./interval.js";
import { greatest, mends, sum } from "./answers.js";
import { unknownKind } from "./kinds.js";
import { whyEvidence } from "./why_evidence.js";
import { whyRules } from "./why_rules.js";
import { leafText, whyTree } from "./why_tree.js";

/** @param {import("./main.js").Study} study @param {import("./predict.js").Answered} answered @returns {Node[]} */
export function answerView(study, row, answered) {
    const { model, colours } = study;
    const classes = model.schema.target.values;
    return [
        make("p", { class: "target" }, isolated(model.schema.target.name)),
        make("p", { class: "answer-text" }, answered.answer === null ? silence(answered) : isolated(answerText(answered.answer))),
        answered.shares === null ? null : shareBars(classes, answered.shares, colours),
        decidedBy(model, answered),
        sureness(study, answered),
        make("h3", {}, "Why"),
        ...whyOf(study, row, answered),
    ];
}

/**
 * The answer in one sentence, for those who hear the page.
 * @param {{model: any}} study
 * @param {{answer: any, shares: number[] | null, held?: number[]}} answered
 */
export function spoken({ model }, { answer, shares, held }) {
    if (answer === null) return silenceOf({ shares, held });
    if (shares === null) return `Answer: ${answerText(answer)}.`;
    const classes = model.schema.target.values;
    const sentence = `Answer: ${visible(answer)}, ${percent(shares[classes.indexOf(answer)])}.`;
    return `${sentence} ${decidedText(model.decision, classes, answer, shares)}`.trim();
}

/** Why the answer is not the class of the largest share: what mistakes cost, or a cutoff, decided. */
function decidedBy({ decision, schema }, { answer, shares }) {
    const because = decidedText(decision, schema.target.values, answer, shares);
    return because === "" ? null : make("p", { class: "decided" }, because);
}

/** @returns {string} a sentence; empty where the answer has the largest share */
export function decidedText(decision, classes, answer, shares) {
    if (answer === null || shares === null) return "";
    const own = classes.indexOf(answer);
    const most = shares.indexOf(greatest(shares));
    if (shares[own] >= shares[most]) return "";
    if (decision.cutoff) {
        const { positive, at } = decision.cutoff;
        const side = answer === positive ? "at least" : "below";
        return `The cutoff decided: the share of ${visible(positive)} is ${side} ${percent(at)}.`;
    }
    if (!decision.costs.length) return "";
    const paid = (predicted) => figure(sum(shares.map((share, truth) => share * decision.costs[truth][predicted])));
    return (
        `Costs decided: ${visible(answer)} is expected to cost ${paid(own)}, ` +
        `${visible(classes[most])}, which has the largest share, ${paid(most)}.`
    );
}

/**
 * What stands where an answer would: no class is sure enough, a rule refers the row, or none holds.
 * @param {{shares: number[] | null, held?: number[]}} answered
 */
function silence({ shares, held }) {
    if (held?.length) return "refer";
    return shares === null ? "no rule holds" : "no answer";
}

/** @param {{shares: number[] | null, held?: number[]}} answered */
function silenceOf({ shares, held }) {
    if (held?.length) return "The row is referred.";
    return shares === null ? "No rule holds: no answer." : "No answer: no class is sure enough.";
}

/** The class that evidence is for: the one answered, or the likeliest where none is. */
function likeliest(model, { answer, shares }) {
    return answer ?? model.schema.target.values[shares.indexOf(greatest(shares))];
}

function answerText(answer) {
    return typeof answer === "number" ? figure(answer) : answer;
}

function whyOf(study, row, answered) {
    const { model } = study;
    switch (model.model) {
        case "tree":
            return whyTree(study.shape, answered.walk, row, (node) => study.pointed.send(node));
        case "rules":
            return whyRules(model, answered);
        case "bayes":
            return whyEvidence(model.schema.target.values, answered.evidence, likeliest(model, answered), "prior");
        case "linear":
            return whyEvidence(
                model.schema.target.values,
                answered.evidence,
                likeliest(model, answered),
                answered.evidence.begins,
            );
        default:
            return unknownKind("model", model.model);
    }
}

/**
 * The interval of the answer, where one leaf gives it.
 * @param {import("./main.js").Study} study @param {import("./predict.js").Answered} answered
 */
function sureness({ model, shape }, { answer, walk }) {
    if (walk === undefined || walk.leaves.length !== 1) return null;
    const { node } = walk.leaves[0];
    return make("p", { class: "muted" }, `${leafText(model, shape, node)} ${intervalText(model, shape, node, answer)}`);
}

/** @returns {string} a sentence; empty where there is no interval */
export function intervalText(model, shape, node, answer) {
    const { counts } = shape.nodes[shape.answering[node]];
    if (shape.numeric) {
        // The numbers of a single row, or of equal ones, do not show how far the mean may be off.
        const reach = model.answers === "median" ? 0 : meanReach(counts);
        return reach > 0 ? `With 95 % confidence the mean lies within ± ${figure(reach, 3)}.` : "";
    }
    // Factors and calibration change the shares, not how many rows stand behind them: an interval of counts would mislead.
    if (model.decision.factors.length || mends(model.decision) || answer === null) return "";
    const [low, high] = wilson(counts[model.schema.target.values.indexOf(answer)], sum(counts));
    return `95 % interval of its share: ${percent(low).replace(" %", "")} – ${percent(high)}.`;
}
