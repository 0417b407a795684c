// Rules marked: wherever the page lists a rule (data-rule, from 0), those that answer the form's row are marked.

/** @param {import("./main.js").Study} study */
export function markRules(study) {
    study.cases.listen(({ answered }) => {
        for (const element of document.querySelectorAll("[data-rule]")) {
            element.classList.toggle("answers", answered.speaking.includes(Number(element.dataset.rule)));
        }
    });
}
