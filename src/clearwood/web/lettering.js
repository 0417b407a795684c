// How wide a text stands in the tree, measured by the browser, and how it is broken into lines.

import { present } from "./present.js";

/** The tree's letters; the style of the page names the same. */
const FONT = "Arial, Helvetica, 'Liberation Sans', sans-serif";
const BREAKS = /(?<=[ ,;/_|-])(?=[^ ])/u;
const widths = new Map();
let pen = /** @type {CanvasRenderingContext2D | null} */ (null);

/** @param {string} text @param {number} size @param {boolean} [bold] */
export function textWidth(text, size, bold = false) {
    const key = `${bold ? "b" : ""}${size} ${text}`;
    let width = widths.get(key);
    if (width === undefined) {
        pen ??= present(document.createElement("canvas").getContext("2d"));
        pen.font = `${bold ? "bold " : ""}${size}px ${FONT}`;
        width = pen.measureText(text).width;
        widths.set(key, width);
    }
    return width;
}

/**
 * The text in lines no wider than the room: broken at blanks and marks, inside a word where it must be.
 * @param {string} text @param {number} room @param {number} size @param {boolean} [bold]
 */
export function broken(text, room, size, bold = false) {
    const lines = [];
    let line = "";
    for (const piece of text.split(BREAKS)) {
        if (line && textWidth((line + piece).trimEnd(), size, bold) > room) {
            lines.push(line.trimEnd());
            line = "";
        }
        line += piece;
        while (textWidth(line.trimEnd(), size, bold) > room && Array.from(line).length > 1) {
            const fitting = fittingPart(line, room, size, bold);
            lines.push(fitting);
            line = line.slice(fitting.length);
        }
    }
    return [...lines, line.trimEnd()];
}

/**
 * As many letters as fit, at least one; a mark stays with its letter.
 * @param {string} line @param {number} room @param {number} size @param {boolean} bold
 */
function fittingPart(line, room, size, bold) {
    const letters = present(line.match(/\P{M}\p{M}*|\p{M}+/gsu));
    let part = letters[0];
    for (const letter of letters.slice(1)) {
        if (textWidth(part + letter, size, bold) > room) break;
        part += letter;
    }
    return part;
}
