"""onnxruntime works out an exported graph, in a process of its own.

The process is a Python that imports onnxruntime and NumPy only; rows go in and answers come back as JSON.
"""

from __future__ import annotations

import importlib.util
import json
import math
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from clearwood.export.exportable import gives_points
from clearwood.export.exported import Exported
from clearwood.export.program.inputs import inputs_of
from clearwood.export.running.processes import output_of
from clearwood.export.running.runner import NotRun, Ran, Runner, ran_with
from clearwood.table.attributes import Numeric
from clearwood.table.row import Row

_MAIN: Final = """
import json, sys
import numpy as np
import onnxruntime
given = json.load(sys.stdin)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession("model.onnx", options, providers=["CPUExecutionProvider"])
kinds = {"tensor(double)": np.float64, "tensor(float)": np.float32, "tensor(int64)": np.int64}
feed = {}
for port, column in zip(session.get_inputs(), given, strict=True):
    with np.errstate(over="ignore"):
        feed[port.name] = np.array(column, dtype=object).astype(kinds.get(port.type, object)).reshape(-1, 1)
outputs = session.run(None, feed)
# repr tells a double whole, and NaN and infinity as JSON does in Python
print(json.dumps([onnxruntime.__version__, *(each.tolist() for each in outputs)]))
"""


def run_onnxruntime(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What onnxruntime answers, row by row."""
    if importlib.util.find_spec("onnxruntime") is None:
        return NotRun("onnxruntime is not installed: pip install onnxruntime.")
    if not rows:
        return Ran((), () if exported.model.schema.classes else None, {})
    missing = str(exported.options["missing"])
    columns = [
        [_cell(row.get(each.name), missing, numeric=isinstance(each, Numeric)) for row in rows]
        for each in inputs_of(exported.model)
    ] or [[0] * len(rows)]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.onnx").write_bytes(exported.data)
        printed = output_of([sys.executable, "-c", _MAIN], given=json.dumps(columns), folder=folder)
    version, *outputs = json.loads(printed)
    versions = {"onnxruntime": version}
    if not exported.model.schema.classes:
        return Ran(tuple(None if math.isnan(each) else each for each in outputs[0]), None, versions)
    answers = tuple(None if each == missing else each for each in outputs[0])
    points = outputs[2] if gives_points(exported.model) else None
    numbers = outputs[1]
    if points is not None:
        numbers = [[*by_class, each] for by_class, each in zip(numbers, points, strict=True)]
    return ran_with(exported, answers, numbers, versions)


def _cell(cell: str | float | None, missing: str, *, numeric: bool) -> Any:
    if numeric:
        return math.nan if cell is None else float(cell)
    return missing if cell is None or isinstance(cell, float) else cell


RUNNER: Final = Runner("onnxruntime", run_onnxruntime)
