"""Java compiles an exported class with a small main beside it, and the rows are run through it."""

from __future__ import annotations

import math
import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from clearwood.export.exportable import gives_points
from clearwood.export.exported import Exported
from clearwood.export.program.inputs import inputs_of
from clearwood.export.running.processes import output_of, program_at
from clearwood.export.running.runner import NotRun, Ran, Runner, ran_with
from clearwood.table.attributes import Numeric
from clearwood.table.row import Row

# Rows come as a file of bytes: for each cell whether it is there, then eight bytes of a number, or the length
# of a text and its bytes in UTF-8.
_MAIN: Final = """
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

public final class Main {
    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream("rows")));
        StringBuilder out = new StringBuilder();
        String[] kinds = KINDS;
        for (int count = in.readInt(); count > 0; count--) {
            Map<String, Object> row = new HashMap<>();
            for (String kind : kinds) {
                String name = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                if (in.readByte() == 0) continue;
                if (kind.equals("number")) row.put(name, in.readDouble());
                else row.put(name, new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
            }
            Object answer = MODEL.predict(row);
            List<String> classes = new ArrayList<>(MODEL.shares(row).keySet());
            if (classes.isEmpty()) out.append(answer == null ? "NaN" : Double.toHexString((Double) answer));
            else out.append(classes.indexOf(answer));
            for (double share : MODEL.shares(row).values()) out.append(' ').append(Double.toHexString(share));
            POINTS
            out.append('\\n');
        }
        System.out.print(out);
    }
}
"""


def run_java(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What the compiled class answers, row by row."""
    compiler, java = program_at("javac"), program_at("java")
    if compiler is None or java is None:
        return NotRun("Java's compiler (javac) is not installed.")
    name, package = str(exported.options["name"]), str(exported.options["package"])
    kinds = ["number" if isinstance(each, Numeric) else "text" for each in inputs_of(exported.model)]
    listed = "new String[] {" + ", ".join(f'"{each}"' for each in kinds) + "}"
    points = "out.append(' ').append(Double.toHexString(MODEL.points(row)));"
    main = _MAIN.replace("POINTS", points if gives_points(exported.model) else "")
    main = main.replace("KINDS", listed).replace("MODEL", f"{package}.{name}" if package else name)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"{name}.java").write_bytes(exported.data)
        Path(folder, "Main.java").write_text(main)
        Path(folder, "rows").write_bytes(packed_rows(exported, rows))
        output_of([compiler, "-nowarn", "-d", ".", f"{name}.java", "Main.java"], folder=folder)
        lines = output_of([java, "-Xss16m", "-cp", ".", "Main"], folder=folder).splitlines()
    classes = exported.model.schema.classes
    answers: list[str | float | None] = []
    shares = []
    for line in lines:
        first, *rest = line.split()
        if classes:
            answers.append(None if int(first) < 0 else classes[int(first)])
            shares.append(tuple(map(float.fromhex, rest)))
        else:
            number = float.fromhex(first)
            answers.append(None if math.isnan(number) else number)
    versions = {
        "Java": output_of([compiler, "-version"]).strip() or output_of([java, "--version"]).split("\n")[0]
    }
    return ran_with(exported, answers, shares, versions)


def packed_rows(exported: Exported, rows: Sequence[Row]) -> bytes:
    """Rows as bytes that Java reads."""
    parts = [struct.pack(">i", len(rows))]
    for row in rows:
        for column in inputs_of(exported.model):
            parts.append(_sized(column.name))
            cell = row.get(column.name)
            if cell is None or (isinstance(cell, float) and math.isnan(cell)):
                parts.append(b"\0")
            else:
                packed = struct.pack(">d", cell) if isinstance(column, Numeric) else _sized(str(cell))
                parts.append(b"\1" + packed)
    return b"".join(parts)


def _sized(text: str) -> bytes:
    encoded = text.encode("utf-8", "surrogatepass")
    return struct.pack(">i", len(encoded)) + encoded


RUNNER: Final = Runner("java", run_java)
