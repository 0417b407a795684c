// The tree in the page: seen through a viewport, folded and unfolded, walked by keys, with a panel for the chosen node.

import { fitsAcross, fitsInto, frameHeight, MARGIN, roomFor, viewOfWidth, wholeView } from "./fitting.js";
import { deepest, openedByRows, openedTo, openTo, shownNodes } from "./folding.js";
import { legendOf } from "./bars.js";
import { drawn, fill, make } from "./html.js";
import { EMPTY } from "./layout.js";
import { panelOf } from "./node_panel.js";
import { nodeWords } from "./node_words.js";
import { printWhole } from "./printing.js";
import { sceneOf } from "./scene.js";
import { treeHint, treeTools, walkByKey } from "./tree_tools.js";
import { viewportOf } from "./viewport.js";
import { present } from "./present.js";

const REACH = 12; // pixels around a knob that a finger may hit
const MOST_DOWN = 12; // leaves of a tree drawn from the top down, as in books

/** @param {HTMLElement} place @param {TreeStudy} study */
export function mountTree(place, study) {
    const { model, shape } = study;
    const isSmall = shape.leaves[0] <= MOST_DOWN;
    const edges = drawn("g", { role: "presentation" });
    const nodes = drawn("g", { role: "presentation" });
    const inside = drawn("g", { role: "presentation" }, edges, nodes);
    const label = `Decision tree for ${model.schema.target.name}`;
    const svg = drawn("svg", { class: "tree", role: "tree", "aria-label": label }, inside);
    const panel = make("div", { class: "panel", tabindex: "0", role: "region", "aria-label": "The chosen node" });
    const viewport = viewportOf(svg, look, () => layout);
    const scene = sceneOf(study, edges, nodes, finish);
    const fit = () => viewport.set(wholeView(layout, frame()));
    const tools = treeTools(deepest(shape), { showDepth, zoom: viewport.zoom, fit });
    let opened = openedTo(shape, Infinity);
    /** @type {[import("./folding.js").Shown, import("./layout.js").Layout, import("./layout.js").Direction, number]} */
    let [shown, layout, direction, chosen] = [{ nodes: [], parents: [] }, EMPTY, "right", 0];
    let passed = /** @type {Set<number>} */ (new Set());

    function frame() {
        return { width: svg.clientWidth, height: svg.clientHeight };
    }

    function arrange() {
        shown = shownNodes(shape, opened);
        layout = scene.arrange(shown, opened, direction);
    }

    /** From the top down where that fits, else from left to right, unfolded as far as can be read at once. */
    function begin() {
        const room = roomFor(svg.clientWidth);
        opened = openedTo(shape, Infinity);
        direction = "down";
        if (isSmall) arrange();
        if (!isSmall || !fitsAcross(layout, room)) {
            direction = "right";
            const fits = (/** @type {Set<number>} */ tried) => {
                opened = tried;
                arrange();
                return fitsInto(layout, room);
            };
            opened = openedByRows(shape, fits);
            arrange();
        }
        svg.style.height = `${frameHeight(layout, room, isSmall)}px`;
        tools.showCount(greatestDepth(), shown.nodes.length, shape.nodes.length);
        viewport.set(viewOfWidth(layout, frame(), present(scene.place(0)), direction));
        look(viewport.view);
    }

    function greatestDepth() {
        return shown.nodes.reduce((most, node) => Math.max(most, shape.depth[node]), 0);
    }

    /** @param {import("./viewport.js").View} view */
    function look(view) {
        const moved = `translate(${-view.x * view.scale} ${-view.y * view.scale})`;
        inside.setAttribute("transform", `${moved} scale(${view.scale})`);
        inside.style.setProperty("--reach", `${REACH / Math.max(view.scale, 0.5)}px`);
        const sight = { ...view, width: svg.clientWidth / view.scale, height: svg.clientHeight / view.scale };
        scene.paint(sight, around(chosen));
    }

    /**
     * A node and those that keys reach from it: they are there even out of sight, for a screen reader to find.
     * @param {number} node
     */
    function around(node) {
        const place = shown.nodes.indexOf(node);
        const above = shape.nodes[node].parent ?? 0;
        const near = shown.nodes.slice(Math.max(place - 1, 0), place + 2);
        return [node, above, ...shape.children[above], ...shape.children[node], ...near];
    }

    /**
     * Arranged anew, with a node staying where it is seen; the frame grows where it must, and never shrinks.
     * @param {number} around
     */
    function rearrange(around) {
        const before = scene.place(around);
        arrange();
        const after = scene.place(around) ?? present(scene.place(0));
        const { x, y } = viewport.view;
        svg.style.height = `${Math.max(svg.clientHeight, frameHeight(layout, roomFor(svg.clientWidth), isSmall))}px`;
        tools.showCount(null, shown.nodes.length, shape.nodes.length);
        viewport.set({ x: x + after.x - (before?.x ?? after.x), y: y + after.y - (before?.y ?? after.y) });
        look(viewport.view);
    }

    /** @param {number} node @param {boolean} open */
    function fold(node, open) {
        if (open) opened.add(node);
        else opened.delete(node);
        rearrange(node);
        focus(node);
    }

    /** @param {number} depth */
    function showDepth(depth) {
        opened = openedTo(shape, depth);
        if (!shownNodes(shape, opened).nodes.includes(chosen)) choose(0);
        rearrange(chosen);
        viewport.set(viewOfWidth(layout, frame(), present(scene.place(0)), direction, true));
        look(viewport.view);
        tools.showCount(depth, shown.nodes.length, shape.nodes.length);
    }

    /** @param {number} node */
    function choose(node) {
        const before = chosen;
        chosen = node;
        for (const each of [before, node]) mark(scene.element(each), each);
        fill(panel, ...panelOf(study, node, pointAt));
    }

    /** @param {number} node */
    function focus(node) {
        choose(node);
        bringIntoSight(node);
        look(viewport.view);
        scene.element(node)?.focus({ preventScroll: true });
    }

    /** @param {number} node */
    function pointAt(node) {
        openTo(shape, opened, node);
        rearrange(0);
        svg.scrollIntoView({ block: "nearest" });
        focus(node);
    }

    /** @param {number} node */
    function bringIntoSight(node) {
        const box = present(scene.place(node));
        const { x, y, scale } = viewport.view;
        const [width, height] = [svg.clientWidth / scale, svg.clientHeight / scale];
        const dx = Math.min(0, box.x - MARGIN - x) || Math.max(0, box.x + box.width + MARGIN - x - width);
        const dy = Math.min(0, box.y - MARGIN - y) || Math.max(0, box.y + box.height + MARGIN - y - height);
        if (dx || dy) viewport.set({ x: x + dx, y: y + dy });
    }

    /**
     * A node's element gets its role, and what can be done with it.
     * @param {Element} element @param {Element | null} edge @param {number} node
     */
    function finish(element, edge, node) {
        const siblings = node === 0 ? [0] : shape.children[present(shape.nodes[node].parent)];
        const { full } = nodeWords(study, node);
        const among = { level: shape.depth[node] + 1, posinset: siblings.indexOf(node) + 1, setsize: siblings.length };
        element.setAttribute("role", "treeitem");
        element.setAttribute("data-node", String(node));
        for (const [name, value] of Object.entries({ label: full, ...among }))
            element.setAttribute(`aria-${name}`, String(value));
        element.prepend(drawn("title", full));
        if (shape.children[node].length) element.append(handle(node));
        mark(element, node);
        edge?.classList.toggle("passed", passed.has(node));
    }

    /**
     * What changes without a new drawing: is it chosen, open, passed by the form's row?
     * @param {Element | undefined} element @param {number} node
     */
    function mark(element, node) {
        if (!element) return;
        if (shape.children[node].length) element.setAttribute("aria-expanded", String(opened.has(node)));
        element.setAttribute("aria-selected", String(node === chosen));
        element.setAttribute("tabindex", node === chosen ? "0" : "-1");
        element.classList.toggle("passed", passed.has(node));
    }

    /** The knob that folds and unfolds. @param {number} node */
    function handle(node) {
        const { x, y, width, height } = present(scene.place(node));
        const [cx, cy] = direction === "down" ? [x + width / 2, y + height + 4] : [x + width + 4, y + height / 2];
        const sign = opened.has(node) ? `M${cx - 3} ${cy}h6` : `M${cx - 3} ${cy}h6M${cx} ${cy - 3}v6`;
        const reach = drawn("circle", { class: "reach", cx, cy, r: REACH });
        const knob = drawn("circle", { class: "knob", cx, cy, r: 6.5 });
        return drawn("g", { class: "handle", "aria-hidden": "true" }, reach, knob, drawn("path", { d: sign }));
    }

    svg.addEventListener("click", (event) => {
        const node = nodeAt(event.target);
        if (node === null) return;
        if (isOnHandle(event.target)) fold(node, !opened.has(node));
        else focus(node);
    });
    svg.addEventListener("dblclick", (event) => {
        const node = nodeAt(event.target);
        if (node !== null && shape.children[node].length && !isOnHandle(event.target))
            fold(node, !opened.has(node));
    });
    svg.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const isOpen = (/** @type {number} */ node) => opened.has(node);
        const walked = { focus, fold, isOpen, shown: () => shown.nodes, zoom: viewport.zoom, fit };
        if (walkByKey(event.key, chosen, shape, walked)) event.preventDefault();
    });
    // Not on the drawing itself: one that listens to the focus becomes a stop of its own for the Tab key.
    place.addEventListener("focusin", (event) => {
        const node = nodeAt(event.target);
        if (node !== null && node !== chosen) choose(node);
    });
    study.cases.listen(({ answered }) => {
        passed = new Set([0, ...present(answered.walk).moves.map((move) => move.to)]);
        for (const element of nodes.children)
            element.classList.toggle("passed", passed.has(Number(element.getAttribute("data-node"))));
        for (const edge of edges.children)
            edge.classList.toggle("passed", passed.has(Number(edge.getAttribute("data-edge"))));
    });
    study.pointed.listen(pointAt);

    const legend = shape.numeric ? null : legendOf(model.schema.target.values, study.colours);
    const above = shape.nodes.length > 1 ? tools.element : null;
    fill(place, legend, above, make("div", { class: "tree-and-panel" }, svg, panel), tools.onPaper, treeHint(shape));
    begin();
    choose(0);
    let width = svg.clientWidth;
    new ResizeObserver(() => {
        if (svg.clientWidth === width) return;
        width = svg.clientWidth;
        begin();
    }).observe(svg);
    printWhole(svg, inside, () => layout, (sight) => scene.paint(sight, []), () => look(viewport.view));
}

/** @param {EventTarget | null} target */
function nodeAt(target) {
    const element = target instanceof Element ? target.closest("[data-node]") : null;
    return element === null ? null : Number(element.getAttribute("data-node"));
}

/** @param {EventTarget | null} target */
function isOnHandle(target) {
    return target instanceof Element && target.closest(".handle") !== null;
}
