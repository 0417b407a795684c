// The smallest change in a list of rules that vote, exactly: columns change in schema order, cheapest first.
//
// A state has settled its first columns; the others are as they are, and may yet change. Options of a column that
// satisfy the same rules are one, the cheapest. A state is dropped when no other class can come to lead: at best every
// rule that speaks for it and can still hold does so, and of the others only those that must.

import { sum } from "./answers.js";
import { MOST_BOXES, Queue } from "./boxes.js";
import { needsOf } from "./change_in_rules.js";
import { present } from "./present.js";

const NEARLY = 1e-9;

/**
 * @param {RuleModel} model @param {Options} options @param {Cell} answer
 * @param {(chosen: Map<number, number>) => Cell} answerWith
 * @returns {{chosen: Map<number, number> | null, proven: boolean}}
 */
export function changeInVotes(model, options, answer, answerWith) {
    const places = [...options.keys()].sort((a, b) => a - b);
    const needs = needsOf(model, options);
    const columns = places.map((place) => kindsOf(needs, place, present(options.get(place)).cells.length));
    const every = needs.map(() => true);
    const [asIs, possible, certain] = [[every], [every], [every]]; // by columns settled
    for (const { takes } of [...columns].reverse()) {
        asIs.unshift(both(asIs[0], takes[0]));
        possible.unshift(asIs[0].map((_, rule) => possible[0][rule] && takes.some((kind) => kind[rule])));
        certain.unshift(asIs[0].map((_, rule) => certain[0][rule] && takes.every((kind) => kind[rule])));
    }
    const mayLead = leading(model, answer);
    const saysOther = model.otherwise.then !== null && model.otherwise.then !== answer;
    /** @type {Queue<{key: import("./boxes.js").Key, settled: number, held: boolean[]}>} */
    const queue = new Queue();
    queue.put(
        { cells: 0, distance: 0, places: [], chosen: [] },
        { key: { cells: 0, distance: 0, places: [], chosen: [] }, settled: 0, held: every },
    );
    while (!queue.isEmpty) {
        const { key, settled, held: reached } = queue.take();
        const chosen = new Map(key.places.map((place, i) => [place, key.chosen[i]]));
        const now = both(reached, asIs[settled]);
        if (key.cells && !(now.some(Boolean) && !mayLead(now, now))) {
            const then = answerWith(chosen);
            if (then !== null && then !== answer) return { chosen, proven: true };
        }
        let held = reached;
        for (let at = settled; at < places.length; at += 1) {
            columns[at].takes.forEach((takes, kind) => {
                if (kind === 0) return;
                const rest = both(held, takes);
                const mustHold = both(rest, certain[at + 1]);
                if (!mayLead(both(rest, possible[at + 1]), mustHold) && !(saysOther && !mustHold.some(Boolean))) return;
                const option = columns[at].kinds[kind];
                const next = {
                    cells: key.cells + 1,
                    distance: key.distance + present(options.get(places[at])).costs[option],
                    places: [...key.places, places[at]],
                    chosen: [...key.chosen, option],
                };
                queue.put(next, { key: next, settled: at + 1, held: rest });
            });
            held = both(held, columns[at].takes[0]);
        }
        if (queue.met >= MOST_BOXES) return { chosen: null, proven: false };
    }
    return { chosen: null, proven: true };
}

/**
 * Can another class come to lead, if these rules may hold and those must?
 * @param {RuleModel} model @param {Cell} answer @returns {(possible: boolean[], certain: boolean[]) => boolean}
 */
function leading(model, answer) {
    if (answer === null) return (possible) => possible.some(Boolean);
    const classes = model.schema.target.values;
    const { costs } = model.decision;
    const weights = model.weights.slice(0, -1);
    const worth = (/** @type {number[]} */ line) =>
        costs.length ? line.map((_, called) => -sum(line.map((weight, truth) => weight * costs[truth][called]))) : line;
    const own = classes.indexOf(/** @type {string} */ (answer));
    const leads = weights.map(worth).map((line) => line.map((value) => value - line[own]));
    const rivals = classes.map((_, c) => c).filter((c) => c !== own);
    const sizes = classes.map((_, c) => 1 + sum(leads.map((line) => Math.abs(line[c]))));
    return (possible, certain) =>
        rivals.some((c) => {
            const best = sum(
                leads.map(
                    (line, rule) =>
                        (possible[rule] ? Math.max(line[c], 0) : 0) + (certain[rule] ? Math.min(line[c], 0) : 0),
                ),
            );
            return best >= -NEARLY * sizes[c];
        });
}

/**
 * The first option of each kind, and which rules it satisfies as far as this column goes.
 * @param {import("./change_in_rules.js").Needs[]} needs @param {number} place @param {number} options
 */
function kindsOf(needs, place, options) {
    const kinds = [];
    const takes = [];
    const met = new Set();
    for (let option = 0; option < options; option += 1) {
        const own = needs.map((needed) =>
            needed.every(([column, held]) => column !== place || Boolean((held >> BigInt(option)) & 1n)),
        );
        const key = own.map(Number).join("");
        if (met.has(key)) continue;
        met.add(key);
        kinds.push(option);
        takes.push(own);
    }
    return { kinds, takes };
}

/** @param {boolean[]} one @param {boolean[]} other */
function both(one, other) {
    return one.map((each, rule) => each && other[rule]);
}
