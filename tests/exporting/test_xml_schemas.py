"""PMML and DMN are valid by the schemas of their formats, as Java's own validator reads them.

PMML's schema comes in the jars of JPMML, whose own additions (they begin with `x-`) are taken out here; DMN's
comes with dmn-moddle, which `make prove` installs.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.models.model import Model
from tests.exporting.models_to_export import learners, made_table
from tests.exporting.test_onnx import oddly_named_table
from tests.exporting.test_pmml_native import VARIANTS
from tests.exporting.test_program import DECISIONS

pytestmark = [
    pytest.mark.prove,
    pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning"),
]
VALIDATE = """
import java.io.File;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.*;

public final class Validate {
    public static void main(String[] files) throws Exception {
        SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
        Schema schema = factory.newSchema(new File(files[0]));
        for (File file : new File(files[1]).listFiles()) {
            try {
                schema.newValidator().validate(new StreamSource(file));
            } catch (org.xml.sax.SAXException problem) {
                System.out.println(file.getName() + ": " + problem.getMessage());
            }
        }
    }
}
"""


@pytest.fixture
def pmml_schema(tmp_path: Path) -> Path:
    package = importlib.util.find_spec("jpmml_evaluator")
    if package is None or package.origin is None:
        pytest.skip("JPMML-Evaluator is not installed, and PMML's schema comes with it.")
    (jar,) = Path(package.origin).parent.glob("dependencies/pmml-model-[0-9]*.jar")
    text = zipfile.ZipFile(jar).read("pmml.xsd").decode()
    schema = tmp_path / "pmml.xsd"
    schema.write_text(re.sub(r'<xs:(attribute name|enumeration value)="x-[^>]*/>', "", text))
    return schema


@pytest.fixture
def dmn_schema() -> Path:
    modules = [os.environ.get("NODE_PATH", ""), "build/prove/node_modules"]
    for folder in modules:
        schema = Path(folder, "dmn-moddle/resources/dmn/xsd/DMN13.xsd")
        if schema.is_file():
            return schema.resolve()
    pytest.skip("dmn-moddle is not installed, and DMN's schema comes with it: make prove installs it.")


def problems(schema: Path, folder: Path) -> list[str]:
    """What is not valid in the files of a folder."""
    if shutil.which("javac") is None:
        pytest.skip("Java's compiler (javac) is not installed.")
    source = folder.parent / "Validate.java"
    source.write_text(VALIDATE)
    command = ["java", "-XX:TieredStopAtLevel=1", "-Xss64m", str(source), str(schema), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def models() -> Iterator[tuple[str, Model]]:
    for name, learner in learners().items():
        model = learner.learn(made_table())
        yield name, model
        for decision, each in DECISIONS.items():
            yield f"{name}, {decision}", replace(model, decision=each)
    for name, (_, made) in VARIANTS.items():
        yield name, made()
    yield "numbers", cw.CART().learn(made_table(numeric=True))
    table, _ = oddly_named_table()
    yield "odd names, id3", cw.ID3().learn(table)
    yield "odd names, bayes", cw.NaiveBayes().learn(table)
    yield "odd names, logistic", cw.Logistic(penalty="l2").learn(table)
    yield "odd names, forest", cw.Forest(trees=2, seed=1).learn(table)


def written(format: str, tmp_path: Path) -> Path:
    folder = tmp_path / format
    folder.mkdir()
    for name, model in models():
        try:
            cw.export(model, format).save(folder / f"{name}.{format}")
        except SettingError:
            assert format == "dmn"  # which is for trees and rules
    return folder


def test_every_pmml_is_valid(pmml_schema: Path, tmp_path: Path) -> None:
    folder = written("pmml", tmp_path)
    assert len(list(folder.iterdir())) > 150
    assert problems(pmml_schema, folder) == []


def test_every_dmn_is_valid(dmn_schema: Path, tmp_path: Path) -> None:
    folder = written("dmn", tmp_path)
    assert len(list(folder.iterdir())) > 50
    assert problems(dmn_schema, folder) == []


def test_what_is_not_valid_is_noticed(pmml_schema: Path, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    text = cw.export(cw.CART().learn(made_table()), "pmml").text
    (folder / "good.pmml").write_text(text)
    (folder / "bad.pmml").write_text(text.replace("<MiningSchema>", '<MiningSchema x-baseVersion="1">'))
    (found,) = problems(pmml_schema, folder)
    assert found.startswith("bad.pmml: ")
