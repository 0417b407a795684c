// What the model answers, shown: the answer, the share of each class; and why.

import { figure, meanReach, percent, wilson } from "./amounts.js";
import { shareBars } from "./bars.js";
import { isolated, make, visible } from "./html.js";
import { adjusts, expectedCosts, greatest, sum } from "./answers.js";
import { whyMembers } from "./ensemble.js";
import { kindOf, unknownKind } from "./kinds.js";
import { present } from "./present.js";
import { whyEvidence } from "./why_evidence.js";
import { whyPoints } from "./why_points.js";
import { whyRules } from "./why_rules.js";
import { whyShap } from "./why_shap.js";
import { leafText, whyTree } from "./why_tree.js";

const UNCOUNTED = "No rows were counted for this rule, so there are no probabilities.";

/** @param {Study} study @param {Answered} answered @returns {(Node | null)[]} */
export function answerView(study, answered) {
    const { model, colours } = study;
    const { answer, shares, counted } = answered;
    const classes = model.schema.target.values;
    const target = make("p", { class: "target" }, isolated(predictedText(model)));
    const text = answer === null ? silence(model, answered)[0] : isolated(answerText(answer));
    const because = decidedText(model.decision, classes, answer, shares);
    const uncounted = counted === false ? make("p", { class: "muted" }, UNCOUNTED) : null;
    return [
        target,
        make("p", { class: "answer-text" }, text),
        shares === null ? null : (uncounted ?? shareBars(classes, shares, colours)),
        because === "" ? null : make("p", { class: "decided" }, because),
        sureness(study, answered),
    ];
}

/** @param {Study} study @param {Row} row @param {Answered} answered @returns {(Node | null)[]} */
export function whyView(study, row, answered) {
    return [make("h3", "Why"), ...whyOf(study, row, answered)];
}

/**
 * The answer in one sentence, for those who hear the page.
 * @param {{model: Model}} study
 * @param {{answer: Cell, shares: number[] | null, held?: number[], counted?: boolean}} answered
 */
export function spoken({ model }, { answer, shares, held, counted }) {
    if (answer === null) return silence(model, { shares, held })[1];
    if (counted === false) return `Prediction: ${answerText(answer)}. ${UNCOUNTED}`;
    if (shares === null) return `Prediction: ${answerText(answer)}.`;
    const classes = model.schema.target.values;
    const name = /** @type {string} */ (answer); // what has shares is a class
    const sentence = `Prediction: ${visible(name)}, ${percent(shares[classes.indexOf(name)])}.`;
    return `${sentence} ${decidedText(model.decision, classes, answer, shares)}`.trim();
}

/**
 * Why the answer is not the class of the largest share: what mistakes cost, or a cutoff, decided.
 * @param {Decision} decision @param {string[]} classes @param {Cell} answer @param {number[] | null} shares
 * @returns {string} a sentence; empty where the answer has the largest share
 */
export function decidedText(decision, classes, answer, shares) {
    if (answer === null || shares === null) return "";
    const name = /** @type {string} */ (answer);
    const own = classes.indexOf(name);
    const most = shares.indexOf(greatest(shares));
    if (shares[own] >= shares[most]) return "";
    if (decision.cutoff) {
        const { positive, at } = decision.cutoff;
        const side = answer === positive ? "at least" : "below";
        return `The cutoff decided: the probability of ${visible(positive)} is ${side} ${percent(at)}.`;
    }
    if (!decision.costs.length) return "";
    const paid = expectedCosts(shares, decision.costs).map((cost) => figure(cost));
    return (
        `Costs decided: ${visible(name)} is expected to cost ${paid[own]}, ` +
        `${visible(classes[most])}, which has the largest probability, ${paid[most]}.`
    );
}

/**
 * What stands where an answer would, and how it is said: no class is sure enough, a rule refers the row, none holds, or
 * the model is too large.
 * @param {Model} model @param {{shares: number[] | null, held?: number[]}} answered
 */
function silence(model, { shares, held }) {
    if (model.model === "ensemble" && model.left_out !== "") return ["not computed here", "The prediction is not computed here."];
    if (held?.length) return ["refer", "The row is referred."];
    if (shares === null) return ["no rule holds", "No rule holds: no prediction."];
    return ["no prediction", "No prediction: no class is sure enough."];
}

/**
 * The class that evidence is for: the one answered, or the likeliest where none is.
 * @param {Model} model @param {Answered} answered
 */
function likeliest(model, { answer, shares }) {
    if (answer !== null) return answer;
    const known = present(shares);
    return model.schema.target.values[known.indexOf(greatest(known))];
}

/** What the answer is: the target, or its median or quantile. @param {Model} model */
export function predictedText(model) {
    const { name } = model.schema.target;
    const { quantile } = model;
    if (quantile === null) return name;
    return quantile === 0.5 ? `Median of ${name}` : `${quantile} quantile of ${name}`;
}

/** @param {string | number} answer */
function answerText(answer) {
    return typeof answer === "number" ? figure(answer) : answer;
}

/** @param {Study} study @param {Row} row @param {Answered} answered @returns {(Node | null)[]} */
function whyOf(study, row, answered) {
    const { model } = study;
    switch (model.model) {
        case "tree":
            return whyTree(present(study.shape), present(answered.walk), row, (node) => study.pointed.send(node));
        case "rules":
            return whyRules(model, { held: present(answered.held), speaking: present(answered.speaking) });
        case "bayes":
        case "linear":
        case "additive": {
            if (answered.added) return whyPoints(Number(model.start[0]), answered.added);
            return whyEvidence(model.schema.target.values, present(answered.evidence), likeliest(model, answered));
        }
        case "ensemble": {
            const called = answered.shares && likeliest(model, answered); // of numbers there is none
            return [...whyMembers(model, answered.members), ...whyShap(model, row, called)];
        }
        default:
            return unknownKind("model", kindOf(model, "model"));
    }
}

/**
 * The interval of the answer, where one leaf gives it.
 * @param {import("./main.js").Study} study @param {import("./predict.js").Answered} answered
 */
function sureness(study, { answer, walk }) {
    if (walk === undefined || walk.leaves.length !== 1) return null;
    const { model, shape } = /** @type {TreeStudy} */ (study);
    const { node } = walk.leaves[0];
    return make("p", { class: "muted" }, `${leafText(model, shape, node)} ${intervalText(model, shape, node, answer)}`);
}

/**
 * @param {TreeModel} model @param {Shape} shape @param {number} node @param {Cell | undefined} answer
 * @returns {string} a sentence; empty where there is no interval
 */
export function intervalText(model, shape, node, answer) {
    const { counts } = shape.nodes[shape.answering[node]];
    if (shape.numeric) {
        // The numbers of a single row, or of equal ones, do not show how far the mean may be off.
        const reach = (model.answers ?? "mean") === "mean" ? meanReach(counts) : 0;
        return reach > 0 ? `With 95 % confidence the mean lies within ± ${figure(reach, 3)}.` : "";
    }
    // Factors and calibration change the shares, not how many rows stand behind them: an interval of counts would mislead.
    if (model.decision.factors.length || adjusts(model.decision) || answer === null) return "";
    const place = model.schema.target.values.indexOf(/** @type {string} */ (answer));
    const [low, high] = wilson(counts[place], sum(counts));
    return `95 % interval of its probability: ${percent(low).replace(" %", "")} – ${percent(high)}.`;
}
