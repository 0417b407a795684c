"""Parquet, Arrow and Feather files, packed or not, by way of pyarrow.

An Arrow file is memory written down: offsets and codes that point anywhere would be followed anywhere. So
every table is validated in full before a cell of it is looked at.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from clearwood.errors import ClearwoodError, SourceError
from clearwood.table.coding import EXACT
from clearwood.table.formats import SOURCES, Source
from clearwood.table.raw import Raw, RawColumn, RawNumbers
from clearwood.table.sources import suffix_of
from clearwood.table.sources.frames import read_frame
from clearwood.table.sources.opening import Held, SizeLimit, is_packed, read_bytes
from clearwood.words.numbers import number


def read_parquet(source: Path | Held, max_bytes: SizeLimit = None) -> Raw:
    """A Parquet file."""
    where = _name(source)
    with reading_as(where, "Parquet"):
        from pyarrow import parquet

        plain = max_bytes is None and isinstance(source, Path) and not is_packed(source)
        return _raw(where, parquet.read_table(source if plain else opened(source, max_bytes)))


def read_arrow(source: Path | Held, max_bytes: SizeLimit = None) -> Raw:
    """An Arrow file (Feather too) or stream: the first bytes tell."""
    where = _name(source)
    with reading_as(where, "Arrow"):
        return _raw(where, arrow_reader(opened(source, max_bytes)).read_all())


def _name(source: Path | Held) -> str:
    return source.name if isinstance(source, Path) else source.where


def opened(source: Path | Held, max_bytes: SizeLimit) -> Any:
    """The file's bytes in memory, unpacked, and no more of them than allowed."""
    import pyarrow

    data, _ = read_bytes(source, max_bytes)
    return pyarrow.BufferReader(pyarrow.py_buffer(data.data))


def arrow_reader(file: Any) -> Any:
    """A reader of the batches of an Arrow file or stream."""
    from pyarrow import ipc

    is_file = file.read(6) == b"ARROW1"
    file.seek(0)
    return (ipc.open_file if is_file else ipc.open_stream)(file)


@contextmanager
def reading_as(where: str, form: str, way_out: str = "Fetch or write the file again.") -> Iterator[None]:
    """What pyarrow refuses is one of our errors."""
    import pyarrow

    try:
        yield
    except ClearwoodError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, LookupError, OverflowError, MemoryError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise SourceError(f"{where} cannot be read as {form}: {reason.rstrip('.')}. {way_out}") from None


def _raw(where: str, frame: Any) -> Raw:
    frame.validate(full=True)
    return replace(read_frame(frame), where=where)


# Parquet and Arrow files in blocks of rows: a file of any length in the memory of a few blocks.
#
# Every block is validated in full before a cell of it is looked at, as whole files are.


def has_arrow_blocks(path: Path) -> bool:
    """Is it a kind of file that is read by batches of Arrow?"""
    return SOURCES.get(suffix_of(path)) in _FORMS


def arrow_blocks(path: Path, rows: int, *, max_bytes: SizeLimit = None) -> Iterator[Raw]:
    """At most so many rows at a time. Infinite numbers are texts, so that each is reported with its row."""
    kind = SOURCES[suffix_of(path)]
    kind.load(path.name)
    form, batches = _FORMS[kind]
    with reading_as(path.name, form):
        import pyarrow

        for batch in batches(path, rows, max_bytes):
            for begin in range(0, batch.num_rows, rows):
                table = pyarrow.Table.from_batches([batch.slice(begin, rows)])
                table.validate(full=True)
                raw = read_frame(_with_infinite_as_texts(table))
                yield replace(raw, columns=tuple(map(_plain, raw.columns)), where=path.name)


def _parquet(path: Path, rows: int, max_bytes: SizeLimit) -> Iterator[Any]:
    from pyarrow import parquet

    plain = max_bytes is None and not is_packed(path)
    coded = _of_few_values(path) if plain else []
    source = path if plain else opened(path, max_bytes)
    with parquet.ParquetFile(
        source, buffer_size=_BUFFER, pre_buffer=False, read_dictionary=coded or None
    ) as file:
        yield from file.iter_batches(batch_size=rows)


def _of_few_values(path: Path) -> list[str]:
    """The columns of texts that the file holds as codes of few values, which need not be spelled out to be
    coded again. A dictionary that grew large was perhaps given up midway."""
    import pyarrow
    from pyarrow import parquet

    with parquet.ParquetFile(path, pre_buffer=False) as file:
        groups = [file.metadata.row_group(place) for place in range(file.metadata.num_row_groups)]
        names = file.schema_arrow.names
        texts = {
            field.name
            for field in file.schema_arrow
            if names.count(field.name) == 1
            and (pyarrow.types.is_string(field.type) or pyarrow.types.is_large_string(field.type))
        }
    for group in groups:
        for place in range(group.num_columns):
            column = group.column(place)
            begin = column.dictionary_page_offset
            if begin is None or column.data_page_offset - begin > _DICTIONARY:
                texts.discard(column.path_in_schema)
    return [name for name in names if name in texts]


def _arrow(path: Path, _: int, max_bytes: SizeLimit) -> Iterator[Any]:
    import pyarrow

    # Read, not mapped: a mapped file that another program cuts short ends the process without a word.
    plain = max_bytes is None and not is_packed(path)
    with pyarrow.OSFile(str(path)) if plain else opened(path, max_bytes) as file:
        reader = arrow_reader(file)
        if hasattr(reader, "get_batch"):
            yield from map(reader.get_batch, range(reader.num_record_batches))
        else:
            yield from reader


def _with_infinite_as_texts(table: Any) -> Any:
    import pyarrow
    from pyarrow import compute

    for place, field in enumerate(table.schema):
        if not pyarrow.types.is_floating(field.type):
            continue
        column = table.column(place)
        if field.type == pyarrow.float16():
            column = column.cast(pyarrow.float32())
        if not compute.any(compute.is_inf(column)).as_py():
            continue
        cells = [None if cell is None or cell != cell else number(cell) for cell in column.to_pylist()]
        table = table.set_column(place, field.name, pyarrow.array(cells, pyarrow.string()))
    return table


def _plain(column: RawColumn) -> RawColumn:
    """Whole numbers that floats tell apart need no texts of their own: they are printed as they were."""
    if not isinstance(column, RawNumbers) or column.texts is None or not len(column):
        return column
    if np.nanmax(np.abs(column.values), initial=0.0) >= EXACT:
        return column
    return replace(column, texts=None)


_BUFFER: Final = 1 << 20
_DICTIONARY: Final = 1 << 16  # bytes of a dictionary of few values
_FORMS: Final[dict[Source | None, tuple[str, Callable[..., Iterator[Any]]]]] = {
    SOURCES[".parquet"]: ("Parquet", _parquet),
    SOURCES[".arrow"]: ("Arrow", _arrow),
}
