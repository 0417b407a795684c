"""Readers: small files of every format, damaged or packed, read with options of all kinds."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import pyarrow as pa
from pyarrow import feather, parquet

from clearwood.table import encode, read_table
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.sources import read_raw
from clearwood.table.table import Table
from tests.fuzz.cases import Case
from tests.fuzz.mutation import mutated

_ROWS: Final = [
    (
        ("sunny", "rain", "overcast")[i % 3],
        60 + 1.5 * i,
        f"{i % 7:03d}",
        f"2024-01-{i + 1:02d}",
        "yn"[i % 2],
    )
    for i in range(24)
]
_NAMES: Final = ("outlook", "humidity", "code", "day", "play")


def case(random: Random, folder: Path) -> Case:
    """A damaged file of a format that the dice choose."""
    name = random.choice(list(whole_files()))
    data = whole_files()[name]
    options = _options(random)
    for _ in range(random.choice((0, 1, 1, 1, 2))):
        data = mutated(data, random)
    if random.random() < 0.1:
        ending, pack = random.choice((("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)))
        name, data = f"{name}.{ending}", pack(data)
        data = mutated(data, random) if random.random() < 0.3 else data
    path = folder / name
    path.write_bytes(data)
    if name.startswith("c45."):
        (folder / "c45.names").write_bytes(mutated(_C45, random) if random.random() < 0.5 else _C45)
    source: Any = path if random.random() < 0.8 else io.BytesIO(data)
    return Case(f"read_table({name}: {data[:300]!r}, {options})", lambda: _read(source, path, options))


def _read(source: Any, path: Path, options: dict[str, Any]) -> None:
    table = read_table(source, **options)
    check(table)
    written = {name: value for name, value in options.items() if name in _WRITTEN}
    check(encode(read_raw(path, **written), table.schema))


def check(table: Table) -> None:
    """What holds of every table: columns of one length, codes of values that are there, numbers finite."""
    for name, column in table.columns.items():
        attribute = table.schema[name]
        assert len(column) == len(table), name
        if isinstance(attribute, Nominal | Ordinal):
            assert len(set(attribute.values)) == len(attribute.values), name
            assert column.min(initial=0) >= -2, name
            assert column.max(initial=-1) < len(attribute.values), name
        elif column.dtype != object:
            assert not np.isinf(column).any(), name
    str(table), *map(str, table.notes)


_WRITTEN: Final = ("delimiter", "decimal", "thousands", "encoding", "header", "missing", "dates", "max_bytes")


def _options(random: Random) -> dict[str, Any]:
    options: dict[str, Any] = {"max_bytes": 10_000_000}
    choices: dict[str, tuple[Any, ...]] = {
        "target": ("play", "code", "humidity", "outlook", "day"),
        "weight": ("humidity", "code"),
        "delimiter": (",", ";", "\t", "|", "x", " "),
        "decimal": (".", ","),
        "thousands": (",", ".", " ", "'", "none"),
        "encoding": (
            "utf-8",
            "latin-1",
            "cp1252",
            "utf-16",
            "utf-16-le",
            "rot13",
            "shift_jis",
            "idna",
            "utf-7",
        ),
        "header": (True, False),
        "missing": ("yes", [], ["?", "sunny"], ["", "n", "é"]),
        "dates": ("days", "years"),
        "weights_are": ("counts", "sampling", "importance", "guess"),
        "ordered": ({"outlook": ["rain", "overcast", "sunny"]}, {"code": []}, {"day": ["a", "a"]}),
        "query": ("SELECT * FROM source", "SELECT play, count(*) AS code FROM source GROUP BY ALL", ""),
        "kinds": ({"code": "nominal"}, {"code": "numeric"}, {"day": "text"}, {"humidity": "ordinal"}),
        "ignore": ("day", ["day", "code"], ["no such column"]),
    }
    for option, values in choices.items():
        if random.random() < (0.5 if option == "target" else 0.04):
            options[option] = random.choice(values)
    return options


@cache
def whole_files() -> dict[str, bytes]:
    """A small whole file of each format, by a name that the reader knows it by."""
    header, rows = ",".join(_NAMES), ["{},{},{},{},{}".format(*row) for row in _ROWS]
    plain = "\n".join([header, *rows]) + "\n"
    records = [dict(zip(_NAMES, row, strict=True)) for row in _ROWS]
    table = pa.table({name: [row[i] for row in _ROWS] for i, name in enumerate(_NAMES)})
    table = table.set_column(0, "outlook", table["outlook"].dictionary_encode())
    table = table.append_column("wet", pa.array([None, True, False] * 8))
    written = {
        "t.csv": plain.encode(),
        "quoted.csv": plain.replace("sunny", '"sunny, ""warm"""').encode(),
        "german.csv": plain.replace(",", ";").replace(".", ",").replace("sunny", "größer").encode("cp1252"),
        "thousands.csv": b"sep=;\nhumidity;code;play\n" + b"1,200.00;0.5 %;yes\n12.50;7 %;no\n" * 6,
        "wide.csv": plain.encode("utf-16"),
        "t.tsv": plain.replace(",", "\t").encode(),
        "t.jsonl": "\n".join(map(json.dumps, records)).encode(),
        "t.json": json.dumps(records, indent=1).encode(),
        "t.arff": (_ARFF + "\n".join(rows) + "\n% the end\n").encode(),
        "sparse.arff": (_ARFF + "{0 rain, 1 2.5, 4 n}\n{}, {2}\n'sunny' 1 \"002\" ? y\n").encode(),
        "c45.data": "\n".join(rows).encode(),
        "c45.test": ".\n".join(rows).encode(),
        "c45.names": "\n".join(rows).encode(),
        "t.zip": _zipped("t.csv", plain),
        "t.xlsx": _zipped("xl/workbook.xml", "<workbook/>"),
        "t.csv.zst": b"\x28\xb5\x2f\xfd\x04\x00" + plain.encode(),
        "t.parquet": _written(lambda place: parquet.write_table(table, place)),
        "t.feather": _written(lambda place: feather.write_feather(table, place, compression="lz4")),
        "plain.feather": _written(
            lambda place: feather.write_feather(table, place, compression="uncompressed")
        ),
    }
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table, max_chunksize=10)
    written |= {"t.arrow": stream.getvalue()}
    again = {"t.pq": "t.parquet", "t.ipc": "t.arrow", "t.ndjson": "t.jsonl", "t.txt": "t.csv", "t": "t.arff"}
    return written | {name: written[of] for name, of in again.items()}


def _zipped(name: str, text: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(name), text)
    return packed.getvalue()


def _written(write: Any) -> bytes:
    place = pa.BufferOutputStream()
    write(place)
    data: bytes = place.getvalue().to_pybytes()
    return data


_CODES: Final = ",".join(f"{i:03d}" for i in range(7))
_ARFF: Final = f"""@relation 'the weather'
@attribute outlook {{sunny, overcast, rain}}
@attribute humidity numeric
@attribute code {{{_CODES}}}
@attribute day date "yyyy-MM-dd"
@attribute play {{y, n}}
@data
"""


_C45: Final = (
    b"y, n.  | classes\noutlook: sunny, overcast, rain.\nhumidity: continuous.\n"
    b"code: discrete 7.\nday: ignore.\n"
)
