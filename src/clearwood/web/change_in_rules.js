// The smallest change in a list of rules whose first that holds answers, exactly.
//
// Each rule with another answer, and the default rule where its answer is another, starts a box: the rows that satisfy
// the rule. If an earlier rule takes the cheapest row of the cheapest box, every row that would do breaks one of that
// rule's conditions: its first, or its second though not its first, and so on, one box for each.

import { cheapestIn, keyOf, MOST_BOXES, narrowed, Queue } from "./boxes.js";
import { present } from "./present.js";

/**
 * @typedef {import("./boxes.js").Box} Box
 * @typedef {[number, bigint][]} Needs  places of columns, and the options that satisfy what a rule asks of them
 */

/**
 * @param {RuleModel} model @param {Options} options @param {Cell} answer
 * @returns {{chosen: Map<number, number> | null, proven: boolean}}
 */
export function changeInRules(model, options, answer) {
    const needs = needsOf(model, options);
    const isWanted = [...model.rules, model.otherwise].map(({ then }) => then !== null && then !== answer);
    const queue = new Queue();
    const put = (/** @type {Box} */ box) => queue.put(keyOf(options, box), box);
    isWanted.forEach((right, place) => {
        const box = new Map(needs[place] ?? []);
        if (right && [...box.values()].every(Boolean)) put(box);
    });
    while (!queue.isEmpty && queue.met < MOST_BOXES) {
        const box = queue.take();
        const chosen = cheapestIn(box);
        const taker = takerOf(needs, chosen);
        if (isWanted[taker]) return { chosen, proven: true };
        if (taker < needs.length) breaking(box, needs[taker], options).forEach(put);
    }
    return { chosen: null, proven: queue.isEmpty };
}

/**
 * [rule] for each column it asks about, in the order it does, its place and the options that satisfy all it asks.
 * @param {RuleModel} model @param {Options} options @returns {Needs[]}
 */
export function needsOf(model, options) {
    const places = new Map(model.schema.columns.map((column, place) => [column.name, place]));
    return model.rules.map(({ when }) => {
        const held = new Map();
        for (const condition of when) {
            const place = present(places.get(condition.column));
            const { all, taking } = present(options.get(place));
            held.set(place, (held.get(place) ?? all) & taking(condition));
        }
        return [...held];
    });
}

/**
 * The first rule that holds for the row with these cells changed; their number where none does.
 * @param {Needs[]} needs @param {Map<number, number>} chosen
 */
function takerOf(needs, chosen) {
    const taker = needs.findIndex((needed) =>
        needed.every(([place, held]) => (held >> BigInt(chosen.get(place) ?? 0)) & 1n),
    );
    return taker < 0 ? needs.length : taker;
}

/**
 * The parts of the box whose rows do not satisfy a rule.
 * @param {Box} box @param {Needs} needed @param {Options} options
 */
function breaking(box, needed, options) {
    const parts = [];
    for (const [place, held] of needed) {
        const now = box.get(place) ?? present(options.get(place)).all;
        if (now & ~held) parts.push(narrowed(box, place, now & ~held));
        if (!(now & held)) break;
        box = narrowed(box, place, now & held);
    }
    return parts;
}
