// The tree in the page: seen through a viewport, folded and unfolded, walked by keys, with a panel for the chosen node.

import { rowsText } from "./amounts.js";
import { deepest, openedByRows, openedTo, openTo, shownNodes } from "./folding.js";
import { drawn, fill, make } from "./html.js";
import { legendOf } from "./legend.js";
import { panelOf } from "./node_panel.js";
import { nodeWords } from "./node_words.js";
import { sceneOf } from "./scene.js";
import { walkByKey } from "./tree_keys.js";
import { viewportOf } from "./viewport.js";

const MARGIN = 20;
const MOST_DOWN = 12; // leaves of a tree drawn from the top down, as in books
const SMALLEST_AT_FIRST = 0.75;

/** @param {HTMLElement} place @param {import("./main.js").Study} study */
export function mountTree(place, study) {
  const { model, shape } = study;
  const edges = drawn("g", { role: "presentation" });
  const nodes = drawn("g", { role: "presentation" });
  const inside = drawn("g", { role: "presentation" }, edges, nodes);
  const svg = drawn("svg", { class: "tree", role: "tree", "aria-label": `Decision tree for ${model.schema.target.name}` }, inside);
  const slider = make("input", { type: "range", id: "tree-depth", min: 1, max: Math.max(deepest(shape), 1), step: 1, input: () => showDepth() });
  const count = make("output", { for: "tree-depth" });
  const panel = make("aside", { class: "panel", "aria-label": "The chosen node" });
  const viewport = viewportOf(svg, look);
  const scene = sceneOf(study, edges, nodes, finish);
  let opened = openedTo(shape, Infinity);
  let [shown, layout, direction, chosen] = [null, null, "right", 0];
  let passed = new Map();

  function arrange() {
    shown = shownNodes(shape, opened);
    layout = scene.arrange(shown, opened, direction);
    const [few, all] = [shown.nodes.length, shape.nodes.length];
    count.value = few === all ? "" : `${rowsText(few)} of ${rowsText(all)} nodes shown`;
  }

  /** From the top down where that fits, else from left to right, unfolded as far as can be read at once. */
  function begin() {
    const room = { width: svg.clientWidth - 2 * MARGIN, height: Math.max(0.75 * window.innerHeight, 320) - 2 * MARGIN };
    opened = openedTo(shape, Infinity);
    direction = "down";
    if (shape.leaves[0] <= MOST_DOWN) arrange();
    if (shape.leaves[0] > MOST_DOWN || layout.width > room.width) {
      direction = "right";
      const fits = (tried) => {
        opened = tried;
        arrange();
        return layout.width * SMALLEST_AT_FIRST <= room.width && layout.height * SMALLEST_AT_FIRST <= room.height;
      };
      opened = openedByRows(shape, fits);
      arrange();
    }
    const high = shape.leaves[0] > MOST_DOWN ? room.height : Math.min(layout.height, 2 * room.height);
    svg.style.height = `${high + 2 * MARGIN}px`;
    slider.value = String(shown.nodes.reduce((most, node) => Math.max(most, shape.depth[node]), 0));
    fit(SMALLEST_AT_FIRST);
    look(viewport.view);
  }

  function look(view) {
    inside.setAttribute("transform", `translate(${-view.x * view.scale} ${-view.y * view.scale}) scale(${view.scale})`);
    const sight = { ...view, width: svg.clientWidth / view.scale, height: svg.clientHeight / view.scale };
    scene.paint(sight, [chosen]);
  }

  /** The whole width if it can be read so; the root in sight in any case. */
  function fit(smallest) {
    const whole = Math.min((svg.clientWidth - 2 * MARGIN) / layout.width, (svg.clientHeight - 2 * MARGIN) / layout.height);
    const wide = (svg.clientWidth - 2 * MARGIN) / layout.width;
    const scale = Math.min(1, smallest === 0 ? whole : Math.max(wide, smallest));
    const [width, height] = [svg.clientWidth / scale, svg.clientHeight / scale];
    const root = scene.place(0);
    const x = layout.width + 2 * MARGIN <= width || direction === "down" ? (layout.width - width) / 2 : -MARGIN / scale;
    const middle = root.y + root.height / 2 - height / 2;
    const y = layout.height <= height ? (layout.height - height) / 2 : direction === "down" ? -MARGIN : middle;
    viewport.set({ x, y, scale });
  }

  /** Arranged anew, with a node staying where it is seen. */
  function rearrange(around) {
    const before = scene.place(around);
    arrange();
    const after = scene.place(around) ?? scene.place(0);
    const { x, y } = viewport.view;
    viewport.set({ x: x + after.x - (before?.x ?? after.x), y: y + after.y - (before?.y ?? after.y) });
    look(viewport.view);
  }

  function fold(node, open) {
    if (open) opened.add(node);
    else opened.delete(node);
    rearrange(node);
    focus(node);
  }

  function showDepth(depth = Number(slider.value)) {
    slider.value = String(depth);
    opened = openedTo(shape, depth);
    if (!shownNodes(shape, opened).nodes.includes(chosen)) chosen = 0;
    rearrange(chosen);
  }

  function choose(node) {
    const before = chosen;
    chosen = node;
    for (const each of [before, node]) mark(scene.element(each), each);
    fill(panel, ...panelOf(study, node, pointAt));
  }

  function focus(node) {
    choose(node);
    bringIntoSight(node);
    look(viewport.view);
    scene.element(node)?.focus({ preventScroll: true });
  }

  function pointAt(node) {
    openTo(shape, opened, node);
    rearrange(0);
    svg.scrollIntoView({ block: "nearest" });
    focus(node);
  }

  function bringIntoSight(node) {
    const box = scene.place(node);
    const { x, y, scale } = viewport.view;
    const [width, height] = [svg.clientWidth / scale, svg.clientHeight / scale];
    const dx = Math.min(0, box.x - MARGIN - x) || Math.max(0, box.x + box.width + MARGIN - x - width);
    const dy = Math.min(0, box.y - MARGIN - y) || Math.max(0, box.y + box.height + MARGIN - y - height);
    if (dx || dy) viewport.set({ x: x + dx, y: y + dy });
  }

  /** A node's element gets its role, and what it does. */
  function finish(element, node) {
    const siblings = node === 0 ? [0] : shape.children[shape.nodes[node].parent];
    const told = {
      role: "treeitem",
      "data-node": node,
      "aria-label": nodeWords(study, node).full,
      "aria-level": shape.depth[node] + 1,
      "aria-posinset": siblings.indexOf(node) + 1,
      "aria-setsize": siblings.length,
    };
    for (const [name, value] of Object.entries(told)) element.setAttribute(name, value);
    element.prepend(drawn("title", {}, nodeWords(study, node).full));
    if (shape.children[node].length) element.append(handle(node));
    mark(element, node);
    const edge = edges.querySelector(`[data-edge="${node}"]`);
    edge?.classList.toggle("passed", passed.has(node));
  }

  /** What changes without a new drawing: is it chosen, open, passed by the form's row? */
  function mark(element, node) {
    if (!element) return;
    if (shape.children[node].length) element.setAttribute("aria-expanded", String(opened.has(node)));
    element.setAttribute("aria-selected", String(node === chosen));
    element.setAttribute("tabindex", node === chosen ? "0" : "-1");
    element.classList.toggle("passed", passed.has(node));
  }

  function handle(node) {
    const { x, y, width, height } = scene.place(node);
    const [cx, cy] = direction === "down" ? [x + width / 2, y + height + 4] : [x + width + 4, y + height / 2];
    const sign = opened.has(node) ? `M${cx - 3} ${cy}h6` : `M${cx - 3} ${cy}h6M${cx} ${cy - 3}v6`;
    return drawn("g", { class: "handle", "aria-hidden": "true" }, drawn("circle", { cx, cy, r: 6.5 }), drawn("path", { d: sign }));
  }

  svg.addEventListener("click", (event) => {
    const node = nodeAt(event.target);
    if (node === null) return;
    if (event.target.closest(".handle")) fold(node, !opened.has(node));
    else focus(node);
  });
  svg.addEventListener("dblclick", (event) => {
    const node = nodeAt(event.target);
    if (node !== null && shape.children[node].length && !event.target.closest(".handle")) fold(node, !opened.has(node));
  });
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const walked = { focus, fold, isOpen: (node) => opened.has(node), shown: () => shown.nodes, zoom: viewport.zoom, fit: () => fit(0) };
    if (walkByKey(event.key, chosen, shape, walked)) event.preventDefault();
  });
  svg.addEventListener("focusin", (event) => {
    const node = nodeAt(event.target);
    if (node !== null && node !== chosen) choose(node);
  });
  study.cases.listen(({ answered }) => {
    passed = new Map([[0, 1], ...answered.walk.moves.map((move) => [move.to, move.weight])]);
    for (const element of nodes.children) element.classList.toggle("passed", passed.has(Number(element.dataset.node)));
    for (const edge of edges.children) edge.classList.toggle("passed", passed.has(Number(edge.dataset.edge)));
  });
  study.pointed.listen(pointAt);

  const button = (text, click, label) => make("button", { type: "button", click, "aria-label": label }, text);
  const tools = make(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "The tree's view" },
    make("label", { for: "tree-depth" }, "Depth"),
    slider,
    count,
    button("Unfold all", () => showDepth(deepest(shape))),
    make("span", { class: "group" }, button("−", () => viewport.zoom(0.8), "Zoom out"), button("+", () => viewport.zoom(1.25), "Zoom in"), button("Fit", () => fit(0))),
  );
  const starred = shape.nodes.some((node) => node.otherwise !== undefined) ? " Rows whose cell no branch takes follow the branch marked *." : "";
  const hint = make("p", { class: "hint" }, `Drag to move. Pinch, or Ctrl and the wheel, to zoom. Arrow keys walk the tree, Enter folds and unfolds.${starred}`);
  const legend = shape.numeric ? null : legendOf(model.schema.target.values, study.colours);
  fill(place, legend, shape.nodes.length > 1 ? tools : null, make("div", { class: "tree-and-panel" }, svg, panel), hint);
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

/** On paper the drawing is as it is unfolded, all of it. */
function printWhole(svg, inside, layout, paint, after) {
  window.addEventListener("beforeprint", () => {
    const { width, height } = layout();
    svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`);
    svg.style.maxWidth = `${width + 2 * MARGIN}px`;
    inside.removeAttribute("transform");
    paint({ x: 0, y: 0, width, height, scale: 1 });
  });
  window.addEventListener("afterprint", () => {
    svg.removeAttribute("viewBox");
    svg.style.maxWidth = "";
    after();
  });
}

function nodeAt(target) {
  const element = target.closest("[data-node]");
  return element === null ? null : Number(element.dataset.node);
}
