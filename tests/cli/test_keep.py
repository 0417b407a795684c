"""Fitting many members at a terminal: how far it is, and what is left when it is interrupted."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from clearwood.cli.output import learning
from clearwood.learners.progress import Progress, is_enough
from clearwood.models.lineage import EndedEarly
from tests.cli.conftest import Command


@pytest.fixture(scope="module")
def long_work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    dice = np.random.default_rng(1)
    numbers = dice.integers(0, 1000, (3000, 8))
    table = np.column_stack([numbers, (numbers[:, 0] + dice.integers(0, 800, 3000) > 900)])
    np.savetxt(folder / "d.csv", table, fmt="%d", delimiter=",", header="a,b,c,d,e,f,g,h,y", comments="")
    return folder


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    ours, its = pty.openpty()
    yield ours, its
    os.close(ours)


def _fit_until_seen(
    folder: Path, terminal: tuple[int, int], *options: str, seen: bytes = b" of 100,000"
) -> tuple[subprocess.Popen[str], bytes]:
    """A fit that would take minutes, once it shows how far it is."""
    ours, its = terminal
    process = subprocess.Popen(
        [sys.executable, "-m", "clearwood", "fit", "d.csv", "-t", "y", "--set", "trees=100000", *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=its,
        text=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "200"},
    )
    os.close(its)
    shown = b""
    while seen not in shown:
        shown += os.read(ours, 4096)
    return process, shown


def _rest(ours: int) -> bytes:
    rest = b""
    try:
        while part := os.read(ours, 4096):
            rest += part
    except OSError:  # its end was closed, and Linux says so by an error
        pass
    return rest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("learner", "progress"),
    [
        ("forest", b"trees, error on out-of-bag rows 0."),
        ("boosting", b"rounds, log loss on training rows 0."),
    ],
)
def test_control_c_keeps_the_members_so_far_if_asked_to(
    learner: str, progress: bytes, long_work: Path, terminal: tuple[int, int]
) -> None:
    process, shown = _fit_until_seen(
        long_work, terminal, "-l", learner, "--keep", "--save", f"{learner}.json", seen=progress
    )
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    model = cw.load(long_work / f"{learner}.json")
    assert isinstance(model, cw.Ensemble)
    (ended,) = model.origin.after
    assert isinstance(ended, EndedEarly)
    assert (ended.done, ended.of, ended.because) == (model.size, 100_000, "interrupted")
    assert f"Learning was interrupted after {model.size:,} of 100,000" in out
    assert b"Learning was interrupted" in _rest(terminal[0])
    assert b"Ctrl-C keeps these" in shown


@pytest.mark.slow
def test_control_c_without_keep_says_what_was_lost_and_how_to_keep_it(
    long_work: Path, terminal: tuple[int, int]
) -> None:
    process, _ = _fit_until_seen(long_work, terminal, "-l", "forest", "--save", "none.json")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert not (long_work / "none.json").exists()
    rest = _rest(terminal[0]).decode()
    assert "of 100,000 trees: nothing is kept or saved. With --keep, what was learned until then is." in rest
    assert "Traceback" not in rest


def test_a_second_interruption_ends_it_at_once() -> None:
    with pytest.raises(KeyboardInterrupt):
        _interrupted_twice()


def _interrupted_twice() -> None:
    with learning("Learning", keep=True):
        assert not is_enough(Progress(1, 9, "tree"))
        os.kill(os.getpid(), signal.SIGINT)
        assert is_enough(Progress(2, 9, "tree"))
        os.kill(os.getpid(), signal.SIGINT)


def test_progress_is_not_written_to_files_and_pipes(clearwood: Command, tennis: Path) -> None:
    done = clearwood("fit", tennis, "-t", "PlayTennis", "-l", "forest", "--keep")
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("-l", "c45"), "--keep is for learners of many members: bagging, forest, adaboost, boosting, gam."),
        ((), "Leave it out for c45."),
        (("-l", "forest", "--cross-validate", "3"), "Evaluate by --test-part."),
    ],
)
def test_keep_is_refused_where_there_is_nothing_to_keep(
    options: tuple[str, ...], sentence: str, clearwood: Command, tennis: Path
) -> None:
    done = clearwood("fit", tennis, "-t", "PlayTennis", "--keep", *options)
    assert done.code == 2
    assert sentence in done.err
