// Fitting: how much room a tree gets in the page, and from where it is seen at first.

export const MARGIN = 20;
const SMALLEST_READ = 0.9; // the scale below which letters are too small to read
const SMALLEST_NEAR = 0.55; // on a phone, which is held nearer and pinched, where even the first nodes are too wide
const NARROW = 600;
const LOWEST = 320;

/**
 * @typedef {{width: number, height: number}} Room
 * @typedef {import("./layout.js").Layout} Layout
 */

/** What a tree may take, at its own scale. @param {number} width of its frame @returns {Room} */
export function roomFor(width) {
    return { width: width - 2 * MARGIN, height: Math.max(0.75 * window.innerHeight, LOWEST) - 2 * MARGIN };
}

/** Can all of it be read at once? @param {Layout} layout @param {Room} room */
export function fitsInto(layout, room) {
    return layout.width * SMALLEST_READ <= room.width && layout.height * SMALLEST_READ <= room.height;
}

/**
 * Can it be drawn from the top down: at its own scale, and on a phone as small as can be read?
 * @param {Layout} layout @param {Room} room
 */
export function fitsAcross(layout, room) {
    return layout.width * (room.width < NARROW ? SMALLEST_READ : 1) <= room.width;
}

/**
 * The height of its frame: a small tree's own; a large one's grows with what is unfolded, as far as there is room.
 * @param {Layout} layout @param {Room} room @param {boolean} isSmall
 */
export function frameHeight(layout, room, isSmall) {
    const high = isSmall
        ? Math.min(layout.height, 2 * room.height)
        : Math.min(Math.max(layout.height, LOWEST), room.height);
    return Math.ceil(high) + 2 * MARGIN;
}

/** All of it, however small. @param {Layout} layout @param {Room} frame @returns {import("./viewport.js").View} */
export function wholeView(layout, frame) {
    const scale = Math.min(1, (frame.width - 2 * MARGIN) / layout.width, (frame.height - 2 * MARGIN) / layout.height);
    return { x: (layout.width - frame.width / scale) / 2, y: (layout.height - frame.height / scale) / 2, scale };
}

/**
 * Its whole width if that can be read, the root in sight in any case; `far`: even if no letter can be read then, so that
 * it is seen at once that there is more.
 * @param {Layout} layout @param {Room} frame @param {import("./layout.js").Place} root @param {Direction} direction
 */
export function viewOfWidth(layout, frame, root, direction, far = false) {
    const smallest = far ? 0 : frame.width < NARROW ? SMALLEST_NEAR : SMALLEST_READ;
    const scale = Math.min(1, Math.max((frame.width - 2 * MARGIN) / layout.width, smallest));
    const [width, height] = [frame.width / scale, frame.height / scale];
    const centred = { x: (layout.width - width) / 2, y: (layout.height - height) / 2 };
    const x = layout.width + MARGIN <= width || direction === "down" ? centred.x : -MARGIN / scale;
    const rootInMiddle = direction === "down" ? -MARGIN : root.y + root.height / 2 - height / 2;
    return { x, y: layout.height <= height ? centred.y : rootInMiddle, scale };
}
