"""Parquet, Arrow and Feather files, packed or not, by way of pyarrow.

An Arrow file is memory written down: offsets and codes that point anywhere would be followed anywhere. So
every table is validated in full before a cell of it is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from clearwood.errors import ClearwoodError, MissingExtraError, SourceError
from clearwood.table.raw import Raw
from clearwood.table.sources.opening import SizeLimit, is_packed, read_bytes


def read_parquet(path: Path, max_bytes: SizeLimit = None) -> Raw:
    """A Parquet file."""
    with reading_as(path, "Parquet"):
        from pyarrow import parquet

        plain = max_bytes is None and not is_packed(path)
        return _raw(path, parquet.read_table(path if plain else opened(path, max_bytes)))


def read_arrow(path: Path, max_bytes: SizeLimit = None) -> Raw:
    """An Arrow file (Feather too) or stream: the first bytes tell."""
    with reading_as(path, "Arrow"):
        return _raw(path, arrow_reader(opened(path, max_bytes)).read_all())


def opened(path: Path, max_bytes: SizeLimit) -> Any:
    """The file's bytes in memory, unpacked, and no more of them than allowed."""
    import pyarrow

    data, _ = read_bytes(path, max_bytes)
    return pyarrow.BufferReader(pyarrow.py_buffer(data.data))


def arrow_reader(file: Any) -> Any:
    """A reader of the batches of an Arrow file or stream."""
    from pyarrow import ipc

    is_file = file.read(6) == b"ARROW1"
    file.seek(0)
    return (ipc.open_file if is_file else ipc.open_stream)(file)


@contextmanager
def reading_as(path: Path, form: str, way_out: str = "Fetch or write the file again.") -> Iterator[None]:
    """What pyarrow refuses, or its absence, is one of our errors."""
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError(
            f"To read {path.name}, install pyarrow: pip install 'clearwood[arrow]'"
        ) from None
    try:
        yield
    except ClearwoodError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, LookupError, OverflowError, MemoryError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise SourceError(f"{path.name} cannot be read as {form}: {reason.rstrip('.')}. {way_out}") from None


def _raw(path: Path, frame: Any) -> Raw:
    from clearwood.table.sources.frames import read_frame

    frame.validate(full=True)
    return replace(read_frame(frame), where=path.name)
