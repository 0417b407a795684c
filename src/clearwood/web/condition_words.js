// Conditions in words: as rules write them, names and values in quotes where they would be taken for something else.

import { intervalOf, limitOf } from "./conditions.js";
import { present } from "./present.js";

/** @typedef {import("./conditions.js").Condition} Condition */

const KEYWORDS = new Set("if always then otherwise else and or in is not missing known nothing".split(" "));
const UNSAFE = /["<>=≤≥≠&{}(),]|^ | $| {2}|(?:^| )#/;
const UNPRINTABLE = /[\p{C}\p{Z}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const ESCAPES = new Map([['"', '\\"'], ["\\", "\\\\"], ["\n", "\\n"], ["\r", "\\r"], ["\t", "\\t"]]);

/** `Outlook = Sunny`, `23 < Age ≤ 31`, `Wind = Weak or missing`. @param {Condition} condition */
export function conditionText(condition) {
    return `${testText(condition, nameInWords(condition.column))}${condition.or_missing ? " or missing" : ""}`;
}

/**
 * The same without its column where a neighbour has named it: `= Sunny`, `≤ 31`, `is missing`.
 * @param {Condition} condition
 */
export function branchText(condition) {
    return `${testText(condition, "").trim()}${condition.or_missing ? " or missing" : ""}`;
}

/**
 * The conditions joined by AND, those with an alternative in brackets where there are several.
 * @param {Condition[]} conditions
 */
export function allText(conditions) {
    if (conditions.length === 1) return conditionText(conditions[0]);
    return conditions.map((each) => (each.or_missing ? `(${conditionText(each)})` : conditionText(each))).join(" AND ");
}

/** @param {Condition} condition @param {string} name */
function testText(condition, name) {
    if (condition.missing) return `${name} is missing`;
    if (condition.is !== undefined) return `${name} = ${nameInWords(condition.is)}`;
    if (condition.in !== undefined) {
        const values = condition.in.map(nameInWords);
        return condition.or_missing && values.length === 1
            ? `${name} = ${values[0]}`
            : `${name} in {${values.join(", ")}}`;
    }
    const ends = endsText(condition);
    if (!ends.length) return `${name} is known`;
    if (ends.length === 1) return `${name} ${ends[0]}`;
    const { above, at_least: atLeast, at_most: atMost } = condition;
    const low = limitOf(atLeast ?? above);
    if (atLeast !== undefined && low === limitOf(atMost)) return `${name} = ${numberText(low)}`;
    return name ? `${numberText(low)} ${atLeast === undefined ? "<" : "≤"} ${name} ${ends[1]}` : ends.join(", ");
}

/** The ends of a condition on a number, each as it was written: `≥ 18`, `< 21`. @param {Condition} condition */
export function endsText(condition) {
    intervalOf(condition); // refuses what is no condition on a number
    const { above, at_least: atLeast, at_most: atMost, below } = condition;
    /** @type {[string, number | string | undefined][]} */
    const limits = [[">", above], ["≥", atLeast], ["≤", atMost], ["<", below]];
    const ends = limits.flatMap(([sign, limit]) =>
        limit === undefined ? [] : [`${sign} ${numberText(limitOf(limit))}`],
    );
    return ends.length === 1 && ends[0] === "≤ inf" ? [] : ends;
}

/** A name as it stands in a rule. @param {string} text */
export function nameInWords(text) {
    const bare = text && !UNPRINTABLE.test(text.replaceAll(" ", "")) && !UNSAFE.test(text);
    const known =
        bare &&
        !text
            .toLowerCase()
            .split(" ")
            .some((word) => KEYWORDS.has(word));
    return isolated(known ? text : `"${Array.from(text, escaped).join("")}"`);
}

/** Text that runs from right to left, kept from turning its neighbours about. @param {string} text */
function isolated(text) {
    return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** A number as a person writes it, and never so short that it reads back as another one. @param {number} value */
export function numberText(value) {
    if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
    if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
    const [digits, exponent] = value.toExponential().split("e");
    const power = Number(exponent);
    if (power >= -4 && power < 16) return Number.isInteger(value) ? `${value}.0` : String(value);
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** @param {string} letter */
function escaped(letter) {
    if (ESCAPES.has(letter)) return ESCAPES.get(letter);
    if (letter === " " || !UNPRINTABLE.test(letter)) return letter;
    const code = present(letter.codePointAt(0));
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}
