// The form: a row to ask about, and the model's answer as it is changed.

import { answerView, spoken, whyView } from "./answer_view.js";
import { changeViewOf } from "./change_view.js";
import { comparingOf } from "./comparing.js";
import { fieldOf } from "./fields.js";
import { button, fill, make } from "./html.js";
import { cellRead, columnsUsed } from "./predict.js";

/** @param {HTMLElement} place @param {import("./main.js").Study} study */
export function mountForm(place, study) {
    const columns = columnsUsed(study.model);
    const fields = columns.map((column, i) => fieldOf(column, study.hints.get(column.name), i));
    const comparing = comparingOf(study.model, ask);
    const [answer, why] = [make("div"), make("div")];
    const change = changeViewOf(study, tryIt);
    // Heard where it is read aloud, and seen on a narrow page below the fields, where the answer itself is out of sight.
    const status = make("p", { class: "now", role: "status" });
    let waiting = 0;

    function ask() {
        const row = new Map(fields.map(({ column, cell }) => [column, cellRead(study.model, column, cell())]));
        const answered = study.ask(row, comparing?.reference(row));
        fill(answer, ...answerView(study, answered));
        fill(why, ...whyView(study, row, answered));
        // What a screen reader announces waits until the typing rests.
        clearTimeout(waiting);
        waiting = setTimeout(() => (status.textContent = spoken(study, answered)), 600);
        change?.follow(row);
        study.cases.send({ row, answered });
    }

    /** @param {Changed[]} cells */
    function tryIt(cells) {
        for (const { column, after } of cells) fields.find((field) => field.column === column)?.put(after);
        ask();
    }

    function reset() {
        for (const field of fields) field.reset();
        ask();
    }

    const submit = (/** @type {Event} */ event) => event.preventDefault();
    const elements = [...fields.map((field) => field.element), comparing?.element];
    if (fields.length) elements.push(make("div", { class: "buttons" }, button(reset, {}, "Back to usual values")));
    const form = make("form", { class: "fields", input: ask, submit }, ...elements);
    const answers = make("div", { class: "answer" }, answer, change?.element, why);
    fill(place, make("div", { class: "ask" }, form, status, answers));
    ask();
}
