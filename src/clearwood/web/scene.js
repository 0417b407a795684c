// The scene: the nodes and edges of a tree as elements, only those in sight of the viewport.

import { barMarks, cardMarks, cardOf, farMarks, labelMarks } from "./cards.js";
import { drawn, fill } from "./html.js";
import { EMPTY, layOut } from "./layout.js";
import { branchWords, nodeWords } from "./node_words.js";
import { present } from "./present.js";

const GAPS = { down: { across: 18, along: 30, label: 3 }, right: { across: 5, along: 34, label: 10 } };
const THICKEST = 5;
const FAR = 0.4; // the scale below which no letter is drawn
const BEYOND = 200; // how far around the viewport elements are kept ready

/**
 * @typedef {import("./viewport.js").View & {width: number, height: number}} Sight
 * @typedef {{arrange: (shown: import("./folding.js").Shown, opened: Set<number>, direction: import("./layout.js").Direction) => import("./layout.js").Layout,
 *   paint: (sight: Sight, always: number[]) => void,
 *   element: (node: number) => SVGElement | undefined, place: (node: number) => import("./layout.js").Place | undefined}} Scene
 */

/**
 * @param {TreeStudy} study @param {SVGGElement} edges @param {SVGGElement} nodes
 * @param {(element: Element, edge: Element | null, node: number) => void} finish gives a node and the edge into it
 *   their roles and states
 * @returns {Scene}
 */
export function sceneOf(study, edges, nodes, finish) {
    const cards = new Map();
    const seen = new Map(); // by node: its elements
    /** @type {[import("./folding.js").Shown, import("./layout.js").Layout, import("./layout.js").Direction, Map<number, any>, boolean]} */
    let [shown, layout, direction, places, far] = [{ nodes: [], parents: [] }, EMPTY, "down", new Map(), false];

    /** @param {number} node @param {boolean} folded @returns {import("./cards.js").Card} */
    function cardAt(node, folded) {
        const key = `${direction} ${node} ${folded}`;
        if (!cards.has(key)) {
            const branch = node === 0 ? null : branchWords(study, node);
            cards.set(key, cardOf(nodeWords(study, node), branch, direction, folded ? study.shape.leaves[node] : 0));
        }
        return cards.get(key);
    }

    /** @param {import("./folding.js").Shown} nextShown @param {Set<number>} opened @param {Direction} nextDirection */
    function arrange(nextShown, opened, nextDirection) {
        [shown, direction] = [nextShown, nextDirection];
        const own = shown.nodes.map((node) => cardAt(node, study.shape.children[node].length > 0 && !opened.has(node)));
        layout = layOut(shown.parents, own.map((card) => card.block), direction, GAPS[direction]);
        places = new Map(shown.nodes.map((node, place) => [node, { place, card: own[place] }]));
        clear();
        return layout;
    }

    function clear() {
        seen.clear();
        fill(edges);
        fill(nodes);
    }

    /** @param {Sight} sight @param {number[]} always */
    function paint(sight, always) {
        if (far !== sight.scale < FAR) clear();
        far = sight.scale < FAR;
        edges.classList.toggle("far", far);
        const visible = new Set(shown.nodes.filter((_, place) => inSight(place, sight)));
        for (const node of always) if (places.has(node)) visible.add(node);
        for (const [node, elements] of seen) {
            if (visible.has(node)) continue;
            for (const element of elements) element.remove();
            seen.delete(node);
        }
        // Elements stand in the order of the tree, as a screen reader reads them.
        let next = nodes.firstElementChild;
        for (const node of [...visible].sort((one, other) => one - other)) {
            if (seen.has(node)) next = present(next).nextElementSibling;
            else add(node, next);
        }
    }

    /** Is the node, or the edge into it, near enough to the viewport? @param {number} place @param {Sight} sight */
    function inSight(place, sight) {
        const [box, label] = [layout.boxes[place], layout.labels[place]];
        const above = layout.boxes[shown.parents[place]] ?? box;
        const left = Math.min(box.x, label.x, above.x);
        const right = Math.max(box.x + box.width, label.x + label.width, above.x + above.width);
        const top = Math.min(box.y, label.y, above.y);
        const bottom = Math.max(box.y + box.height, label.y + label.height, above.y + above.height);
        const across = right > sight.x - BEYOND && left < sight.x + sight.width + BEYOND;
        return across && bottom > sight.y - BEYOND && top < sight.y + sight.height + BEYOND;
    }

    /** @param {number} node @param {Element | null} next */
    function add(node, next) {
        const { place, card } = places.get(node);
        /** @type {import("./cards.js").Bar} */
        const bar = (...where) => barMarks(study, node, ...where);
        const [box, label] = [layout.boxes[place], layout.labels[place]];
        const near = () => [...labelMarks(card, label, direction), ...cardMarks(card, box, direction, bar)];
        const marks = far ? farMarks(box, bar) : near();
        const element = drawn("g", { class: "node" }, ...marks);
        const edge = shown.parents[place] < 0 ? null : edgeOf(place, card);
        finish(element, edge, node);
        nodes.insertBefore(element, next);
        if (edge) edges.append(edge);
        seen.set(node, edge ? [element, edge] : [element]);
    }

    /** @param {number} place @param {import("./cards.js").Card} card */
    function edgeOf(place, { branch }) {
        const share = study.shape.weight[shown.nodes[place]] / (study.shape.weight[0] || 1);
        const above = layout.boxes[shown.parents[place]];
        const box = layout.boxes[place];
        const label = layout.labels[place];
        const [first, last] = layout.bends[place];
        const name = branch?.onlyMissing ? "edge missing" : "edge";
        const width = (1 + (THICKEST - 1) * share).toFixed(1);
        // From afar no label is drawn, and the edge goes on to its node.
        const end = far ? box : label;
        const way = direction === "down" ? downWay(above, end, first, last) : rightWay(above, box, end, first, last);
        return drawn("path", { class: name, "data-edge": shown.nodes[place], "stroke-width": far ? 1 : width, d: way });
    }

    return {
        arrange,
        paint,
        element: (node) => seen.get(node)?.[0],
        place: (node) => (places.has(node) ? layout.boxes[places.get(node).place] : undefined),
    };
}

/** @param {Place} above @param {Place} label @param {number} first @param {number} last */
function downWay(above, label, first, last) {
    const [x, y] = [above.x + above.width / 2, above.y + above.height];
    const to = label.x + label.width / 2;
    const middle = (first + last) / 2;
    return `M${x} ${y}V${first}C${x} ${middle} ${to} ${middle} ${to} ${last}V${label.y}`;
}

/** @param {Place} above @param {Place} box @param {Place} label @param {number} first @param {number} last */
function rightWay(above, box, label, first, last) {
    const [x, y] = [above.x + above.width, above.y + above.height / 2];
    const to = label.y + label.height / 2;
    const middle = (first + last) / 2;
    const onward = box.x - 4 - (label.x + label.width) >= 4 ? `M${label.x + label.width} ${to}H${box.x - 4}` : "";
    return `M${x} ${y}H${first}C${middle} ${y} ${middle} ${to} ${last} ${to}H${label.x}${onward}`;
}
