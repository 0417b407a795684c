"""A source's bytes as they come: of a file, a pipe or standard input, unpacked, never more than a few pieces.

The next piece of a file is read, and unpacked, while the one before is worked on.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from clearwood.errors import SourceError
from clearwood.table.sources.opening import (
    USUAL_LIMIT,
    Held,
    SizeLimit,
    changed,
    limit_of,
    reading,
    too_many,
    unpacker_of,
    unpacking,
)

_ROOM: Final = 1 << 20


class ByteStream:
    """The pieces of one source, in order; until `settled` they are kept, for whoever must read it whole."""

    def __init__(self, source: str, max_bytes: SizeLimit, size: int) -> None:
        self._source = source
        self._limit = limit_of(max_bytes)
        self._size = size
        self._taken: list[bytes] = []
        self._pieces = self._all_pieces()
        self.is_stream = source == "-" or not Path(source).is_file()
        self.where = "standard input" if source == "-" else Path(source).name
        self.settled = False

    def pieces(self) -> Iterator[bytes]:
        """`size` bytes at a time, the last piece shorter."""
        for piece in self._pieces:
            if self.is_stream and not self.settled:
                self._taken.append(piece)
            yield piece

    def whole(self) -> Held | str:
        """What to read instead of pieces: the file again, or what a stream has given and all that is left."""
        if not self.is_stream:
            return self._source
        data = bytearray().join([*self._taken, *self._pieces])
        return Held(np.frombuffer(data, np.uint8), self.where)

    def _all_pieces(self) -> Iterator[bytes]:
        with ExitStack() as stack:
            file: IO[bytes] | Any = (
                _standard_input()
                if self._source == "-"
                else stack.enter_context(Path(self._source).open("rb"))
            )
            before = None if self.is_stream else os.fstat(file.fileno())
            head = file.read(8)
            unpack = unpacker_of(head)
            most = self._limit
            if unpack is not None or (self.is_stream and most is None):
                most = USUAL_LIMIT if most is None else most
            verb = "has" if unpack is None else "unpacks to"
            if self.is_stream:
                file = io.BufferedReader(_Headed(head, file), _ROOM)
            else:
                file.seek(0)
            if unpack is not None:
                file = stack.enter_context(unpack(file))
            read = _reading(file, self._size, self.where, most, verb)
            yield from iter(read, b"") if self.is_stream else _read_ahead(read)
            if before is not None:
                after = Path(self._source).stat()
                if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
                    raise changed(self.where)


def is_pipe(path: Path) -> bool:
    """Is this a pipe or device, which gives its bytes once?"""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


class _Headed(io.RawIOBase):
    """A stream of which the first bytes were read already."""

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        data = self._head[: len(room)] or self._rest.read(len(room))
        self._head = self._head[len(room) :]
        room[: len(data)] = data
        return len(data)


def _standard_input() -> IO[bytes]:
    if sys.stdin is None or getattr(sys.stdin, "closed", False):
        raise SourceError("Standard input is closed: there is nothing to read. Name a file.")
    return sys.stdin.buffer


def _reading(file: IO[bytes], size: int, where: str, most: int | None, verb: str) -> Callable[[], bytes]:
    """What gives the next piece at each call, nothing at the end, and refuses more bytes than allowed."""
    came = 0

    def read() -> bytes:
        nonlocal came
        with unpacking(where) if verb == "unpacks to" else reading(where):
            piece = file.read(size)
        came += len(piece)
        if most is not None and came > most:
            raise too_many(where, verb, most)
        return piece

    return read


def _read_ahead(read: Callable[[], bytes]) -> Iterator[bytes]:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        ahead = thread.submit(read)
        while piece := ahead.result():
            ahead = thread.submit(read)
            yield piece
