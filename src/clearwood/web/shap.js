// SHAP values of one row: how far each of its cells moves the answer of many trees from the mean answer, exactly.
//
// As `explaining/shap.py` has it: with a set of columns known, a row goes on at a split of a known column as prediction
// sends it, and at any other split down every branch by the branch's part of the training weight. The value of a leaf's
// path is a product over its columns, so what a column adds on average over all orders is the integral, from 0 to 1, of
// the product of the others, each of them known with the probability x: a polynomial, which Gauss' points sum exactly.

import { decided, sum } from "./answers.js";
import { memberOf } from "./ensemble.js";
import { present } from "./present.js";
import { routeAt, waysFrom } from "./routing.js";
import { nodeShares, shapeOf } from "./tree.js";

/**
 * @typedef {{base: number[], added: {name: string, value: Cell, points: number[]}[]}} Contributions
 *   By score: the mean answer, and what each cell adds to it
 * @typedef {{shape: Shape, answers: number[][], first: number, scale: number}} Grown
 *   A member: the numbers that each node answers, the score that they begin at, and what they are multiplied by
 */

/** @type {WeakMap<EnsembleModel, Grown[]>} */
const grown = new WeakMap();

/** Are all members trees, and in the page? @param {EnsembleModel} model */
export function hasContributions(model) {
    return !model.left_out && model.members.every((member) => member.model === "tree");
}

/** @param {EnsembleModel} model @param {Row} row @returns {Contributions} */
export function contributionsOf(model, row) {
    if (!grown.has(model)) grown.set(model, membersOf(model));
    const base = model.combined_by === "sum" ? [...model.base] : (model.schema.target.values ?? [0]).map(() => 0);
    if (!base.length) base.push(0);
    /** @type {Map<string, number[]>} */
    const added = new Map(model.columns.map((name) => [name, base.map(() => 0)]));
    for (const member of present(grown.get(model))) addTree(member, row, base, added);
    return { base, added: model.columns.map((name) => ({ name, value: row.get(name) ?? null, points: present(added.get(name)) })) };
}

/** @param {EnsembleModel} model @returns {Grown[]} */
function membersOf(model) {
    const total = sum(model.members.map((_, member) => model.weights[member] ?? 1));
    return model.members.map((each, member) => {
        const tree = /** @type {TreeModel} */ (memberOf(model, each));
        const shape = shapeOf(tree);
        const weight = model.weights[member] ?? 1;
        const added = model.combined_by === "sum";
        return {
            shape,
            answers: shape.nodes.map((_, node) => answersAt(model, tree, shape, node)),
            first: added ? model.adds_to[member] : 0,
            scale: added ? weight : weight / total,
        };
    });
}

/** @param {EnsembleModel} model @param {TreeModel} tree @param {Shape} shape @param {number} node */
function answersAt(model, tree, shape, node) {
    if (shape.numeric) return [shape.nodes[shape.answering[node]].counts[1]];
    const shares = nodeShares(shape, node, tree.decision);
    if (model.combined_by !== "votes") return shares;
    const favoured = decided(shares, tree.decision, tree.schema.target.values);
    return shares.map((_, c) => (c === favoured ? 1 : 0));
}

/**
 * Down every branch: `columns` are those asked on the way, with the part of the training weight that came along
 * (`unknown`) and that of the row (`known`).
 * @param {Grown} member @param {Row} row @param {number[]} base @param {Map<string, number[]>} added
 */
function addTree({ shape, answers, first, scale }, row, base, added) {
    const columns = /** @type {string[]} */ ([]);
    const unknown = /** @type {number[]} */ ([]);
    const known = /** @type {number[]} */ ([]);

    /** @param {number} node */
    function visit(node) {
        const below = shape.children[node];
        if (!below.length) return atLeaf(node);
        const name = present(shape.nodes[below[0]].when).column;
        const parts = new Map(waysFrom(routeAt(shape, node), row).map((way) => [way.to, way.part]));
        const total = sum(below.map((child) => shape.weight[child]));
        const shares = sum(below.map((child) => shape.nodes[child].share ?? 0));
        let place = columns.indexOf(name);
        const isNew = place < 0;
        if (isNew) place = columns.push(name) - 1;
        const [without, with_] = isNew ? [1, 1] : [unknown[place], known[place]];
        for (const child of below) {
            unknown[place] = without * (total > 0 ? shape.weight[child] / total : (shape.nodes[child].share ?? 0) / shares);
            known[place] = with_ * (parts.get(child) ?? 0);
            if (unknown[place] > 0 || known[place] > 0) visit(child);
        }
        if (isNew) for (const each of [columns, unknown, known]) each.pop();
        else [unknown[place], known[place]] = [without, with_];
    }

    /** @param {number} leaf */
    function atLeaf(leaf) {
        const count = columns.length;
        const values = answers[leaf];
        const whole = scale * unknown.reduce((product, part) => product * part, 1);
        values.forEach((value, k) => (base[first + k] += whole * value));
        const orders = new Array(count).fill(0);
        for (const { at, weight } of gaussPoints(Math.ceil(count / 2))) {
            let before = 1;
            const upTo = columns.map((_, place) => {
                const product = before;
                before *= unknown[place] + at * (known[place] - unknown[place]);
                return product;
            });
            let after = 1;
            for (let place = count - 1; place >= 0; place -= 1) {
                orders[place] += weight * upTo[place] * after;
                after *= unknown[place] + at * (known[place] - unknown[place]);
            }
        }
        columns.forEach((name, place) => {
            const moved = scale * (known[place] - unknown[place]) * orders[place];
            const sums = present(added.get(name));
            values.forEach((value, k) => (sums[first + k] += moved * value));
        });
    }

    visit(0);
}

const points = /** @type {Map<number, {at: number, weight: number}[]>} */ (new Map());

/**
 * Gauss' points between 0 and 1, whose weighted sum is the integral of any polynomial of a degree below twice their count:
 * the roots of Legendre's polynomial, by Newton's steps.
 * @param {number} count
 */
export function gaussPoints(count) {
    const ready = points.get(count);
    if (ready) return ready;
    const made = Array.from({ length: count }, (_, place) => {
        let x = Math.cos((Math.PI * (place + 0.75)) / (count + 0.5));
        let slope = 1;
        for (let step = 0; step < 100; step += 1) {
            let [before, value] = [1, x];
            for (let degree = 2; degree <= count; degree += 1)
                [before, value] = [value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree];
            slope = (count * (x * value - before)) / (x * x - 1);
            const move = value / slope;
            x -= move;
            if (Math.abs(move) < 1e-15) break;
        }
        return { at: (1 + x) / 2, weight: 1 / ((1 - x * x) * slope * slope) };
    });
    points.set(count, made);
    return made;
}
