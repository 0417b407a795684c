"""JPMML-Evaluator works out exported PMML files."""

import importlib.metadata
import importlib.util
import os
import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.exporting.exportable import gives_points, inputs_of, program_to_export
from clearwood.exporting.pmml.document import pmml_frame
from clearwood.exporting.running.java import IN_JAVA, packed_rows, packed_text, packed_texts, ran_from_bytes
from clearwood.exporting.running.runner import (
    MOST_SECONDS,
    NotRun,
    Ran,
    Runner,
    RunTask,
    output_of,
    program_at,
    seconds_for,
)

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
            names = pmml_frame(task.exported.model, program_to_export(task.exported.model))
            packed += [packed_text(names.target), packed_text(names.reason)]
            numbers = [*names.shares, *([names.points] if gives_points(task.exported.model) else [])]
            packed += [packed_texts(numbers), packed_rows(inputs_of(task.exported.model), task.rows)]
        Path(folder, "tasks").write_bytes(b"".join(packed))
        run_with_jpmml(_MAIN, folder, seconds_for(len(tasks)))
        answers = Path(folder, "answers").read_bytes()
    return ran_from_bytes(tasks, answers, jpmml_versions())


RUNNER: Final = Runner("jpmml", run_jpmml, most=100)


# Java with JPMML-Evaluator, whose jars come with the package jpmml_evaluator: a small main is run.
#
# No bridge between Python and Java is needed.


def jpmml_missing() -> str:
    """Why JPMML-Evaluator cannot be run, for a sentence; empty where it can."""
    if program_at("java") is None or program_at("javac") is None:
        return "Java's compiler (javac) is not installed"
    if importlib.util.find_spec("jpmml_evaluator") is None:
        return "JPMML-Evaluator is not installed (pip install jpmml_evaluator)"
    return ""


def run_with_jpmml(main: str, folder: str, seconds: float = MOST_SECONDS) -> None:
    """Run a class `Main` in a folder; the methods of `IN_JAVA` are put at its end."""
    Path(folder, "Main.java").write_text(f"{main}{IN_JAVA}}}\n")
    quick = ["-Xss64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
    command = [str(program_at("java")), *quick, "-cp", os.pathsep.join(map(str, _jars())), "Main.java"]
    output_of(command, folder=folder, seconds=seconds)


def jpmml_versions() -> dict[str, str]:
    """The versions of what is run."""
    return {
        "jpmml_evaluator": importlib.metadata.version("jpmml_evaluator"),
        "JPMML-Evaluator": _version(_jars()),
        "Java": output_of([str(program_at("java")), "--version"]).split("\n")[0],
    }


def _jars() -> list[Path]:
    found = importlib.util.find_spec("jpmml_evaluator")
    assert found is not None
    assert found.origin is not None
    return sorted(Path(found.origin).parent.glob("*/*.jar"))


def _version(jars: Sequence[Path]) -> str:
    named = [
        each.stem.removeprefix("pmml-evaluator-") for each in jars if each.stem.startswith("pmml-evaluator-")
    ]
    return next((each for each in named if each[0].isdigit()), "unknown")
