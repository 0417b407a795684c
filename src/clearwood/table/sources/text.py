"""The whole text of a file, for the readers that go through it line by line."""

from __future__ import annotations

from clearwood.table.sources.decoding import from_windows, in_utf8
from clearwood.table.sources.opening import Openable, SizeLimit, read_bytes


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
