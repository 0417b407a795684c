"""The program as a process: how fast it answers, how it stops, what it leaves behind."""

from __future__ import annotations

import contextlib
import os
import platform
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from clearwood import datasets

COMMAND = [sys.executable, "-m", "clearwood"]


# What the libraries beneath us take to start and to read one option.
A_PROGRAM = """
import numpy, typer
app = typer.Typer()
@app.command()
def fit(rows: int = 0) -> None:
    print(numpy.zeros(rows))
app(["--rows", "3"])
"""
LIBRARIES = [sys.executable, "-c", A_PROGRAM]
FOR_HELP = [sys.executable, "-c", "import typer, typer.rich_utils"]  # what shows a typer program's help


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which Python keeps what it compiled, as it does for everybody by default."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path_factory.mktemp("compiled"))}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def cpu_seconds(environment: dict[str, str], *processes: list[str]) -> list[float]:
    """Processor time of each, the best of seven after a first: waiting for other processes does not count.

    They take turns, so that a busy moment of the machine falls on all of them.
    """

    def once(arguments: list[str]) -> float:
        before = os.times()
        subprocess.run(arguments, check=True, capture_output=True, env=environment)
        after = os.times()
        return after.children_user - before.children_user + after.children_system - before.children_system

    for each in processes:  # compiles what is imported
        once(each)
    return [min(times) for times in zip(*([once(each) for each in processes] for _ in range(7)), strict=True)]


@pytest.mark.slow
def test_help_answers_at_once(compiled: dict[str, str]) -> None:
    ours, libraries = cpu_seconds(compiled, [*COMMAND, "--help"], FOR_HELP)
    assert ours < 1.8 * libraries


@pytest.mark.slow
def test_fourteen_rows_are_fitted_at_once(compiled: dict[str, str]) -> None:
    # 0.3 s on a machine of its own; how slow the one at hand is, the libraries beneath us say.
    fit = [*COMMAND, "fit", str(datasets.path("tennis")), "-t", "PlayTennis"]
    ours, libraries = cpu_seconds(compiled, fit, LIBRARIES)
    assert ours < 2.6 * libraries


@pytest.mark.slow
def test_help_loads_no_numpy() -> None:
    loaded = "import sys; from clearwood.cli import run; run(['--help']); print('numpy' in sys.modules)"
    completed = subprocess.run([sys.executable, "-c", loaded], check=True, capture_output=True, text=True)
    assert completed.stdout.splitlines()[-1] == "False"


_AGAIN = """
import resource, sys
import numpy
from clearwood._native import keep_freed_memory
if sys.argv[1] == "keep":
    keep_freed_memory()
for _ in range(3):
    numpy.ones(500_000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(50):
    [numpy.ones(500_000), numpy.ones(500_000)].clear()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.slow
@pytest.mark.skipif("glibc" not in platform.libc_ver(), reason="only glibc can be told to keep memory")
def test_columns_are_made_in_memory_that_is_there_already() -> None:
    faults = {
        how: int(subprocess.run([sys.executable, "-c", _AGAIN, how], check=True, capture_output=True).stdout)
        for how in ("keep", "not")
    }
    assert faults["keep"] < faults["not"] / 10


@pytest.mark.slow
def test_fit_of_a_tree_loads_only_what_it_needs() -> None:
    loaded = (
        "import sys; from clearwood.cli import run; "
        "run(['fit', sys.argv[1], '-t', 'PlayTennis', '-l', 'c45']); "
        "print(*sorted(sys.modules), sep='\\n')"
    )
    fit = [sys.executable, "-c", loaded, str(datasets.path("tennis"))]
    modules = {*subprocess.run(fit, check=True, capture_output=True, text=True).stdout.splitlines()}
    others = ("derive.", "learners.ensembles.", "study.fairness.", "export.", "report.", "draw.charts.")
    unneeded = [each for each in modules if each.removeprefix("clearwood.").startswith(others)]
    assert not unneeded
    assert "numpy.ma" not in modules


@pytest.mark.slow
def test_fit_keeps_the_memory_of_its_columns_and_lets_idle_threads_sleep() -> None:
    asked = """
import os, sys
from clearwood import _native
kept = []
_native.keep_freed_memory = lambda: kept.append(1)
sys.argv = ["clearwood", "fit", sys.argv[1], "-t", "PlayTennis", "-q"]
from clearwood.cli import main
try:
    main()
finally:
    print(len(kept) > 0, os.environ["OPENBLAS_THREAD_TIMEOUT"], file=sys.stderr)
"""
    fit = [sys.executable, "-c", asked, str(datasets.path("tennis"))]
    completed = subprocess.run(fit, check=True, capture_output=True, text=True)
    assert completed.stderr.splitlines()[-1] == "True 4"


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error_worth_a_traceback() -> None:
    shell = f'"{sys.executable}" -m clearwood learners | head -1'
    completed = subprocess.run(["bash", "-c", shell], capture_output=True, text=True)
    assert completed.stdout.startswith("id3:")
    assert completed.stderr == ""


@pytest.mark.slow
def test_an_ascii_terminal_is_answered() -> None:
    path = str(datasets.path("tennis"))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    completed = subprocess.run(
        [*COMMAND, "fit", path, "-t", "PlayTennis"], capture_output=True, env=environment
    )
    assert completed.returncode == 0


@pytest.fixture(scope="module")
def long_work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table whose whole tree takes many seconds to grow, cross-validated."""
    folder = tmp_path_factory.mktemp("long")
    random = np.random.default_rng(0)
    numbers = random.integers(0, 100_000, (100_000, 12))
    classes = random.integers(0, 2, 100_000)
    np.savetxt(
        folder / "d.csv",
        np.column_stack([numbers, classes]),
        fmt="%d",
        delimiter=",",
        header=",".join("abcdefghijkly"),
        comments="",
    )
    return folder


@pytest.mark.slow
def test_control_c_stops_a_long_fit_within_a_second_and_leaves_no_file(long_work: Path) -> None:
    arguments = ["fit", str(long_work / "d.csv"), "-t", "y", "-l", "cart", "--cross-validate", "1000"]
    terminal, its_end = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments, "--save", str(long_work / "m.json")],
        stdout=subprocess.PIPE,
        stderr=its_end,
        text=True,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(its_end)
    seen = ""
    while "Learning" not in seen:  # the sign of life that a person at a terminal gets
        seen += os.read(terminal, 4096).decode()
    process.send_signal(signal.SIGINT)
    interrupted = time.monotonic()
    out, _ = process.communicate(timeout=20)
    # A second on a machine of its own; tests share theirs.
    assert time.monotonic() - interrupted < 3
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in seen + _rest_of(terminal)
    assert [path.name for path in long_work.iterdir()] == ["d.csv"]


@pytest.mark.slow
def test_tests_that_a_shell_starts_in_the_background_feel_control_c() -> None:
    code = "import signal, tests.conftest; print(signal.getsignal(signal.SIGINT).__name__)"
    ignoring = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-c", code]
    assert subprocess.check_output(ignoring, text=True, timeout=60) == "default_int_handler\n"


def _rest_of(terminal: int) -> str:
    """What is left to read; Linux answers the end of a terminal with an error."""
    text = b""
    with contextlib.suppress(OSError):
        while more := os.read(terminal, 4096):
            text += more
    os.close(terminal)
    return text.decode()
