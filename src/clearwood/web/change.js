// The smallest change: which cells of a row, changed as little as possible, would give another answer?
//
// Smallest is: the fewest cells; of equals the smallest sum of costs; of equals the columns that stand first in the
// schema; of equals the options that come first. It is exact for trees and rules; for evidence that adds up see
// change_by_trial.js.

import { isPlain } from "./answers.js";
import { changeByTrial } from "./change_by_trial.js";
import { changeInRules } from "./change_in_rules.js";
import { changeInTree } from "./change_in_tree.js";
import { changeInVotes } from "./change_in_votes.js";
import { boundsOf } from "./conditions.js";
import { byKind, unknownKind } from "./kinds.js";
import { changedTo, movesOf } from "./moves.js";
import { columnsUsed } from "./predict.js";

/**
 * @typedef {{cells: import("./moves.js").Changed[] | null, instead: string | number | null, proven: boolean}} Change
 *   `cells` null: no change leads to another answer, or, if that is not proven, none was found
 */

/** Can the page find a model's smallest changes? */
export function canChange(model) {
    return model.schema.target.kind !== "numeric" && columnsUsed(model).some((column) => column.kind !== "text");
}

/** @param {import("./main.js").Study} study @param {import("./conditions.js").Row} row @param {import("./moves.js").Constraints} constraints @returns {Change} */
export function smallestChange({ model, shape, ask }, row, constraints) {
    // The exact searches know shares and costs only.
    const search = isPlain(model.decision) ? byKind(SEARCHES, "model", model.model) : byTrial;
    return search({ model, shape, ask }, row, constraints);
}

const SEARCHES = { tree: byOptions, rules: byOptions, bayes: byTrial, linear: byTrial };

function byTrial({ model, ask }, row, constraints) {
    const { cells, proven } = changeByTrial(model, ask, columnsUsed(model), row, thresholdsOf(model), constraints);
    const after =
        cells === null ? null : ask(new Map([...row, ...cells.map(pairOf)])).answer;
    return { cells, instead: after, proven };
}

function byOptions({ model, shape, ask }, row, constraints) {
    const { answer } = ask(row);
    const options = optionsFor(model, row, constraints);
    const rowWith = (chosen) =>
        new Map([...row, ...[...chosen].map(([place, option]) => pairOf(changedTo(options.get(place), option)))]);
    const answerWith = (chosen) => ask(rowWith(chosen)).answer;
    const { chosen, proven } =
        model.model === "tree"
            ? changeInTree(model, shape, options, answer, answerWith)
            : model.matching === "vote"
              ? changeInVotes(model, options, answer, answerWith)
              : changeInRules(model, options, answer);
    if (chosen === null) return { cells: null, instead: null, proven };
    return {
        cells: [...chosen].map(([place, option]) => changedTo(options.get(place), option)),
        instead: answerWith(chosen),
        proven,
    };
}

/** @param {import("./moves.js").Changed} changed @returns {[string, import("./conditions.js").Cell]} */
function pairOf({ column, after }) {
    return [column, after];
}

/** What each column that the model uses may become, by its place in the schema. */
function optionsFor(model, row, constraints) {
    const thresholds = thresholdsOf(model);
    const columns = columnsUsed(model);
    return new Map(
        columns.map((column) => [
            model.schema.columns.indexOf(column),
            movesOf(column, row.get(column.name) ?? null, thresholds.get(column.name) ?? [], constraints),
        ]),
    );
}

/** By numeric column, the numbers at which the answer can turn, ascending. @returns {Map<string, number[]>} */
function thresholdsOf(model) {
    switch (model.model) {
        case "tree":
            return limitsIn(
                model.nodes.flatMap(({ when, surrogates = [] }) => [...(when ? [when] : []), ...surrogates]),
            );
        case "rules":
            return limitsIn(model.rules.flatMap(({ when }) => when));
        case "bayes":
            return new Map(model.distributions.flatMap(cutsOf));
        case "linear":
            return new Map();
        default:
            return unknownKind("model", model.model);
    }
}

function limitsIn(conditions) {
    const limits = new Map();
    for (const condition of conditions) {
        if (!limits.has(condition.column)) limits.set(condition.column, new Set());
        for (const bound of boundsOf(condition)) if (Number.isFinite(bound)) limits.get(condition.column).add(bound);
    }
    return new Map([...limits].map(([name, bounds]) => [name, [...bounds].sort((a, b) => a - b)]));
}

function cutsOf({ kind, column, cuts, columns, event }) {
    switch (kind) {
        case "cuts":
            return [[column, cuts]];
        case "bag":
            return event === "bernoulli" ? columns.map((each) => [each, [0]]) : [];
        case "categorical":
        case "gaussian":
        case "kernel":
        case "words":
            return [];
        default:
            return unknownKind("distribution", kind);
    }
}
