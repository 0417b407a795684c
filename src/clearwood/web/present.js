// Present: what the page's own data promises is there; a page that lacks it says so, and does not go on without.

/** @template T @param {T | null | undefined} value @returns {T} */
export function present(value) {
    if (value === null || value === undefined) throw new Error("This page lacks a part of its own data.");
    return value;
}
