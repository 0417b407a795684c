// Kinds: a page that meets one it does not know reports it, and never takes it for another.

/** @param {string} what a model, a distribution, … @param {unknown} kind @returns {never} */
export function unknownKind(what, kind) {
    throw new Error(`This page knows no ${what} of the kind '${kind}'.`);
}

/**
 * The kind of a thing that no case is left for; the type checker refuses it where a kind has no case.
 * @param {never} thing @param {string} key where it stands
 */
export function kindOf(thing, key) {
    return thing[key];
}

/**
 * The entry of a table by kind.
 * @template T
 * @param {{[kind: string]: T}} table
 * @param {string} what
 * @param {string} kind
 * @returns {T}
 */
export function byKind(table, what, kind) {
    return Object.hasOwn(table, kind) ? table[kind] : unknownKind(what, kind);
}
