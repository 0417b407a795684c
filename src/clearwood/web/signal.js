// A signal: one part of the page sends, others listen; a late listener gets what was sent last.

/** @template T @typedef {{send: (what: T) => void, listen: (listener: (what: T) => void) => void}} Signal */

/** @template T @returns {Signal<T>} */
export function signal() {
    const listeners = /** @type {((what: T) => void)[]} */ ([]);
    /** @type {{what: T} | undefined} */
    let last;
    return {
        send(what) {
            last = { what };
            for (const listener of listeners) listener(what);
        },
        listen(listener) {
            listeners.push(listener);
            if (last) listener(last.what);
        },
    };
}
