"""The version of Clearwood that an export names as its writer: ours, or an earlier one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from clearwood import __version__
from clearwood.errors import SettingError

# No character of these ends a comment, a text or a line in any language: a version comes from a certificate,
# and stands in a file that is run.
_VERSION: Final = re.compile(r"[0-9][0-9a-z.+]{0,39}")
_named: Final = ContextVar[str | None]("_named", default=None)


def writer_version() -> str:
    """The version that headings name.

    >>> with as_written_by("0.0.9"):
    ...     writer_version()
    '0.0.9'
    """
    return _named.get() or __version__


@contextmanager
def as_written_by(version: str) -> Iterator[None]:
    """What is exported within names this version as its writer; nothing else changes."""
    if not _VERSION.fullmatch(version):
        raise SettingError(f"'{version}' is no version of Clearwood, such as {__version__}.")
    before = _named.set(version)
    try:
        yield
    finally:
        _named.reset(before)
