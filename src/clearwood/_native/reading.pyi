# Text files, columns of other libraries, words and fingerprints.

from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Ints, Longs
from clearwood.table.table import Column

_Bits = npt.NDArray[np.uint64]
_Bytes = npt.NDArray[np.uint8]

def csv_rows(text: _Bytes, delimiter: str, begin: int, limit: int) -> tuple[list[list[bytes]], list[int]]: ...
def csv_columns(
    text: _Bytes,
    delimiter: str,
    decimal: str,
    missing: list[str],
    begin: int,
    width: int,
    only: int = -1,
    with_spans: bool = False,
) -> tuple[str, int, int, list[tuple[Any, ...] | None], Longs | None]: ...

_LineColumn = Floats | tuple[Ints, tuple[str, ...]]

def lines_of_text(
    text: _Bytes,
    spans: Longs,
    delimiter: str,
    answers: list[_LineColumn],
    separator: str,
    picked: Longs | None,
) -> _Bytes: ...
def lines_of_columns(
    columns: list[_LineColumn], rows: int, answers: list[_LineColumn], separator: str, picked: Longs | None
) -> _Bytes: ...
def arrow_strings(streams: list[object]) -> list[tuple[Ints, tuple[str, ...], bool] | None]: ...
def object_codes(array: npt.NDArray[np.object_]) -> tuple[Ints, list[Any]]: ...
def number_codes(values: npt.NDArray[np.float32] | Floats) -> tuple[Ints, Floats]: ...
def survey(values: npt.NDArray[np.float32] | Floats) -> tuple[int, int, list[bool]]: ...
def fingerprint(columns: list[Column], weights: Floats | None) -> str: ...
def row_marks(columns: list[Column], target: Column) -> list[int]: ...
def row_hashes(columns: list[Column], rows: int) -> _Bits: ...
def count_words(
    texts: list[str | None],
    target: Column,
    classes: int,
    weights: Floats | None,
    lower: bool,
    ngrams: tuple[int, int],
    stop_words: list[str],
) -> tuple[tuple[str, ...], _Bits, _Bits, _Bits, int]: ...
def add_words(
    texts: list[str | None],
    words: list[str],
    logs: Floats,
    base: Floats,
    once: bool,
    lower: bool,
    ngrams: tuple[int, int],
    stop_words: list[str],
) -> Floats: ...
def words_of(
    text: list[str | None], lower: bool, ngrams: tuple[int, int], stop_words: list[str]
) -> tuple[str, ...]: ...
def letter_runs() -> list[tuple[int, int]]: ...
def case_pairs() -> list[tuple[int, int]]: ...
