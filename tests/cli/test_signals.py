"""Ctrl-C and the system's request to end: an exit code, no word, and nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from clearwood.cli.process import EndingError, ignore_signals, install_signal_handlers
from clearwood.files import whole_file


@pytest.fixture
def heeded() -> Iterator[None]:
    """Signals as the command line takes them, for one test."""
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    install_signal_handlers()
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_the_file_as_it_was_and_no_part_of_another(number: int, tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text("before")
    with pytest.raises(EndingError):
        _write_half(tmp_path / "m.json", number)
    assert [each.name for each in tmp_path.iterdir()] == ["m.json"]
    assert (tmp_path / "m.json").read_text() == "before"


def _write_half(place: Path, number: int) -> None:
    with whole_file(place) as file:
        file.write(b"half")
        os.kill(os.getpid(), number)


@pytest.mark.usefixtures("heeded")
def test_a_signal_that_comes_after_the_answer_is_ignored() -> None:
    ignore_signals()
    os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_process_that_is_asked_to_end_says_nothing(number: int, code: int, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "d.csv")
    process = subprocess.Popen(
        [sys.executable, "-m", "clearwood", "fit", "d.csv", "-t", "y", "--save", "m.json"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with (tmp_path / "d.csv").open("w") as pipe:  # which opens when the program reads
        pipe.write("x,y\n")
        pipe.flush()
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (code, "", "")
    assert [each.name for each in tmp_path.iterdir()] == ["d.csv"]
