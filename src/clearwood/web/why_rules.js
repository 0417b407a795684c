// Why rules answer what they answer: the rule that took the row, or all that voted.

import { rowsText } from "./amounts.js";
import { allText, nameInWords, numberText } from "./condition_words.js";
import { isolated, make } from "./html.js";

/** @param {RuleModel} model @param {{held: number[], speaking: number[]}} answered */
export function whyRules(model, { held, speaking }) {
    if (!held.length) {
        const then = model.otherwise.then === null ? "and there is no default rule" : "so the default rule decides";
        return [make("p", `None of the ${model.rules.length} rules holds for this row, ${then}.`)];
    }
    const later = held.length - speaking.length;
    const added = `${held.length} rules hold, and their rows are added up:`;
    const first = `Rule ${speaking[0] + 1} of ${model.rules.length} takes the row:`;
    const lines = speaking.map((place) => make("li", isolated(ruleText(model, place)), counts(model, place)));
    const too = `${later} later ${later === 1 ? "rule holds" : "rules hold"} too; the first one decides.`;
    return [
        make("p", model.matching === "vote" && held.length > 1 ? added : first),
        make("ul", { class: "ways" }, ...lines),
        later > 0 ? make("p", { class: "muted" }, too) : null,
    ];
}

/** `IF Outlook = Sunny THEN No` @param {RuleModel} model @param {number} place */
export function ruleText(model, place) {
    const { when, then } = model.rules[place];
    const answer = then === null ? "refer" : typeof then === "number" ? numberText(then) : nameInWords(then);
    return `${when.length ? `IF ${allText(when)}` : "ALWAYS"} THEN ${answer}`;
}

/** @param {RuleModel} model @param {number} place */
function counts(model, place) {
    const { counts: own = [] } = model.rules[place];
    if (!own.length || model.schema.target.kind === "numeric") return null;
    const listed = model.schema.target.values.flatMap((name, c) => (own[c] > 0 ? [`${rowsText(own[c])} ${name}`] : []));
    return make("span", { class: "muted" }, " rows: ", isolated(listed.join(", ") || "none"));
}
