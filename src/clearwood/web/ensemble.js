// An ensemble: the answers of its members to one row, and what they come to.

import { greatest, sum } from "./answers.js";
import { make, isolated } from "./html.js";
import { figure, percent } from "./amounts.js";
import { kindOf, unknownKind } from "./kinds.js";

/**
 * @typedef {{result: number[], voices: {called: string, members: number, part: number}[], members: number}} Combined
 *   `result` are shares by class, or one number; `voices` which class how many members favour, the weightiest first
 */

/**
 * A member as a model by itself: the page has its schema and decision once, with the whole. What a sum adds are numbers, and
 * of the decision only the factors of priors are in a member's shares.
 * @param {EnsembleModel} model @param {Member} member @returns {Member}
 */
export function memberOf(model, member) {
    const added = model.combined_by === "sum";
    const target = added ? { name: model.schema.target.name, kind: "numeric", values: [] } : model.schema.target;
    const decision = { factors: added ? [] : model.decision.factors, costs: [], cutoff: null, refer: null };
    const plain = { ...decision, calibration: null, prevalence: [], trained_at: [] };
    return { ...member, schema: { ...model.schema, target }, decision: plain };
}

/** @param {EnsembleModel} model @param {Answered[]} answers by member @returns {Combined} */
export function combined(model, answers) {
    const weights = answers.map((_, member) => model.weights[member] ?? 1);
    switch (model.combined_by) {
        case "sum":
            return { result: linked(model, scoresOf(model, answers, weights)), voices: [], members: answers.length };
        case "mean":
        case "votes":
            return byMembers(model, answers, weights);
        default:
            return unknownKind("combination", model.combined_by);
    }
}

/** @param {EnsembleModel} model @param {Answered[]} answers @param {number[]} weights */
function scoresOf(model, answers, weights) {
    const scores = [...model.base];
    answers.forEach(({ answer }, member) => (scores[model.adds_to[member]] += weights[member] * Number(answer)));
    return scores;
}

/** The shares, or the number, of these scores. @param {EnsembleModel} model @param {number[]} scores */
function linked(model, scores) {
    switch (model.link) {
        case "identity":
            return scores;
        case "exp":
            return scores.map(Math.exp);
        case "logistic": {
            const tail = Math.exp(-Math.abs(scores[0]));
            const [likely, other] = [1 / (1 + tail), tail / (1 + tail)];
            return scores[0] >= 0 ? [other, likely] : [likely, other];
        }
        case "softmax": {
            const parts = scores.map((score) => Math.exp(score - greatest(scores)));
            return parts.map((part) => part / sum(parts));
        }
        default:
            return unknownKind("link", model.link);
    }
}

/** @param {EnsembleModel} model @param {Answered[]} answers @param {number[]} weights @returns {Combined} */
function byMembers(model, answers, weights) {
    const classes = model.schema.target.values ?? [];
    if (model.schema.target.kind === "numeric") {
        const known = answers.map(({ answer }, member) => ({ answer, weight: weights[member] })).filter(({ answer }) => answer !== null);
        const total = sum(known.map(({ weight }) => weight));
        return { result: [sum(known.map(({ answer, weight }) => weight * Number(answer))) / total], voices: [], members: answers.length };
    }
    const result = classes.map(() => 0);
    const heard = classes.map((called) => ({ called, members: 0, part: 0 }));
    let total = 0;
    answers.forEach(({ answer, shares }, member) => {
        if (shares === null || !(greatest(shares) > 0)) return;
        const favoured = answer === null ? shares.indexOf(greatest(shares)) : classes.indexOf(String(answer));
        total += weights[member];
        if (model.combined_by === "votes") result[favoured] += weights[member];
        else shares.forEach((share, c) => (result[c] += weights[member] * share));
        heard[favoured].members += 1;
        heard[favoured].part += weights[member];
    });
    const divide = (/** @type {number} */ value) => (total > 0 ? value / total : 0);
    return {
        result: result.map(divide),
        voices: heard
            .filter(({ members }) => members > 0)
            .map((voice) => ({ ...voice, part: divide(voice.part) }))
            .sort((a, b) => b.part - a.part),
        members: answers.length,
    };
}

/** How far the members agree. @param {EnsembleModel} model @param {Combined | undefined} members @returns {Node[]} */
export function whyMembers(model, members) {
    if (members === undefined) return [make("p", model.left_out)];
    if (!members.voices.length) return [make("p", `${figure(members.members)} members are combined.`)];
    return [
        make("p", `How ${figure(members.members)} members predict`),
        make(
            "ul",
            ...members.voices.map((voice) =>
                make("li", isolated(voice.called), `: ${figure(voice.members)}, ${percent(voice.part)} of the weight`),
            ),
        ),
    ];
}
