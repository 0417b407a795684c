// The words of a text, as the model counted them, and what they add.

import { sum } from "./answers.js";
import { plain } from "./exact.js";
import { present } from "./present.js";

/**
 * @typedef {{runs: [number, number][], cases: Object<string, string>}} Letters
 *   `runs`: from which code point on a letter is of which kind; `cases`: capitals and their small letters
 * @typedef {{lower: boolean, ngrams: [number, number], stop_words: string[]}} Reading
 * @typedef {{word: string, times: number, logs: number[]}} KnownWord
 */

const [OTHER, LETTER, MARK, IDEOGRAPH, PICTOGRAPH, JOINER, INVISIBLE, APOSTROPHE, TONE, FLAG, TAG] = Array(11).keys();
const LINKS = [JOINER, INVISIBLE, APOSTROPHE];
const ZERO_WIDTH_JOINER = "\u200d";

/**
 * The term of a text column; every word of the distribution counts.
 * @param {Words} of @param {Letters} letters @returns {import("./bayes_terms.js").Term}
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

/** The words and n-grams of a text in order, short ones first. @param {string} text @param {Reading} reading @param {Letters} letters */
export function wordsOf(text, { lower, ngrams: [few, many], stop_words: stops }, letters) {
    const kept = tokens(text, lower, letters).filter((word) => !stops.includes(word));
    const grams = [];
    for (let n = few; n <= many; n += 1) {
        for (let at = 0; at + n <= kept.length; at += 1) grams.push(kept.slice(at, at + n).join(" "));
    }
    return grams;
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

/** @param {string} text @param {boolean} lower @param {Letters} letters */
function tokens(text, lower, letters) {
    const characters = Array.from(text);
    const kinds = [...characters.map((each) => kindOf(each, letters.runs)), OTHER, OTHER];
    const words = [];
    for (let at = 0; at < characters.length;) {
        const first = at;
        at = endOfWord(characters, kinds, at);
        if (kinds[first] === LETTER) words.push(written(characters, kinds, first, at, lower ? letters.cases : null));
        else if ([IDEOGRAPH, PICTOGRAPH, TONE, FLAG].includes(kinds[first]))
            words.push(characters.slice(first, at).join(""));
    }
    return words;
}

/**
 * Where the word that begins here ends, or the character that is none.
 * @param {string[]} characters @param {number[]} kinds @param {number} first
 */
function endOfWord(characters, kinds, first) {
    const kind = kinds[first];
    let at = first + 1;
    if (kind === LETTER) {
        for (;;) {
            if ([LETTER, MARK].includes(kinds[at])) at += 1;
            else if (LINKS.includes(kinds[at]) && [LETTER, MARK].includes(kinds[at + 1])) at += 2;
            else return at;
        }
    }
    if (kind === PICTOGRAPH || kind === TONE) {
        for (;;) {
            if ([MARK, TONE, TAG].includes(kinds[at])) at += 1;
            else if (characters[at] === ZERO_WIDTH_JOINER && kinds[at + 1] === PICTOGRAPH) at += 2;
            else return at;
        }
    }
    if (kind === IDEOGRAPH) while (kinds[at] === MARK) at += 1;
    if (kind === FLAG && kinds[at] === FLAG) at += 1;
    return at;
}

/**
 * @param {string[]} characters @param {number[]} kinds @param {number} first @param {number} stop
 * @param {Letters["cases"] | null} cases
 */
function written(characters, kinds, first, stop, cases) {
    let word = "";
    for (let at = first; at < stop; at += 1) {
        if (kinds[at] === APOSTROPHE) word += "'";
        else if (kinds[at] !== INVISIBLE) word += (cases && cases[characters[at]]) ?? characters[at];
    }
    return word;
}

/**
 * The kind of the last run that begins at or before the character.
 * @param {string} character @param {[number, number][]} runs
 */
function kindOf(character, runs) {
    const code = present(character.codePointAt(0));
    let [low, high] = [0, runs.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (runs[middle][0] <= code) low = middle + 1;
        else high = middle;
    }
    return runs[low - 1][1];
}
