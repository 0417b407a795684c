"""The program as a process, disturbed: streams closed or full, readers who go, signals, files that change.

`python -m tests.fuzz --processes` runs 500 cases, two at a time; each starts Python anew. A case chooses a
command and a disturbance; what must hold afterwards is the same for all: an exit code that fits, at most one
sentence, no traceback, and every output whole, as it was before, or not there.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Final

from tests.fuzz.cases import Outcome
from tests.fuzz.command_files import write_files

PROGRAM: Final = (sys.executable, "-X", "faulthandler", "-m", "clearwood")
BEFORE: Final = "what stood here before"  # the content of an output that is there already
_SOURCE: Final = Path(__file__).parents[2] / "src"
_PATIENCE: Final = 120  # seconds until a process is taken to hang


@dataclass(slots=True)
class Trial:
    """A command, the folder it runs in, what the shell does with its streams, and what came of it."""

    folder: Path
    random: Random
    arguments: list[str]
    output: str | None  # the file that the command is to write, None where it answers on standard output
    streams: str = ""  # as a shell writes it: >&-, < /dev/null
    first: str = ""  # what the shell does before it starts the command
    code: int = 0
    out: bytes = b""
    err: str = ""
    allowed: set[int] = field(default_factory=lambda: {0, 2})

    def start(self, **streams: int | None) -> subprocess.Popen[bytes]:
        """The process, with pipes where no other stream is given."""
        line = f'{self.first} exec "$@" {self.streams}'
        shell = ("sh", "-c", line, "sh") if self.first or self.streams else ()
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process: subprocess.Popen[bytes] = subprocess.Popen(
            [*shell, *PROGRAM, *self.arguments],
            cwd=self.folder,
            env=_environment(),
            **(pipes | streams),  # type: ignore[call-overload]
        )
        return process

    def finish(self, process: subprocess.Popen[bytes], typed: bytes | None = None) -> None:
        """Wait for the end and keep what was said."""
        try:
            out, err = process.communicate(typed, timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGABRT)  # faulthandler then says where it hangs
            out, err = process.communicate()
            raise AssertionError(f"hangs: {(err or b'').decode(errors='replace')}") from None
        self.code, self.out, self.err = process.returncode, out or b"", (err or b"").decode(errors="replace")


@cache
def _environment() -> dict[str, str]:
    """As most people have it: Python buffers output, and keeps what it compiled, here in a folder apart."""
    compiled = tempfile.mkdtemp(prefix="clearwood-compiled-")
    atexit.register(shutil.rmtree, compiled, ignore_errors=True)
    ours = {"PYTHONPATH": str(_SOURCE), "PYTHONPYCACHEPREFIX": compiled, "NO_COLOR": "1"}
    left_out = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    return {name: value for name, value in os.environ.items() if name not in left_out} | ours


def command(random: Random, folder: Path) -> Trial:
    """A command by chance that answers when it is left alone."""
    write_files(folder)
    big = "Outlook,Temperature,Humidity,Wind\n" + "Sunny,80,70,Weak\nRain,64,99,Strong\n" * 4000
    (folder / "big.csv").write_text(big)
    ways: list[tuple[str, str | None]] = [
        ("fit d.csv -t Play", None),
        ("fit d.csv -t Play --json --cross-validate 3", None),
        ("fit d.csv -t Play -q --save OUT", "new.json"),
        ("fit d.csv -t Play -l logistic -s penalty=l2 -q --save OUT", "new.json.gz"),
        ("predict tree.json big.csv", None),
        ("predict tree.json big.csv --shares --json", None),
        ("predict tree.json big.csv -q -o OUT", "new.csv"),
        ("predict bayes.json d.csv -q -o OUT", "new.csv.gz"),
        ("report d.csv -t Play -q -o OUT", "new.html"),
        ("draw tree.json -q -o OUT", "new.svg"),
        ("draw rules.json -q -o OUT", "new.txt"),
        ("derive d.csv -t Play --json", None),
        ("derive d.csv -t Play -q -o OUT", "new.md"),
        ("edit rules.txt -q --save OUT", "new.txt"),
        ("schema d.csv -t Play -q --save OUT", "new.json"),
        ("learners", None),
        ("show tree.json --rules", None),
        ("audit rules.txt", None),
        ("--help", None),
    ]
    line, output = random.choice(ways)
    if output is not None and random.random() < 0.4:
        (folder / output).write_text(BEFORE)
    arguments = [output if word == "OUT" and output is not None else word for word in line.split()]
    return Trial(folder, random, arguments, output)


def check(trial: Trial) -> None:
    """What holds after every disturbance."""
    answers = trial.err
    assert "Traceback" not in answers, answers
    assert "Fatal Python error" not in answers, answers
    assert trial.code in trial.allowed, f"exit code {trial.code}: {answers}"
    errors = [line for line in answers.splitlines() if line.startswith("error: ")]
    assert len(errors) == (trial.code == 2) or "2>&-" in trial.streams or "--json" in trial.arguments, answers
    if trial.code >= 128:
        assert answers == "", f"a process that was stopped says nothing, not: {answers}"
    left = [each.name for each in trial.folder.rglob("*") if each.name.endswith(".part")]
    assert not left, f"parts were left: {left}"
    if trial.output is not None:
        _check_output(trial, trial.folder / trial.output)


def _check_output(trial: Trial, place: Path) -> None:
    if not place.exists() or not place.is_file() or place.is_symlink():
        return
    content = place.read_bytes()
    if content == BEFORE.encode():
        assert trial.code != 0, "it answered, and wrote nothing"
        return
    match "".join(place.suffixes):
        case ".json":
            assert content.rstrip().endswith(b"}"), "the file is not whole"
        case ".gz" | ".json.gz" | ".csv.gz":
            subprocess.run(["gzip", "-t", place], check=True, capture_output=True)
        case ".csv":
            assert content.count(b"\n") == (trial.folder / "big.csv").read_bytes().count(b"\n")
        case ".html":
            assert content.rstrip().endswith(b"</html>"), "the page is not whole"
        case ".svg":
            assert content.rstrip().endswith(b"</svg>"), "the picture is not whole"
        case _:
            assert content, "the file is empty"


def run_processes(seed: int, cases: Iterable[int]) -> Outcome:
    """The cases of these numbers, two processes at a time."""
    from tests.fuzz.disturbances import DISTURBANCES

    outcome = Outcome()
    with ThreadPoolExecutor(2) as pool:
        for number, (name, code, failure) in zip(
            cases, pool.map(partial(_case, DISTURBANCES, seed), cases), strict=True
        ):
            if failure:
                outcome.failures[number] = failure
            elif code == 0:
                outcome.accepted += 1
            else:
                outcome.refused[f"{name} {code}"] += 1
    return outcome


def _case(
    disturbances: Mapping[str, Callable[[Trial], None]], seed: int, number: int
) -> tuple[str, int, str]:
    """The disturbance, the exit code, and what is wrong, if anything is."""
    random = Random(f"processes {seed} {number}")
    name = list(disturbances)[number % len(disturbances)]
    with tempfile.TemporaryDirectory() as folder:
        trial = command(random, Path(folder))
        try:
            disturbances[name](trial)
            check(trial)
        except Exception:
            what = f"{name}: clearwood {' '.join(trial.arguments)} {trial.streams}"
            return name, trial.code, f"{what} in which\n{traceback.format_exc()}"
    return name, trial.code, ""
