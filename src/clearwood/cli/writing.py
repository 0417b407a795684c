"""Where a command may write: checked before the work, written whole or not at all, never over its input."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

from clearwood.errors import SettingError, SourceError

_DRESSES: Final = ("", ".csv", ".tsv", ".txt")


def check_dress(place: Path) -> None:
    """Refuse a name that promises rows in a form we do not write.

    >>> check_dress(Path("scored.csv.gz"))
    """
    dress = _plain(place).suffix.lower()
    if dress not in _DRESSES:
        raise SettingError(
            f"Cannot write rows as {dress}. Name a .csv or .tsv file, or one of them with .gz."
        )


def is_tabbed(place: Path) -> bool:
    """Are the cells of this file parted by tabs?"""
    return _plain(place).suffix.lower() == ".tsv"


def check_place(place: Path, *, but_not: str | Path) -> None:
    """Refuse at once a path that cannot be written, or that would overwrite what is read."""
    if place.is_dir():
        raise SourceError(f"{place} is a directory. Name a file in it.")
    if not place.absolute().parent.is_dir():
        raise SourceError(f"Cannot write {place}: there is no directory {place.parent}. Make it first.")
    if not os.access(place.absolute().parent, os.W_OK):
        raise SourceError(
            f"Cannot write {place}: the directory {place.absolute().parent} is not yours to write in."
        )
    if place.exists() and Path(but_not).exists() and place.samefile(but_not):
        raise SettingError(f"{place} is what this command reads. Write to another file.")


@contextmanager
def whole_file(place: Path | None) -> Iterator[TextIO]:
    """A text file that appears under its name only when it is complete; standard output for None.

    It is compressed where its name ends in .gz.
    """
    if place is None:
        yield sys.stdout
        return
    part = None
    try:
        handle, part = tempfile.mkstemp(dir=place.absolute().parent, prefix=f".{place.name}.", suffix=".part")
        with os.fdopen(handle, "wb") as binary:
            if _is_compressed(place):
                with (
                    gzip.GzipFile("", "wb", 6, binary, mtime=0) as packed,
                    io.TextIOWrapper(packed, encoding="utf-8", newline="") as file,
                ):
                    yield file
            else:
                with io.TextIOWrapper(binary, encoding="utf-8", newline="") as file:
                    yield file
        # mkstemp's files are private; this one is as any the user makes.
        mask = os.umask(0)
        os.umask(mask)
        Path(part).chmod(0o666 & ~mask)
        Path(part).replace(place)
    except OSError as error:
        raise SourceError(f"Cannot write {place}: {error.strerror or error}.") from None
    finally:
        if part is not None:
            Path(part).unlink(missing_ok=True)


def _is_compressed(place: Path) -> bool:
    return place.suffix.lower() == ".gz"


def _plain(place: Path) -> Path:
    """The name without its .gz."""
    return place.with_suffix("") if _is_compressed(place) else place
