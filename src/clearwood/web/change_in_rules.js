// The smallest change in a list of rules whose first that holds answers, exactly.
//
// Each rule with another answer, and the default rule where its answer is another, starts a box: the rows that satisfy
// the rule. If an earlier rule takes the cheapest row of the cheapest box, every row that would do breaks one of that
// rule's conditions: its first, or its second though not its first, and so on, one box for each.

import { leads, sum } from "./answers.js";
import { cheapestFirst, cheapestIn, keyOf, narrowed } from "./boxes.js";
import { present } from "./present.js";

/**
 * @typedef {import("./boxes.js").Box} Box
 * @typedef {import("./boxes.js").Key} Key
 * @typedef {[number, bigint][]} Needs  places of columns, and the options that satisfy what a rule asks of them
 */

/**
 * @param {RuleModel} model @param {Options} options @param {Cell} answer
 * @returns {{chosen: Map<number, number> | null, proven: boolean}}
 */
export function changeInRules(model, options, answer) {
    const needs = needsOf(model, options);
    const isWanted = [...model.rules, model.otherwise].map(({ then }) => then !== null && then !== answer);
    /** @param {Box} box @returns {[Key, Box]} */
    const keyed = (box) => [keyOf(options, box), box];
    const boxes = isWanted.map((right, place) => (right ? new Map(needs[place] ?? []) : null)).filter((box) => box !== null);
    const starts = boxes.filter((box) => [...box.values()].every(Boolean)).map(keyed);
    return cheapestFirst(starts, (box, put) => {
        const chosen = cheapestIn(box);
        const taker = takerOf(needs, chosen);
        if (isWanted[taker]) return chosen;
        if (taker < needs.length) for (const part of breaking(box, needs[taker], options)) put(...keyed(part));
        return null;
    });
}

/**
 * [rule] for each column it asks about, in the order it does, its place and the options that satisfy all it asks.
 * @param {RuleModel} model @param {Options} options @returns {Needs[]}
 */
function needsOf(model, options) {
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

// The smallest change in a list of rules that vote, exactly: columns change in schema order, cheapest first.
//
// A state has settled its first columns; the others are as they are, and may yet change. Options of a column that
// satisfy the same rules are one, the cheapest. A state is dropped when no other class can come to lead: at best every
// rule that speaks for it and can still hold does so, and of the others only those that must.

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
    /** @type {Key} */
    const nothing = { cells: 0, distance: 0, places: [], chosen: [] };
    return cheapestFirst([[nothing, { key: nothing, settled: 0, held: every }]], ({ key, settled, held: reached }, put) => {
        const chosen = new Map(key.places.map((place, i) => [place, key.chosen[i]]));
        const now = both(reached, asIs[settled]);
        if (key.cells && !(now.some(Boolean) && !mayLead(now, now))) {
            const then = answerWith(chosen);
            if (then !== null && then !== answer) return chosen;
        }
        let held = reached;
        for (let at = settled; at < places.length; at += 1) {
            columns[at].takes.forEach((takes, kind) => {
                if (kind === 0) return;
                const rest = both(held, takes);
                const mustHold = both(rest, certain[at + 1]);
                if (!mayLead(both(rest, possible[at + 1]), mustHold) && !(saysOther && !mustHold.some(Boolean))) return;
                const option = columns[at].kinds[kind];
                const distance = key.distance + present(options.get(places[at])).costs[option];
                const [on, chosen] = [[...key.places, places[at]], [...key.chosen, option]];
                const next = { cells: key.cells + 1, distance, places: on, chosen };
                put(next, { key: next, settled: at + 1, held: rest });
            });
            held = both(held, columns[at].takes[0]);
        }
        return null;
    });
}

/**
 * Can another class come to lead, if these rules may hold and those must?
 * @param {RuleModel} model @param {Cell} answer @returns {(possible: boolean[], certain: boolean[]) => boolean}
 */
function leading(model, answer) {
    if (answer === null) return (possible) => possible.some(Boolean);
    const classes = model.schema.target.values;
    const own = classes.indexOf(/** @type {string} */ (answer));
    const ahead = model.weights.slice(0, -1).map((line) => leads(line, model.decision, own));
    const rivals = classes.map((_, c) => c).filter((c) => c !== own);
    const sizes = classes.map((_, c) => 1 + sum(ahead.map((line) => Math.abs(line[c]))));
    return (possible, certain) =>
        rivals.some((c) => {
            const best = ahead.map((line, rule) =>
                (possible[rule] ? Math.max(line[c], 0) : 0) + (certain[rule] ? Math.min(line[c], 0) : 0));
            return sum(best) >= -NEARLY * sizes[c];
        });
}

/**
 * The first option of each kind, and which rules it satisfies as far as this column goes.
 * @param {Needs[]} needs @param {number} place @param {number} options
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
