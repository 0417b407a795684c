"""The whole text of a file, for the readers that go through it line by line."""

from __future__ import annotations

from clearwood.table.sources.opening import Openable, in_utf8, not_utf8, read_bytes


def read_text(source: Openable, encoding: str | None = None) -> tuple[str, str]:
    """The text, unpacked and decoded, and the file's name for sentences."""
    data, where = read_bytes(source)
    utf8 = in_utf8(data, where, encoding)
    try:
        return utf8.tobytes().decode(), where
    except UnicodeDecodeError:
        raise not_utf8(utf8, where) from None
