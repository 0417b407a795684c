"""Where a command may write: checked before the work, written whole or not at all, never over its input."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from clearwood.errors import SettingError, SourceError


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
    """A text file that appears under its name only when it is complete; standard output for None."""
    if place is None:
        yield sys.stdout
        return
    part = None
    try:
        handle, part = tempfile.mkstemp(dir=place.absolute().parent, prefix=f".{place.name}.", suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
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
