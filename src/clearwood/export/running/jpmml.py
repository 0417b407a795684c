"""JPMML-Evaluator works out exported PMML files."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.export.exportable import gives_points
from clearwood.export.pmml.document import pmml_names
from clearwood.export.program.inputs import inputs_of
from clearwood.export.program.program_of import program_of
from clearwood.export.running.java_bytes import packed_rows, packed_text, packed_texts, ran_from_bytes
from clearwood.export.running.java_with_jpmml import jpmml_missing, jpmml_versions, run_with_jpmml
from clearwood.export.running.processes import seconds_for
from clearwood.export.running.runner import NotRun, Ran, Runner, RunTask

_MAIN: Final = """
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.jpmml.evaluator.*;

public final class Main {
    public static void main(String[] arguments) {
        try {
            run();
        } catch (Throwable problem) {
            for (Throwable each = problem; each != null; each = each.getCause()) System.err.println(each);
            System.exit(1);
        }
    }

    private static void run() throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream("tasks")));
        OutputStream file = new BufferedOutputStream(new FileOutputStream("answers"));
        DataOutputStream out = new DataOutputStream(file);
        int count = in.readInt();
        for (int place = 0; place < count; place++) {
            File model = new File("model_" + place + ".pmml");
            Evaluator evaluator = new LoadingModelEvaluatorBuilder().load(model).build();
            evaluator.verify();
            String target = text(in);
            String reason = text(in);
            String[] shares = texts(in);
            for (Map<String, Object> row : rows(in)) {
                Map<String, ?> given = EvaluatorUtil.decodeAll(evaluator.evaluate(row));
                give(out, given.get(target), Arrays.stream(shares).mapToDouble((name) -> {
                    Object share = given.get(name);
                    return share == null ? Double.NaN : ((Number) share).doubleValue();
                }).toArray(), given.get(reason));
            }
        }
        out.close();
    }
"""


def run_jpmml(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What JPMML-Evaluator answers, row by row."""
    if because := jpmml_missing():
        return [NotRun(f"{because}.")] * len(tasks)
    with tempfile.TemporaryDirectory() as folder:
        packed = [struct.pack(">i", len(tasks))]
        for place, task in enumerate(tasks):
            Path(folder, f"model_{place}.pmml").write_bytes(task.exported.data)
            names = pmml_names(task.exported.model, program_of(task.exported.model))
            packed += [packed_text(names.target), packed_text(names.reason)]
            numbers = [*names.shares, *([names.points] if gives_points(task.exported.model) else [])]
            packed += [packed_texts(numbers), packed_rows(inputs_of(task.exported.model), task.rows)]
        Path(folder, "tasks").write_bytes(b"".join(packed))
        run_with_jpmml(_MAIN, folder, seconds_for(len(tasks)))
        answers = Path(folder, "answers").read_bytes()
    return ran_from_bytes(tasks, answers, jpmml_versions())


RUNNER: Final = Runner("jpmml", run_jpmml, most=100)
