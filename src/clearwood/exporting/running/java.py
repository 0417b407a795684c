"""Java calls exported classes, and in it JPMML-Evaluator works out PMML files: many in one machine of Java.

Each class is compiled as it was exported, into a folder of its own, and loaded from there.
"""

import importlib.metadata
import importlib.util
import io
import math
import os
import struct
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from clearwood.exporting.exportable import gives_points, inputs_of, program_to_export
from clearwood.exporting.exported import filled_in
from clearwood.exporting.pmml.document import pmml_frame
from clearwood.exporting.running.runner import (
    MOST_SECONDS,
    AnsweredRow,
    NotRun,
    Ran,
    Runner,
    RunTask,
    TargetFailedError,
    exports_in_folder,
    output_of,
    program_at,
    ran_with,
    seconds_for,
)
from clearwood.files import text_beside
from clearwood.table.attributes import Attribute, Numeric
from clearwood.table.raw import Row


def run_java(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What the compiled classes answer, row by row."""
    compiler, java = program_at("javac"), program_at("java")
    if compiler is None or java is None:
        return [NotRun("Java's compiler (javac) is not installed.")] * len(tasks)
    with tempfile.TemporaryDirectory() as folder:
        packed = [struct.pack(">i", len(tasks))]
        for place, task in enumerate(tasks):
            model, options = task.exported.model, task.exported.options
            own = Path(folder, f"model_{place}", f"{options['name']}.java")
            own.parent.mkdir()
            own.write_bytes(task.exported.data)
            named = f"{options['package']}.{own.stem}" if options["package"] else own.stem
            packed += [packed_text(own.name), packed_text(named), bytes([gives_points(model)])]
            packed += [packed_texts(model.schema.classes), packed_rows(inputs_of(model), task.rows)]
        Path(folder, "tasks").write_bytes(b"".join(packed))
        _run_main(text_beside(__file__, "call_classes.java.in"), folder, seconds_for(len(tasks)))
        answers = Path(folder, "answers").read_bytes()
    version = output_of([compiler, "-version"]).strip() or output_of([java, "--version"]).split("\n")[0]
    return _ran_from_bytes(tasks, answers, {"Java": version})


def _run_main(main: str, folder: str | Path, seconds: float, *options: str) -> None:
    """Run a class `Main` in a folder; the methods that read rows and write answers stand for `$rows`."""
    reading = text_beside(__file__, "rows.java.in").splitlines()
    Path(folder, "Main.java").write_text(filled_in(main, rows=reading))
    quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", *options]
    output_of([str(program_at("java")), *quick, "Main.java"], folder=folder, seconds=seconds)


JAVA: Final = Runner("java", run_java, most=100)


# JPMML-Evaluator, whose jars come with the package jpmml_evaluator: no bridge between Python and Java is
# needed.


def run_jpmml(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What JPMML-Evaluator answers, row by row."""
    if because := jpmml_missing():
        return [NotRun(f"{because}.")] * len(tasks)
    packed = [struct.pack(">i", len(tasks))]
    for task in tasks:
        model = task.exported.model
        names = pmml_frame(model, program_to_export(model))
        numbers = [*names.shares, *([names.points] if gives_points(model) else [])]
        packed += [packed_text(names.target), packed_text(names.reason)]
        packed += [packed_texts(numbers), packed_rows(inputs_of(model), task.rows)]
    with exports_in_folder(tasks, "model_{}.pmml") as folder:
        (folder / "tasks").write_bytes(b"".join(packed))
        run_with_jpmml(text_beside(__file__, "call_pmml.java.in"), folder, seconds_for(len(tasks)))
        answers = (folder / "answers").read_bytes()
    return _ran_from_bytes(tasks, answers, jpmml_versions())


JPMML: Final = Runner("jpmml", run_jpmml, most=100)


def jpmml_missing() -> str:
    """Why JPMML-Evaluator cannot be run, for a sentence; empty where it can."""
    if program_at("java") is None or program_at("javac") is None:
        return "Java's compiler (javac) is not installed"
    if importlib.util.find_spec("jpmml_evaluator") is None:
        return "JPMML-Evaluator is not installed (pip install jpmml_evaluator)"
    return ""


def run_with_jpmml(main: str, folder: str | Path, seconds: float = MOST_SECONDS) -> None:
    """Run a class `Main` in a folder, which may use what reads rows and writes answers."""
    jars = os.pathsep.join(map(str, _jars()))
    _run_main(main, folder, seconds, "-Xss64m", "-cp", jars)


def jpmml_versions() -> dict[str, str]:
    """The versions of what is run."""
    named = [each.stem.removeprefix("pmml-evaluator-") for each in _jars() if "pmml-evaluator-" in each.stem]
    return {
        "jpmml_evaluator": importlib.metadata.version("jpmml_evaluator"),
        "JPMML-Evaluator": next((each for each in named if each[0].isdigit()), "unknown"),
        "Java": output_of([str(program_at("java")), "--version"]).split("\n")[0],
    }


def _jars() -> list[Path]:
    found = importlib.util.find_spec("jpmml_evaluator")
    assert found is not None
    assert found.origin is not None
    return sorted(Path(found.origin).parent.glob("*/*.jar"))


# Tasks to Java and its answers back, as bytes: numbers without loss, and texts of any characters.
#
# A text is its length in bytes, −1 of none, and its UTF-8.


# What a main of Java needs to read the rows of a task, and to write what each is given.


def packed_rows(columns: Sequence[Attribute], rows: Sequence[Row]) -> bytes:
    """The columns, then the rows: for each cell whether it is there, and the cell."""
    parts = [struct.pack(">i", len(columns))]
    parts += [packed_text(each.name) + bytes([isinstance(each, Numeric)]) for each in columns]
    parts.append(struct.pack(">i", len(rows)))
    for row in rows:
        for column in columns:
            cell = row.get(column.name)
            if cell is None or (isinstance(cell, float) and math.isnan(cell)):
                parts.append(b"\0")
            else:
                packed = struct.pack(">d", cell) if isinstance(column, Numeric) else packed_text(str(cell))
                parts.append(b"\1" + packed)
    return b"".join(parts)


def packed_text(text: str) -> bytes:
    """A text as Java reads it."""
    encoded = text.encode("utf-8", "surrogatepass")
    return struct.pack(">i", len(encoded)) + encoded


def packed_texts(texts: Sequence[str]) -> bytes:
    """Several texts, after their number."""
    return struct.pack(">i", len(texts)) + b"".join(map(packed_text, texts))


def _ran_from_bytes(tasks: Sequence[RunTask], given: bytes, versions: Mapping[str, str]) -> list[Ran]:
    """The answers of all tasks."""
    source = io.BytesIO(given)
    try:
        return [
            ran_with(task.exported, [_answer_from_java(source) for _ in task.rows], versions)
            for task in tasks
        ]
    except (struct.error, IndexError, ValueError) as error:
        raise TargetFailedError(f"The target's predictions cannot be read: {error}") from error


def _answer_from_java(source: io.BytesIO) -> AnsweredRow:
    answer = number_from_java(source) if source.read(1)[0] else text_from_java(source)
    (count,) = struct.unpack(">i", source.read(4))
    numbers = struct.unpack(f">{count}d", source.read(8 * count))
    return answer, numbers, text_from_java(source)


def number_from_java(source: io.BytesIO) -> float:
    """A number that Java wrote."""
    return float(struct.unpack(">d", source.read(8))[0])


def text_from_java(source: io.BytesIO) -> str | None:
    """A text that Java wrote, or none."""
    (size,) = struct.unpack(">i", source.read(4))
    return None if size < 0 else source.read(size).decode("utf-8", "surrogatepass")
