// The page's data: JSON in elements that are never run, unpacked when it is asked for.

/** What the page holds by this name; null if it holds none. @param {string} name @returns {Promise<any>} */
export async function part(name) {
    const element = document.getElementById(`data-${name}`);
    if (element === null) return null;
    const text = element.dataset.packed === "gzip" ? await unpacked(element.textContent) : element.textContent;
    return JSON.parse(text);
}

/**
 * Entries that lie in chunks: how many there are, and a function from an entry's place to the entry.
 * @param {string} name @returns {Promise<{count: number, entry: (place: number) => Promise<any>}>}
 */
export async function entries(name) {
    /** @type {{firsts: number[], count: number}} */
    const index = (await part(name)) ?? { firsts: [], count: 0 };
    const chunks = new Map();
    /** @param {number} place */
    async function entry(place) {
        const chunk = index.firsts.findLastIndex((first) => first <= place);
        if (!chunks.has(chunk)) chunks.set(chunk, part(`${name}-${chunk}`));
        return (await chunks.get(chunk))[place - index.firsts[chunk]];
    }
    return { count: index.count, entry };
}

/** @param {string} text */
async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
}
