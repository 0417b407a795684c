"""A C compiler builds a small program around an exported header, and the rows are run through it."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.export.code.c import c_names, text_in_c
from clearwood.export.exportable import gives_points
from clearwood.export.exported import Exported
from clearwood.export.program.inputs import inputs_of
from clearwood.export.running.processes import output_of, program_at
from clearwood.export.running.runner import NotRun, Ran, Runner, ran_with
from clearwood.table.attributes import Numeric
from clearwood.table.row import Row


def run_gcc(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What the compiled header answers, row by row."""
    compiler = program_at("gcc") or program_at("cc")
    if compiler is None:
        return NotRun("No C compiler (gcc or cc) is installed.")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.h").write_bytes(exported.data)
        Path(folder, "main.c").write_text(_main(exported, rows), encoding="utf-8")
        strict = ["-std=c11", "-O0", "-Wall", "-Werror", "-Wno-unused-function", "-Wno-unused-variable"]
        output_of([compiler, *strict, "main.c", "-o", "main", "-lm"], folder=folder)
        lines = output_of([str(Path(folder, "main"))]).splitlines()
    classes = exported.model.schema.classes
    answers: list[str | float | None] = []
    shares = []
    for line in lines:
        first, *rest = line.split()
        if classes:
            answers.append(None if int(first) < 0 else classes[int(first)])
            shares.append(tuple(float.fromhex(each) for each in rest))
        else:
            number = float.fromhex(first)
            answers.append(None if math.isnan(number) else number)
    versions = {Path(compiler).name: output_of([compiler, "--version"]).splitlines()[0]}
    return ran_with(exported, answers, shares, versions)


def _main(exported: Exported, rows: Sequence[Row]) -> str:
    prefix = str(exported.options["prefix"])
    inputs = inputs_of(exported.model)
    names = c_names(inputs)
    lines = ["#include <stdio.h>", '#include "model.h"', f"static const {prefix}_row rows[] = {{"]
    for row in rows:
        cells = [
            f".{name} = {_literal(row.get(column.name), numeric=isinstance(column, Numeric))}"
            for column, name in zip(inputs, names, strict=True)
        ]
        lines.append(f"    {{{', '.join(cells) or '0'}}},")
    lines += ["};", "int main(void) {", f"    for (int at = 0; at < {len(rows)}; at++) {{"]
    lines.append(f"        const {prefix}_answer given = {prefix}_predict(&rows[at]);")
    if exported.model.schema.classes:
        lines += [
            '        printf("%d", given.answer);',
            f'        for (int c = 0; c < {prefix}_CLASSES; c++) printf(" %a", given.shares[c]);',
            *(['        printf(" %a", given.points);'] if gives_points(exported.model) else []),
            '        printf("\\n");',
        ]
    else:
        lines.append('        printf("%a\\n", given.number);')
    return "\n".join([*lines, "    }", "    return 0;", "}"]) + "\n"


def _literal(cell: str | float | None, *, numeric: bool) -> str:
    if numeric:
        return "NAN" if cell is None or math.isnan(float(cell)) else float(cell).hex()
    return "0" if cell is None else text_in_c(str(cell))


RUNNER: Final = Runner("gcc", run_gcc)
