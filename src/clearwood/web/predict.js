// The answer to one row, by any kind of model, with what it rests on; Python's answer to the last digits.

import { decided, mended } from "./answers.js";
import { bayesEvidence, preparedBayes } from "./bayes.js";
import { byKind, unknownKind } from "./kinds.js";
import { linearEvidence, preparedLinear } from "./linear.js";
import { rulesThatHold, sharesOfSpeakers, speakers } from "./rules.js";
import { numberOfWalk, shapeOf, sharesOfWalk, walk } from "./tree.js";

/**
 * @typedef {import("./conditions.js").Row} Row
 * @typedef {{answer: string | number | null, shares: number[] | null, walk?: import("./tree.js").Walk,
 *   held?: number[], speaking?: number[], evidence?: Object}} Answered
 *   `answer` null: the rules say nothing, or the row is referred. `shares` null: a number is answered, or nothing.
 * @typedef {(row: Row, reference?: import("./linear.js").Reference) => Answered} Asked
 *   `reference` is what a linear model's cells are compared with; other models have none.
 */

/** A model's JSON as a function of rows. @param {Object} model @param {Object} [letters] for texts @returns {Asked} */
export function asked(model, letters) {
    const makers = { tree: askedTree, rules: askedRules, bayes: askedBayes, linear: askedLinear };
    return byKind(makers, "model", model.model)(model, letters);
}

/** The columns that a model asks about, in the schema's order. @returns {Object[]} */
export function columnsAsked(model) {
    const names = new Set(namesAsked(model));
    return model.schema.columns.filter((column) => names.has(column.name));
}

function namesAsked(model) {
    switch (model.model) {
        case "tree":
            return model.nodes.flatMap((node) => [
                ...(node.when ? [node.when.column] : []),
                ...(node.surrogates ?? []).map((each) => each.column),
            ]);
        case "rules":
            return model.rules.flatMap((rule) => rule.when.map((condition) => condition.column));
        case "bayes":
            return model.distributions.flatMap((each) => each.columns ?? [each.column]);
        case "linear":
            return model.terms.map((term) => term.column);
        default:
            return unknownKind("model", model.model);
    }
}

function askedTree(model) {
    const shape = shapeOf(model);
    return (row) => {
        const walked = walk(shape, row);
        if (shape.numeric) return { answer: numberOfWalk(shape, walked), shares: null, walk: walked };
        const shares = mended(sharesOfWalk(shape, walked, model.decision), model.decision);
        return { answer: called(model, shares), shares, walk: walked };
    };
}

function askedRules(model) {
    return (row) => {
        const held = rulesThatHold(model, row);
        const speaking = speakers(model, held);
        const first = model.rules[speaking[0]] ?? model.otherwise;
        if (model.schema.target.kind === "numeric") return { answer: first.then, shares: null, held, speaking };
        const before = sharesOfSpeakers(model, speaking);
        if (before === null) return { answer: null, shares: null, held, speaking };
        const shares = mended(before, model.decision);
        const votes = model.matching === "vote" && held.length > 0;
        return { answer: called(model, shares, votes ? undefined : first.then), shares, held, speaking };
    };
}

function askedBayes(model, letters) {
    const prepared = preparedBayes(model, letters);
    return (row) => byEvidence(model, bayesEvidence(prepared, row));
}

function askedLinear(model) {
    const prepared = preparedLinear(model);
    return (row, reference) => byEvidence(model, linearEvidence(prepared, row, reference));
}

function byEvidence(model, found) {
    const evidence = { ...found, shares: mended(found.shares, model.decision) };
    return { answer: called(model, evidence.shares), shares: evidence.shares, evidence };
}

/** The class, or null: none. `then` is what a rule names itself. */
function called(model, shares, then) {
    const classes = model.schema.target.values;
    const place = decided(shares, model.decision, classes, then === undefined ? undefined : classes.indexOf(then));
    return place < 0 ? null : classes[place];
}
