"""What a request's body holds: rows of JSON, or a table of CSV or Arrow, within the limits."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final, NoReturn, TypeAlias

import msgspec

from clearwood.errors import ClearwoodError, ColumnError, MissingExtraError
from clearwood.registry import imported_extra
from clearwood.serving.exchange import HttpRequest, Limits, RefusalError
from clearwood.table.raw import Raw
from clearwood.table.sources.csv import read_csv

CSV: Final = "text/csv"
ARROW: Final = "application/vnd.apache.arrow.stream"
ARROW_FILE: Final = "application/vnd.apache.arrow.file"
_JSON: Final = ("application/json", "")
# What a form of any page may send without asking: read as rows, a page elsewhere could feed this server.
_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")

_AS_SENT: Final = "Send UTF-8, names of columns first, commas between cells."

_decoder: Final = msgspec.json.Decoder()


@dataclass(frozen=True, slots=True)
class OneRow:
    """A JSON object."""

    row: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ManyRows:
    """A JSON array of objects."""

    rows: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class RawRows:
    """Columns as a file has them; `unreadable` are sentences on those that hold neither numbers nor text."""

    raw: Raw
    unreadable: Mapping[str, str] = field(default_factory=dict)


class _CsvBody(BytesIO):
    """A body under the name that sentences give it."""

    name = "The body"


Body: TypeAlias = OneRow | ManyRows | RawRows


def body_of(request: HttpRequest, limits: Limits) -> Body:
    """The rows of a request, by the type that it says its body has."""
    if len(request.body) > limits.max_bytes:
        raise too_large(limits)
    packed = request.header("content-encoding", "identity").strip().lower()
    if packed not in ("", "identity"):
        raise RefusalError("Send the body as it is, without Content-Encoding.", because="type")
    kind = request.header("content-type").partition(";")[0].strip().lower()
    if kind in _JSON:
        return _json(request.body, limits)
    if kind == CSV:
        return _csv(request.body, limits)
    if kind in (ARROW, ARROW_FILE):
        return _arrow(request.body, limits)
    if kind in _FORMS:
        raise RefusalError(
            f"A body of the type {kind} is what a form sends, and is not read. Say that it is JSON "
            "(curl: --json, or -H 'Content-Type: application/json').",
            because="type",
        )
    raise RefusalError(
        f"Rows are read as application/json, {CSV} or {ARROW}. Say which one it is: Content-Type.",
        because="type",
    )


def too_large(limits: Limits) -> RefusalError:
    """The refusal of a body that is too large."""
    return RefusalError(
        f"The body is larger than {limits.max_bytes:,} bytes. Send the rows in parts.", because="size"
    )


def _json(body: bytes, limits: Limits) -> Body:
    body = body.removeprefix(b"\xef\xbb\xbf")
    try:
        data = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        data = slowly_decoded(body)
    except RecursionError:
        raise too_deep() from None
    if isinstance(data, dict):
        _check_names(body, len(data))
        return OneRow(data)
    if not isinstance(data, list) or not data or not all(isinstance(each, dict) for each in data):
        raise _malformed("Send a row as a JSON object, or rows as an array of objects; at least one.")
    _check_rows(len(data), limits)
    _check_names(body, sum(map(len, data)))
    return ManyRows(data)


def _check_names(body: bytes, names: int) -> None:
    """Refuse an object that has a name twice: the quick decoder keeps the last and says nothing.

    As many names as there are colons: none was dropped. Bodies with colons in their texts get a second look.
    """
    if body.count(b":") != names:
        slowly_decoded(body)


def _csv(body: bytes, limits: Limits) -> Body:
    try:
        # Nothing is guessed: what a row means must not depend on those that are sent with it.
        raw = read_csv(
            _CsvBody(body),
            delimiter=",",
            decimal=".",
            header=True,
            max_bytes=limits.max_bytes,
            infinite="text",
        )
    except ClearwoodError as error:
        # A request has no options of reading: in their place stands what a body must look like.
        way = f" {_AS_SENT}" if error.advice else ""
        raise _malformed(f"{error.sentence.without_ways_out()}{way}") from None
    return _raw(raw, limits)


def _arrow(body: bytes, limits: Limits) -> Body:
    read = arrow_rows(body, limits.max_rows)
    if read is None:
        _check_rows(limits.max_rows + 1, limits)
        raise AssertionError("more rows than allowed are refused")
    if read.raw.names:
        _raw(read.raw, limits)
    return read


def _raw(raw: Raw, limits: Limits) -> RawRows:
    _check_rows(len(raw), limits)
    if not len(raw):
        raise _malformed("There are no rows in the body.")
    return RawRows(raw)


def _check_rows(rows: int, limits: Limits) -> None:
    if rows > limits.max_rows:
        raise RefusalError(
            f"A request may hold {limits.max_rows:,} rows, and this one holds more. Send them in parts.",
            status=413,
            because="rows",
        )


def _malformed(sentence: str) -> RefusalError:
    return RefusalError(sentence, because="malformed")


# A strict JSON parser for what the quick decoder refused or was too lenient about: it locates errors.


_MOST_DIGITS: Final = 400  # of a whole number: beyond that it is no double, and costs time to read


def slowly_decoded(body: bytes) -> Any:
    """The content, or a refusal with the place: no name twice, no NaN, no lone surrogate. A number beyond
    all doubles is read as infinite, for whoever knows its column to refuse.

    >>> slowly_decoded(b'{"age": 1e999}')
    {'age': inf}
    """
    if not body.strip():
        raise _refusal("The body is empty. Send a row as a JSON object, or rows as an array of objects.")
    try:
        data = json.loads(
            body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_whole
        )
        # What cannot be written as UTF-8 is half a pair of surrogates.
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise _refusal(f"The body is not UTF-8 text: {error.reason} at byte {error.start + 1}.") from None
    except UnicodeEncodeError:
        raise _refusal(
            "A text of the body holds half of a surrogate pair, which is not a character."
        ) from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, character {error.colno}"
        raise _refusal(f"The body is not JSON: {error.msg}, at {where}.") from None
    except RecursionError:
        raise too_deep() from None
    return data


def too_deep() -> RefusalError:
    """The refusal of lists within lists within lists."""
    return _refusal("The JSON is nested too deeply for a row.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique: dict[str, Any] = {}
    for name, value in pairs:
        if name in unique:
            name = name.encode("utf-8", "replace").decode()
            raise _refusal(f"A row has the column '{name}' twice.", {name: "It is there twice."})
        unique[name] = value
    return unique


def _no_constant(word: str) -> NoReturn:
    raise _refusal(f"JSON has no {word}. Send null for a value that is not known.")


def _whole(digits: str) -> int | float:
    if len(digits) <= _MOST_DIGITS:
        return int(digits)
    return -math.inf if digits.startswith("-") else math.inf


def _refusal(sentence: str, columns: dict[str, str] | None = None) -> RefusalError:
    return RefusalError(sentence, because="malformed", columns=columns)


# Rows of an Arrow body, if it is plain: what a compressed one unpacks to is known when it is too late.
#
# A message of the format is a flatbuffer: a table whose fields are found by offsets. Only two kinds of
# messages hold cells, and both say in a field of theirs whether their buffers are compressed.


_HEADER_TYPE, _HEADER = 1, 2  # fields of a message
_DICTIONARY, _BATCH = 2, 3  # kinds of headers
_CELLS_OF_DICTIONARY: Final = 1  # the field of a dictionary that holds its batch
_COMPRESSION: Final = 3  # the field of a batch
_NAME: Final = "The body"
_START_OF_FILE: Final = b"ARROW1\x00\x00"


def arrow_rows(body: bytes, max_rows: int) -> RawRows | None:
    """The columns of an Arrow file or stream; None if there are more rows than allowed."""
    from clearwood.table.sources.arrow import arrow_reader, reading_as  # late: few bodies are Arrow
    from clearwood.table.sources.frames import read_frame

    try:
        pyarrow = imported_extra("pyarrow", "arrow", f"To read {_NAME}")
        with reading_as(_NAME, "Arrow", "Send all of it again."):
            _check_plain(pyarrow, body)
            frame = arrow_reader(pyarrow.BufferReader(pyarrow.py_buffer(body))).read_all()
            if len(frame) > max_rows:
                return None
            frame.validate(full=True)
            try:
                return RawRows(read_frame(frame, where=_NAME))
            except ColumnError:  # two of one name
                raise
            except ClearwoodError:
                return _by_column(frame)
    except RefusalError:
        raise
    except MissingExtraError as error:
        raise RefusalError(str(error), because="type") from None
    except ClearwoodError as error:
        raise RefusalError(error.sentence, because="malformed") from None


def _by_column(frame: Any) -> RawRows:
    """The columns one by one, since some of them holds what no column of a table can."""
    from clearwood.table.sources.frames import read_frame

    unreadable: dict[str, str] = {}
    for name in frame.column_names:
        try:
            read_frame(frame.select([name]), where=_NAME)
        except ClearwoodError as error:
            unreadable[name] = str(error)
    fine = [name for name in frame.column_names if name not in unreadable]
    empty = Raw((), (), _NAME)
    return RawRows(read_frame(frame.select(fine), where=_NAME) if fine else empty, unreadable)


def _check_plain(pyarrow: Any, body: bytes) -> None:
    stream = body[len(_START_OF_FILE) :] if body.startswith(_START_OF_FILE) else body
    for message in pyarrow.ipc.MessageReader.open_stream(pyarrow.BufferReader(stream)):
        if holds_compressed_cells(message.metadata.to_pybytes()):
            raise RefusalError("Send Arrow without compression.", because="type")


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
