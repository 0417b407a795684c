"""Rows to predict come in blocks from any source: the same answers and errors, in the memory of a few."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from clearwood.table.sources import blocks as reading
from clearwood.table.sources.blocks import blocks_of
from tests.cli.conftest import Command

pytestmark = pytest.mark.slow


COLUMNS: dict[str, list[Any]] = {
    "x": [i / 4 if i % 9 else None for i in range(200)],
    "k": [i * 7 % 13 for i in range(200)],
    "c": ["red, or so", "blue", None, "green"] * 50,
}
TEXT = "x,k,c\n" + "".join(
    ",".join(
        ""
        if cell is None
        else f'"{cell}"'
        if cell == "red, or so"
        else f"{cell:g}"
        if name == "x"
        else str(cell)
        for name, cell in zip(COLUMNS, row, strict=True)
    )
    + "\n"
    for row in zip(*COLUMNS.values(), strict=True)
)


def _zstd(data: bytes) -> bytes:
    room = pa.BufferOutputStream()
    with pa.CompressedOutputStream(room, "zstd") as file:
        file.write(data)
    return bytes(room.getvalue())


SOURCES: dict[str, Callable[[Path, dict[str, list[Any]], str], object]] = {
    "new.csv": lambda path, _, text: path.write_text(text),
    "new.csv.gz": lambda path, _, text: path.write_bytes(gzip.compress(text.encode())),
    "new.csv.bz2": lambda path, _, text: path.write_bytes(bz2.compress(text.encode())),
    "new.csv.zst": lambda path, _, text: path.write_bytes(_zstd(text.encode())),
    "new.parquet": lambda path, columns, _: pq.write_table(pa.table(columns), path, row_group_size=50),
    "new.arrow": lambda path, columns, _: _write_arrow(path, columns),
    "new.feather": lambda path, columns, _: feather.write_feather(pa.table(columns), str(path)),
    "new.parquet.gz": lambda path, columns, _: path.write_bytes(gzip.compress(_parquet(columns))),
}


def _write_arrow(path: Path, columns: dict[str, list[Any]]) -> None:
    table = pa.table(columns)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=33)


def _parquet(columns: dict[str, list[Any]]) -> bytes:
    room = io.BytesIO()
    pq.write_table(pa.table(columns), room)
    return room.getvalue()


@pytest.fixture
def learned(clearwood: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model, and blocks so small that there are many."""
    lines = TEXT.splitlines()
    truth = ["y", *("no" if i < 90 else "yes" for i in range(200))]
    (tmp_path / "d.csv").write_text("\n".join(f"{a},{b}" for a, b in zip(lines, truth, strict=True)) + "\n")
    assert clearwood("fit", "d.csv", "-t", "y", "--kind", "k=numeric", "--save", "m.json").code == 0
    monkeypatch.setattr(reading, "blocks_of", partial(blocks_of, size=300, rows=20))
    return tmp_path


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_gives_the_same_lines(clearwood: Command, learned: Path, name: str) -> None:
    SOURCES["new.csv"](learned / "plain.csv", COLUMNS, TEXT)
    SOURCES[name](learned / name, COLUMNS, TEXT)
    assert clearwood("predict", "m.json", "plain.csv", "-o", "plain.txt").code == 0
    assert clearwood("predict", "m.json", name, "-o", "s.csv").code == 0
    assert Path("s.csv").read_text() == Path("plain.txt").read_text()
    assert len(Path("s.csv").read_text().splitlines()) == 201


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_comes_in_blocks(learned: Path, name: str) -> None:
    SOURCES[name](learned / name, COLUMNS, TEXT)
    sizes = [len(block.raw) for block in blocks_of(name, {}, size=300, rows=20)]
    assert sum(sizes) == 200
    assert max(sizes) <= 40
    assert [block.before for block in blocks_of(name, {}, size=300, rows=20)] == np.cumsum(
        [0, *sizes[:-1]]
    ).tolist()


def test_standard_input_and_pipes_come_in_blocks_too(
    clearwood: Command, learned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (learned / "new.csv").write_text(TEXT)
    assert clearwood("predict", "m.json", "new.csv", "-o", "plain.txt").code == 0
    for data in (TEXT.encode(), gzip.compress(TEXT.encode())):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert clearwood("predict", "m.json", "-", "-o", "s.csv").code == 0
        assert Path("s.csv").read_text() == Path("plain.txt").read_text()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert len(list(blocks_of("-", {}, size=300))) > 5
    os.mkfifo("pipe.csv")
    writer = Thread(target=lambda: Path("pipe.csv").write_text(TEXT))
    writer.start()
    assert clearwood("predict", "m.json", "pipe.csv", "-o", "s.csv").code == 0
    writer.join()
    assert Path("s.csv").read_text() == Path("plain.txt").read_text()


def test_a_stream_is_read_no_further_than_a_few_blocks_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    source = io.BytesIO(TEXT.encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(source, 1)))
    monkeypatch.setattr("clearwood.table.sources.opening._ROOM", 16)
    blocks = blocks_of("-", {}, size=300)
    next(blocks)
    assert source.tell() <= 900
    assert sum(len(each.raw) for each in blocks) > 100


@pytest.mark.usefixtures("learned")
def test_records_of_json_on_standard_input_are_known_by_how_they_begin(
    clearwood: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b'{"x": 1.5, "k": 3, "c": "blue"}\n{"x": 2, "k": 4, "c": "red, or so"}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert clearwood("predict", "m.json", "-", "-o", "s.csv").code == 0
    assert [line.rsplit(",", 1)[0] for line in Path("s.csv").read_text().splitlines()] == [
        "x,k,c",
        "1.5,3,blue",
        '2,4,"red, or so"',
    ]


@pytest.mark.usefixtures("learned")
def test_standard_input_that_is_not_utf8_is_read_as_windows_wrote_it(
    clearwood: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = b"x,k,c\n1,2,K\xf6ln\n" + TEXT.encode().partition(b"\n")[2]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(early)))
    done = clearwood("predict", "m.json", "-", "-o", "s.csv")
    assert "read as Windows-1252" in done.err
    assert len(Path("s.csv").read_text().splitlines()) == 202
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode() + b"1,2,K\xf6ln\n")))
    done = clearwood("predict", "m.json", "-", "-o", "late.csv")
    assert done.code == 2
    assert "standard input is not UTF-8 after its row" in done.err
    assert "--encoding cp1252." in done.err
    assert not Path("late.csv").exists()


@pytest.mark.parametrize("name", [*SOURCES, "-"])
@pytest.mark.parametrize("way", ["stop", "skip", "keep"])
def test_cells_that_are_no_numbers_meet_the_same_end_in_every_source(
    clearwood: Command, learned: Path, monkeypatch: pytest.MonkeyPatch, name: str, way: str
) -> None:
    texts = ["1.5", "2", "inf", "0.25", "-inf", "7"] * 30
    columns: dict[str, list[Any]] = {"x": texts, "k": [3] * 180, "c": ["blue"] * 180}
    text = "x,k,c\n" + "".join(f"{x},3,blue\n" for x in texts)
    if name.partition(".")[2] in ("parquet", "arrow", "feather", "parquet.gz"):
        columns["x"] = [float(x) for x in texts]
    if name == "-":
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    else:
        SOURCES[name](learned / name, columns, text)
    done = clearwood("predict", "m.json", name, "-o", "s.csv", "--on-error", way)
    if way == "stop":
        assert done.code == 2
        assert "Column 'x', row 3: 'inf' is infinite." in done.err
        assert "So are 59 more cells: 'x', row 5: '-inf'; 'x', row 9: 'inf'" in done.err
        assert not Path("s.csv").exists()
        return
    assert done.code == 0
    assert "60 cells could not be used" in done.err
    lines = Path("s.csv").read_text().splitlines()[1:]
    kept = [x for x in texts if way == "keep" or "inf" not in x]
    assert [line.split(",")[0] for line in lines] == kept
    errors = Path("s.csv.errors.csv").read_text().splitlines()
    assert errors[:3] == ["row,column,cell,wrong", "3,x,inf,is infinite", "5,x,-inf,is infinite"]


def test_broken_packing_is_a_sentence_and_leaves_no_file(clearwood: Command, learned: Path) -> None:
    packed = gzip.compress(TEXT.encode() * 50)
    (learned / "cut.csv.gz").write_bytes(packed[: len(packed) // 2])
    done = clearwood("predict", "m.json", "cut.csv.gz", "-o", "s.csv")
    assert done.code == 2
    assert "cut.csv.gz is packed, but cannot be unpacked" in done.err
    assert not Path("s.csv").exists()


def test_no_more_is_unpacked_or_streamed_than_allowed(
    clearwood: Command, learned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (learned / "long.csv.gz").write_bytes(gzip.compress(TEXT.encode() * 50))
    done = clearwood("predict", "m.json", "long.csv.gz", "-o", "s.csv", "--max-bytes", "5KB")
    assert "long.csv.gz unpacks to more than 5 KB, which is the limit" in done.err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode() * 50)))
    done = clearwood("predict", "m.json", "-", "-o", "s.csv", "--max-bytes", "5KB")
    assert "standard input has more than 5 KB, which is the limit" in done.err
    (learned / "plain.csv").write_text(TEXT * 50)
    done = clearwood("predict", "m.json", "plain.csv", "-o", "s.csv", "--max-bytes", "5KB")
    assert "plain.csv has more than 5 KB, which is the limit" in done.err
    assert not Path("s.csv").exists()


@pytest.mark.usefixtures("learned")
def test_integers_that_floats_do_not_tell_apart_are_written_as_they_are(clearwood: Command) -> None:
    large = [2**60 + i for i in range(30)]
    table = pa.table({"x": [1.0] * 30, "k": [None, *range(29)], "c": ["blue"] * 30, "id": [None, *large[1:]]})
    pq.write_table(table, "new.parquet")
    assert clearwood("predict", "m.json", "new.parquet", "-o", "s.csv").code == 0
    cells = [line.split(",") for line in Path("s.csv").read_text().splitlines()[1:]]
    assert [row[3] for row in cells] == ["", *map(str, large[1:])]
    assert [row[1] for row in cells] == ["", *map(str, range(29))]


@pytest.mark.long
@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="peak memory is counted in other units elsewhere"
)
@pytest.mark.parametrize("suffix", ["csv.gz", "parquet"])
@pytest.mark.usefixtures("learned")
def test_memory_does_not_grow_with_the_rows(suffix: str) -> None:
    peaks = []
    for rows in (200_000, 800_000):  # both are many blocks
        x = np.random.default_rng(1).normal(size=rows)
        table = pa.table({"x": x, "k": [3] * rows, "c": ["blue"] * rows, "z": ["long " * 30] * rows})
        name = f"new{rows}.{suffix}"
        if suffix == "parquet":
            pq.write_table(table, name)
        else:
            import pyarrow.csv

            with pa.output_stream(name, compression="gzip") as file:
                pyarrow.csv.write_csv(table, file, pyarrow.csv.WriteOptions(quoting_style="needed"))
        peaks.append(_peak("predict", "m.json", name, "-o", "s.csv"))
    assert peaks[1] < peaks[0] + 40_000, peaks  # kB; the further rows alone are more than twice that


def _peak(*arguments: str) -> int:
    """Of a process of its own, in kB; what wait4 reports would include the memory of this one, its parent."""
    script = (
        "from clearwood.cli import run; import sys; assert run(sys.argv[1:]) == 0; "
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    done = subprocess.run([sys.executable, "-c", script, *arguments], check=True, capture_output=True)
    return int(done.stdout)
