"""C: one header that allocates nothing and needs the standard library alone."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from clearwood.errors import SettingError
from clearwood.exporting.code.code_writer import CodeWriter, Language, plain_names
from clearwood.exporting.exportable import Exportable
from clearwood.exporting.exportable_program import program_to_export
from clearwood.exporting.exported import Exported, ExportFormat, comment_in_c, heading_of
from clearwood.exporting.exporting import refused_without_words
from clearwood.models.program.program import ModelProgram
from clearwood.table.attributes import Attribute, Numeric

_WORDS: Final = """
auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile
while bool true false nullptr class new delete this template operator private public protected
"""
_KEYWORDS: Final = frozenset(_WORDS.split())
_OWN: Final = "CLASSES classes regions row answer predict max same place interval bells"  # behind the prefix


def _number(value: float) -> str:
    if math.isnan(value):
        return "NAN"
    return repr(value) if math.isfinite(value) else "INFINITY" if value > 0 else "-INFINITY"


def text_in_c(text: str) -> str:
    """A text as a literal of its UTF-8 bytes; what is not plain is written in octal.

    >>> print(text_in_c('größe "1"'))
    "gr\\303\\266\\303\\237e \\"1\\""
    """
    if "\0" in text:
        raise SettingError(
            f"A text of C ends at its first NUL, and {text!r} holds one. Learn from a table without it."
        )
    plain = []
    for byte in text.encode("utf-8", "surrogatepass"):
        character = chr(byte)
        if character in '"\\?':
            plain.append("\\" + character)
        else:
            plain.append(character if 32 <= byte < 127 else f"\\{byte:03o}")
    return '"' + "".join(plain) + '"'


def _language(prefix: str) -> Language:
    def listed(kind: str, name: str, entries: Sequence[str]) -> str:
        return f"static const {kind} {name}[] = {{{', '.join(entries) if entries else '0'}}};"

    def largest(values: Sequence[str]) -> str:
        written = values[0]
        for value in values[1:]:
            written = f"{prefix}_max({written}, {value})"
        return written

    return Language(
        name="C",
        number=_number,
        text=text_in_c,
        same_text=lambda cell, value: f"{prefix}_same({cell}, {value})",
        is_no_text=lambda cell: f"{cell} == 0",
        never="0",
        always="1",
        largest=largest,
        functions={
            "exp": "exp",
            "log": "log",
            "abs": "fabs",
            "floor": "floor",
            **{name: f"{prefix}_{name}" for name in ("place", "interval", "bells", "words")},
        },
        assign=lambda name, value, whole: f"const {'int' if whole else 'double'} {name} = {value};",
        declare=lambda name, whole: f"{'int' if whole else 'double'} {name} = 0;",
        comment=lambda text: f"/* {comment_in_c(text)} */",
        numbers=lambda name, entries: listed("double", name, entries),
        wholes=lambda name, entries: listed("int", name, entries),
        texts=lambda name, entries: listed("char *const", name, entries),
    )


_HELPERS: Final = """
static inline double PREFIX_max(double one, double other) {
    return one > other ? one : other;
}

static inline int PREFIX_same(const char *cell, const char *value) {
    return cell != 0 && strcmp(cell, value) == 0;
}

static inline int PREFIX_place(const char *cell, const char *const *values, int count, int missing,
                               int unseen) {
    if (cell == 0) return missing;
    for (int at = 0; at < count; at++)
        if (strcmp(cell, values[at]) == 0) return at;
    return unseen;
}

static inline int PREFIX_interval(double cell, const double *cuts, int count, int missing) {
    if (cell != cell) return missing;
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (cuts[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline double PREFIX_bells(double cell, const double *points, const double *shares, int count,
                                  double width) {
    double most = -INFINITY, sum = 0.0;
    for (int at = 0; at < count; at++) {
        const double away = (cell - points[at]) / width;
        most = PREFIX_max(most, shares[at] - 0.5 * away * away);
    }
    if (isinf(most)) return most;
    for (int at = 0; at < count; at++) {
        const double away = (cell - points[at]) / width;
        sum += exp(shares[at] - 0.5 * away * away - most);
    }
    return most + log(sum) - log(width * sqrt(2 * 3.141592653589793));
}
"""


def to_c(model: Exportable, *, prefix: str = "model") -> Exported:
    """A header; `prefix` begins every name in it, so that several can be used together."""
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", prefix) is None or prefix in _KEYWORDS:
        raise SettingError(f"prefix must be a name that C can have, not '{prefix}'.")
    program = program_to_export(model)
    writer = CodeWriter(_language(prefix), program)
    _refuse_same_names(prefix, {*writer.inputs, *(step.name for step in program.steps)})
    body = writer.statements("    ")
    lines = [*_top(model, program, prefix), *_HELPERS.replace("PREFIX", prefix).splitlines(), ""]
    lines += [*_function(program, writer, body, prefix), "", "#endif"]
    return Exported("c", "\n".join(lines) + "\n", ".h", model, "gcc", {"prefix": prefix})


def _refuse_same_names(prefix: str, names: set[str]) -> None:
    """Refuse a prefix by which a type or a function would be called as a variable is."""
    for each in _OWN.split():
        if f"{prefix}_{each}" in names:
            raise SettingError(
                f"prefix must not be '{prefix}': in this model '{prefix}_{each}' is a variable. "
                f"Another: '{prefix}_model'."
            )


def c_names(columns: Sequence[Attribute]) -> list[str]:
    """What each column is called in C."""
    return [
        f"column_{name}" if name[0].isdigit() or name in _KEYWORDS else name for name in plain_names(columns)
    ]


def _kind(column: Attribute) -> str:
    return "double " if isinstance(column, Numeric) else "const char *"


def _top(model: Exportable, program: ModelProgram, prefix: str) -> list[str]:
    guard = f"{prefix.upper()}_H"
    fields = [
        f"    {_kind(each)}{name}; /* {comment_in_c(each.name)} */"
        for each, name in zip(program.inputs, c_names(program.inputs), strict=True)
    ]
    answers = [f"    double number; /* {comment_in_c('NAN: no prediction')} */"]
    if program.classes:
        answers = [
            f"    int answer; /* the place of the class in {prefix}_classes; -1: no prediction */",
            f"    double shares[{len(program.classes)}];",
        ]
    if program.points:
        answers.append("    double points; /* their sum, a whole number */")
    about = [*heading_of(model), "A missing number is NAN, a missing text a null pointer; texts are UTF-8."]
    return [
        *(f"/* {comment_in_c(line)} */" for line in about),
        f"#ifndef {guard}",
        f"#define {guard}",
        "#include <math.h>",
        "#include <string.h>",
        "",
        f"#define {prefix}_CLASSES {len(program.classes)}",
        *_texts(f"{prefix}_classes", program.classes),
        *_texts(f"{prefix}_regions", program.regions),
        "",
        "typedef struct {",
        *(fields or ["    char none; /* no column is asked for */"]),
        f"}} {prefix}_row;",
        "",
        "typedef struct {",
        *answers,
        f"    int region; /* the place in {prefix}_regions of what decided; -1: not one alone */",
        f"}} {prefix}_answer;",
    ]


def _texts(name: str, texts: Sequence[str]) -> list[str]:
    entries = [f"    {text_in_c(text)}," for text in texts] or ["    0,"]
    return [f"static const char *const {name}[] = {{", *entries, "};"]


def _function(program: ModelProgram, writer: CodeWriter, body: list[str], prefix: str) -> list[str]:
    inputs = [
        f"    const {'double ' if isinstance(each, Numeric) else 'char *'}{variable} = row->{name};"
        for variable, each, name in zip(writer.inputs, program.inputs, c_names(program.inputs), strict=True)
    ]
    region = program.region or "-1"
    given = [f"    given.number = {program.answer};"]
    if program.classes:
        given = [f"    given.answer = {program.answer};"]
        given += [f"    given.shares[{c}] = {share};" for c, share in enumerate(program.shares)]
    if program.points:
        given.append(f"    given.points = {program.points};")
    return [
        f"static {prefix}_answer {prefix}_predict(const {prefix}_row *row) {{",
        *(f"    {each}" for each in writer.lists),
        *inputs,
        "    (void)row;",
        *body,
        f"    {prefix}_answer given;",
        *given,
        f"    given.region = {region};",
        "    return given;",
        "}",
    ]


FORMAT: Final = ExportFormat(
    "c", "one C header that allocates nothing", (".h", ".c"), to_c, refused_without_words
)
