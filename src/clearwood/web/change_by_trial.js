// The smallest change where evidence adds up (Bayes, weights): cells are changed, and the model predicts.
//
// One cell first. Values and intervals are all tried, and the written numbers of a number without thresholds. Of more
// than 5,000 some are: steps away from where it is grow by two in a hundred, and between the last that does not do and
// the first that does, halving finds the nearest. Then pairs of cells, where such a number is tried at some places and
// then brought back as near as it goes. Then the cell that helps most, one after another. Proven the smallest are one
// cell, unless a number may have been passed over, and pairs without such numbers.

import { greatest, isPlain, adjusts } from "./answers.js";
import { changedTo, movesOf, pairOf } from "./moves.js";
import { numberLine } from "./number_line.js";
import { present } from "./present.js";

const MOST_PAIRS = 100000; // rows predicted for pairs; a page must not keep its reader waiting

/**
 * @typedef {import("./number_line.js").NumberLine} NumberLine
 * @typedef {NumberLine | {name: string, some: () => Changed[], ways?: undefined, isWhole?: undefined}} Line
 */

/**
 * @param {Model} model @param {import("./predict.js").Predictor} ask @param {Column[]} columns @param {Row} row
 * @param {Constraints} constraints
 * @returns {{cells: Changed[] | null, proven: boolean}}
 */
export function changeByTrial(model, ask, columns, row, constraints) {
    const { answer } = ask(row);
    const lines = linesOf(model, columns, row, constraints);
    const places = new Map(model.schema.columns.map((column, place) => [column.name, place]));
    /** @param {Changed[]} change @returns {Row} */
    const rowWith = (change) => new Map([...row, ...change.map(pairOf)]);
    const does = (/** @type {Changed[]} */ change) => ![answer, null].includes(ask(rowWith(change)).answer);

    /**
     * The cheapest change of one column that does, the others being changed already.
     * @param {Line} line @param {Changed[]} others @returns {Changed | null}
     */
    function nearest(line, others) {
        if (!line.ways) return line.some().find((changed) => does([...others, changed])) ?? null;
        const changes = line
            .ways()
            .map((steps) => along(line, steps, others))
            .filter((changed) => changed !== null);
        return cheapestOf(changes, (a, b) => a.cost - b.cost || Number(a.after) - Number(b.after));
    }

    /** @param {NumberLine} line @param {number[]} steps @param {Changed[]} others */
    function along(line, steps, others) {
        const holds = (/** @type {number} */ step) => does([...others, line.changed(step)]);
        const first = steps.findIndex(holds);
        if (first < 0) return null;
        let [good, bad] = [steps[first], first ? steps[first - 1] : 0];
        while (Math.abs(good - bad) > 1) {
            const middle = Math.floor((good + bad) / 2);
            if (holds(middle)) good = middle;
            else bad = middle;
        }
        return line.changed(good);
    }

    /** The cheapest two cells that do together. @returns {Changed[] | null} */
    function pair() {
        const tried = lines.map((line) => line.some());
        const pairs = tried.flatMap((ones, i) => tried.slice(i + 1).map((twos) => [ones, twos]));
        if (pairs.reduce((rows, [ones, twos]) => rows + ones.length * twos.length, 0) > MOST_PAIRS) return null;
        let best = null;
        for (const [ones, twos] of pairs) {
            for (const one of ones) {
                for (const two of twos) {
                    if ((best === null || one.cost + two.cost < costOf(best)) && does([one, two])) best = [one, two];
                }
            }
        }
        return best === null ? null : broughtBack(best);
    }

    /** For each other class the cells that bring it most, until it is the answer; the fewest of these. */
    function oneAfterAnother() {
        const changes = model.schema.target.values.filter((name) => name !== answer).map(towards);
        return cheapestOf(
            changes.filter((change) => change !== null),
            (a, b) => a.length - b.length || costOf(a) - costOf(b),
        );
    }

    /** @param {string} target @returns {Changed[] | null} */
    function towards(target) {
        const place = model.schema.target.values.indexOf(target);
        let change = /** @type {Changed[]} */ ([]);
        for (let left = lines; left.length;) {
            const tried = left.flatMap((line) => line.some().map((changed) => ({ line, changed })));
            if (!tried.length) return null;
            const leads = tried.map(({ changed }) => leadOf(ask(rowWith([...change, changed])).shares, place));
            const { line, changed } = tried[leads.indexOf(greatest(leads))];
            left = left.filter((each) => each !== line);
            change = [...change, changed];
            if (does(change)) return broughtBack(change);
        }
        return null;
    }

    /**
     * The same cells, each number as near to where it was as the others allow; needless ones left out.
     * @param {Changed[]} change
     */
    function broughtBack(change) {
        let kept = change;
        for (const each of change) {
            const others = kept.filter((other) => other !== each);
            if (does(others)) {
                kept = others;
                continue;
            }
            const line = present(lines.find(({ name }) => name === each.column));
            const nearer = line.ways ? nearest(line, others) : null;
            if (nearer !== null && nearer.cost < each.cost)
                kept = kept.map((other) => (other === each ? nearer : other));
        }
        return [...kept].sort((a, b) => present(places.get(a.column)) - present(places.get(b.column)));
    }

    const alone = lines.map((line) => nearest(line, [])).filter((changed) => changed !== null);
    if (alone.length) {
        const cells = [present(cheapestOf(alone, (a, b) => a.cost - b.cost))];
        return { cells, proven: isSure(model) || lines.every((line) => line.isWhole ?? true) };
    }
    const two = pair();
    if (two !== null) return { cells: two, proven: !lines.some((line) => line.ways) };
    return { cells: oneAfterAnother(), proven: false };
}

/**
 * Along a number with weights the rows of one class are a stretch, which ends but once; costs may bend that.
 * @param {Model} model
 */
function isSure(model) {
    const isLinear = model.model === "linear";
    if (!isLinear || adjusts(model.decision)) return false;
    return model.schema.target.values.length === 2 || (isPlain(model.decision) && !model.decision.costs.length);
}

/**
 * The columns that may change, each as its options or as a line of numbers.
 * @param {Model} model @param {Column[]} columns @param {Row} row @param {Constraints} constraints @returns {Line[]}
 */
function linesOf(model, columns, row, constraints) {
    return columns.flatMap((column) => {
        const cell = row.get(column.name) ?? null;
        if (column.kind === "text" || constraints.fixed.has(column.name)) return [];
        const thresholds = model.thresholds[column.name];
        if (thresholds || column.kind !== "numeric") {
            const moves = movesOf(column, cell, thresholds ?? [], constraints);
            return [{ name: column.name, some: () => moves.cells.slice(1).map((_, i) => changedTo(moves, i + 1)) }];
        }
        const number = /** @type {number | null} */ (cell);
        return column.name in model.spans ? [numberLine(model, column.name, number, constraints)] : [];
    });
}

/**
 * How far the share of the target class is ahead of the best other, as logs.
 * @param {number[] | null} shares @param {number} place
 */
function leadOf(shares, place) {
    if (shares === null) return -Infinity;
    const logs = shares.map(Math.log);
    const lead = logs[place] - greatest(logs.filter((_, c) => c !== place));
    return Number.isNaN(lead) ? -Infinity : lead;
}

/** @param {Changed[]} change */
function costOf(change) {
    return change.reduce((total, each) => total + each.cost, 0);
}

/**
 * The first of the least.
 * @template T @param {T[]} changes @param {(a: T, b: T) => number} compare @returns {T | null}
 */
function cheapestOf(changes, compare) {
    let best = /** @type {T | null} */ (null);
    for (const each of changes) if (best === null || compare(each, best) < 0) best = each;
    return best;
}
