"""JPMML-Evaluator's own answers to rows of a PMML document."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from clearwood.export.running.java_bytes import packed_rows, packed_texts, unpacked_number, unpacked_text
from clearwood.export.running.java_with_jpmml import jpmml_versions, run_with_jpmml
from clearwood.importing.hurting_rows import RowCells
from clearwood.importing.importer import Content
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
        String[] classes = texts(in);
        for (Map<String, Object> row : rows(in)) {
            Object answer;
            try {
                answer = evaluator.evaluate(row).get(target);
            } catch (Exception problem) {
                out.writeByte(0);
                giveText(out, String.valueOf(problem.getMessage()));
                continue;
            }
            Object value = EvaluatorUtil.decode(answer);
            out.writeByte(value == null ? 1 : 2);
            if (value == null) continue;
            if (classes.length == 0) out.writeDouble(((Number) value).doubleValue());
            else giveText(out, value);
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
"""


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """A class or number, None without a prediction; shares by class, NaN where it gives none; or why the
    row is refused."""

    answer: str | float | None
    shares: tuple[float, ...] = ()
    refused: str = ""


def engine_name() -> str:
    """The engine, with its version."""
    return f"JPMML-Evaluator {jpmml_versions()['jpmml_evaluator']}"


def ask_engine(content: Content, schema: Schema, rows: Sequence[RowCells]) -> list[EngineAnswer]:
    """What the engine answers; `schema` has the document's own names."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.pmml").write_bytes(content.data)
        packed = packed_texts(schema.classes) + packed_rows(schema.attributes, rows)
        Path(folder, "rows").write_bytes(packed)
        run_with_jpmml(_MAIN, folder)
        answers = io.BytesIO(Path(folder, "answers").read_bytes())
    return [_unpacked(answers, schema) for _ in rows]


def _unpacked(answers: io.BytesIO, schema: Schema) -> EngineAnswer:
    status = answers.read(1)[0]
    if status == 0:
        return EngineAnswer(None, refused=unpacked_text(answers) or "")
    if status == 1:
        return EngineAnswer(None)
    if not schema.classes:
        return EngineAnswer(unpacked_number(answers))
    return EngineAnswer(unpacked_text(answers), tuple(unpacked_number(answers) for _ in schema.classes))
