// Where a text becomes words: which characters are letters, and where a word ends.

import { present } from "./present.js";

/**
 * @typedef {{runs: [number, number][], cases: Object<string, string>}} Letters
 *   `runs`: from which code point on a letter is of which kind; `cases`: capitals and their small letters
 * @typedef {{lower: boolean, ngrams: [number, number], stop_words: string[]}} Reading
 */

const [OTHER, LETTER, MARK, IDEOGRAPH, PICTOGRAPH, JOINER, INVISIBLE, APOSTROPHE, TONE, FLAG, TAG] = Array(11).keys();
const LINKS = [JOINER, INVISIBLE, APOSTROPHE];
const ZERO_WIDTH_JOINER = "\u200d";

/** The words and n-grams of a text in order, short ones first. @param {string} text @param {Reading} reading @param {Letters} letters */
export function wordsOf(text, { lower, ngrams: [few, many], stop_words: stops }, letters) {
    const kept = tokens(text, lower, letters).filter((word) => !stops.includes(word));
    const grams = [];
    for (let n = few; n <= many; n += 1) {
        for (let at = 0; at + n <= kept.length; at += 1) grams.push(kept.slice(at, at + n).join(" "));
    }
    return grams;
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
