"""Targets that answer in a process of their own: Python, Node, FEEL in Node, onnxruntime and compiled C.

Each task is a line of JSON with its rows, and its answers are one too; of C both are in its own words.
"""

import importlib.util
import json
import math
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from clearwood.exporting.code.c import c_names, text_in_c
from clearwood.exporting.exportable import gives_points, inputs_of
from clearwood.exporting.exported import filled_in
from clearwood.exporting.running.runner import (
    AnsweredRow,
    NotRun,
    Ran,
    Runner,
    RunTask,
    as_lines,
    exports_in_folder,
    output_of,
    program_at,
    ran_from_lines,
    ran_with,
    seconds_for,
)
from clearwood.exporting.tables.dmn import names_in_dmn
from clearwood.files import text_beside
from clearwood.table.attributes import Numeric


def run_python(tasks: Sequence[RunTask]) -> list[Ran]:
    """What the exported modules answer, row by row, by the interpreter at hand."""
    with exports_in_folder(tasks, "exported_model_{}.py") as folder:
        command = [sys.executable, "-I", "-c", text_beside(__file__, "call_modules.py.in"), str(folder)]
        lines = output_of(command, given=as_lines(tasks), seconds=seconds_for(len(tasks)))
    return ran_from_lines(tasks, lines, {"Python": platform.python_version()})


PYTHON: Final = Runner("python", run_python, most=100)


def run_node(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What the exported modules answer, row by row."""
    main = text_beside(__file__, "call_modules.mjs")
    return _asked_of_node(main, "model_{}.mjs", tasks, as_lines(tasks), {})


def _asked_of_node(
    main: str, named: str, tasks: Sequence[RunTask], given: str, versions: dict[str, str]
) -> list[Ran] | list[NotRun]:
    node = program_at("node")
    if node is None:
        return [NotRun("Node is not installed.")] * len(tasks)
    with exports_in_folder(tasks, named) as folder:
        (folder / "main.mjs").write_text(main)
        lines = output_of([node, "main.mjs"], given=given, folder=folder, seconds=seconds_for(len(tasks)))
    return ran_from_lines(tasks, lines, {"Node": output_of([node, "--version"]).strip(), **versions})


NODE: Final = Runner("node", run_node, most=100)


# A FEEL engine runs exports to DMN: in Node `dmn-moddle` reads the file and `feelin` asks its tests.


_PACKAGES: Final = ("feelin", "dmn-moddle")
# Whatever the reader of DMN warns of is an error: an element or attribute that the standard does not have.


def run_feel(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What the decision tables answer, their unary tests asked by the hit policy that they state."""
    main, versions = text_beside(__file__, "call_decisions.mjs"), {}
    for name in _PACKAGES if program_at("node") else ():
        place = _package_at(name)
        if place is None:
            because = (
                f"The package {name} of Node is not in a folder that NODE_PATH names: npm install "
                f"{' '.join(_PACKAGES)}, then set NODE_PATH to the folder node_modules."
            )
            return [NotRun(because)] * len(tasks)
        about = json.loads((place / "package.json").read_text())
        main = main.replace(f'"{name.upper()}"', json.dumps((place / about["main"]).as_uri()))
        versions[name] = str(about["version"])
    return _asked_of_node(main, "model_{}.dmn", tasks, as_lines(list(map(_by_feel_names, tasks))), versions)


def _by_feel_names(task: RunTask) -> RunTask:
    model = task.exported.model
    names = names_in_dmn(model)
    columns = [each.name for each in inputs_of(model)]
    return replace(task, rows=[{names[name]: row.get(name) for name in columns} for row in task.rows])


def _package_at(name: str) -> Path | None:
    """Where a package of Node is installed, by NODE_PATH; None: it is not."""
    for folder in os.environ.get("NODE_PATH", "").split(os.pathsep):
        if folder and Path(folder, name, "package.json").exists():
            return Path(folder, name).resolve()
    return None


FEEL: Final = Runner("feel", run_feel, most=50)


# onnxruntime, in a Python that imports it and NumPy only.


def run_onnxruntime(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What onnxruntime answers, row by row."""
    if importlib.util.find_spec("onnxruntime") is None:
        return [NotRun("onnxruntime is not installed: pip install onnxruntime.")] * len(tasks)
    with exports_in_folder(tasks, "model_{}.onnx") as folder:
        given = "".join(json.dumps(_columns(task)) + "\n" for task in tasks)
        command = [sys.executable, "-c", text_beside(__file__, "call_onnxruntime.py.in")]
        printed = output_of(command, given=given, folder=folder, seconds=seconds_for(len(tasks)))
    return [_given(task, json.loads(line)) for task, line in zip(tasks, printed.splitlines(), strict=True)]


def _columns(task: RunTask) -> list[list[Any]]:
    missing = str(task.exported.options["missing"])

    def cell(given: str | float | None, *, numeric: bool) -> Any:
        if numeric:
            return math.nan if given is None else float(given)
        return missing if given is None or isinstance(given, float) else given

    return [
        [cell(row.get(each.name), numeric=isinstance(each, Numeric)) for row in task.rows]
        for each in inputs_of(task.exported.model)
    ] or [[0] * len(task.rows)]


def _given(task: RunTask, printed: list[Any]) -> Ran:
    version, named, *outputs = printed
    model, missing = task.exported.model, str(task.exported.options["missing"])
    numbers = outputs.pop(0) if model.schema.classes else [()] * len(task.rows)
    if gives_points(model):
        numbers = [[*shares, points] for shares, points in zip(numbers, outputs.pop(), strict=True)]
    answers = [None if each == missing or each != each else each for each in named]  # NaN is no number
    reasons = [each or None for each in outputs[0]] if outputs else [None] * len(task.rows)
    return ran_with(task.exported, zip(answers, numbers, reasons, strict=True), {"onnxruntime": version})


ONNXRUNTIME: Final = Runner("onnxruntime", run_onnxruntime, most=100)


# A C compiler builds a small program around exported headers, each a source file of its own.


_STRICT: Final = ("-std=c11", "-O0", "-Wall", "-Werror", "-Wno-unused-function", "-Wno-unused-variable")


def run_gcc(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What the compiled headers answer, row by row."""
    compiler = program_at("gcc", "cc")
    if compiler is None:
        return [NotRun("No C compiler (gcc or cc) is installed.")] * len(tasks)
    places, seconds = range(len(tasks)), seconds_for(len(tasks))
    with exports_in_folder(tasks, "model_{}.h") as folder:
        declared = [f"void run_{place}(void);" for place in places]
        called = [f"    run_{place}();" for place in places]
        main = [*declared, "int main(void) {", *called, "    return 0;", "}", ""]
        (folder / "main.c").write_text("\n".join(main))
        for place, task in enumerate(tasks):
            (folder / f"run_{place}.c").write_text(_source_in_c(task, place), encoding="utf-8")
        sources = ["main.c", *(f"run_{place}.c" for place in places)]
        output_of([compiler, *_STRICT, *sources, "-o", "main", "-lm"], folder=folder, seconds=seconds)
        lines = iter(output_of([folder / "main"], seconds=seconds).splitlines())
    versions = {Path(compiler).name: output_of([compiler, "--version"]).splitlines()[0]}
    return [
        ran_with(task.exported, [_answer_of_c(task, next(lines)) for _ in task.rows], versions)
        for task in tasks
    ]


def _answer_of_c(task: RunTask, line: str) -> AnsweredRow:
    """The bytes of the reason stand behind a colon."""
    first, *rest, reason = line.split()
    text = None if reason == "-" else bytes.fromhex(reason[1:]).decode("utf-8", "surrogatepass")
    if classes := task.exported.model.schema.classes:
        return None if int(first) < 0 else classes[int(first)], list(map(float.fromhex, rest)), text
    number = float.fromhex(first)
    return None if math.isnan(number) else number, (), text


def _source_in_c(task: RunTask, place: int) -> str:
    """A function that prints a line for each row."""
    exported, inputs = task.exported, inputs_of(task.exported.model)
    prefix = str(exported.options["prefix"])
    rows = []
    for row in task.rows:
        cells = [
            f".{name} = {_literal_in_c(row.get(column.name), numeric=isinstance(column, Numeric))}"
            for column, name in zip(inputs, c_names(inputs), strict=True)
        ]
        rows.append(f"    {{{', '.join(cells) or '0'}}},")
    answers = ['        printf("%a", given.number);']
    if exported.model.schema.classes:
        answers = [
            '        printf("%d", given.answer);',
            f'        for (int c = 0; c < {prefix}_CLASSES; c++) printf(" %a", given.shares[c]);',
        ]
    if gives_points(exported.model):
        answers.append('        printf(" %a", given.points);')
    text = text_beside(__file__, "call_header.c.in")
    return filled_in(text, place=str(place), prefix=prefix, rows=rows, count=str(len(rows)), answers=answers)


def _literal_in_c(cell: str | float | None, *, numeric: bool) -> str:
    if numeric:
        return "NAN" if cell is None or math.isnan(float(cell)) else float(cell).hex()
    return "0" if cell is None else text_in_c(str(cell))


GCC: Final = Runner("gcc", run_gcc, most=50)
