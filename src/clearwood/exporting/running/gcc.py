"""A C compiler builds a small program around exported headers, and the rows are run through it."""

import math
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from clearwood.exporting.code.c import c_names, text_in_c
from clearwood.exporting.exportable import gives_points, inputs_of
from clearwood.exporting.exported import Exported
from clearwood.exporting.running.runner import (
    NotRun,
    Ran,
    Runner,
    RunTask,
    output_of,
    program_at,
    ran_with,
    seconds_for,
)
from clearwood.table.attributes import Numeric
from clearwood.table.raw import Row

_STRICT: Final = ("-std=c11", "-O0", "-Wall", "-Werror", "-Wno-unused-function", "-Wno-unused-variable")


def run_gcc(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What the compiled headers answer, row by row; each is a source file of its own in one program."""
    compiler = program_at("gcc") or program_at("cc")
    if compiler is None:
        return [NotRun("No C compiler (gcc or cc) is installed.")] * len(tasks)
    with tempfile.TemporaryDirectory() as folder:
        for place, task in enumerate(tasks):
            Path(folder, f"model_{place}.h").write_bytes(task.exported.data)
            source = _answering(task.exported, task.rows, place)
            Path(folder, f"run_{place}.c").write_text(source, encoding="utf-8")
        Path(folder, "main.c").write_text(_main(len(tasks)))
        sources = ["main.c", *(f"run_{place}.c" for place in range(len(tasks)))]
        seconds = seconds_for(len(tasks))
        output_of([compiler, *_STRICT, *sources, "-o", "main", "-lm"], folder=folder, seconds=seconds)
        lines = iter(output_of([str(Path(folder, "main"))], seconds=seconds).splitlines())
    versions = {Path(compiler).name: output_of([compiler, "--version"]).splitlines()[0]}
    return [_read(task.exported, [next(lines) for _ in task.rows], versions) for task in tasks]


def _read(exported: Exported, lines: Sequence[str], versions: Mapping[str, str]) -> Ran:
    classes = exported.model.schema.classes
    answers: list[str | float | None] = []
    shares = []
    reasons: list[str | None] = []
    for line in lines:
        first, *rest, reason = line.split()
        reasons.append(None if reason == "-" else bytes.fromhex(reason[1:]).decode("utf-8", "surrogatepass"))
        if classes:
            answers.append(None if int(first) < 0 else classes[int(first)])
            shares.append(tuple(float.fromhex(each) for each in rest))
        else:
            number = float.fromhex(first)
            answers.append(None if math.isnan(number) else number)
    return ran_with(exported, answers, shares, versions, reasons=reasons)


def _main(count: int) -> str:
    places = range(count)
    declared = [f"void run_{place}(void);" for place in places]
    called = [f"    run_{place}();" for place in places]
    return "\n".join([*declared, "int main(void) {", *called, "    return 0;", "}", ""])


def _answering(exported: Exported, rows: Sequence[Row], place: int) -> str:
    """A function that prints a line for each row."""
    prefix = str(exported.options["prefix"])
    inputs = inputs_of(exported.model)
    names = c_names(inputs)
    lines = ["#include <stdio.h>", f'#include "model_{place}.h"', f"static const {prefix}_row rows[] = {{"]
    for row in rows:
        cells = [
            f".{name} = {_literal(row.get(column.name), numeric=isinstance(column, Numeric))}"
            for column, name in zip(inputs, names, strict=True)
        ]
        lines.append(f"    {{{', '.join(cells) or '0'}}},")
    lines += ["};", f"void run_{place}(void) {{", f"    for (int at = 0; at < {len(rows)}; at++) {{"]
    lines.append(f"        const {prefix}_answer given = {prefix}_predict(&rows[at]);")
    if exported.model.schema.classes:
        lines += [
            '        printf("%d", given.answer);',
            f'        for (int c = 0; c < {prefix}_CLASSES; c++) printf(" %a", given.shares[c]);',
            *(['        printf(" %a", given.points);'] if gives_points(exported.model) else []),
        ]
    else:
        lines.append('        printf("%a", given.number);')
    lines += [
        f"        const char *reason = given.region < 0 ? 0 : {prefix}_regions[given.region];",
        '        printf(reason ? " :" : " -");',  # then the bytes of the text
        '        for (; reason && *reason; reason++) printf("%02x", (unsigned char)*reason);',
        '        printf("\\n");',
    ]
    return "\n".join([*lines, "    }", "}"]) + "\n"


def _literal(cell: str | float | None, *, numeric: bool) -> str:
    if numeric:
        return "NAN" if cell is None or math.isnan(float(cell)) else float(cell).hex()
    return "0" if cell is None else text_in_c(str(cell))


RUNNER: Final = Runner("gcc", run_gcc, most=50)
