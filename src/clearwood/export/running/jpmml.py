"""JPMML-Evaluator works out an exported PMML file; its jars come with the package jpmml_evaluator.

Java itself is run on a small main: no bridge between Python and Java is needed.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import io
import os
import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.export.exportable import gives_points
from clearwood.export.exported import Exported
from clearwood.export.program.inputs import inputs_of
from clearwood.export.running.java import packed_rows
from clearwood.export.running.processes import output_of, program_at
from clearwood.export.running.runner import NotRun, Ran, Runner, ran_with
from clearwood.table.attributes import Numeric
from clearwood.table.row import Row

# Answers go back as bytes: whether there is one, a number or a text with its length, and the shares.
_MAIN: Final = """
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.jpmml.evaluator.*;

public final class Main {
    public static void main(String[] kinds) {
        try {
            run(kinds);
        } catch (Throwable problem) {
            for (Throwable each = problem; each != null; each = each.getCause()) System.err.println(each);
            System.exit(1);
        }
    }

    private static void run(String[] kinds) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream("rows")));
        OutputStream file = new BufferedOutputStream(new FileOutputStream("answers"));
        DataOutputStream out = new DataOutputStream(file);
        Evaluator evaluator = new LoadingModelEvaluatorBuilder().load(new File("model.pmml")).build();
        evaluator.verify();
        String target = evaluator.getTargetFields().get(0).getName();
        for (int count = in.readInt(); count > 0; count--) {
            Map<String, Object> row = new HashMap<>();
            for (String kind : kinds) {
                String name = text(in);
                if (in.readByte() == 0) continue;
                if (kind.equals("number")) row.put(name, in.readDouble());
                else row.put(name, text(in));
            }
            Map<String, ?> given = EvaluatorUtil.decodeAll(evaluator.evaluate(row));
            Object answer = given.get(target);
            out.writeByte(answer == null ? 0 : 1);
            if (answer instanceof Number) out.writeDouble(((Number) answer).doubleValue());
            else if (answer != null) {
                byte[] bytes = answer.toString().getBytes(StandardCharsets.UTF_8);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
            for (OutputField field : evaluator.getOutputFields()) {
                Object share = given.get(field.getName());
                out.writeDouble(share == null ? Double.NaN : ((Number) share).doubleValue());
            }
        }
        out.close();
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
"""


def run_jpmml(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What JPMML-Evaluator answers, row by row."""
    java, found = program_at("java"), importlib.util.find_spec("jpmml_evaluator")
    if java is None or program_at("javac") is None:
        return NotRun("Java's compiler (javac) is not installed.")
    if found is None or found.origin is None:
        return NotRun("JPMML-Evaluator is not installed: pip install jpmml_evaluator.")
    jars = sorted(Path(found.origin).parent.glob("*/*.jar"))
    kinds = ["number" if isinstance(each, Numeric) else "text" for each in inputs_of(exported.model)]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.pmml").write_bytes(exported.data)
        Path(folder, "Main.java").write_text(_MAIN)
        Path(folder, "rows").write_bytes(packed_rows(exported, rows))
        quick = ["-Xss64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
        classpath = os.pathsep.join(map(str, jars))
        output_of([java, *quick, "-cp", classpath, "Main.java", *kinds], folder=folder)
        answers = io.BytesIO(Path(folder, "answers").read_bytes())
    version = importlib.metadata.version("jpmml_evaluator")
    versions = {
        "jpmml_evaluator": version,
        "JPMML-Evaluator": _version(jars),
        "Java": output_of([java, "--version"]).split("\n")[0],
    }
    return _read(exported, len(rows), answers, versions)


def _version(jars: Sequence[Path]) -> str:
    named = [
        each.stem.removeprefix("pmml-evaluator-") for each in jars if each.stem.startswith("pmml-evaluator-")
    ]
    return next((each for each in named if each[0].isdigit()), "unknown")


def _read(exported: Exported, rows: int, answers: io.BytesIO, versions: dict[str, str]) -> Ran:
    classes = exported.model.schema.classes
    numbers = len(classes) + gives_points(exported.model)
    given: list[str | float | None] = []
    shares = []
    for _ in range(rows):
        if not answers.read(1)[0]:
            given.append(None)
        elif classes:
            (size,) = struct.unpack(">i", answers.read(4))
            given.append(answers.read(size).decode())
        else:
            given.append(struct.unpack(">d", answers.read(8))[0])
        shares.append(struct.unpack(f">{numbers}d", answers.read(8 * numbers)))
    return ran_with(exported, given, shares, versions)


RUNNER: Final = Runner("jpmml", run_jpmml)
