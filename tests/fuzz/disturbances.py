"""Disturbances: what a shell, a reader, another program or the system does to a running command."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.fuzz.processes import BEFORE, Trial

GONE: Final = 141
STOPPED: Final = 130
TERMINATED: Final = 143


def closed_streams(trial: Trial) -> None:
    """Standard input, output or errors closed; the table may be asked for from the first."""
    trial.streams = trial.random.choice(("<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"))
    if "<&-" in trial.streams and trial.random.random() < 0.7:
        trial.arguments = [("-" if word in ("d.csv", "big.csv") else word) for word in trial.arguments]
    trial.finish(trial.start())
    if "-" in trial.arguments:
        assert trial.code == 2, "read from nothing"


def full_output(trial: Trial) -> None:
    """No room where the answer goes."""
    trial.streams = "> /dev/full"
    trial.finish(trial.start())
    if trial.output is None:
        assert trial.code == 2, "an answer that went nowhere is no success"


def reader_gone(trial: Trial) -> None:
    """Whoever reads the answer goes after some bytes, or before the first."""
    trial.allowed = {0, GONE}
    after = trial.random.choice((0, 0, 1, 100, 5000, 70_000))
    ours, its = os.pipe()
    if not after:
        os.close(ours)
    process = trial.start(stdout=its)
    os.close(its)
    if after:
        seen = 0
        while seen < after and (piece := os.read(ours, after - seen)):
            seen += len(piece)
        os.close(ours)
    trial.finish(process)
    if not after and trial.output is None:
        assert trial.code == GONE, f"exit code {trial.code}"


def interrupted(trial: Trial) -> None:
    """Ctrl-C at a moment by chance."""
    _signalled(trial, signal.SIGINT, STOPPED)


def terminated(trial: Trial) -> None:
    """The system, or whoever started us, asks us to end."""
    _signalled(trial, signal.SIGTERM, TERMINATED)


def _signalled(trial: Trial, number: signal.Signals, code: int) -> None:
    process = trial.start()
    time.sleep(trial.random.random() * trial.random.choice((0.3, 1, 1, 2)))
    process.send_signal(number)
    trial.finish(process)
    # Until our first line runs, the signal is Python's own; a shell calls such an end the same.
    early = trial.code == -number or (trial.code in (1, code) and _before_us(trial.err))
    if early:
        trial.code, trial.err = code, ""
    trial.allowed = {0, code}


def _before_us(answers: str) -> bool:
    """Is this the traceback of an interpreter that is still starting, in which no line of ours ran?"""
    return "KeyboardInterrupt" in answers and "clearwood/cli" not in answers


def changing_table(trial: Trial) -> None:
    """The table is cut short, replaced, lengthened or removed while it is read."""
    name = next((word for word in trial.arguments if word in ("d.csv", "big.csv")), None)
    if name is None:
        trial.arguments, trial.output, name = ["fit", "d.csv", "-t", "Play"], None, "d.csv"
    table = trial.folder / name
    header, *rows = table.read_text().splitlines(keepends=True)
    table.write_text(header + "".join(rows * (200_000 // len(rows))))
    way = trial.random.choice(("cut", "replace", "append", "remove", "half a row"))
    process = trial.start()
    time.sleep(0.2 + trial.random.random())
    match way:
        case "cut":
            os.truncate(table, trial.random.randrange(table.stat().st_size))
        case "replace":
            (trial.folder / "other").write_text("x,y\n1,2\n")
            (trial.folder / "other").replace(table)
        case "append":
            with table.open("a") as file:
                file.write("".join(rows))
        case "half a row":
            with table.open("a") as file:
                file.write('Sunny,"')
        case _:
            table.unlink()
    trial.finish(process)
    if trial.output is not None and trial.output.endswith(".csv"):
        trial.output = None  # how many rows there are is open


def piped_table(trial: Trial) -> None:
    """The table comes through a pipe with a name, or standard input, whole, cut off, or not at all."""
    name = next((word for word in trial.arguments if word in ("d.csv", "big.csv")), None)
    if name is None:
        trial.arguments, trial.output, name = ["fit", "d.csv", "-t", "Play"], None, "d.csv"
    content = (trial.folder / name).read_bytes()
    whole = trial.random.random() < 0.4
    if not whole:
        content = content[: trial.random.randrange(len(content))]
    if trial.random.random() < 0.5:
        trial.arguments = [("-" if word == name else word) for word in trial.arguments]
        trial.finish(trial.start(stdin=subprocess.PIPE), content)
    else:
        (trial.folder / name).unlink()
        os.mkfifo(trial.folder / name)
        process = trial.start()
        threading.Thread(target=_feed, args=(trial.folder / name, content), daemon=True).start()
        trial.finish(process)
    if whole:
        assert trial.code == 0, trial.err
    if trial.output is not None and trial.output.endswith(".csv"):
        trial.output = None


def _feed(pipe: Path, content: bytes) -> None:
    try:
        pipe.write_bytes(content)
    except OSError:
        return  # the reader has gone, as it may


def odd_output(trial: Trial) -> None:
    """The output is a device, a pipe, a link, a folder, or where nothing can be written."""
    if trial.output is None:
        trial.arguments, trial.output = ["fit", "d.csv", "-t", "Play", "-q", "--save", "new.json"], "new.json"
    output = trial.folder / trial.output
    output.unlink(missing_ok=True)
    kind = trial.random.choice(list(_OUTPUTS))
    _OUTPUTS[kind](trial, output)


def _pipe_without_reader(trial: Trial, output: Path) -> None:
    """The reader opens the pipe, takes some bytes and goes."""
    os.mkfifo(output)
    trial.allowed = {0, GONE}
    process = trial.start()
    reader = threading.Thread(target=_sip, args=(output, trial.random.choice((0, 1, 1000))), daemon=True)
    reader.start()
    trial.finish(process)
    assert output.is_fifo(), "the pipe was replaced"


def _sip(pipe: Path, size: int) -> None:
    with pipe.open("rb", buffering=0) as stream:
        stream.read(size)


def _pipe(trial: Trial, output: Path) -> None:
    os.mkfifo(output)
    taken: list[bytes] = []
    reader = threading.Thread(target=lambda: taken.append(output.read_bytes()), daemon=True)
    reader.start()
    trial.finish(trial.start())
    reader.join(5)
    assert output.is_fifo(), "the pipe was replaced"
    assert trial.code == 0, trial.err
    assert b"".join(taken), "nothing came through the pipe"


def _link(trial: Trial, output: Path) -> None:
    real = trial.folder / f"folder/real-{output.name}"
    if trial.random.random() < 0.5:
        real.write_text(BEFORE)
    output.symlink_to(real.relative_to(trial.folder))
    trial.finish(trial.start())
    assert output.is_symlink(), "the link was replaced"
    assert trial.code == 0, trial.err
    assert real.read_bytes() not in (b"", BEFORE.encode())


def _refused(trial: Trial, place: str) -> None:
    trial.arguments = [place if word == trial.output else word for word in trial.arguments]
    trial.finish(trial.start())
    assert trial.code == 2, f"exit code {trial.code}"


def _device(trial: Trial, device: str) -> None:
    """A device takes what is written; its name must end as the command asks, so it stands behind a link."""
    assert trial.output is not None
    (trial.folder / trial.output).symlink_to(device)
    trial.finish(trial.start())
    assert (trial.folder / trial.output).is_symlink(), "the link was replaced"
    assert Path(device).is_char_device(), f"{device} was replaced"
    assert trial.code == (2 if device == "/dev/full" else 0), trial.err


def _loop(trial: Trial, output: Path) -> None:
    output.symlink_to(output.name)
    _refused(trial, output.name)


def _folder(trial: Trial, output: Path) -> None:
    output.mkdir()
    _refused(trial, output.name)


def _small_disk(trial: Trial, output: Path) -> None:
    """No file may become longer than so many blocks."""
    if trial.random.random() < 0.5:
        output.write_text(BEFORE)
    trial.first = f"ulimit -f {trial.random.choice((0, 0, 1))};"
    trial.finish(trial.start())
    if trial.first == "ulimit -f 0;":
        assert trial.code == 2, f"exit code {trial.code}"


_OUTPUTS: Final[dict[str, Callable[[Trial, Path], None]]] = {
    "a pipe": _pipe,
    "a pipe whose reader goes": _pipe_without_reader,
    "a link": _link,
    "a link to itself": _loop,
    "a folder": _folder,
    "a device": lambda trial, _: _device(trial, "/dev/null"),
    "a full device": lambda trial, _: _device(trial, "/dev/full"),
    "in a folder that is not there": lambda trial, output: _refused(trial, f"gone/{output.name}"),
    "in a folder that no one may write in": lambda trial, output: _refused(trial, f"/sys/{output.name}"),
    "beneath a file": lambda trial, output: _refused(trial, f"d.csv/{output.name}"),
    "of a name that is too long": lambda trial, output: _refused(trial, "x" * 300 + output.name),
    "on a small disk": _small_disk,
}

DISTURBANCES: Final[dict[str, Callable[[Trial], None]]] = {
    "closed streams": closed_streams,
    "full output": full_output,
    "reader gone": reader_gone,
    "interrupted": interrupted,
    "terminated": terminated,
    "changing table": changing_table,
    "piped table": piped_table,
    "odd output": odd_output,
}
