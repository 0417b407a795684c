"""A source's bytes: of a file, standard input or an open stream, unpacked and in UTF-8."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import mmap
import sys
import zlib
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.errors import SettingError, SourceError

Bytes: TypeAlias = npt.NDArray[np.uint8]  # [byte]


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Bytes that were read and unpacked already, and their source's name for sentences."""

    data: Bytes
    where: str


Openable: TypeAlias = str | Path | IO[Any] | Held

_PACKED: Final = {b"\x1f\x8b": gzip.decompress, b"BZh": bz2.decompress, b"\xfd7zXZ\x00": lzma.decompress}
_FOREIGN: Final = {
    b"PAR1": "a Parquet file. Save it under a name that ends in .parquet",
    b"ARROW1": "an Arrow file. Save it under a name that ends in .arrow",
    b"PK\x03\x04": "a zip file or an Excel workbook. Unpack it, or save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook. Save the sheet as CSV",
    b"\x28\xb5\x2f\xfd": "packed with zstd. Unpack it first, or pack it with gzip",
}
_MARKED: Final = {  # the longer marks first: UTF-32's begins like UTF-16's
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


def read_bytes(source: Openable) -> tuple[Bytes, str]:
    """The bytes, and the source's name for sentences; '-' is standard input. A plain file is mapped.

    Packed files (gzip, bzip2, xz) are known by their first bytes, whatever their name.
    """
    if isinstance(source, Held):
        return source.data, source.where
    if isinstance(source, str | Path):
        where = "standard input" if str(source) == "-" else Path(source).name
        data = _as_bytes(sys.stdin.buffer.read()) if str(source) == "-" else _mapped(Path(source))
    else:
        where = Path(str(getattr(source, "name", "the open file"))).name
        data = _as_bytes(source.read())
    head = data[:8].tobytes()
    for magic, unpack in _PACKED.items():
        if head.startswith(magic):
            try:
                return _as_bytes(unpack(data.data)), where
            except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as broken:
                raise SourceError(
                    f"{where} is packed, but cannot be unpacked: {broken}. Fetch or pack it again."
                ) from None
    return data, where


def in_utf8(data: Bytes, where: str, encoding: str | None = None) -> Bytes:
    """The same text in UTF-8, without a byte-order mark. No encoding given: by that mark, else UTF-8."""
    head = data[:8].tobytes()
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            raise SourceError(f"{where} is not text but {what}.")
    mark, marked = next(((m, e) for m, e in _MARKED.items() if head.startswith(m)), (b"", None))
    name = _known(encoding or marked or "utf-8")
    if name in ("utf-8", "ascii"):
        data = data[len(mark) :] if marked == "utf-8" else data
        zero = np.flatnonzero(data[:4096] == 0)
        if zero.size:
            raise SourceError(
                f"{where} is not plain text: byte {zero[0] + 1} is zero. "
                "If it is UTF-16, say so: encoding='utf-16-le'."
            )
        return data
    if not marked and name.startswith(("utf-16", "utf-32")) and not (data[:4096] == 0).any():
        raise SourceError(
            f"{where} is not in {encoding}: it has no zero bytes, which that encoding gives every delimiter. "
            "Leave encoding= out, or give the right one."
        )
    try:
        text = data[len(mark) if marked == name else 0 :].tobytes().decode(name)
    except UnicodeDecodeError as wrong:
        raise SourceError(
            f"{where} is not in {encoding or marked}: {wrong.reason} at byte {wrong.start + 1}. "
            "Give its encoding, e.g. encoding='latin-1'."
        ) from None
    return _as_bytes(text.removeprefix("\ufeff").encode())


def not_utf8(data: Bytes, where: str) -> SourceError:
    """The sentence for bytes that turned out not to be UTF-8: the first such byte, its line, the way out."""
    try:
        data.tobytes().decode()
    except UnicodeDecodeError as wrong:
        at, line = wrong.start, line_of(data, wrong.start)
        return SourceError(
            f"{where} is not UTF-8: byte 0x{data[at]:02x} at position {at + 1} (line {line}). "
            "Give its encoding, e.g. encoding='latin-1'."
        )
    return SourceError(f"{where} changed while it was read. Try again.")


def line_of(data: Bytes, offset: int) -> int:
    """The line, from 1, in which a byte stands."""
    return int(np.count_nonzero(data[:offset] == ord("\n"))) + 1


def _as_bytes(content: bytes | str) -> Bytes:
    return np.frombuffer(content.encode() if isinstance(content, str) else content, np.uint8)


def _mapped(path: Path) -> Bytes:
    try:
        with path.open("rb") as file:
            if path.stat().st_size == 0:
                return _as_bytes(file.read())
            return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
    except FileNotFoundError:
        raise SourceError(_no_file(path)) from None
    except IsADirectoryError:
        raise SourceError(f"{path} is a folder. Name a file in it.") from None
    except (OSError, ValueError) as wrong:
        reason = getattr(wrong, "strerror", None) or str(wrong)
        raise SourceError(f"{path} cannot be read: {reason}. Check the name and its permissions.") from None


def _no_file(path: Path) -> str:
    if not path.parent.is_dir():
        return f"No file {path}: there is no folder {path.parent}."
    near = get_close_matches(path.name, [each.name for each in path.parent.iterdir()], n=1)
    hint = f"Did you mean {path.parent / near[0]}?" if near else f"Looked in {path.parent.resolve()}."
    return f"No file {path}. {hint}"


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise SettingError(
            f"No encoding '{encoding}'. Common ones: utf-8, latin-1, cp1252, utf-16, shift_jis."
        ) from None
