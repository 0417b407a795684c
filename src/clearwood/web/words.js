// The words of a text, as the model counted them, and what they add.

import { sum } from "./answers.js";
import { plain } from "./exact.js";
import { present } from "./present.js";
import { wordsOf } from "./tokens.js";

/** @typedef {{word: string, times: number, logs: number[]}} KnownWord */

/**
 * The term of a text column; every word of the distribution counts.
 * @param {Words} of @param {import("./tokens.js").Letters} letters @returns {import("./bayes_terms.js").Term}
 */
export function wordTerm({ column, event, words, counts, documents, known, reading, alpha }, letters) {
    const once = event === "bernoulli";
    const table = (once ? documents : counts).map((line) => line.map(plain));
    const rows = known.map(plain);
    const { logs, base } = once ? presenceLogs(table, rows, alpha) : countLogs(table, alpha, event === "complement");
    const places = new Map(words.map((word, place) => [word, place]));
    const knownWords = (/** @type {string} */ text) => wordsKnown(wordsOf(text, reading, letters), places, logs, once);
    return {
        column,
        base: once ? base : null,
        knownWords,
        added: (text) => base.map((start, c) => start + sum(knownWords(text).map((each) => each.logs[c]))),
    };
}

/**
 * The known words, in order of first appearance.
 * @param {string[]} words @param {Map<string, number>} places @param {number[][]} logs @param {boolean} once
 * @returns {KnownWord[]}
 */
function wordsKnown(words, places, logs, once) {
    const times = new Map();
    for (const word of words) if (places.has(word)) times.set(word, (times.get(word) ?? 0) + 1);
    return [...times].map(([word, count]) => ({
        word,
        times: count,
        logs: logs.map((line) => line[present(places.get(word))] * (once ? 1 : count)),
    }));
}

/** @param {number[][]} documents @param {number[]} rows @param {number} alpha */
function presenceLogs(documents, rows, alpha) {
    const sizes = rows.map((each) => each + 2 * alpha);
    const missed = documents.map((line, c) => line.map((n) => Math.log((rows[c] - n + alpha) / sizes[c])));
    const logs = documents.map((line, c) => line.map((n, w) => Math.log((n + alpha) / sizes[c]) - missed[c][w]));
    return { logs, base: missed.map(sum) };
}

/** @param {number[][]} counts @param {number} alpha @param {boolean} complement */
function countLogs(counts, alpha, complement) {
    const together = (counts[0] ?? []).map((_, w) => sum(counts.map((line) => line[w])));
    const met = complement ? counts.map((line) => line.map((n, w) => together[w] - n)) : counts;
    const logs = met.map((line) => {
        const size = sum(line.map((n) => n + alpha));
        return line.map((n) => Math.log((n + alpha) / size) * (complement ? -1 : 1));
    });
    return { logs, base: counts.map(() => 0) };
}
