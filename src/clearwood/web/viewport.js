// The viewport: what part of a drawing is seen, moved by dragging, zoomed by wheel, pinch, buttons and keys.

const [SMALLEST, LARGEST] = [0.05, 3];

/**
 * @typedef {{x: number, y: number, scale: number}} View  the drawing's point at the left upper corner, and its scale
 * @typedef {{view: View, zoom: (factor: number, at?: {x: number, y: number}) => void, move: (dx: number, dy: number) => void,
 *   set: (view: Partial<View>) => void}} Viewport
 */

/**
 * @param {SVGSVGElement} svg @param {(view: View) => void} changed
 * @param {() => {width: number, height: number}} drawing what is seen: the middle of the viewport stays inside it
 * @returns {Viewport}
 */
export function viewportOf(svg, changed, drawing) {
    const view = { x: 0, y: 0, scale: 1 };
    const pointers = new Map();
    let due = false;

    function notify() {
        if (due) return;
        due = true;
        requestAnimationFrame(() => {
            due = false;
            changed(view);
        });
    }

    /** @param {Partial<View>} next */
    function set(next) {
        Object.assign(view, next);
        const { width, height } = drawing();
        view.x = kept(view.x, svg.clientWidth / view.scale / 2, width);
        view.y = kept(view.y, svg.clientHeight / view.scale / 2, height);
        notify();
    }

    /** @param {number} dx @param {number} dy */
    function move(dx, dy) {
        set({ x: view.x - dx / view.scale, y: view.y - dy / view.scale });
    }

    /**
     * The point under the pointer, or the middle, stays where it is.
     * @param {number} factor @param {{x: number, y: number}} [at]
     */
    function zoom(factor, at = { x: svg.clientWidth / 2, y: svg.clientHeight / 2 }) {
        const scale = Math.min(Math.max(view.scale * factor, SMALLEST), LARGEST);
        set({ x: view.x + at.x / view.scale - at.x / scale, y: view.y + at.y / view.scale - at.y / scale, scale });
    }

    /** @param {MouseEvent} event */
    function within(event) {
        const box = svg.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    svg.addEventListener("pointerdown", (event) => {
        if (event.button === 0) pointers.set(event.pointerId, within(event));
    });
    svg.addEventListener("pointermove", (event) => {
        const before = pointers.get(event.pointerId);
        if (!before) return;
        const after = within(event);
        if (Math.hypot(after.x - before.x, after.y - before.y) < 3 && !svg.hasPointerCapture(event.pointerId)) return;
        svg.setPointerCapture(event.pointerId);
        svg.classList.add("dragged");
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        if (other) {
            /** @param {{x: number, y: number}} point */
            const apart = (point) => Math.hypot(point.x - other.x, point.y - other.y);
            zoom(apart(after) / Math.max(apart(before), 1), { x: (after.x + other.x) / 2, y: (after.y + other.y) / 2 });
            move((after.x - before.x) / 2, (after.y - before.y) / 2);
        } else move(after.x - before.x, after.y - before.y);
        pointers.set(event.pointerId, after);
    });
    for (const ending of /** @type {const} */ (["pointerup", "pointercancel"])) {
        svg.addEventListener(ending, (event) => {
            pointers.delete(event.pointerId);
            svg.classList.remove("dragged");
        });
    }
    svg.addEventListener(
        "wheel",
        (event) => {
            // The wheel scrolls the page until the tree has been chosen; a pinch on a touchpad comes with ctrl.
            if (!event.ctrlKey && !event.metaKey && !svg.contains(document.activeElement)) return;
            event.preventDefault();
            const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
            zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002)), within(event));
        },
        { passive: false },
    );
    return { view, zoom, move, set };
}

/** @param {number} from @param {number} half @param {number} all */
function kept(from, half, all) {
    return Math.min(Math.max(from, -half), all - half);
}
