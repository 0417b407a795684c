// Where the parts of a tree stand: numbers in, numbers out, nothing drawn; the places of Python's draw/layout.py.
//
// Glossary. A node takes a block: its box, and before the box the label of the branch that leads into it. Along is
// the way from the root to the leaves, across the way from the first sibling to the last: down and right for a tree
// that grows "down", right and down for one that grows "right". Nodes are numbered in preorder.

import { greatest, least, sum } from "./answers.js";
import { present } from "./present.js";

/**
 * @typedef {"down" | "right"} Direction
 * @typedef {{width: number, height: number, labelWidth: number, labelHeight: number}} Block
 * @typedef {{x: number, y: number, width: number, height: number}} Place
 * @typedef {{boxes: Place[], labels: Place[], bends: [number, number][], width: number, height: number}} Layout
 *   `bends`: by node the stretch along in which the edge into it may bend and meet no box or label
 * @typedef {{before: number[], after: number[]}} Outline
 * @typedef {{across: number, along: number, label: number}} Gaps
 *   between siblings, for the edges between two levels, between a label and its box
 */

/** Of nothing. @type {Layout} */
export const EMPTY = { boxes: [], labels: [], bends: [], width: 0, height: 0 };

/** @param {number[]} parents @param {Block[]} blocks @param {Direction} direction @param {Gaps} gaps @returns {Layout} */
export function layOut(parents, blocks, direction, gaps) {
    return (direction === "down" ? laidDown : laidRight)(parents, blocks, gaps);
}

/** @param {number[]} parents @param {Block[]} blocks @param {Gaps} gaps @returns {Layout} */
function laidDown(parents, blocks, gaps) {
    const extents = blocks.map((block) => Math.max(block.width, block.labelWidth));
    const centres = nested(parents, extents, gaps.across);
    const levels = /** @type {number[]} */ ([]);
    for (const parent of parents) levels.push(parent < 0 ? 0 : levels[parent] + 1);
    const { labelLane, boxLane, end } = lanes(levels, blocks, gaps);
    const boxes = blocks.map(({ width, height }, node) => {
        return { x: centres[node] - width / 2, y: boxLane[levels[node]], width, height };
    });
    const labels = blocks.map(({ labelWidth: width, labelHeight: height }, node) => {
        return { x: centres[node] - width / 2, y: boxes[node].y - (height ? gaps.label : 0) - height, width, height };
    });
    /** @type {[number, number][]} */
    const bends = levels.map((level) => [labelLane[level] - gaps.along, labelLane[level]]);
    return { boxes, labels, bends, width: farthest(centres, extents), height: end };
}

/** @param {number[]} parents @param {Block[]} blocks @param {Gaps} gaps @returns {Layout} */
function laidRight(parents, blocks, gaps) {
    const extents = blocks.map((block) => Math.max(block.height, block.labelHeight));
    const centres = banded(parents, extents, gaps.across);
    const lane = parents.map(() => 0); // by parent, the widest label among its children
    parents.forEach((parent, node) => parent >= 0 && (lane[parent] = Math.max(lane[parent], blocks[node].labelWidth)));
    /** @type {[Place[], Place[], [number, number][]]} */
    const [boxes, labels, bends] = [[], [], []];
    blocks.forEach(({ width, height, labelWidth, labelHeight }, node) => {
        const above = boxes[parents[node]];
        const left = above ? above.x + above.width + gaps.along : 0;
        const wide = above ? lane[parents[node]] : labelWidth;
        labels.push({ x: left, y: centres[node] - labelHeight / 2, width: labelWidth, height: labelHeight });
        boxes.push({ x: left + wide + (wide ? gaps.label : 0), y: centres[node] - height / 2, width, height });
        bends.push([left - gaps.along, left]);
    });
    const width = greatest(boxes.map((box) => box.x + box.width));
    return { boxes, labels, bends, width, height: farthest(centres, extents) };
}

/** @param {number[]} centres @param {number[]} extents */
function farthest(centres, extents) {
    return greatest(centres.map((centre, node) => centre + extents[node] / 2));
}

/** @param {number[]} parents @returns {number[][]} */
function childrenOf(parents) {
    /** @type {number[][]} */
    const children = parents.map(() => []);
    parents.forEach((parent, node) => parent >= 0 && children[parent].push(node));
    return children;
}

/**
 * By level, where its labels and its boxes begin; and where the last level ends.
 * @param {number[]} levels @param {Block[]} blocks @param {Gaps} gaps
 */
function lanes(levels, blocks, gaps) {
    const longestLabel = /** @type {number[]} */ ([]);
    const longestBox = /** @type {number[]} */ ([]);
    levels.forEach((level, node) => {
        longestLabel[level] = Math.max(longestLabel[level] ?? 0, blocks[node].labelHeight);
        longestBox[level] = Math.max(longestBox[level] ?? 0, blocks[node].height);
    });
    const labelLane = /** @type {number[]} */ ([]);
    const boxLane = /** @type {number[]} */ ([]);
    let at = 0;
    longestLabel.forEach((label, level) => {
        labelLane.push(at);
        at += label + (label ? gaps.label : 0);
        boxLane.push(at);
        at += longestBox[level] + gaps.along;
    });
    return { labelLane, boxLane, end: at - gaps.along };
}

/**
 * Centres across, each subtree in a band of its own.
 * @param {number[]} parents @param {number[]} extents @param {number} gap
 */
function banded(parents, extents, gap) {
    const children = childrenOf(parents);
    const bands = [...extents];
    const inner = parents.map(() => 0); // what the children's bands take together
    for (let node = parents.length - 1; node >= 0; node -= 1) {
        const below = children[node];
        if (!below.length) continue;
        inner[node] = sum(below.map((child) => bands[child])) + gap * (below.length - 1);
        bands[node] = Math.max(bands[node], inner[node]);
    }
    const starts = parents.map(() => 0);
    children.forEach((below, node) => {
        let at = starts[node] + (bands[node] - inner[node]) / 2;
        for (const child of below) {
            starts[child] = at;
            at += bands[child] + gap;
        }
    });
    const centres = starts.map((start, node) => start + bands[node] / 2);
    for (let node = parents.length - 1; node >= 0; node -= 1) {
        const below = children[node];
        if (!below.length) continue;
        const middle = (centres[below[0]] + centres[below[below.length - 1]]) / 2;
        const room = (bands[node] - extents[node]) / 2;
        const own = starts[node] + bands[node] / 2;
        centres[node] = Math.min(Math.max(middle, own - room), own + room);
    }
    return centres;
}

/**
 * Centres across, siblings as near as their outlines allow, pushed to neither side.
 * @param {number[]} parents @param {number[]} extents @param {number} gap
 */
function nested(parents, extents, gap) {
    const children = childrenOf(parents);
    const shift = parents.map(() => 0); // from the parent's centre
    // A subtree's outline: by level below its root, how far it reaches before and after its root's centre.
    /** @type {(Outline | null)[]} */
    const outlines = parents.map(() => null);
    for (let node = parents.length - 1; node >= 0; node -= 1) {
        const half = extents[node] / 2;
        const below = children[node];
        if (!below.length) {
            outlines[node] = { before: [-half], after: [half] };
            continue;
        }
        const kept = below.map((child) => present(outlines[child]));
        const first = pushed(kept, gap);
        const mirrored = pushed(kept.map(turned).reverse(), gap).reverse();
        const last = mirrored.map((x) => first[first.length - 1] - x);
        const places = first.map((place, i) => (place + last[i]) / 2);
        const middle = (places[0] + places[places.length - 1]) / 2;
        below.forEach((child, i) => (shift[child] = places[i] - middle));
        outlines[node] = around(half, kept, below.map((child) => shift[child]));
        for (const child of below) outlines[child] = null;
    }
    const centres = /** @type {number[]} */ ([]);
    parents.forEach((parent, node) => {
        centres.push(parent < 0 ? -least(present(outlines[0]).before) : centres[parent] + shift[node]);
    });
    return centres;
}

/**
 * Where each outline's root stands if each is pushed as far towards the first as it goes.
 * @param {Outline[]} outlines @param {number} gap
 */
function pushed(outlines, gap) {
    const places = [0];
    const reach = [...outlines[0].after];
    for (const { before, after } of outlines.slice(1)) {
        const shared = Math.min(reach.length, before.length);
        const place = greatest(reach.slice(0, shared).map((a, level) => a - before[level])) + gap;
        places.push(place);
        after.forEach((x, level) => (reach[level] = place + x));
    }
    return places;
}

/** @param {Outline} outline @returns {Outline} */
function turned({ before, after }) {
    return { before: after.map((x) => -x), after: before.map((x) => -x) };
}

/**
 * The outline of a parent over its children's.
 * @param {number} half @param {Outline[]} outlines @param {number[]} shifts @returns {Outline}
 */
function around(half, outlines, shifts) {
    const before = /** @type {number[]} */ ([]);
    const after = /** @type {number[]} */ ([]);
    outlines.forEach((outline, i) => {
        outline.after.forEach((x, level) => (after[level] = shifts[i] + x));
        for (const x of outline.before.slice(before.length)) before.push(shifts[i] + x);
    });
    return { before: [-half, ...before], after: [half, ...after] };
}
