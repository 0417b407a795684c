"""JPMML-Evaluator's own answers to rows of a PMML document: Java is run once on a small main.

Its jars come with the package jpmml_evaluator.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import io
import os
import struct
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from clearwood.export.running.processes import output_of, program_at
from clearwood.importing.hurting_rows import RowCells
from clearwood.importing.importer import Content
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema

# Of each row first a byte: 0 it was refused, 1 there is no prediction, 2 there is one. A refusal is a text.
_MAIN: Final = """
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.jpmml.evaluator.*;

public final class Main {
    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream("rows")));
        OutputStream file = new BufferedOutputStream(new FileOutputStream("answers"));
        DataOutputStream out = new DataOutputStream(file);
        Evaluator evaluator = new LoadingModelEvaluatorBuilder().load(new File("model.pmml")).build();
        String target = evaluator.getTargetFields().get(0).getName();
        String[] names = texts(in), kinds = texts(in), classes = texts(in);
        for (int count = in.readInt(); count > 0; count--) {
            Map<String, Object> row = new HashMap<>();
            for (int at = 0; at < names.length; at++) {
                if (in.readByte() == 0) continue;
                if (kinds[at].equals("number")) row.put(names[at], in.readDouble());
                else row.put(names[at], text(in));
            }
            Object answer;
            try {
                answer = evaluator.evaluate(row).get(target);
            } catch (Exception problem) {
                out.writeByte(0);
                give(out, String.valueOf(problem.getMessage()));
                continue;
            }
            Object value = EvaluatorUtil.decode(answer);
            out.writeByte(value == null ? 1 : 2);
            if (value == null) continue;
            if (classes.length == 0) out.writeDouble(((Number) value).doubleValue());
            else give(out, value.toString());
            for (String name : classes) {
                double share = Double.NaN;
                if (answer instanceof HasProbability) {
                    for (Object category : ((CategoricalResultFeature) answer).getCategories())
                        if (category.toString().equals(name))
                            share = ((HasProbability) answer).getProbability(category);
                }
                out.writeDouble(share);
            }
        }
        out.close();
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    private static String[] texts(DataInputStream in) throws IOException {
        String[] all = new String[in.readInt()];
        for (int at = 0; at < all.length; at++) all[at] = text(in);
        return all;
    }

    private static void give(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
"""


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """A class or number, None without a prediction; shares by class, NaN where it gives none; or why the
    row is refused."""

    answer: str | float | None
    shares: tuple[float, ...] = ()
    refused: str = ""


def engine_missing() -> str:
    """Why JPMML-Evaluator cannot be run; empty where it can."""
    if program_at("java") is None or program_at("javac") is None:
        return "Java's compiler (javac) is not installed"
    if importlib.util.find_spec("jpmml_evaluator") is None:
        return "JPMML-Evaluator is not installed (pip install jpmml_evaluator)"
    return ""


def engine_name() -> str:
    """The engine, with its version."""
    return f"JPMML-Evaluator {importlib.metadata.version('jpmml_evaluator')}"


def ask_engine(content: Content, schema: Schema, rows: Sequence[RowCells]) -> list[EngineAnswer]:
    """What the engine answers; `schema` has the document's own names."""
    found, java = importlib.util.find_spec("jpmml_evaluator"), program_at("java")
    assert java is not None
    assert found is not None
    assert found.origin is not None
    jars = sorted(Path(found.origin).parent.glob("*/*.jar"))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.pmml").write_bytes(content.data)
        Path(folder, "Main.java").write_text(_MAIN)
        Path(folder, "rows").write_bytes(_packed(schema, rows))
        quick = ["-Xss64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
        output_of([java, *quick, "-cp", os.pathsep.join(map(str, jars)), "Main.java"], folder=folder)
        answers = io.BytesIO(Path(folder, "answers").read_bytes())
    return [_unpacked(answers, schema) for _ in rows]


def _packed(schema: Schema, rows: Sequence[RowCells]) -> bytes:
    names = [each.name for each in schema.attributes]
    is_number = [isinstance(each, Numeric) for each in schema.attributes]
    kinds = ["number" if each else "text" for each in is_number]
    parts = [_texts(names), _texts(kinds), _texts(schema.classes), struct.pack(">i", len(rows))]
    for row in rows:
        for name, number in zip(names, is_number, strict=True):
            cell = row.get(name)
            if cell is None:
                parts.append(b"\0")
            else:
                parts.append(b"\1" + (struct.pack(">d", cell) if number else _text(str(cell))))
    return b"".join(parts)


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack(">i", len(data)) + data


def _texts(texts: Sequence[str]) -> bytes:
    return struct.pack(">i", len(texts)) + b"".join(map(_text, texts))


def _unpacked(answers: io.BytesIO, schema: Schema) -> EngineAnswer:
    status = answers.read(1)[0]
    if status == 0:
        return EngineAnswer(None, refused=_read_text(answers))
    if status == 1:
        return EngineAnswer(None)
    if not schema.classes:
        return EngineAnswer(struct.unpack(">d", answers.read(8))[0])
    answer, many = _read_text(answers), len(schema.classes)
    return EngineAnswer(answer, struct.unpack(f">{many}d", answers.read(8 * many)))


def _read_text(answers: io.BytesIO) -> str:
    (size,) = struct.unpack(">i", answers.read(4))
    return answers.read(size).decode()
