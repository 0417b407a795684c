"""Java compiles exported classes and calls them, all within one machine of Java.

Each class is compiled as it was exported, into a folder of its own, and loaded from there.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.export.exportable import gives_points
from clearwood.export.program.inputs import inputs_of
from clearwood.export.running.java_bytes import (
    IN_JAVA,
    packed_rows,
    packed_text,
    packed_texts,
    ran_from_bytes,
)
from clearwood.export.running.processes import output_of, program_at, seconds_for
from clearwood.export.running.runner import NotRun, Ran, Runner, RunTask

_MAIN: Final = """
import java.io.*;
import java.lang.reflect.Method;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import javax.tools.*;

public final class Main {
    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream("tasks")));
        OutputStream file = new BufferedOutputStream(new FileOutputStream("answers"));
        DataOutputStream out = new DataOutputStream(file);
        int count = in.readInt();
        for (int place = 0; place < count; place++) run(in, out, place);
        out.close();
    }

    private static void run(DataInputStream in, DataOutputStream out, int place) throws Exception {
        String folder = "model_" + place;
        String[] call = {"-nowarn", "-d", folder, folder + "/" + text(in)};
        if (ToolProvider.getSystemJavaCompiler().run(null, null, System.err, call) != 0) System.exit(1);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {new File(folder).toURI().toURL()})) {
            Class<?> model = loader.loadClass(text(in));
            Method predict = model.getMethod("predict", Map.class);
            Method explain = model.getMethod("explain", Map.class);
            Method shares = model.getMethod("shares", Map.class);
            Method points = in.readByte() == 1 ? model.getMethod("points", Map.class) : null;
            String[] classes = texts(in);
            for (Map<String, Object> row : rows(in)) {
                Map<?, ?> by = (Map<?, ?>) shares.invoke(null, row);
                double[] parts = new double[classes.length + (points == null ? 0 : 1)];
                for (int at = 0; at < classes.length; at++) parts[at] = (Double) by.get(classes[at]);
                if (points != null) parts[classes.length] = ((Number) points.invoke(null, row)).doubleValue();
                give(out, predict.invoke(null, row), parts, explain.invoke(null, row));
            }
        }
    }
"""


def run_java(tasks: Sequence[RunTask]) -> list[Ran] | list[NotRun]:
    """What the compiled classes answer, row by row."""
    compiler, java = program_at("javac"), program_at("java")
    if compiler is None or java is None:
        return [NotRun("Java's compiler (javac) is not installed.")] * len(tasks)
    with tempfile.TemporaryDirectory() as folder:
        packed = [struct.pack(">i", len(tasks))]
        for place, task in enumerate(tasks):
            name, package = str(task.exported.options["name"]), str(task.exported.options["package"])
            own = Path(folder, f"model_{place}")
            own.mkdir()
            (own / f"{name}.java").write_bytes(task.exported.data)
            packed += [packed_text(f"{name}.java"), packed_text(f"{package}.{name}" if package else name)]
            classes = task.exported.model.schema.classes
            packed.append(bytes([gives_points(task.exported.model)]))
            packed += [packed_texts(classes), packed_rows(inputs_of(task.exported.model), task.rows)]
        Path(folder, "tasks").write_bytes(b"".join(packed))
        Path(folder, "Main.java").write_text(f"{_MAIN}{IN_JAVA}}}\n")
        output_of(
            [java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "Main.java"],
            folder=folder,
            seconds=seconds_for(len(tasks)),
        )
        answers = Path(folder, "answers").read_bytes()
    version = output_of([compiler, "-version"]).strip() or output_of([java, "--version"]).split("\n")[0]
    return ran_from_bytes(tasks, answers, {"Java": version})


RUNNER: Final = Runner("java", run_java, most=100)
