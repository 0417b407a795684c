"""To write ONNX: columns in, the class, the shares and the reason of every row out."""

from __future__ import annotations

import json
from typing import Literal, TypeAlias

import numpy as np

from clearwood.errors import SettingError, no_such
from clearwood.export.exportable import Exportable
from clearwood.export.exported import Exported, ExportFormat, heading_of
from clearwood.export.exporting import refused_without_words
from clearwood.export.onnx.formulas import DOUBLE, FLOAT, INT64, ColumnFormulas
from clearwood.export.onnx.graph import OnnxGraph, OnnxKind, OnnxPort, onnx_file
from clearwood.export.onnx.leaves import lay_leaves, replaced_by_leaves, trees_of
from clearwood.export.program.program import ModelProgram
from clearwood.export.program.program_of import program_of
from clearwood.table.attributes import Nominal, Numeric, Ordinal

OnnxPrecision: TypeAlias = Literal["double", "single"]
ROWS = "rows"  # the input of a model that asks for no column: as many entries as there are rows


def to_onnx(
    model: Exportable, *, precision: OnnxPrecision = "double", missing: str = "<missing>"
) -> Exported:
    """A graph with an input of shape [rows, 1] for each column, and the outputs `label` and `probabilities`,
    or `number`; of trees and rules also `reason`, the text of the leaf or rule that answered (empty: several
    leaves have parts of the row); of a scorecard also `points`.

    A missing number is NaN. ONNX knows no missing text: `missing` is the text that stands for it, and for the
    label of a row without an answer. With `precision="single"` numbers come in and go out as floats, which
    many runtimes give by default; what lies between is worked out in doubles.
    """
    if precision not in ("double", "single"):
        raise SettingError(no_such("precision", precision, ("double", "single"), plural="precisions"))
    program = program_of(model)
    _check_texts(program, missing)
    kind: OnnxKind = "double" if precision == "double" else "float"
    inputs = input_ports(program, kind)
    outputs = _outputs(program, kind, {each.name for each in inputs})
    graph = OnnxGraph(frozenset(each.name for each in (*inputs, *outputs)))
    _write(graph, model, program, inputs, outputs, missing)
    what, whence = heading_of(model)
    content = onnx_file(
        graph,
        inputs,
        outputs,
        about=("clearwood", f"{what} {whence}"),
        properties={
            "classes": json.dumps(program.classes),
            "columns": json.dumps([each.name for each in program.inputs]),
            "missing": missing,
        },
    )
    notes = [f"A missing number is NaN; a missing text, and the label of no prediction, is {missing!r}."]
    if precision == "single":
        notes.append("Numbers are rounded to single precision as they come in: rows near a cut may change.")
    options = {"precision": precision, "missing": missing}
    return Exported(
        "onnx",
        content,
        ".onnx",
        model,
        target="onnxruntime",
        options=options,
        precision=precision,
        notes=tuple(notes),
    )


def input_ports(program: ModelProgram, kind: OnnxKind) -> tuple[OnnxPort, ...]:
    """An input for each column; where there is none, one that has as many entries as there are rows."""
    if not program.inputs:
        return (OnnxPort(ROWS, "int64"),)
    return tuple(
        OnnxPort(each.name, kind if isinstance(each, Numeric) else "string") for each in program.inputs
    )


def _outputs(program: ModelProgram, kind: OnnxKind, taken: set[str]) -> tuple[OnnxPort, ...]:
    reason = () if program.region is None else (OnnxPort(_free("reason", taken), "string", None),)
    if not program.classes:
        return (OnnxPort(_free("number", taken), kind, None), *reason)
    ports = (
        OnnxPort(_free("label", taken), "string", None),
        OnnxPort(_free("probabilities", taken), kind, len(program.classes)),
        *reason,
    )
    return (*ports, OnnxPort(_free("points", taken), "double", None)) if program.points else ports


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _write(
    graph: OnnxGraph,
    model: Exportable,
    program: ModelProgram,
    inputs: tuple[OnnxPort, ...],
    outputs: tuple[OnnxPort, ...],
    missing: str,
) -> None:
    formulas = ColumnFormulas(graph)
    for column, port in zip(program.inputs, inputs, strict=False):
        if isinstance(column, Numeric):
            wide = graph.add("Cast", port.name, to=DOUBLE) if port.kind == "float" else port.name
            formulas.cells[column.name] = wide
        else:
            assert isinstance(column, Nominal | Ordinal)
            formulas.read_texts(column.name, port.name, column.values, missing)
    trees = trees_of(model)
    lay_leaves(formulas, trees)
    replaced = replaced_by_leaves((step.name for step in program.steps), trees)
    for step in program.steps:
        if step.name not in replaced:
            formulas.steps[step.name] = formulas.formula(step.value)
    shape = graph.add("Shape", inputs[0].name)
    number = FLOAT if any(each.kind == "float" for each in outputs) else DOUBLE
    flat = graph.constant(np.array([-1], np.int64))
    if program.region is not None:
        region = graph.add("Expand", formulas.steps[program.region], shape)
        at = graph.add("Cast", graph.add("Reshape", region, flat), to=INT64)
        texts = graph.constant(np.array([*program.regions, ""], object))  # place −1 is the last
        graph.add("Gather", texts, at, output=outputs[2 if program.classes else 1].name)
    answer = graph.add("Expand", formulas.steps[program.answer], shape)
    if not program.classes:
        graph.add("Cast", graph.add("Reshape", answer, flat), to=number, output=outputs[0].name)
        return
    place = graph.add("Cast", graph.add("Reshape", answer, flat), to=INT64)
    names = graph.constant(np.array([*program.classes, missing], object))  # place −1 is the last
    graph.add("Gather", names, place, output=outputs[0].name)
    shares = [graph.add("Expand", formulas.steps[each], shape) for each in program.shares]
    graph.add("Cast", graph.add("Concat", *shares, axis=1), to=number, output=outputs[1].name)
    if program.points is not None:
        points = graph.add("Expand", formulas.steps[program.points], shape)
        graph.add("Reshape", points, flat, output=outputs[2].name)


def _check_texts(program: ModelProgram, missing: str) -> None:
    for column in program.inputs:
        if isinstance(column, Nominal | Ordinal) and missing in column.values:
            raise SettingError(
                f"{missing!r} stands for a missing text, but is a value of '{column.name}'. "
                "Give another text that no column has as the option missing."
            )
    if missing in program.classes:
        raise SettingError(
            f"{missing!r} stands for no prediction, but is a class. Give another text as the option missing."
        )
    texts = [each.name for each in program.inputs] + list(program.classes) + [missing]
    texts += [each for column in program.inputs for each in getattr(column, "values", ())]
    for text in texts:
        if "\0" in text or not _is_utf8(text):
            raise SettingError(f"ONNX cannot hold the text {text!r}. Rename it, and learn again.")
    if "" in (each.name for each in program.inputs):
        raise SettingError(
            "ONNX cannot have an input without a name. Give the column a name, and learn again."
        )


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


FORMAT = ExportFormat(
    "onnx",
    "a graph that ONNX runtimes work out, in doubles or floats",
    (".onnx",),
    to_onnx,
    refused_without_words,
)
