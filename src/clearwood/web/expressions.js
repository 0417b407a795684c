// Expressions as MathML: how a figure is computed, set as in a book.

import { figure } from "./amounts.js";
import { math } from "./html.js";
import { unknownKind } from "./kinds.js";

/**
 * @typedef {number | any[]} Expression  a number, or an array that begins with what it is: ["/", 9, 14]
 * @typedef {number | [number, number] | [string]} Value  a number as JSON holds it
 * @typedef {"names" | "values"} Style  what stands for the value of another figure
 */

const [COMPARED, ADDED, MULTIPLIED, TIGHT] = [0, 1, 2, 3]; // how closely a part of an expression holds together
/** @type {Object<string, number>} */
const HOLDING = { compare: COMPARED, "+": ADDED, neg: ADDED, "*": MULTIPLIED, over: MULTIPLIED };
/** @type {Object<string, string>} */
const ODD = { inf: "∞", "-inf": "−∞", nan: "undefined" };
/** @type {Object<string, string>} */
const LARGE = { Σ: "∑", Π: "∏" };

/**
 * Elements that a line may be broken between: the terms of a sum each by itself.
 * @param {Expression} expression @param {Style} style @returns {Element[]}
 */
export function mathOf(expression, style) {
    const isSum = Array.isArray(expression) && expression[0] === "+";
    const terms = isSum ? signedTerms(expression.slice(1), style) : [[set(expression, style)]];
    return terms.map((parts) => math("math", { displaystyle: "true" }, math("mrow", {}, ...parts)));
}

/** A number as JSON holds it: [top, bottom] is a fraction, [text] what JSON has no number for. @param {Value} value */
export function numberElement(value) {
    if (!Array.isArray(value))
        return value < 0
            ? math("mrow", {}, sign("−", "prefix"), math("mn", {}, figure(-value)))
            : math("mn", {}, figure(value));
    if (value.length === 2)
        return math("mfrac", {}, ...value.map((part) => math("mn", {}, String(part).replace("-", "−"))));
    return math("mn", {}, oddNumber(value[0]));
}

/** The same in plain text. @param {Value} value */
export function numberInWords(value) {
    if (!Array.isArray(value)) return figure(value);
    return value.length === 2 ? `${value[0]}/${value[1]}`.replace("-", "−") : oddNumber(value[0]);
}

/** Does it use the values of other figures? @param {unknown} expression @returns {boolean} */
export function hasNames(expression) {
    return Array.isArray(expression) && (expression[0] === "named" || expression.some(hasNames));
}

/** @param {string} text */
function oddNumber(text) {
    return ODD[text] ?? text;
}

/**
 * An expression, in brackets where it holds together less than its place demands.
 * @param {Expression} expression @param {Style} style @param {number} [demanded] @returns {Element}
 */
function set(expression, style, demanded = COMPARED) {
    const element = bareSet(expression, style);
    return holdsTogether(expression) < demanded ? fenced(element) : element;
}

/** @param {Expression} expression @param {Style} style */
function bareSet(expression, style) {
    if (!Array.isArray(expression)) return numberElement(expression);
    const [kind, ...rest] = expression;
    switch (kind) {
        case "number":
            return numberElement(rest[0]);
        case "named":
            return style === "names" ? math("mtext", {}, rest[0]) : numberElement(rest[1]);
        case "symbol":
            return rest[1] ? math("msub", {}, name(rest[0]), name(rest[1])) : name(rest[0]);
        case "+":
            return math("mrow", {}, ...signedTerms(rest, style).flat());
        case "neg":
            return math("mrow", {}, sign("−", "prefix"), set(rest[0], style, MULTIPLIED));
        case "*":
            return math(
                "mrow",
                {},
                ...rest.flatMap((each, i) => [
                    ...(i ? [sign("·")] : []),
                    set(each, style, MULTIPLIED + Number(i > 0 && isNegative(each))),
                ]),
            );
        case "/":
            return math("mfrac", {}, set(rest[0], style), set(rest[1], style));
        case "^":
            return math("msup", {}, set(rest[0], style, TIGHT + Number(isFraction(rest[0]))), set(rest[1], style));
        case "exp":
            return math("msup", {}, name("e"), set(rest[0], style));
        case "log":
            return math("mrow", {}, logName(rest[0]), fenced(set(rest[1], style)));
        case "root":
            return math("msqrt", {}, set(rest[0], style));
        case "binomial":
            return fenced(math("mfrac", { linethickness: "0" }, set(rest[0], style), set(rest[1], style)));
        case "min":
        case "max":
            return math("mrow", {}, math("mi", {}, kind), listed(rest, style));
        case "call":
            return math("mrow", {}, name(rest[0]), listed(rest[1], style));
        case "over":
            return math(
                "mrow",
                {},
                math("munder", {}, sign(LARGE[rest[0]] ?? rest[0], "prefix"), name(rest[1])),
                set(rest[2], style, MULTIPLIED),
            );
        case "compare":
            return math("mrow", {}, set(rest[1], style, ADDED), sign(rest[0]), set(rest[2], style, ADDED));
        default:
            return unknownKind("expression", kind);
    }
}

/**
 * The terms of a sum, each with the sign before it; a negative one is taken away.
 * @param {Expression[]} terms @param {Style} style
 */
function signedTerms(terms, style) {
    return terms.map((term, i) => {
        const negative = Array.isArray(term) && term[0] === "neg";
        const element = set(negative ? term[1] : term, style, i || negative ? MULTIPLIED : ADDED);
        if (i === 0) return negative ? [sign("−", "prefix"), element] : [element];
        return [sign(negative ? "−" : "+"), element];
    });
}

/** @param {Expression} expression */
function holdsTogether(expression) {
    if (!Array.isArray(expression)) return expression < 0 ? ADDED : TIGHT;
    return HOLDING[expression[0]] ?? TIGHT;
}

/** @param {Expression} expression */
function isNegative(expression) {
    return typeof expression === "number" ? expression < 0 : expression[0] === "neg";
}

/** @param {Expression} expression */
function isFraction(expression) {
    return (
        Array.isArray(expression) &&
        (expression[0] === "/" || (expression[0] === "number" && expression[1].length === 2))
    );
}

/** @param {string} base */
function logName(base) {
    if (base === "e") return math("mi", {}, "ln");
    return math("msub", {}, math("mi", {}, "log"), math("mn", {}, base));
}

/** @param {Expression[]} expressions @param {Style} style */
function listed(expressions, style) {
    return fenced(
        math("mrow", {}, ...expressions.flatMap((each, i) => [...(i ? [math("mo", {}, ",")] : []), set(each, style)])),
    );
}

/** @param {Element} element */
function fenced(element) {
    /** @param {string} text @param {string} form */
    const bracket = (text, form) => math("mo", { form, lspace: "0", rspace: "0" }, text);
    return math("mrow", {}, bracket("(", "prefix"), element, bracket(")", "postfix"));
}

/** One letter is set as a variable, a word as a word. @param {string} text */
function name(text) {
    return math(Array.from(text).length === 1 ? "mi" : "mtext", {}, text);
}

/** @param {string} text @param {string} [form] */
function sign(text, form = "infix") {
    return math("mo", { form }, text);
}
