"""The command line as a person meets it: arguments in; exit code, answer and notes out."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from clearwood import datasets
from clearwood.cli import run


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command: TypeAlias = Callable[..., Outcome]


@pytest.fixture
def clearwood(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Run a command in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> Outcome:
        code = run([str(each) for each in arguments])
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return command


@pytest.fixture
def tennis() -> Path:
    return datasets.path("tennis")


@pytest.fixture(scope="session")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book's tree as `clearwood fit` writes it."""
    place = tmp_path_factory.mktemp("fitted") / "m.json"
    fit = ["fit", str(datasets.path("tennis")), "--target", "PlayTennis", "--learner", "id3", "--quiet"]
    with contextlib.redirect_stdout(io.StringIO()):
        assert run([*fit, "--save", str(place)]) == 0
    return place


@pytest.fixture
def model(fitted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it where the command is run."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(fitted, tmp_path / "m.json"))
