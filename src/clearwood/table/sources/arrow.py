"""Parquet, Arrow and Feather files, by way of pyarrow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from clearwood.errors import MissingExtraError, SourceError
from clearwood.table.raw import Raw


def read_parquet(path: Path) -> Raw:
    def read() -> Any:
        from pyarrow import parquet  # type: ignore[import-untyped]

        return parquet.read_table(path)

    return _read(path, "Parquet", read)


def read_arrow(path: Path) -> Raw:
    """An Arrow file (Feather too) or stream: the first bytes tell."""

    def read() -> Any:
        from pyarrow import ipc, memory_map

        with path.open("rb") as file:
            is_file = file.read(6) == b"ARROW1"
        with memory_map(str(path)) as mapped:
            return (ipc.open_file if is_file else ipc.open_stream)(mapped).read_all()

    return _read(path, "Arrow", read)


def _read(path: Path, form: str, read: Callable[[], Any]) -> Raw:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError(
            f"To read {path.name}, install pyarrow: pip install 'clearwood[arrow]'"
        ) from None
    try:
        frame = read()
    except (pyarrow.ArrowException, OSError) as error:
        raise SourceError(f"{path.name} cannot be read as {form}: {str(error).splitlines()[0]}") from None
    from clearwood.table.sources.frames import read_frame

    return replace(read_frame(frame), where=path.name)
