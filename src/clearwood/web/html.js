// Elements made by name: text is always text, so nothing from the data can become markup.

/**
 * @typedef {Object<string, unknown>} Attributes
 * @typedef {Node | string | null | undefined} Child
 */

const SVG = "http://www.w3.org/2000/svg";
const MATHML = "http://www.w3.org/1998/Math/MathML";

/**
 * An HTML element: its attributes, if it has some, and what is in it. A function among the attributes listens to the
 * event of its name; false and null are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {...(Attributes | Child)} parts @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, ...parts) {
    return filled(document.createElement(tag), parts);
}

/**
 * The same in SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {...(Attributes | Child)} parts @returns {SVGElementTagNameMap[K]}
 */
export function drawn(tag, ...parts) {
    return filled(document.createElementNS(SVG, tag), parts);
}

/**
 * The same in MathML.
 * @template {keyof MathMLElementTagNameMap} K
 * @param {K} tag @param {...(Attributes | Child)} parts @returns {MathMLElementTagNameMap[K]}
 */
export function math(tag, ...parts) {
    return filled(document.createElementNS(MATHML, tag), parts);
}

/** A button, which sends no form. @param {() => void} click @param {Attributes} attributes @param {...Child} children */
export function button(click, attributes, ...children) {
    return make("button", { type: "button", click, ...attributes }, ...children);
}

/**
 * A name or value from the data, kept from turning the text around it about where it runs from right to left.
 * @param {unknown} text
 */
export function isolated(text) {
    return make("bdi", visible(String(text)));
}

/** The text with line breaks and other control characters spelled out. @param {string} text */
export function visible(text) {
    return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (letter) => JSON.stringify(letter).slice(1, -1));
}

/** The element that a script fills in, emptied. @param {Element} place @param {...Child} children */
export function fill(place, ...children) {
    place.replaceChildren(...children.filter(isThere));
    return place;
}

/**
 * @template {HTMLElement | SVGElement | MathMLElement} E
 * @param {E} element @param {(Attributes | Child)[]} parts
 */
function filled(element, parts) {
    const [first, ...rest] = parts;
    const attributes = isChild(first) ? {} : first;
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") element.addEventListener(name, /** @type {EventListener} */ (value));
        else if (name === "style")
            for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    const children = /** @type {Child[]} */ (first === attributes ? rest : parts);
    element.append(...children.filter(isThere));
    return element;
}

/** @param {Attributes | Child} part @returns {part is Child} */
function isChild(part) {
    return part === null || typeof part !== "object" || part instanceof Node;
}

/** @param {Child} child @returns {child is Node | string} */
function isThere(child) {
    return child !== null && child !== undefined;
}
