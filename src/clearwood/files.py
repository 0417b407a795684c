"""Writing a file: whole or not at all; links are followed, pipes and devices are written into."""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from clearwood.errors import ClearwoodError, SourceError

PICTURE_SUFFIXES: Final = (".svg", ".png", ".pdf")
_MOST_LINKS: Final = 40  # as many as Linux follows
_PART: Final = re.compile(r"[A-Za-z0-9_]{8}\.part")
_SETTLED: Final = 60.0  # seconds
_OWN: Final = re.compile(r"/dev/(?:(stdout|stderr)|fd/(\d+))|/proc/self/fd/(\d+)")


def text_beside(module: str, name: str) -> str:
    """The text of a file that lies beside a module, whose `__file__` is given."""
    return Path(module).with_name(name).read_text("utf-8")


def write_whole(
    path: str | os.PathLike[str], content: bytes, *, refusal: type[ClearwoodError] = SourceError
) -> Path:
    """Write these bytes, and return the path that was given."""
    with whole_file(path, refusal=refusal) as file:
        file.write(content)
    return Path(path)


@contextmanager
def whole_file(
    path: str | os.PathLike[str], *, refusal: type[ClearwoodError] = SourceError
) -> Iterator[BinaryIO]:
    """A file that appears under its name when the block is done; a failure, or Ctrl-C, leaves what was there.

    It is written beside its place and takes it in one step. What must not be replaced is written into
    instead: pipes, devices such as /dev/null, and whatever /dev/stdout stands for. A reader who has gone
    is a `BrokenPipeError`, every other failure a `refusal` in one sentence.
    """
    place = Path(path)
    try:
        target = _followed(place)
        if is_stream(target):
            with _opened(target) as stream:
                yield stream
            return
        with _beside(target) as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        raise refusal(f"Cannot write {place}: {error.strerror or error}.") from None


def is_stream(place: Path) -> bool:
    """Is this a pipe, a device or another name of something open, and not a file to be replaced?"""
    if place.absolute().parts[1:2] in (("dev",), ("proc",)):
        return True
    try:
        mode = place.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _opened(stream: Path) -> BinaryIO:
    """The stream, to be written to; one of our own is used as it is, at the place where it stands."""
    own = _OWN.fullmatch(str(stream))
    if own is None:
        return stream.open("wb")
    number = {"stdout": 1, "stderr": 2}.get(own[1] or "") or int(own[2] or own[3])
    return os.fdopen(os.dup(number), "wb")


def _followed(place: Path) -> Path:
    """Where links lead, one at a time: behind /dev/stdout may be a file, which must not be replaced."""
    for _ in range(_MOST_LINKS):
        if is_stream(place) or not place.is_symlink():
            return place
        place = place.parent / place.readlink()
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


@contextmanager
def _beside(place: Path) -> Iterator[BinaryIO]:
    part = None
    prefix = f".{place.name[:100]}."
    _sweep(place.parent, prefix)
    try:
        handle, part = tempfile.mkstemp(dir=place.parent, prefix=prefix, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            _locked(file.fileno())
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(part).chmod(_permissions(place))
        Path(part).replace(place)
    finally:
        if part is not None:
            Path(part).unlink(missing_ok=True)


def _sweep(folder: Path, prefix: str) -> None:
    """Remove the parts of this file that a killed process has left: nobody holds their lock any more.

    A part that was just made may not have its lock yet.
    """
    with suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(prefix) and _PART.fullmatch(entry.name, len(prefix)):
                with suppress(OSError):
                    is_old = time.time() - entry.stat(follow_symlinks=False).st_mtime > _SETTLED
                    if is_old and entry.is_file(follow_symlinks=False) and _is_abandoned(entry.path):
                        Path(entry.path).unlink()


def _is_abandoned(part: str) -> bool:
    handle = os.open(part, os.O_RDWR)
    try:
        return _locked(handle)
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    """Is this file ours now, until it is closed? Never where the system has no such locks."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def _permissions(place: Path) -> int:
    """Those of the file to be replaced, or what a new file would get: the part's own are private."""
    if place.exists():
        return place.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
