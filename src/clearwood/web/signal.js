// A signal: one part of the page tells, others listen; who comes late hears what was told last.

/** @template T @typedef {{tell: (what: T) => void, listen: (listener: (what: T) => void) => void}} Signal */

/** @template T @returns {Signal<T>} */
export function signal() {
    /** @type {((what: T) => void)[]} */
    const listeners = [];
    /** @type {{what: T} | undefined} */
    let last;
    return {
        tell(what) {
            last = { what };
            for (const listener of listeners) listener(what);
        },
        listen(listener) {
            listeners.push(listener);
            if (last) listener(last.what);
        },
    };
}
