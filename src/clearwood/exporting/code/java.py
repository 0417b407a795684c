"""Java: one class that needs the standard library alone.

A method of Java holds 64 kB, so each step is a method, and a long list is a class of its own, in pieces.
"""

import re
from collections.abc import Sequence
from typing import Final

from clearwood.errors import SettingError
from clearwood.exporting.code.code_writer import (
    CodeWriter,
    Language,
    ListKind,
    largest_by_twos,
    number_spelled,
)
from clearwood.exporting.exportable import Exportable, program_to_export, refused_without_words
from clearwood.exporting.exported import Exported, ExportFormat, comment_in_java, filled_in, heading_of
from clearwood.files import text_beside
from clearwood.models.program.program import ProgramStep
from clearwood.table.attributes import Numeric

_PIECE: Final = 1500  # entries of a list in one class
_KINDS: Final[dict[ListKind, str]] = {"numbers": "double", "wholes": "int", "texts": "String"}


def text_in_java(text: str) -> str:
    r"""A text as a literal of ASCII.

    >>> print(text_in_java('größe "1"\n'))
    "gr\u00f6\u00dfe \"1\"\n"
    """
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    plain = []
    for unit in memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H"):
        character = chr(unit)
        if character in escapes:
            plain.append(escapes[character])
        elif unit < 32:
            plain.append(f"\\{unit:03o}")
        else:
            plain.append(character if unit < 127 else f"\\u{unit:04x}")
    return '"' + "".join(plain) + '"'


def _listed(of: ListKind, name: str, entries: Sequence[str]) -> str:
    kind = _KINDS[of]
    pieces = [entries[start : start + _PIECE] for start in range(0, len(entries), _PIECE)] or [[]]
    classes = [
        f"    private static final class {name}_{number} {{\n"
        f"        static final {kind}[] LIST = {{{', '.join(piece)}}};\n    }}"
        for number, piece in enumerate(pieces, 1)
    ]
    whole = f"{name}_1.LIST"
    if len(pieces) > 1:
        joined = ", ".join(f"{name}_{number}.LIST" for number in range(1, len(pieces) + 1))
        whole = f"joined(new {kind}[{len(entries)}], {joined})"
    return "\n".join([*classes, f"    private static final {kind}[] {name} = {whole};"])


JAVA: Final = Language(
    name="Java",
    number=number_spelled("Double.NaN", "Double.POSITIVE_INFINITY", "Double.NEGATIVE_INFINITY"),
    text=text_in_java,
    same_text=lambda cell, value: f"{value}.equals({cell})",
    is_no_text=lambda cell: f"{cell} == null",
    largest=largest_by_twos("Math.max"),
    functions={each: f"Math.{each}" for each in ("exp", "log", "abs", "floor")},
    assign=lambda name, value, _: f"{name} = {value};",
    declare=lambda _, __: "",  # steps are fields
    comment=lambda text: f"// {comment_in_java(text)}",
    listed=_listed,
)


def to_java(model: Exportable, *, name: str = "Model", package: str = "") -> Exported:
    """A class with `predict(row)`, `shares(row)` and `explain(row)`, of a scorecard also `points(row)`.

    A row is a map by column.
    """
    check_java_names(name, package)
    program = program_to_export(model)
    writer = CodeWriter(JAVA, program)
    what, whence = map(comment_in_java, heading_of(model))
    answer, region = program.answer, program.region
    given = f"done.{answer} != done.{answer} ? null : Double.valueOf(done.{answer})"
    if program.classes:
        given = f"done.{answer} < 0 ? null : CLASSES[done.{answer}]"
    fields, reads = [], []
    for variable, each in zip(writer.inputs, program.inputs, strict=True):
        kind, read = ("double", "number") if isinstance(each, Numeric) else ("String", "text")
        fields.append(f"    private final {kind} {variable};")
        reads.append(f"        {variable} = {read}(row, {text_in_java(each.name)});")
    fields += [f"    private {'int' if step.whole else 'double'} {step.name};" for step in program.steps]
    calls = [f"        step{number}();" for number in range(1, len(program.steps) + 1)]
    groups = [calls[start : start + 1000] for start in range(0, len(calls), 1000)]
    points = filled_in(_POINTS, name=name, points=program.points or "") if program.points else ""
    text = filled_in(
        text_beside(__file__, "Model.java.in"),
        what=what,
        whence=whence,
        package=[f"package {package};", ""] if package else [],
        name=name,
        classes=[_listed("texts", "CLASSES", list(map(text_in_java, program.classes)))],
        regions=[_listed("texts", "REGIONS", list(map(text_in_java, program.regions)))],
        methods=[
            line for number, step in enumerate(program.steps, 1) for line in _method(writer, step, number)
        ],
        lists=writer.lists,
        fields=fields,
        reads=reads,
        calls=[f"        steps{number}();" for number in range(1, len(groups) + 1)],
        groups=[
            line
            for number, group in enumerate(groups, 1)
            for line in ("", f"    private void steps{number}() {{", *group, "    }")
        ],
        points=points.splitlines(),
        kind="String" if program.classes else "Double",
        given=given,
        shares=[f"        shares.put(CLASSES[{c}], done.{share});" for c, share in enumerate(program.shares)],
        reason="null" if region is None else f"done.{region} < 0 ? null : REGIONS[done.{region}]",
    )
    return Exported("java", text, ".java", model, "java", {"name": name, "package": package})


def _method(writer: CodeWriter, step: ProgramStep, number: int) -> list[str]:
    lines = ["", f"    private void step{number}() {{"]
    if step.when is None:
        lines += writer.step(step, "        ", declared=True)
    else:
        lines.append(f"        if ({writer.test(step.when)}) {{")
        lines += [*writer.step(step, "            ", declared=True), "        }"]
    return [*lines, "    }"]


_POINTS: Final = """
    /** The sum of the points of a row, a whole number. */
    public static long points(Map<String, ?> row) {
        return (long) new $name(row).$points;
    }
"""

FORMAT: Final = ExportFormat(
    "java", "one Java class without dependencies", (".java",), to_java, refused_without_words
)


# Names that a class or a package of Java can have, and that an exported class does not need for others.


_WORDS: Final = """
_ abstract assert boolean break byte case catch char class const continue default do double else enum
extends false final finally float for goto if implements import instanceof int interface long native new
null package private protected public return short static strictfp super switch synchronized this throw
throws transient true try void volatile while
"""
_KEYWORDS: Final = frozenset(_WORDS.split())
_NO_TYPES: Final = {"permits", "record", "sealed", "var", "yield"}  # elsewhere they may be names
_USED: Final = {"Double", "LinkedHashMap", "Map", "Math", "Number", "Object", "String", "System", "java"}
_LISTS: Final = re.compile(r"(CLASSES|REGIONS|T\d+)_\d+")  # the classes within, that hold lists


def check_java_names(name: str, package: str) -> None:
    """Refuse a class or a package that would not compile.

    >>> check_java_names("Model", "org.record")
    >>> check_java_names("Map", "")
    Traceback (most recent call last):
    clearwood.errors.SettingError: name must not be 'Map', which the class itself uses. Another: 'MapModel'.
    """
    if not _is_name(name) or name in _NO_TYPES:
        away = " The package is an option of its own: package='org.example'." if "." in name else ""
        raise SettingError(f"name must be a name that a class of Java can have, not '{name}'.{away}")
    if name in _USED or _LISTS.fullmatch(name):
        raise SettingError(f"name must not be '{name}', which the class itself uses. Another: '{name}Model'.")
    parts = package.split(".") if package else []
    if not all(map(_is_name, parts)):
        raise SettingError(
            f"package must be a name that a package of Java can have, such as 'org.example', not '{package}'."
        )
    if parts and parts[0] in ("java", "javax"):
        raise SettingError(
            f"package must not be '{package}': Java keeps '{parts[0]}' for itself. Write 'org.example', say."
        )


def _is_name(part: str) -> bool:
    return re.fullmatch(r"[A-Za-z_$][\w$]*", part, re.ASCII) is not None and part not in _KEYWORDS
