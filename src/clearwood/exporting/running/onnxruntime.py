"""onnxruntime works out an exported graph, in a process of its own.

The process is a Python that imports onnxruntime and NumPy only; rows go in and answers come back as JSON.
"""

import importlib.util
import json
import math
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from clearwood.exporting.exportable import gives_points, inputs_of
from clearwood.exporting.running.runner import NotRun, Ran, Runner, RunTask, output_of, ran_with, seconds_for
from clearwood.table.attributes import Numeric

_MAIN: Final = """
import json, sys
import numpy as np
import onnxruntime
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
kinds = {"tensor(double)": np.float64, "tensor(float)": np.float32, "tensor(int64)": np.int64}
for place, line in enumerate(sys.stdin):
    session = onnxruntime.InferenceSession(
        f"model_{place}.onnx", options, providers=["CPUExecutionProvider"]
    )
    feed = {}
    for port, column in zip(session.get_inputs(), json.loads(line), strict=True):
        with np.errstate(over="ignore"):
            column = np.array(column, dtype=object).astype(kinds.get(port.type, object))
            feed[port.name] = column.reshape(-1, 1)
    # repr tells a double whole, and NaN and infinity as JSON does in Python
    print(json.dumps([onnxruntime.__version__, *(each.tolist() for each in session.run(None, feed))]))
"""


def run_onnxruntime(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What onnxruntime answers, row by row."""
    if importlib.util.find_spec("onnxruntime") is None:
        return [NotRun("onnxruntime is not installed: pip install onnxruntime.")] * len(tasks)
    with tempfile.TemporaryDirectory() as folder:
        for place, task in enumerate(tasks):
            Path(folder, f"model_{place}.onnx").write_bytes(task.exported.data)
        given = "".join(json.dumps(_columns(task)) + "\n" for task in tasks)
        command = [sys.executable, "-c", _MAIN]
        printed = output_of(command, given=given, folder=folder, seconds=seconds_for(len(tasks)))
    return [_read(task, json.loads(line)) for task, line in zip(tasks, printed.splitlines(), strict=True)]


def _columns(task: RunTask) -> list[list[Any]]:
    missing = str(task.exported.options["missing"])
    return [
        [_cell(row.get(each.name), missing, numeric=isinstance(each, Numeric)) for row in task.rows]
        for each in inputs_of(task.exported.model)
    ] or [[0] * len(task.rows)]


def _read(task: RunTask, printed: list[Any]) -> Ran:
    version, *outputs = printed
    versions = {"onnxruntime": version}
    classes = task.exported.model.schema.classes
    rest = outputs[2:] if classes else outputs[1:]
    points = [[each] for each in rest.pop()] if gives_points(task.exported.model) else [[]] * len(task.rows)
    reasons = tuple(each or None for each in rest[0]) if rest else (None,) * len(task.rows)
    if not classes:
        numbers = tuple(None if math.isnan(each) else each for each in outputs[0])
        return Ran(numbers, None, versions, reasons=reasons)
    missing = str(task.exported.options["missing"])
    answers = tuple(None if each == missing else each for each in outputs[0])
    beside = ([*by_class, *added] for by_class, added in zip(outputs[1], points, strict=True))
    return ran_with(task.exported, answers, beside, versions, reasons=reasons)


def _cell(cell: str | float | None, missing: str, *, numeric: bool) -> Any:
    if numeric:
        return math.nan if cell is None else float(cell)
    return missing if cell is None or isinstance(cell, float) else cell


RUNNER: Final = Runner("onnxruntime", run_onnxruntime, most=100)
