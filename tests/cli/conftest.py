"""The command line as a person meets it: arguments in; exit code, answer and notes out."""

from __future__ import annotations

import json
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


@pytest.fixture
def model(clearwood: Command, tennis: Path, tmp_path: Path) -> Path:
    """The book's tree in a file."""
    assert (
        clearwood("fit", tennis, "--target", "PlayTennis", "--learner", "id3", "--save", "m.json").code == 0
    )
    return tmp_path / "m.json"
