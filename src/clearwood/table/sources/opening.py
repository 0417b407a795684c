"""A source's bytes: of a file, standard input or an open stream, unpacked, and no more of them than allowed.

A file is read, not mapped: a mapped file that another program cuts short ends the process without a word.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from difflib import get_close_matches
from importlib import import_module
from io import BytesIO, FileIO
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.errors import Advice, MissingExtraError, NamedOption, Place, SettingError, SourceError, WayOut
from clearwood.records import dataclass

Bytes: TypeAlias = npt.NDArray[np.uint8]  # [byte]
SizeLimit: TypeAlias = int | str | None  # so many bytes, '2GB', or the usual limit

USUAL_LIMIT: Final = 4 << 30  # of what is unpacked or comes in a stream, whose size no one sees beforehand
_PIECE: Final = 1 << 24
_MANY_PIECES: Final = 3
_UNITS: Final = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Bytes that were read and unpacked already, and their source's name for sentences."""

    data: Bytes
    where: str


Openable: TypeAlias = str | Path | IO[Any] | Held

PACKED_SUFFIXES: Final = (".gz", ".bz2", ".xz", ".zst")


def read_bytes(source: Openable, max_bytes: SizeLimit = None) -> tuple[Bytes, str]:
    """The bytes, and the source's name for sentences; '-' is standard input.

    Packed files (gzip, bzip2, xz, zstd) are known by their first bytes, whatever their name. What is
    unpacked or comes in a stream may have 4 GiB unless `max_bytes` says otherwise; it then holds for plain
    files too.

    >>> read_bytes(BytesIO(gzip.compress(b"wind")))[0].tobytes()
    b'wind'
    """
    if isinstance(source, Held):
        return source.data, source.where
    limit = limit_of(max_bytes)
    if isinstance(source, str | Path) and str(source) != "-":
        where = Path(source).name
        data = _read_file(Path(source), limit)
    elif isinstance(source, str | Path):
        where = "standard input"
        data = _all_of(_standard_input(), where, limit)
    else:
        where = Path(str(getattr(source, "name", "the open file"))).name
        data = _all_of(source, where, limit)
    unpack = unpacker_of(data[:8].tobytes())
    if unpack is None:
        return data, where
    with unpacking(where), unpack(BytesIO(data.data)) as file:
        return _all_of(file, where, limit, "unpacks to"), where


def unpacker_of(head: bytes) -> Any:
    """What opens a file that begins so as its unpacked content; None where it is not packed."""
    return next((unpack for magic, unpack in _PACKED.items() if head.startswith(magic)), None)


def is_packed(path: Path) -> bool:
    """Do the file's first bytes say that it is packed?"""
    with path.open("rb") as file:
        return unpacker_of(file.read(8)) is not None


def limit_of(max_bytes: SizeLimit) -> int | None:
    """A limit in bytes.

    >>> limit_of("1.5 GB"), limit_of(2000)
    (1500000000, 2000)
    """
    if max_bytes is None:
        return None
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", str(max_bytes), re.IGNORECASE)
    if match is None or float(match[1]) == 0:
        raise SettingError(
            NamedOption("max_bytes"), f" must be a number of bytes such as 500MB or 8GB, not {max_bytes!r}."
        )
    return int(min(float(match[1]) * _UNITS[match[2].upper()], sys.maxsize))


def is_file(path: Path) -> bool:
    """Is this a file? A name that no file can have is none; `Path.is_file` raises where it is too long."""
    return os.path.isfile(path)  # noqa: PTH113


def no_file(path: Path) -> str:
    """The sentence for a file that isn't there, with the nearest name that is."""
    if not os.path.isdir(path.parent):  # noqa: PTH112  (as in `is_file`)
        return f"No file {path}: there is no folder {path.parent}."
    near = get_close_matches(path.name, [each.name for each in path.parent.iterdir()], n=1)
    hint = f"Did you mean {path.parent / near[0]}?" if near else f"Looked in {path.parent.resolve()}."
    return f"No file {path}. {hint}"


def _read_file(path: Path, limit: int | None) -> Bytes:
    try:
        with path.open("rb", buffering=0) as file:
            before = os.fstat(file.fileno())
            if not stat.S_ISREG(before.st_mode):
                return _all_of(file, path.name, limit)
            if limit is not None and before.st_size > limit:
                raise too_many(path.name, "has", limit)
            data = np.empty(before.st_size, np.uint8)
            got = _fill(data, file)
            after = os.fstat(file.fileno())
    except FileNotFoundError:
        raise SourceError(no_file(path)) from None
    except IsADirectoryError:
        raise SourceError(f"{path} is a folder. Name a file in it.") from None
    except (OSError, ValueError) as wrong:
        if isinstance(wrong, SourceError):
            raise
        reason = getattr(wrong, "strerror", None) or str(wrong)
        raise SourceError(f"{path} cannot be read: {reason}. Check the name and its permissions.") from None
    if got < len(data) or (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
        raise changed(path.name)
    return data


def changed(where: str) -> SourceError:
    """The sentence for a file that someone writes to while it is read."""
    return SourceError(f"{where} changed while it was read. Try again when it is written.")


def _fill(data: Bytes, file: FileIO) -> int:
    """How many bytes of the file fitted. Large files are copied by two threads, as they are parsed later."""
    buffer = data.data

    def copy(begin: int) -> int:
        got, end = begin, min(begin + _PIECE, len(data))
        while got < end:
            more = os.preadv(file.fileno(), [buffer[got:end]], got)
            if not more:
                break
            got += more
        return got - begin

    if hasattr(os, "preadv"):
        pieces = range(0, len(data), _PIECE)
        if len(pieces) < _MANY_PIECES:
            return sum(map(copy, pieces))
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(2) as threads:
            return sum(threads.map(copy, pieces))
    got = 0
    while got < len(data) and (more := file.readinto(buffer[got : got + _PIECE])):
        got += more
    return got


def _all_of(file: IO[Any], where: str, limit: int | None, verb: str = "has") -> Bytes:
    """What is left of a stream, or of one that unpacks."""
    data = bytearray()
    for piece in iter(_reading(file, _PIECE, where, USUAL_LIMIT if limit is None else limit, verb), b""):
        data += piece
    return np.frombuffer(data, np.uint8)


@contextmanager
def reading(where: str) -> Iterator[None]:
    """A stream that fails (closed, or opened as text in a wrong encoding) is one of our errors."""
    try:
        yield
    except (OSError, ValueError) as wrong:
        if isinstance(wrong, SourceError):
            raise
        raise SourceError(f"{where} cannot be read: {wrong}.") from None


@contextmanager
def unpacking(where: str) -> Iterator[None]:
    """Packed bytes that are broken are one of our errors."""
    try:
        yield
    except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as broken:
        if isinstance(broken, SourceError):
            raise
        raise SourceError(
            f"{where} is packed, but cannot be unpacked: {broken}. Fetch or pack it again."
        ) from None


def _open_zstd(file: Any) -> Any:
    """By Python's own module, or where that is older than 3.14 by pyarrow."""
    try:
        return import_module("compression.zstd").open(file)
    except ImportError:
        pass
    try:
        import pyarrow

        return pyarrow.input_stream(file, compression="zstd")
    except ImportError:
        raise MissingExtraError(
            "To unpack zstd, install pyarrow: pip install 'clearwood[arrow]', or pack the file with gzip."
        ) from None


def too_many(where: str, verb: str, most: int) -> SourceError:
    """The sentence for more bytes than are allowed."""
    unit, size = next(((unit, size) for unit, size in reversed(_UNITS.items()) if size <= most), ("", 1))
    return SourceError(
        f"{where} {verb} more than {most / size:.3g} {unit}B, which is the limit.",
        WayOut(
            " If that is right and there is memory for it, allow more: ",
            Advice("max_bytes", f"{2 * most / size:.3g}{unit}B"),
            ".",
        ),
        place=Place(source=where),
    )


_PACKED: Final[dict[bytes, Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
    b"\x28\xb5\x2f\xfd": _open_zstd,
}


# A source's bytes as they come: of a file, a pipe or standard input, unpacked, never more than a few
# pieces.
#
# The next piece of a file is read, and unpacked, while the one before is worked on.


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


def _reading(file: IO[Any], size: int, where: str, most: int | None, verb: str) -> Callable[[], bytes]:
    """What gives the next piece at each call, nothing at the end, and refuses more bytes than allowed."""
    came = 0

    def read() -> bytes:
        nonlocal came
        with unpacking(where) if verb == "unpacks to" else reading(where):
            piece = file.read(size)
            piece = piece.encode() if isinstance(piece, str) else piece or b""
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
