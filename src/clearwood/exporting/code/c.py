"""C: one header that allocates nothing and needs the standard library alone."""

import re
from collections.abc import Sequence
from typing import Final

from clearwood.errors import SettingError
from clearwood.exporting.code.code_writer import (
    CodeWriter,
    Language,
    largest_by_twos,
    number_spelled,
    plain_names,
)
from clearwood.exporting.exportable import Exportable, program_to_export, refused_without_words
from clearwood.exporting.exported import Exported, ExportFormat, comment_in_c, filled_in, heading_of
from clearwood.files import text_beside
from clearwood.table.attributes import Attribute, Numeric

_WORDS: Final = """
auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile
while bool true false nullptr class new delete this template operator private public protected
"""
_KEYWORDS: Final = frozenset(_WORDS.split())
_OWN: Final = "CLASSES classes regions row answer predict max same place interval bells"  # behind the prefix


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
    kinds = {"numbers": "double", "wholes": "int", "texts": "char *const"}
    return Language(
        name="C",
        number=number_spelled("NAN", "INFINITY"),
        text=text_in_c,
        same_text=lambda cell, value: f"{prefix}_same({cell}, {value})",
        is_no_text=lambda cell: f"{cell} == 0",
        never="0",
        always="1",
        largest=largest_by_twos(f"{prefix}_max"),
        functions={"abs": "fabs"} | {each: f"{prefix}_{each}" for each in ("place", "interval", "bells")},
        assign=lambda name, value, whole: f"const {'int' if whole else 'double'} {name} = {value};",
        declare=lambda name, whole: f"{'int' if whole else 'double'} {name} = 0;",
        comment=lambda text: f"/* {comment_in_c(text)} */",
        listed=lambda kind, name, entries: (
            f"static const {kinds[kind]} {name}[] = {{{', '.join(entries) or '0'}}};"
        ),
    )


def to_c(model: Exportable, *, prefix: str = "model") -> Exported:
    """A header; `prefix` begins every name in it, so that several can be used together."""
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", prefix) is None or prefix in _KEYWORDS:
        raise SettingError(f"prefix must be a name that C can have, not '{prefix}'.")
    program = program_to_export(model)
    writer = CodeWriter(_language(prefix), program)
    _refuse_same_names(prefix, {*writer.inputs, *(step.name for step in program.steps)})
    what, whence = map(comment_in_c, heading_of(model))
    kinds = ["double " if isinstance(each, Numeric) else "char *" for each in program.inputs]
    columns = list(zip(program.inputs, c_names(program.inputs), kinds, strict=True))
    fields = [
        f"    {kind if kind == 'double ' else f'const {kind}'}{name}; /* {comment_in_c(each.name)} */"
        for each, name, kind in columns
    ]
    of_classes = [
        f"    int answer; /* the place of the class in {prefix}_classes; -1: no prediction */",
        f"    double shares[{len(program.classes)}];",
    ]
    given = [f"    given.{'answer' if program.classes else 'number'} = {program.answer};"]
    given += [f"    given.shares[{c}] = {share};" for c, share in enumerate(program.shares)]
    text = filled_in(
        text_beside(__file__, "model.h.in"),
        what=what,
        whence=whence,
        guard=f"{prefix.upper()}_H",
        prefix=prefix,
        class_count=str(len(program.classes)),
        classes=_texts(program.classes),
        regions=_texts(program.regions),
        fields=fields or ["    char none; /* no column is asked for */"],
        answers=of_classes if program.classes else ["    double number; /* NAN: no prediction */"],
        points=["    double points; /* their sum, a whole number */"] if program.points else [],
        body=writer.statements("    "),
        lists=[f"    {each}" for each in writer.lists],
        inputs=[
            f"    const {kind}{variable} = row->{name};"
            for variable, (_, name, kind) in zip(writer.inputs, columns, strict=True)
        ],
        given=given,
        given_points=[f"    given.points = {program.points};"] if program.points else [],
        region=program.region or "-1",
    )
    return Exported("c", text, ".h", model, "gcc", {"prefix": prefix})


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


def _texts(texts: Sequence[str]) -> list[str]:
    return [f"    {text_in_c(text)}," for text in texts] or ["    0,"]


FORMAT: Final = ExportFormat(
    "c", "one C header that allocates nothing", (".h", ".c"), to_c, refused_without_words
)
