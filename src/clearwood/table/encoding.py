"""`encode`: any source under a schema that exists already, for prediction and evaluation."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood._native import object_codes
from clearwood.errors import Advice, ColumnError, Place, SchemaError, check_known
from clearwood.table.attributes import Ignored, Nominal, Numeric
from clearwood.table.coding import as_strings, as_weights, check_weights, code_column, thousands_hint
from clearwood.table.declare import declare
from clearwood.table.describe import excerpt
from clearwood.table.guess import Guess, take_as_it_is
from clearwood.table.raw import Codes, Raw, RawColumn, RawNumbers, RawStrings, are_dates
from clearwood.table.schema import Schema, WeightsAre, number_in, unused_name
from clearwood.table.sources import is_array, read_raw
from clearwood.table.sources.objects import broken_text, is_missing
from clearwood.table.sources.recoded import as_read
from clearwood.table.table import UNSEEN, Column, Table
from clearwood.words.numbers import many


def encode(
    source: Any,
    schema: Schema,
    *,
    only: Collection[str] | None = None,
    before: int | None = None,
    own_classes: bool = False,
) -> Table:
    """Encode a source (or a `Raw` that is already read) exactly as the schema says.

    Columns the schema doesn't use may be there or not; so may the target and the weights. A value the
    schema doesn't list is UNSEEN; with `own_classes`, where that is so of the class of every row, the target
    of the table has the classes of the source. The columns of a plain array are taken in the schema's order.
    With `only` the attributes of other names are neither needed nor coded. Where the rows are a block of a
    longer source, `before` is how many came earlier: refusals count from there, and weights may all be zero.

    >>> from clearwood.table.attributes import Nominal
    >>> encode([{"wind": "calm"}], Schema((Nominal("wind", ("weak", "strong")),))).columns["wind"].tolist()
    [-2]
    """
    raw = as_read(source if isinstance(source, Raw) else _read(source, schema), schema.read_as, settled=True)
    cells = dict(zip(raw.names, raw.columns, strict=True))
    columns = {}
    for attribute in schema.attributes:
        if isinstance(attribute, Ignored) or (only is not None and attribute.name not in only):
            continue
        lacks = f"{raw.where} lacks a column of the schema. "
        check_known("column", attribute.name, cells, error=ColumnError, before=lacks)
        columns[attribute.name] = code_column(
            cells[attribute.name], attribute, settled=True, before=before or 0
        )
    if schema.target is not None and schema.target.name in cells:
        own = cells[schema.target.name]
        columns[schema.target.name] = code_column(own, schema.target, settled=True, before=before or 0)
        if own_classes and _are_foreign(columns[schema.target.name]):
            # The classes as the rows call them: whoever compares answers with them can say so.
            strings = as_strings(own)
            columns[schema.target.name] = strings.codes
            schema = replace(schema, target=Nominal(schema.target.name, strings.values))
    weights = None
    if schema.weight is not None and schema.weight in cells:
        weights = as_weights(cells[schema.weight], schema.weight, settled=True, before=before)
    return Table(schema, columns, weights, raw.notes, len(raw))


def _are_foreign(truth: Column) -> bool:
    """Is no row of a class that is known?"""
    return truth.dtype == np.int32 and bool((truth == UNSEEN).any()) and not bool((truth >= 0).any())


def _read(source: Any, schema: Schema) -> Raw:
    if not is_array(source):
        return read_raw(source)
    names = [attribute.name for attribute in schema.attributes]
    width = len(source[0]) if isinstance(source, list | tuple) or source.ndim == 2 else 1
    if width != len(names):
        raise ColumnError(
            f"The array has {width} columns where {len(names)} are expected: {', '.join(names)}."
        )
    return read_raw(source, names=names)


# X and y kept apart, as scikit-learn does: to one table, every column taken as it is.


EMPTY: Final = "every cell is empty"


def learn_table(
    X: Any,  # noqa: N803 (scikit-learn's name)
    y: Any,
    *,
    weights: Any = None,
    kinds: Mapping[str, str] | None = None,
    ordered: Mapping[str, Sequence[str]] | None = None,
    numeric: bool = False,
    names: Sequence[str] | None = None,
    classes: npt.NDArray[Any] | None = None,
    weights_are: WeightsAre | None = None,
) -> Table:
    """Strings are nominal, numbers numeric unless `kinds` says otherwise; only empty columns are left out.

    Classes are sorted as `np.unique` sorts them; where they are given, y holds codes of them already. With
    `numeric`, y is a number to predict. `weights_are` is what the weights mean, where there are any.

    >>> learn_table(np.array([[1.0], [2.0]]), ["b", "a"]).schema.classes
    ('a', 'b')
    """
    raw = read_raw(X, names=names)
    kinds, ordered = dict(kinds or {}), dict(ordered or {})
    for name in (*kinds, *ordered):
        check_known("column", name, raw.names, error=ColumnError)
    attributes, columns = [], {}
    for name, column in zip(raw.names, raw.columns, strict=True):
        if name in kinds or name in ordered:
            guess = declare(name, column, kinds.get(name, "ordinal"), ordered.get(name))
        elif has_no_cells(column):  # rows to come may hold strings or numbers there
            guess = Guess(Ignored(name, EMPTY), column)
        else:
            guess = take_as_it_is(name, column)
        attributes.append(guess.attribute)
        if not isinstance(guess.attribute, Ignored):
            columns[name] = code_column(guess.column, guess.attribute)
    target_name = unused_name("target", raw.names)
    target: Nominal | Numeric
    if numeric:
        target, columns[target_name] = Numeric(target_name), _finite(y)
    else:
        classes, columns[target_name] = code_labels(y) if classes is None else (classes, y)
        target = Nominal(target_name, tuple(str(label) for label in classes.tolist()))
    if len(columns[target_name]) != len(raw):
        raise SchemaError(f"X has {len(raw)} rows and y has {len(columns[target_name])}.")
    checked = None if weights is None else check_weights(np.asarray(weights, dtype=np.float64), "The weight")
    schema = Schema(tuple(attributes), target)
    return Table(schema, columns, checked, raw.notes_without(), len(raw), weights_are)


def code_labels(y: Any) -> tuple[npt.NDArray[Any], Codes]:
    """The classes, sorted, and each row's position among them.

    >>> code_labels([7, 3, 7])
    (array([3, 7]), array([1, 0, 1], dtype=int32))
    """
    labels = np.asarray(y)
    if labels.dtype.kind in "iu" and labels.size:
        low, high = int(labels.min()), int(labels.max())
        if high - low < 1 << 16:  # a table of so few places beats sorting a million rows
            wide = labels if labels.itemsize == 8 else labels.astype(np.int64)
            offsets = (wide - wide.dtype.type(low)).astype(np.intp, copy=False)
            present = np.flatnonzero(np.bincount(offsets))
            place = np.zeros(high - low + 1, np.int32)
            place[present] = np.arange(len(present), dtype=np.int32)
            return (present.astype(wide.dtype) + wide.dtype.type(low)).astype(labels.dtype), place[offsets]
    if labels.dtype.kind == "O":
        return _code_objects(labels)
    classes = np.unique(labels)
    if labels.dtype.kind == "f" and not np.isfinite(classes).all():
        raise SchemaError("y holds missing or infinite values. Leave these rows out.")
    return classes, np.searchsorted(classes, labels).astype(np.int32)


def has_no_cells(column: RawColumn) -> bool:
    """Has it no known cell?"""
    if isinstance(column, RawNumbers):
        return bool(np.isnan(column.values[:1]).all() and np.isnan(column.values).all())
    return bool((column.codes < 0).all())


def _code_objects(labels: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Codes]:
    try:
        codes, objects = object_codes(labels)
    except UnicodeEncodeError as error:
        raise broken_text(labels, error, "y") from None
    if any(is_missing(label) for label in objects):
        raise SchemaError("y holds missing values. Leave these rows out.")
    try:
        ordered = sorted(set(objects))
    except TypeError:
        kinds = ", ".join(sorted({type(label).__name__ for label in objects}))
        raise SchemaError(f"y mixes labels that cannot be compared ({kinds}). Make them all text.") from None
    place = {label: code for code, label in enumerate(ordered)}
    table = np.array([place[label] for label in objects], dtype=np.int32)
    return np.array(ordered, dtype=object), table[codes]


def _finite(y: Any) -> npt.NDArray[Any]:
    values = np.asarray(y)
    values = values if values.dtype in (np.float32, np.float64) else values.astype(np.float64)
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise SchemaError(f"y, row {row + 1}: {values[row]} is not a finite number. Leave the row out.")
    return values


# Cells that are no numbers where numbers belong: collected, so that they are reported together.


@dataclass(frozen=True, slots=True)
class CellError:
    """A cell that cannot be used: its row, from 1, its column, what it says, and what is wrong."""

    row: int
    column: str
    cell: str
    wrong: str


def without_wrong_cells(
    raw: Raw, schema: Schema, only: Collection[str], before: int = 0
) -> tuple[Raw, list[CellError]]:
    """The rows with cells that are no numbers left empty, and those cells; `before` rows came earlier.

    >>> from clearwood.table.sources import read_raw
    >>> raw = read_raw({"age": ["31", "abc"]})
    >>> without_wrong_cells(raw, Schema((Numeric("age"),)), {"age"})[1]
    [CellError(row=2, column='age', cell='abc', wrong='is not a number')]
    """
    numeric = {each.name for each in schema.attributes if isinstance(each, Numeric) and each.name in only}
    if isinstance(schema.target, Numeric):
        numeric.add(schema.target.name)
    columns: list[RawColumn] = []
    errors: list[CellError] = []
    raw = as_read(raw, schema.read_as, settled=True)
    for name, column in zip(raw.names, raw.columns, strict=True):
        # A column of dates is declared wrongly as a whole, which has a sentence of its own.
        if name in numeric and isinstance(column, RawStrings) and not (column.values and are_dates(column)):
            column, wrong = _as_numbers(column, name, before)
            errors += wrong
        columns.append(column)
    return replace(raw, columns=tuple(columns)), sorted(errors, key=lambda each: each.row)


def _as_numbers(column: RawStrings, name: str, before: int) -> tuple[RawNumbers, list[CellError]]:
    numbers = np.full(len(column.values) + 1, np.nan)  # the last place answers for code −1: missing
    wrong: dict[int, str] = {}
    for code, text in enumerate(column.values):
        number = number_in(text)
        if number is None or not np.isfinite(number):
            wrong[code] = "is not a number" if number is None else "is infinite"
        else:
            numbers[code] = number
    rows = np.flatnonzero(np.isin(column.codes, list(wrong))).tolist() if wrong else []
    cells = [(row, int(column.codes[row])) for row in rows]
    errors = [CellError(before + row + 1, name, column.values[code], wrong[code]) for row, code in cells]
    return RawNumbers(numbers[column.codes], whole=False, texts=lambda: column), errors


def refusal_of(errors: Sequence[CellError]) -> SchemaError:
    """The sentence for cells that stop the work: the first, how many more, and the way out."""
    first, cell = errors[0], excerpt(errors[0].cell)
    more = ""
    if len(errors) > 1:
        shown = "; ".join(f"'{each.column}', row {each.row}: '{excerpt(each.cell)}'" for each in errors[1:5])
        more = f" So {'is' if len(errors) == 2 else 'are'} {many(len(errors) - 1, 'more cell')}: {shown}"
        more += "; …." if len(errors) > 5 else "."
    return SchemaError(
        f"Column '{first.column}', row {first.row}: '{cell}' {first.wrong}.",
        *thousands_hint(cell),
        " Correct the cell, or treat it as missing: ",
        Advice("missing", cell),
        f".{more}",
        place=Place(column=first.column, row=first.row),
    )
