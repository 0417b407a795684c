"""A fingerprint of a table: sixteen digits that another table does not have, on any machine."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import assert_never

import numpy as np

from clearwood import _native
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text, kind_of
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import Table


def fingerprint(table: Table) -> str:
    """Names, kinds, values, cells and weights count; the width of a float and ignored columns do not. Of
    sparse columns the cells that are stored count: the same table, dense, has another fingerprint.

    >>> import numpy as np
    >>> from clearwood.table.schema import Schema
    >>> x = {"x": np.array([1.0, 2.0])}
    >>> fingerprint(Table(Schema((Numeric("x"),)), x)) == fingerprint(Table(Schema((Numeric("x"),)), x))
    True
    """
    schema = table.schema
    attributes: list[Attribute] = [*schema.attributes, *([schema.target] if schema.target else [])]
    held = [attribute for attribute in attributes if attribute.name in table.columns]
    sparse = table.columns if isinstance(table.columns, SparseColumns) else None
    coded = [
        table.columns[each.name]
        for each in held
        if not isinstance(each, Text) and (sparse is None or each.name in sparse.dense)
    ]
    head = [len(table), [_declared(each) for each in held], schema.target is not None, table.weights is None]
    digest = blake2b(json.dumps(head).encode(), digest_size=8)
    digest.update(_native.fingerprint(coded, table.weights).encode())
    if sparse is not None:
        for part, kind in (
            (sparse.matrix.indptr, "<i8"),
            (sparse.matrix.indices, "<i8"),
            (sparse.matrix.data, "<f8"),
        ):
            digest.update(part.astype(kind).tobytes())
    for attribute in held:
        if isinstance(attribute, Text):
            # Every length beside the texts: none runs into the next, and an empty cell is no empty text.
            texts = table.columns[attribute.name].tolist()
            sizes = [-1 if text is None else len(text) for text in texts]
            digest.update(np.array(sizes, dtype="<i8").tobytes())
            digest.update("".join(filter(None, texts)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _declared(attribute: Attribute) -> tuple[object, ...]:
    match attribute:
        case Nominal(name, values) | Ordinal(name, values) | Numeric(name, values):
            return kind_of(attribute), name, values
        case Text(name) | Ignored(name):
            return kind_of(attribute), name
        case _:
            assert_never(attribute)
