"""JavaScript: one ES module that needs nothing else, for browsers and Node."""

import json
from typing import Final

from clearwood.exporting.code.code_writer import CodeWriter, Language, number_spelled
from clearwood.exporting.exportable import Exportable, program_to_export, reads_texts, refused_by_program
from clearwood.exporting.exported import Exported, ExportFormat, filled_in, heading_of
from clearwood.files import text_beside
from clearwood.table.attributes import Numeric
from clearwood.web.joining import bundled, letters, page_file

JAVASCRIPT: Final = Language(
    name="JavaScript",
    number=number_spelled("NaN", "Infinity"),
    text=json.dumps,
    same_text=lambda cell, value: f"{cell} === {value}",
    is_no_text=lambda cell: f"{cell} === null",
    equals="===",
    largest=lambda values: f"Math.max({', '.join(values)})",
    functions={
        **{each: f"Math.{each}" for each in ("exp", "log", "abs", "floor")},
        **{each: f"{each}Of" for each in ("place", "interval", "bells")},
        "words": "wordsIn",
    },
    assign=lambda name, value, _: f"const {name} = {value};",
    declare=lambda name, _: f"let {name};",
    comment=lambda text: f"// {text}",
    listed=lambda _, name, entries: f"const {name} = [{', '.join(entries)}];",
    has_words=True,
)


def to_javascript(model: Exportable) -> Exported:
    """A module with `predict(row)`, `shares(row)` and `explain(row)`, of a scorecard also `points(row)`.

    A row is an object by column.
    """
    program = program_to_export(model)
    writer = CodeWriter(JAVASCRIPT, program)
    what, whence = heading_of(model)
    inputs = []
    for name, each in zip(writer.inputs, program.inputs, strict=True):
        read = "numberIn" if isinstance(each, Numeric) else "textIn"
        inputs.append(f"    const {name} = {read}(row, {json.dumps(each.name)});")
    answer = program.answer
    text = filled_in(
        text_beside(__file__, "model.js.in"),
        what=what,
        whence=whence,
        columns=json.dumps([each.name for each in program.inputs]),
        classes=json.dumps(program.classes),
        regions=[f"    {json.dumps(each)}," for each in program.regions],
        inputs=inputs,
        body=writer.statements("    "),
        lists=writer.lists,
        answer=(
            f"{answer} < 0 ? null : CLASSES[{answer}]"
            if program.classes
            else f"{answer} !== {answer} ? null : {answer}"
        ),
        shares=", ".join(program.shares),
        region=program.region or "-1",
        also=f", {program.points}" if program.points else "",
        of_points=_POINTS.splitlines() if program.points else [],
        of_words=_word_lines() if reads_texts(model) else [],
    )
    return Exported("javascript", text, ".js", model, target="node")


_POINTS: Final = """/** The sum of the points of a row, a whole number. */
export function points(row) {
    return workedOut(row).points;
}
"""

# What a text adds: the words are those of the page's own module.


def _word_lines() -> list[str]:
    modules = {name: page_file(name) for name in ("tokens.js", "present.js")}
    listed = json.dumps(letters(), separators=(",", ":"))
    return [
        f"const LETTERS = {listed};",
        *bundled(modules, "tokens.js").splitlines(),
        *text_beside(__file__, "words.js.in").splitlines(),
    ]


FORMAT: Final = ExportFormat(
    "javascript", "one ES module without dependencies", (".js", ".mjs"), to_javascript, refused_by_program
)
