// The answer to one row, by any kind of model, with what it rests on; Python's answer to the last digits.

import { adjusted, decided, divided, factored } from "./answers.js";
import { combined, memberOf } from "./ensemble.js";
import { evidenceOf, numberOfRow, preparedEvidence } from "./evidence.js";
import { byKind } from "./kinds.js";
import { isCounted, rulesThatHold, sharesOfSpeakers, speakers } from "./rules.js";
import { numberOfWalk, shapeOf, sharesOfWalk, walk } from "./tree.js";

/**
 * @typedef {{answer: string | number | null, shares: number[] | null, walk?: import("./tree.js").Walk,
 *   held?: number[], speaking?: number[], counted?: boolean, evidence?: import("./evidence.js").Evidence,
 *   members?: import("./ensemble.js").Combined,
 *   added?: {name: string, value: Cell, points: number[]}[]}} Answered
 *   `answer` null: no rule answers, or the row is referred. `shares` null: a number is answered, or nothing.
 *   `counted` false: no rows were counted for the rules that answer, so their shares are not to be shown.
 * @typedef {(row: Row, reference?: import("./evidence.js").Reference) => Answered} Predictor
 *   `reference` is what a linear model's cells are compared with; other models have none.
 */

/** A model's JSON as a function of rows. @param {Model} model @param {Letters} [letters] for texts @returns {Predictor} */
export function predictor(model, letters) {
    /** @type {{[kind: string]: (model: any, letters?: Letters) => Predictor}} */
    const makers = {
        tree: treePredictor,
        rules: rulesPredictor,
        bayes: evidencePredictor,
        linear: evidencePredictor,
        additive: evidencePredictor,
        ensemble: ensemblePredictor,
    };
    return byKind(makers, "model", model.model)(model, letters);
}

/**
 * A cell as the schema reads it: a number that stands for a missing cell is none.
 * @param {Model} model @param {string} name @param {import("./conditions.js").Cell} cell
 * @returns {import("./conditions.js").Cell}
 */
export function cellRead({ schema: { read_as } }, name, cell) {
    if (typeof cell !== "number" || !read_as) return cell;
    const found = Object.entries({ ...read_as[""], ...read_as[name] }).find(([old]) => old.trim() && Number(old) === cell);
    return found && found[1] === null ? null : cell;
}

/** The columns that a model uses, in the schema's order. @param {Model} model @returns {Column[]} */
export function columnsUsed(model) {
    return model.schema.columns.filter((column) => model.columns.includes(column.name));
}

/** @param {TreeModel} model @returns {Predictor} */
function treePredictor(model) {
    const shape = shapeOf(model);
    return (row) => {
        const walked = walk(shape, row);
        if (shape.numeric) return { answer: numberOfWalk(shape, walked), shares: null, walk: walked };
        const shares = adjusted(sharesOfWalk(shape, walked, model.decision), model.decision);
        return { answer: called(model, shares), shares, walk: walked };
    };
}

/** @param {RuleModel} model @returns {Predictor} */
function rulesPredictor(model) {
    return (row) => {
        const held = rulesThatHold(model, row);
        const speaking = speakers(model, held);
        const first = model.rules[speaking[0]] ?? model.otherwise;
        if (model.schema.target.kind === "numeric") return { answer: first.then, shares: null, held, speaking };
        const before = sharesOfSpeakers(model, speaking);
        if (before === null) return { answer: null, shares: null, held, speaking };
        const shares = adjusted(before, model.decision);
        const votes = model.matching === "vote" && held.length > 0;
        const counted = isCounted(model, speaking);
        return { answer: called(model, shares, votes ? undefined : first.then), shares, held, speaking, counted };
    };
}

/** @param {EvidenceModel} model @param {Letters} [letters] @returns {Predictor} */
function evidencePredictor(model, letters) {
    const prepared = preparedEvidence(model, letters);
    if (model.schema.target.kind === "numeric") return (row) => ({ ...numberOfRow(prepared, row), shares: null });
    return (row, reference) => {
        const before = evidenceOf(prepared, row, reference);
        const shares = adjusted(before.shares, model.decision);
        return { answer: called(model, shares), shares, evidence: { ...before, shares } };
    };
}

/** @param {EnsembleModel} model @param {Letters} [letters] @returns {Predictor} */
function ensemblePredictor(model, letters) {
    if (model.left_out) return () => ({ answer: null, shares: null });
    const asked = model.members.map((member) => predictor(memberOf(model, member), letters));
    const numeric = model.schema.target.kind === "numeric";
    return (row) => {
        const answers = asked.map((ask) => ask(row));
        const members = combined(model, answers);
        if (numeric) return { answer: members.result[0], shares: null, members };
        const before = model.combined_by === "sum" ? divided(factored(members.result, model.decision)) : members.result;
        const shares = adjusted(before, model.decision);
        return { answer: called(model, shares), shares, members };
    };
}

/**
 * The class, or null: none. `then` is what a rule names itself.
 * @param {Model} model @param {number[]} shares @param {Cell} [then]
 */
function called(model, shares, then) {
    const classes = model.schema.target.values;
    const named = then === undefined ? undefined : classes.indexOf(/** @type {string} */ (then));
    const place = decided(shares, model.decision, classes, named);
    return place < 0 ? null : classes[place];
}
