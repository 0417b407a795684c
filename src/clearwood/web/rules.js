// A list of rules: which of them hold of a row, and their joint answer.

import { divided, sum } from "./answers.js";
import { takes } from "./conditions.js";

/**
 * @typedef {{then: Cell, counts?: number[]}} DefaultRule
 * @typedef {DefaultRule & {when: Condition[]}} Rule
 */

/**
 * The places of all rules whose every condition the row satisfies.
 * @param {RuleModel} model @param {Row} row @returns {number[]}
 */
export function rulesThatHold(model, row) {
    return model.rules.flatMap((rule, place) => (rule.when.every((each) => takes(each, row)) ? [place] : []));
}

/**
 * The places of those that answer: one rule, all that vote, or the default rule.
 * @param {RuleModel} model @param {number[]} held @returns {number[]}
 */
export function speakers(model, held) {
    if (!held.length) return [model.rules.length];
    return model.matching === "first" ? held.slice(0, 1) : held;
}

/**
 * The share of each class among the rows behind those who answer; null where there is no answer.
 * @param {RuleModel} model @param {number[]} speaking
 */
export function sharesOfSpeakers(model, speaking) {
    if ((model.rules[speaking[0]] ?? model.otherwise).then === null) return null;
    const behind = speaking.map((place) => model.weights[place]);
    return divided(behind[0].map((_, c) => sum(behind.map((weights) => weights[c]))));
}

/**
 * Were rows counted behind those who answer? Otherwise their shares only repeat what a rule by hand names.
 * @param {RuleModel} model @param {number[]} speaking
 */
export function isCounted(model, speaking) {
    return speaking.some((place) => model.counted[place]);
}
