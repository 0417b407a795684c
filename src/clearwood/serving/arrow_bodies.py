"""Rows of an Arrow body, if it is plain: what a compressed one unpacks to is known when it is too late.

A message of the format is a flatbuffer: a table whose fields are found by offsets. Only two kinds of messages
hold cells, and both say in a field of theirs whether their buffers are compressed.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from clearwood.errors import ClearwoodError, ColumnError, MissingExtraError
from clearwood.registry import imported_extra
from clearwood.serving.exchange import RefusalError
from clearwood.table.raw import Raw
from clearwood.table.sources.arrow import arrow_reader, reading_as
from clearwood.table.sources.frames import read_frame

_HEADER_TYPE, _HEADER = 1, 2  # fields of a message
_DICTIONARY, _BATCH = 2, 3  # kinds of headers
_CELLS_OF_DICTIONARY: Final = 1  # the field of a dictionary that holds its batch
_COMPRESSION: Final = 3  # the field of a batch
_NAME: Final = "The body"
_START_OF_FILE: Final = b"ARROW1\x00\x00"


@dataclass(frozen=True, slots=True)
class ArrowRows:
    """The columns that can be read, and a sentence by name for each that cannot."""

    raw: Raw
    unreadable: Mapping[str, str]


def arrow_rows(body: bytes, max_rows: int) -> ArrowRows | None:
    """The columns of an Arrow file or stream; None if there are more rows than allowed."""
    try:
        pyarrow = imported_extra("pyarrow", "arrow", f"To read {_NAME}")
        with reading_as(_NAME, "Arrow", "Send all of it again."):
            _check_plain(pyarrow, body)
            frame = arrow_reader(pyarrow.BufferReader(pyarrow.py_buffer(body))).read_all()
            if len(frame) > max_rows:
                return None
            frame.validate(full=True)
            try:
                return ArrowRows(read_frame(frame, where=_NAME), {})
            except ColumnError:  # two of one name
                raise
            except ClearwoodError:
                return _by_column(frame)
    except RefusalError:
        raise
    except MissingExtraError as error:
        raise RefusalError(str(error), status=415, because="type") from None
    except ClearwoodError as error:
        raise RefusalError(error.sentence, status=400, because="malformed") from None


def _by_column(frame: Any) -> ArrowRows:
    """The columns one by one, since some of them holds what no column of a table can."""
    unreadable: dict[str, str] = {}
    for name in frame.column_names:
        try:
            read_frame(frame.select([name]), where=_NAME)
        except ClearwoodError as error:
            unreadable[name] = str(error)
    fine = [name for name in frame.column_names if name not in unreadable]
    empty = Raw((), (), _NAME)
    return ArrowRows(read_frame(frame.select(fine), where=_NAME) if fine else empty, unreadable)


def _check_plain(pyarrow: Any, body: bytes) -> None:
    stream = body[len(_START_OF_FILE) :] if body.startswith(_START_OF_FILE) else body
    for message in pyarrow.ipc.MessageReader.open_stream(pyarrow.BufferReader(stream)):
        if holds_compressed_cells(message.metadata.to_pybytes()):
            raise RefusalError("Send Arrow without compression.", status=415, because="type")


def holds_compressed_cells(message: bytes) -> bool:
    """Does this message hold cells in compressed buffers? What cannot be understood is left to Arrow."""
    try:
        table = _followed(message, 0)
        kind_at, header_at = _field(message, table, _HEADER_TYPE), _field(message, table, _HEADER)
        if not kind_at or not header_at or message[kind_at] not in (_DICTIONARY, _BATCH):
            return False
        batch = _followed(message, header_at)
        if message[kind_at] == _DICTIONARY:
            cells_at = _field(message, batch, _CELLS_OF_DICTIONARY)
            if not cells_at:
                return False
            batch = _followed(message, cells_at)
        return _field(message, batch, _COMPRESSION) > 0
    except (struct.error, IndexError):
        return False


def _followed(message: bytes, at: int) -> int:
    """Where the offset at this place leads."""
    return at + int(struct.unpack_from("<I", message, at)[0])


def _field(message: bytes, table: int, number: int) -> int:
    """Where a field of a table is; 0 if it is not there."""
    index = table - int(struct.unpack_from("<i", message, table)[0])
    (size,) = struct.unpack_from("<H", message, index)
    if 4 + 2 * number >= size:
        return 0
    (offset,) = struct.unpack_from("<H", message, index + 4 + 2 * number)
    return table + int(offset) if offset else 0
