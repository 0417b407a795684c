// A list of rules: which of them hold of a row, and their joint answer.

import { divided, factored, greatest, sum } from "./answers.js";
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
    const counts = behindAnswers(model);
    if (withDefault(model)[speaking[0]].then === null) return null;
    return divided(columnSums(speaking.map((place) => factored(counts[place], model.decision))));
}

/**
 * Were rows counted behind those who answer? Otherwise their shares only repeat what a rule by hand names.
 * @param {RuleModel} model @param {number[]} speaking
 */
export function isCounted(model, speaking) {
    if (speaking[0] === model.rules.length) return allRows(model).some(Boolean);
    return speaking.some((place) => met(model.rules[place]));
}

/**
 * The weights by class each answer rests on, rule by rule, the default rule last.
 * @param {RuleModel} model @returns {number[][]}
 */
export function behindAnswers(model) {
    const classes = model.schema.target.values;
    const whole = allRows(model);
    const total = sum(whole) || 1;
    const counts = withDefault(model).map((each) =>
        each.counts && met(each) ? each.counts : classes.map((name, c) => Number(name === each.then) + whole[c] / total),
    );
    const commonest = classes[whole.indexOf(greatest(whole))];
    if (!met(model.otherwise) && whole.some(Boolean) && model.otherwise.then === commonest) {
        counts[counts.length - 1] = whole;
    }
    return counts;
}

/**
 * The weights by class of all rows that the list has met; under "vote" all stand behind the default rule.
 * @param {RuleModel} model @returns {number[]}
 */
function allRows(model) {
    const { matching, otherwise } = model;
    if (matching === "vote" && otherwise.counts && met(otherwise)) return otherwise.counts;
    const counts = withDefault(model)
        .filter(met)
        .map((each) => each.counts ?? []);
    return counts.length ? columnSums(counts) : model.schema.target.values.map(() => 0);
}

/** @param {RuleModel} model @returns {DefaultRule[]} */
function withDefault(model) {
    return [...model.rules, model.otherwise];
}

/** @param {DefaultRule} rule */
function met(rule) {
    return (rule.counts ?? []).some(Boolean);
}

/** @param {number[][]} lines */
function columnSums(lines) {
    return lines[0].map((_, c) => sum(lines.map((line) => line[c])));
}
