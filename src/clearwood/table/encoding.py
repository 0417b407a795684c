"""`encode`: any source under a schema that exists already, for prediction and evaluation."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from clearwood.errors import ColumnError, no_such
from clearwood.table.attributes import Ignored, Nominal
from clearwood.table.coding import as_strings, as_weights, code_column
from clearwood.table.raw import Raw
from clearwood.table.schema import Schema
from clearwood.table.sources import is_array, read_raw
from clearwood.table.sources.recoded import as_read
from clearwood.table.table import UNSEEN, Column, Table


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
        if attribute.name not in cells:
            raise ColumnError(
                f"{raw.where} lacks a column of the schema. {no_such('column', attribute.name, cells)}"
            )
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
