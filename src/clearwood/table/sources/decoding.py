"""A source's text in UTF-8: by its byte-order mark, as asked, or as Windows wrote it, which is announced."""

import codecs
import re
from typing import Final

import numpy as np

from clearwood.errors import Advice, Place, Sentence, SettingError, SourceError, WayOut
from clearwood.table.sources.opening import Bytes, Openable, SizeLimit, read_bytes

_FOREIGN: Final = {
    b"PAR1": "a Parquet file. Save it under a name that ends in .parquet",
    b"ARROW1": "an Arrow file. Save it under a name that ends in .arrow",
    b"PK\x03\x04": "a zip file or an Excel workbook. Unpack it, or save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook. Save the sheet as CSV",
}
_MARKED: Final = {  # the longer marks first: UTF-32's begins like UTF-16's
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_FOREIGN_WORD: Final = re.compile(r"\w{0,20}[^\x00-\x7f]\w{0,20}")


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
                f"{where} is not plain text: byte {zero[0] + 1} is zero.",
                WayOut(" If it is UTF-16, say so: ", Advice("encoding", "utf-16-le"), "."),
                place=Place(source=where),
            )
        return data
    if not marked and name.startswith(("utf-16", "utf-32")) and not (data[:4096] == 0).any():
        raise SourceError(
            f"{where} is not in {encoding}: it has no zero bytes, which that encoding gives every delimiter. "
            "Leave the encoding out, or give the right one."
        )
    try:
        text = data[len(mark) if marked == name else 0 :].tobytes().decode(name)
        utf8 = text.removeprefix("\ufeff").encode()
    except UnicodeError as wrong:
        reason, at = getattr(wrong, "reason", str(wrong)), getattr(wrong, "start", 0)
        raise SourceError(
            f"{where} is not in {encoding or marked}: {reason} at byte {at + 1}.",
            WayOut(" Give its encoding, e.g. ", Advice("encoding", "latin-1"), "."),
            place=Place(source=where),
        ) from None
    return np.frombuffer(utf8, np.uint8)


def from_windows(data: Bytes, where: str, encoding: str | None) -> tuple[Bytes, str]:
    """The text of bytes that turned out not to be UTF-8, read as Windows-1252, and the sentence that says so.

    Not where an encoding was given, or where most of what is not ASCII is good UTF-8: then a byte is broken.
    """
    raw = data.tobytes()
    plain = int(np.count_nonzero(data < 0x80))
    good = len(raw.decode("utf-8", "ignore").encode()) - plain
    if encoding is not None or good > len(raw) - plain - good:
        raise _not_utf8(data, where)
    try:
        text = raw.decode("cp1252")
    except UnicodeDecodeError:
        raise _not_utf8(data, where) from None
    at = _first_broken(raw) or 0
    word = _FOREIGN_WORD.search(text, max(0, at - 20))
    note = Sentence(
        f"{where} is not UTF-8 (line {line_of(data, at)}), so it is read as Windows-1252 (Western European): "
        f"'{word[0] if word else ''}'. If that looks wrong, give its encoding, e.g. ",
        Advice("encoding", "cp1250"),
        ".",
    )
    return np.frombuffer(text.encode(), np.uint8), note


def line_of(data: Bytes, offset: int) -> int:
    """The line, from 1, in which a byte stands."""
    return int(np.count_nonzero(data[:offset] == ord("\n"))) + 1


def _not_utf8(data: Bytes, where: str) -> SourceError:
    """The sentence for bytes that are not UTF-8: the first such byte, its line, the way out."""
    at = _first_broken(data.tobytes()) or 0
    line = line_of(data, at)
    return SourceError(
        f"{where} is not UTF-8: byte 0x{data[at]:02x} at position {at + 1} (line {line}).",
        WayOut(" Give its encoding, e.g. ", Advice("encoding", "latin-1"), "."),
        place=Place(source=where, line=line),
    )


def _first_broken(raw: bytes) -> int | None:
    try:
        raw.decode()
    except UnicodeDecodeError as wrong:
        return wrong.start
    return None


def _known(encoding: str) -> str:
    try:
        codec = codecs.lookup(encoding)
        is_text = getattr(codec, "_is_text_encoding", True)  # rot13 and base64 are codecs, but not of text
    except (LookupError, ValueError):
        is_text = False
    if not is_text:
        raise SettingError(
            f"No encoding '{encoding}'. Common ones: utf-8, latin-1, cp1252, utf-16, shift_jis."
        )
    return codec.name


# The whole text of a file, for the readers that go through it line by line.


def read_text(
    source: Openable, encoding: str | None = None, max_bytes: SizeLimit = None
) -> tuple[str, str, tuple[str, ...]]:
    """The text, unpacked and decoded, the file's name for sentences, and what was guessed."""
    data, where = read_bytes(source, max_bytes)
    utf8 = in_utf8(data, where, encoding)
    try:
        return utf8.tobytes().decode(), where, ()
    except UnicodeDecodeError:
        text, note = from_windows(utf8, where, encoding)
        return text.tobytes().decode(), where, (note,)
