// Rules marked: wherever the page lists a rule (data-rule, from 0), those that answer the form's row are marked.

/** @param {import("./main.js").Study} study */
export function markRules(study) {
    /** @type {() => NodeListOf<HTMLElement>} */
    const listed = () => document.querySelectorAll("[data-rule]");
    study.cases.listen(({ answered }) => {
        for (const element of listed()) {
            element.classList.toggle("answers", answered.speaking?.includes(Number(element.dataset.rule)));
        }
    });
}
