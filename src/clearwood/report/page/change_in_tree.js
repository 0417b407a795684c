// The smallest change in a tree, exactly: the row goes down with all its options, cheapest box first.
//
// At a split a box is parted by the branches: each takes the options of the split's column that satisfy its condition
// and no earlier one's. Options that no branch takes ask the surrogates in order, which part the box by their own
// columns; what is left follows `otherwise`, or goes down every branch with its share. So a box has pending nodes, and
// the leaves that it came to. A box that cannot lead to a wanted class is dropped: each node knows, from the leaves
// below, by how much each class can at best lie ahead.

import { cheapest, sum } from "./answers.js";
import { cheapestIn, keyOf, MOST_BOXES, narrowed, Queue } from "./boxes.js";
import { nodeShares, surrogateSides } from "./tree.js";

const NEARLY = 1e-9; // a bound is a sum in another order than the answer's

/**
 * The cheapest options that change the answer. @param {import("./tree.js").Shape} shape
 * @param {import("./boxes.js").Options} options @param {(chosen: Map<number, number>) => import("./conditions.js").Cell} answerWith
 * @returns {{chosen: Map<number, number> | null, proven: boolean}}
 */
export function changeInTree(model, shape, options, answer, answerWith) {
    const classes = model.schema.target.values;
    const shares = shape.nodes.map((_, node) => nodeShares(shape, node, model.decision));
    const answers = shares.map((each) => classes[cheapest(each, model.decision)]);
    const lead = leadsOver(model, shape, shares, classes.indexOf(answer));
    const ways = waysOver(model, shape, options);
    const queue = new Queue();
    const put = (box, known) => queue.put(keyOf(options, box), { box, ...known });
    put(new Map(), { pending: [[0, 1]], leaves: [], bound: lead[0] });
    while (!queue.isEmpty && queue.met < MOST_BOXES) {
        const { box, pending, leaves, bound } = queue.take();
        if (!pending.length) {
            const chosen = cheapestIn(box);
            if ((leaves.length === 1 ? answers[leaves[0]] : answerWith(chosen)) !== answer)
                return { chosen, proven: true };
            continue;
        }
        const [[node, share], ...rest] = pending;
        if (!shape.children[node].length) {
            put(box, { pending: rest, leaves: [...leaves, node], bound });
            continue;
        }
        for (const { part, onward } of ways(node, box)) {
            const ahead = bound.map((each, c) => each - share * lead[node][c]);
            for (const [child, ofIt] of onward) ahead.forEach((_, c) => (ahead[c] += share * ofIt * lead[child][c]));
            if (!ahead.some((each, c) => classes[c] !== answer && each >= -NEARLY)) continue;
            put(part, {
                pending: [...onward.map(([child, ofIt]) => [child, share * ofIt]), ...rest],
                leaves,
                bound: ahead,
            });
        }
    }
    return { chosen: null, proven: queue.isEmpty };
}

/** The parts of a box at a node, each with the nodes it comes to and their shares. */
function waysOver(model, shape, options) {
    const places = new Map(model.schema.columns.map((column, place) => [column.name, place]));
    const known = new Map();
    const taking = (condition) => {
        if (!known.has(condition)) known.set(condition, options.get(places.get(condition.column)).taking(condition));
        return known.get(condition);
    };
    const sides = shape.nodes.map((node) =>
        (node.surrogates ?? []).map((each) => ({ then: each.then, conditions: surrogateSides(each) })),
    );

    /** What each of some conditions takes of a column in turn, and the box of what is left; null if nothing is. */
    function parted(box, column, conditions, children, found) {
        const place = places.get(column);
        let left = box.get(place) ?? options.get(place).all;
        conditions.forEach((condition, i) => {
            const taken = left & taking(condition);
            if (!taken) return;
            found.push({ part: narrowed(box, place, taken), onward: [[children[i], 1]] });
            left &= ~taken;
        });
        return left ? narrowed(box, place, left) : null;
    }

    return (node, box) => {
        const children = shape.children[node];
        const found = [];
        let left = parted(
            box,
            shape.nodes[children[0]].when.column,
            children.map((child) => shape.nodes[child].when),
            children,
            found,
        );
        for (const { then, conditions } of sides[node]) {
            if (left === null) return found;
            left = parted(left, conditions[0].column, conditions, [children[then], children[1 - then]], found);
        }
        if (left === null) return found;
        const { otherwise } = shape.nodes[node];
        const all = children.map((child) => [child, shape.nodes[child].share]).filter(([, share]) => share > 0);
        found.push({ part: left, onward: otherwise === undefined ? all : [[children[otherwise], 1]] });
        return found;
    };
}

/** [node][class] how far each class is at best ahead of the answer in a leaf below, by share or by less cost. */
function leadsOver(model, shape, shares, answer) {
    const { costs } = model.decision;
    const worth = (each) =>
        costs.length ? each.map((_, called) => -sum(each.map((share, truth) => share * costs[truth][called]))) : each;
    const lead = shares.map((each, node) => {
        if (shape.children[node].length) return each.map(() => -Infinity);
        const own = worth(each);
        return own.map((value) => value - own[answer]);
    });
    for (let node = shape.nodes.length - 1; node > 0; node -= 1) {
        const above = lead[shape.nodes[node].parent];
        lead[node].forEach((value, c) => (above[c] = Math.max(above[c], value)));
    }
    return lead;
}
