// Expressions as MathML: how a figure is computed, set as in a book.

import { figure } from "./amounts.js";
import { math } from "./html.js";
import { byKind } from "./kinds.js";

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
    return terms.map((parts) => math("math", { displaystyle: "true" }, math("mrow", ...parts)));
}

/** A number as JSON holds it: [top, bottom] is a fraction, [text] what JSON has no number for. @param {Value} value */
export function numberElement(value) {
    if (Array.isArray(value) && value.length === 2)
        return math("mfrac", ...value.map((part) => math("mn", String(part).replace("-", "−"))));
    if (Array.isArray(value)) return math("mn", oddNumber(value[0]));
    return value < 0 ? math("mrow", sign("−", "prefix"), math("mn", figure(-value))) : math("mn", figure(value));
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
    const [kind, ...parts] = Array.isArray(expression) ? expression : ["number", expression];
    const element = byKind(SETTING, "expression", kind)(parts, style);
    const isNegative = typeof expression === "number" && expression < 0;
    const holds = isNegative ? ADDED : (HOLDING[kind] ?? TIGHT);
    return holds < demanded ? fenced(element) : element;
}

/** By kind, how its parts are set. @type {{[kind: string]: (parts: any[], style: Style) => Element}} */
const SETTING = {
    number: ([value]) => numberElement(value),
    named: ([figure, value], style) => (style === "names" ? math("mtext", figure) : numberElement(value)),
    symbol: ([letter, below]) => (below ? math("msub", name(letter), name(below)) : name(letter)),
    "+": (terms, style) => math("mrow", ...signedTerms(terms, style).flat()),
    neg: ([of], style) => math("mrow", sign("−", "prefix"), set(of, style, MULTIPLIED)),
    "*": (factors, style) => math("mrow", ...factors.flatMap((each, i) => factor(each, i > 0, style))),
    "/": ([top, bottom], style) => math("mfrac", set(top, style), set(bottom, style)),
    "^": ([base, exponent], style) => math("msup", set(base, style, TIGHT + Number(isFraction(base))), set(exponent, style)),
    exp: ([of], style) => math("msup", name("e"), set(of, style)),
    log: ([base, of], style) => math("mrow", logName(base), fenced(set(of, style))),
    root: ([of], style) => math("msqrt", set(of, style)),
    binomial: ([of, taken], style) => fenced(math("mfrac", { linethickness: "0" }, set(of, style), set(taken, style))),
    min: (of, style) => math("mrow", math("mi", "min"), listed(of, style)),
    max: (of, style) => math("mrow", math("mi", "max"), listed(of, style)),
    call: ([called, to], style) => math("mrow", name(called), listed(to, style)),
    over: ([large, index, of], style) =>
        math("mrow", math("munder", sign(LARGE[large] ?? large, "prefix"), name(index)), set(of, style, MULTIPLIED)),
    compare: ([compared, left, right], style) => math("mrow", set(left, style, ADDED), sign(compared), set(right, style, ADDED)),
};

/**
 * A later one with a sign before it, and in brackets if it is negative.
 * @param {Expression} each @param {boolean} isLater @param {Style} style
 */
function factor(each, isLater, style) {
    if (!isLater) return [set(each, style, MULTIPLIED)];
    const isNegative = typeof each === "number" ? each < 0 : each[0] === "neg";
    return [sign("·"), set(each, style, MULTIPLIED + Number(isNegative))];
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
function isFraction(expression) {
    const [kind, value] = Array.isArray(expression) ? expression : [];
    return kind === "/" || (kind === "number" && value.length === 2);
}

/** @param {string} base */
function logName(base) {
    if (base === "e") return math("mi", "ln");
    return math("msub", math("mi", "log"), math("mn", base));
}

/** @param {Expression[]} expressions @param {Style} style */
function listed(expressions, style) {
    const parts = expressions.flatMap((each, i) => [...(i ? [math("mo", ",")] : []), set(each, style)]);
    return fenced(math("mrow", ...parts));
}

/** @param {Element} element */
function fenced(element) {
    /** @param {string} text @param {string} form */
    const bracket = (text, form) => math("mo", { form, lspace: "0", rspace: "0" }, text);
    return math("mrow", bracket("(", "prefix"), element, bracket(")", "postfix"));
}

/** One letter is set as a variable, a word as a word. @param {string} text */
function name(text) {
    return math(Array.from(text).length === 1 ? "mi" : "mtext", {}, text);
}

/** @param {string} text @param {string} [form] */
function sign(text, form = "infix") {
    return math("mo", { form }, text);
}
