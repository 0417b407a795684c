"""JPMML-Evaluator works out exported PMML files; its jars come with the package jpmml_evaluator.

Java itself is run on a small main: no bridge between Python and Java is needed.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.export.exportable import gives_points
from clearwood.export.pmml.document import pmml_names
from clearwood.export.program.program_of import program_of
from clearwood.export.running.java_bytes import IN_JAVA, packed_rows, packed_text, ran_from_bytes
from clearwood.export.running.processes import output_of, program_at, seconds_for
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
            String[] shares = new String[in.readInt()];
            for (int at = 0; at < shares.length; at++) shares[at] = text(in);
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
    java, found = program_at("java"), importlib.util.find_spec("jpmml_evaluator")
    if java is None or program_at("javac") is None:
        return [NotRun("Java's compiler (javac) is not installed.")] * len(tasks)
    if found is None or found.origin is None:
        return [NotRun("JPMML-Evaluator is not installed: pip install jpmml_evaluator.")] * len(tasks)
    jars = sorted(Path(found.origin).parent.glob("*/*.jar"))
    with tempfile.TemporaryDirectory() as folder:
        packed = [struct.pack(">i", len(tasks))]
        for place, task in enumerate(tasks):
            Path(folder, f"model_{place}.pmml").write_bytes(task.exported.data)
            names = pmml_names(task.exported.model, program_of(task.exported.model))
            packed += [packed_text(names.target), packed_text(names.reason)]
            numbers = [*names.shares, *([names.points] if gives_points(task.exported.model) else [])]
            packed += [struct.pack(">i", len(numbers)), *map(packed_text, numbers)]
            packed.append(packed_rows(task))
        Path(folder, "tasks").write_bytes(b"".join(packed))
        Path(folder, "Main.java").write_text(f"{_MAIN}{IN_JAVA}}}\n")
        quick = ["-Xss64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
        command = [java, *quick, "-cp", os.pathsep.join(map(str, jars)), "Main.java"]
        output_of(command, folder=folder, seconds=seconds_for(len(tasks)))
        answers = Path(folder, "answers").read_bytes()
    versions = {
        "jpmml_evaluator": importlib.metadata.version("jpmml_evaluator"),
        "JPMML-Evaluator": _version(jars),
        "Java": output_of([java, "--version"]).split("\n")[0],
    }
    return ran_from_bytes(tasks, answers, versions)


def _version(jars: Sequence[Path]) -> str:
    named = [
        each.stem.removeprefix("pmml-evaluator-") for each in jars if each.stem.startswith("pmml-evaluator-")
    ]
    return next((each for each in named if each[0].isdigit()), "unknown")


RUNNER: Final = Runner("jpmml", run_jpmml, most=100)
