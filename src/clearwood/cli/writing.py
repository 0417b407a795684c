"""Where a command may write: checked before the work, and never over what it reads."""

from __future__ import annotations

import gzip
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from clearwood.cli.options import Output
from clearwood.cli.output import note
from clearwood.draw.picture import PICTURE_SUFFIXES, Picture
from clearwood.errors import SettingError, SourceError
from clearwood.files import is_stream, whole_file


def check_place(place: Path | None, *inputs: str | Path | None) -> None:
    """Refuse at once a path that cannot be written, or that would overwrite what is read."""
    if place is None:
        return
    folder = place.absolute().parent
    if place.is_dir():
        raise SourceError(f"{place} is a directory. Name a file in it.")
    if not folder.is_dir():
        raise SourceError(f"Cannot write {place}: there is no directory {place.parent}. Make it first.")
    if not is_stream(place) and not os.access(folder, os.W_OK):
        raise SourceError(f"Cannot write {place}: you may not write in the directory {folder}.")
    for each in inputs:
        if each is not None and place.exists() and Path(each).exists() and place.samefile(each):
            raise SettingError(f"This command reads {place}. Write to another file.")


@contextmanager
def lines_file(place: Path | None) -> Iterator[Callable[[bytes | memoryview], object]]:
    """What writes lines of UTF-8 into such a file as `text_file` gives."""
    if place is None:
        with text_file(None) as text:
            yield lambda lines: text.write(bytes(lines).decode())
        return
    with whole_file(place) as binary:
        if is_compressed(place):
            with gzip.GzipFile("", "wb", 6, binary, mtime=0) as packed:
                yield packed.write
        else:
            yield binary.write


@contextmanager
def text_file(place: Path | None) -> Iterator[TextIO]:
    """A text file, written whole or not at all, compressed if it ends in .gz; None: standard output."""
    if place is None:
        yield sys.stdout
        sys.stdout.flush()  # before any note says that it is there
        return
    with whole_file(place) as binary:
        if is_compressed(place):
            with (
                gzip.GzipFile("", "wb", 6, binary, mtime=0) as packed,
                io.TextIOWrapper(packed, encoding="utf-8", newline="") as text,
            ):
                yield text
        else:
            file = io.TextIOWrapper(binary, encoding="utf-8", newline="")
            yield file
            file.detach()  # which flushes, and leaves the closing to whoever opened it


def is_compressed(place: Path) -> bool:
    """Does the name promise a compressed file?"""
    return place.suffix.lower() == ".gz"


# A chart beside an answer: its place is checked before the work, and a note says what was drawn.


def check_chart(place: Path | None, *inputs: str | Path | None) -> None:
    """Refuse at once a name that promises no form of picture, or a place that cannot be written."""
    if place is not None and place.suffix.lower() not in PICTURE_SUFFIXES:
        raise SettingError(
            f"Cannot draw to {place}: a picture's name ends in one of {', '.join(PICTURE_SUFFIXES)}."
        )
    check_place(place, *inputs)


def save_chart(drawn: Picture, place: Path, output: Output) -> None:
    """Write the chart, and describe it in a note."""
    drawn.save(place)
    note([f"Drawn to {place}: {drawn.alt}"], output)
