// The smallest change: which cells of a row, changed as little as possible, would give another answer?
//
// Smallest is: the fewest cells; of equals the smallest sum of costs; of equals the columns that stand first in the
// schema; of equals the options that come first. It is exact for trees and rules; for evidence that adds up see
// change_by_trial.js.

import { isPlain } from "./answers.js";
import { changeByTrial } from "./change_by_trial.js";
import { changeInRules, changeInVotes } from "./change_in_rules.js";
import { changeInTree } from "./change_in_tree.js";
import { byKind } from "./kinds.js";
import { present } from "./present.js";
import { changedTo, movesOf, pairOf } from "./moves.js";
import { columnsUsed } from "./predict.js";

/**
 * @typedef {{model: Model, shape: Shape | null, ask: import("./predict.js").Predictor}} Searched
 * @typedef {{cells: import("./moves.js").Changed[] | null, instead: string | number | null, proven: boolean}} Change
 *   `cells` null: no change leads to another answer, or, if that is not proven, none was found
 */

/** Can the page find a model's smallest changes? @param {Model} model */
export function canChange(model) {
    if (model.model === "ensemble" && model.left_out) return false;
    return model.schema.target.kind !== "numeric" && columnsUsed(model).some((column) => column.kind !== "text");
}

/** @param {import("./main.js").Study} study @param {import("./conditions.js").Row} row @param {import("./moves.js").Constraints} constraints @returns {Change} */
export function smallestChange({ model, shape, ask }, row, constraints) {
    // The exact searches know shares and costs only.
    const exact = isPlain(model.decision) ? { tree: byOptions, rules: byOptions } : { tree: byTrial, rules: byTrial };
    /** @type {{[kind: string]: (study: any, row: Row, constraints: Constraints) => Change}} */
    const searches = { ...exact, bayes: byTrial, linear: byTrial, additive: byTrial, ensemble: byTrial };
    return byKind(searches, "model", model.model)({ model, shape, ask }, row, constraints);
}

/** @param {Searched} study @param {Row} row @param {Constraints} constraints @returns {Change} */
function byTrial({ model, ask }, row, constraints) {
    const { cells, proven } = changeByTrial(model, ask, columnsUsed(model), row, constraints);
    return { cells, instead: cells && ask(new Map([...row, ...cells.map(pairOf)])).answer, proven };
}

/**
 * @param {{model: TreeModel | RuleModel, shape: Shape | null, ask: import("./predict.js").Predictor}} study
 * @param {Row} row @param {Constraints} constraints @returns {Change}
 */
function byOptions({ model, shape, ask }, row, constraints) {
    const { answer } = ask(row);
    const options = optionsFor(model, row, constraints);
    const changes = (/** @type {Map<number, number>} */ chosen) =>
        [...chosen].map(([place, option]) => changedTo(present(options.get(place)), option));
    const answerWith = (/** @type {Map<number, number>} */ chosen) =>
        ask(new Map([...row, ...changes(chosen).map(pairOf)])).answer;
    const { chosen, proven } = changeAmong(model, shape, options, answer, answerWith);
    return { cells: chosen && changes(chosen), instead: chosen && answerWith(chosen), proven };
}

/**
 * @param {TreeModel | RuleModel} model @param {Shape | null} shape @param {Options} options @param {Cell} answer
 * @param {(chosen: Map<number, number>) => Cell} answerWith
 */
function changeAmong(model, shape, options, answer, answerWith) {
    if (model.model === "tree") return changeInTree(model, present(shape), options, answer, answerWith);
    return model.matching === "vote"
        ? changeInVotes(model, options, answer, answerWith)
        : changeInRules(model, options, answer);
}

/**
 * What each column that the model uses may become, by its place in the schema.
 * @param {Model} model @param {Row} row @param {Constraints} constraints @returns {Options}
 */
function optionsFor(model, row, constraints) {
    return new Map(
        columnsUsed(model).map((column) => [
            model.schema.columns.indexOf(column),
            movesOf(column, row.get(column.name) ?? null, model.thresholds[column.name] ?? [], constraints),
        ]),
    );
}
