// A list of rules: which of them hold of a row, and their joint answer.

import { divided, factored, greatest, sum } from "./answers.js";
import { takes } from "./conditions.js";

/**
 * @typedef {import("./conditions.js").Row} Row
 * @typedef {{when: import("./conditions.js").Condition[], then: string | number | null, counts?: number[]}} Rule
 */

/** The places of all rules whose every condition the row satisfies. @param {Row} row @returns {number[]} */
export function rulesThatHold(model, row) {
    return model.rules.flatMap((rule, place) => (rule.when.every((each) => takes(each, row)) ? [place] : []));
}

/** The places of those that answer: one rule, all that vote, or the default rule. @returns {number[]} */
export function speakers(model, held) {
    if (!held.length) return [model.rules.length];
    return model.matching === "first" ? held.slice(0, 1) : held;
}

/** The share of each class among the rows behind those who answer; null where there is no answer. */
export function sharesOfSpeakers(model, speaking) {
    const counts = behindAnswers(model);
    if (withDefault(model)[speaking[0]].then === null) return null;
    return divided(columnSums(speaking.map((place) => factored(counts[place], model.decision))));
}

/** The weights by class each answer rests on, rule by rule, the default rule last. @returns {number[][]} */
export function behindAnswers(model) {
    const classes = model.schema.target.values;
    const whole = allRows(model);
    const total = sum(whole) || 1;
    const counts = withDefault(model).map((each) =>
        met(each) ? each.counts : classes.map((name, c) => Number(name === each.then) + whole[c] / total),
    );
    const commonest = classes[whole.indexOf(greatest(whole))];
    if (!met(model.otherwise) && whole.some(Boolean) && model.otherwise.then === commonest) {
        counts[counts.length - 1] = whole;
    }
    return counts;
}

/** The weights by class of all rows that the list has met; under "vote" all stand behind the default rule. */
function allRows(model) {
    if (model.matching === "vote" && met(model.otherwise)) return model.otherwise.counts;
    const counts = withDefault(model)
        .filter(met)
        .map((each) => each.counts);
    return counts.length ? columnSums(counts) : model.schema.target.values.map(() => 0);
}

function withDefault(model) {
    return [...model.rules, model.otherwise];
}

function met(rule) {
    return (rule.counts ?? []).some(Boolean);
}

function columnSums(lines) {
    return lines[0].map((_, c) => sum(lines.map((line) => line[c])));
}
