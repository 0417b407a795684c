"""JavaScript: one ES module that needs nothing else, for browsers and Node."""

import json
from typing import Final

from clearwood.exporting.code.code_writer import CodeWriter, Language, number_spelled
from clearwood.exporting.exportable import Exportable, program_to_export, reads_texts, refused_by_program
from clearwood.exporting.exported import Exported, ExportFormat, filled_in, heading_of
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
        _MODULE,
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


_MODULE: Final = """// $what
// $whence
// A row is an object by the names of the columns; null, undefined or NaN is a missing cell.

export const COLUMNS = $columns;
export const CLASSES = $classes;
const REGIONS = [
$regions
];
$lists

function workedOut(row) {
$inputs
$body
    return { answer: $answer, shares: [$shares], region: $region$also };
}

$of_points
/** The class, or the number, of a row; null where there is no prediction. */
export function predict(row) {
    return workedOut(row).answer;
}

/** The probability of each class, by its name. */
export function shares(row) {
    const found = workedOut(row).shares;
    return Object.fromEntries(CLASSES.map((name, place) => [name, found[place]]));
}

/** The leaf or rule that decided, as text; null where there is not one. */
export function explain(row) {
    const { region } = workedOut(row);
    return region < 0 ? null : REGIONS[region];
}

function numberIn(row, name) {
    const cell = row[name];
    return cell === null || cell === undefined ? NaN : Number(cell);
}

function textIn(row, name) {
    const cell = row[name];
    return cell === null || cell === undefined || cell !== cell ? null : String(cell);
}

function placeOf(cell, values, count, missing, unseen) {
    if (cell === null) return missing;
    const at = values.indexOf(cell);
    return at < 0 ? unseen : at;
}

function intervalOf(cell, cuts, count, missing) {
    if (cell !== cell) return missing;
    let low = 0;
    let high = count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (cuts[middle] < cell) low = middle + 1;
        else high = middle;
    }
    return low;
}

function bellsOf(cell, points, shares, count, width) {
    let most = -Infinity;
    const heights = [];
    for (let at = 0; at < count; at += 1) {
        const away = (cell - points[at]) / width;
        heights.push(shares[at] - 0.5 * away * away);
        most = Math.max(most, heights[at]);
    }
    if (most === -Infinity) return most;
    let sum = 0;
    for (const height of heights) sum += Math.exp(height - most);
    return most + Math.log(sum) - Math.log(width * Math.sqrt(2 * Math.PI));
}
$of_words
"""

_POINTS: Final = """/** The sum of the points of a row, a whole number. */
export function points(row) {
    return workedOut(row).points;
}
"""

# What a text adds: the words are those of the page's own module.
_OF_WORDS: Final = """
function wordsIn(cell, words, logs, base, once, lower, few, many, stops) {
    const reading = { lower, ngrams: [few, many], stop_words: stops };
    const met = tokens_js.wordsOf(cell, reading, LETTERS);
    const places = new Map(words.map((word, place) => [word, place]));
    let sum = base;
    for (const word of once ? new Set(met) : met) if (places.has(word)) sum += logs[places.get(word)];
    return sum;
}
"""


def _word_lines() -> list[str]:
    modules = {name: page_file(name) for name in ("tokens.js", "present.js")}
    listed = json.dumps(letters(), separators=(",", ":"))
    return [
        f"const LETTERS = {listed};",
        *bundled(modules, "tokens.js").splitlines(),
        *_OF_WORDS.splitlines(),
    ]


FORMAT: Final = ExportFormat(
    "javascript", "one ES module without dependencies", (".js", ".mjs"), to_javascript, refused_by_program
)
