"""Java with JPMML-Evaluator, whose jars come with the package jpmml_evaluator: a small main is run.

No bridge between Python and Java is needed.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path

from clearwood.export.running.java_bytes import IN_JAVA
from clearwood.export.running.processes import MOST_SECONDS, output_of, program_at


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
