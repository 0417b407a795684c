"""Parquet, Arrow and Feather files, packed or not, by way of pyarrow.

An Arrow file is memory written down: offsets and codes that point anywhere would be followed anywhere. So
every table is validated in full before a cell of it is looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from clearwood.errors import ClearwoodError, MissingExtraError, SourceError
from clearwood.table.raw import Raw
from clearwood.table.sources.opening import Limit, is_packed, read_bytes


def read_parquet(path: Path, max_bytes: Limit = None) -> Raw:
    def read() -> Any:
        from pyarrow import parquet

        plain = max_bytes is None and not is_packed(path)
        return parquet.read_table(path if plain else _opened(path, max_bytes))

    return _read(path, "Parquet", read)


def read_arrow(path: Path, max_bytes: Limit = None) -> Raw:
    """An Arrow file (Feather too) or stream: the first bytes tell."""

    def read() -> Any:
        from pyarrow import ipc

        file = _opened(path, max_bytes)
        is_file = file.read(6) == b"ARROW1"
        file.seek(0)
        return (ipc.open_file if is_file else ipc.open_stream)(file).read_all()

    return _read(path, "Arrow", read)


def _opened(path: Path, max_bytes: Limit) -> Any:
    import pyarrow

    data, _ = read_bytes(path, max_bytes)
    return pyarrow.BufferReader(pyarrow.py_buffer(data.data))


def _read(path: Path, form: str, read: Callable[[], Any]) -> Raw:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError(
            f"To read {path.name}, install pyarrow: pip install 'clearwood[arrow]'"
        ) from None
    from clearwood.table.sources.frames import read_frame

    try:
        frame = read()
        frame.validate(full=True)
        return replace(read_frame(frame), where=path.name)
    except ClearwoodError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, LookupError, OverflowError, MemoryError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise SourceError(
            f"{path.name} cannot be read as {form}: {reason.rstrip('.')}. Fetch or write the file again."
        ) from None
