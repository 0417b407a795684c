"""A fingerprint of a table: sixteen digits that no other rows have, in any order and on any machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any, assert_never

import numpy as np

from clearwood import __version__, _native
from clearwood.models.origin import Origin
from clearwood.models.plain import LearnerAsData, Plain
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text, kind_of
from clearwood.table.row_keys import sparse_keys, texts_as_numbers
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import Table


def fingerprint(table: Table) -> str:
    """Names, kinds, values, cells and weights count; the order of rows, the width of a float and ignored
    columns do not. Of sparse columns the cells that are stored count: the same table, dense, has another
    fingerprint.

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
        texts_as_numbers(table.columns[each.name]) if isinstance(each, Text) else table.columns[each.name]
        for each in held
        if sparse is None or each.name in sparse.dense
    ]
    if sparse is not None:
        coded.append((sparse_keys(sparse, len(table)) >> np.uint64(11)).astype(np.float64))
    head = [len(table), [_declared(each) for each in held], schema.target is not None, table.weights is None]
    digest = blake2b(json.dumps(head).encode(), digest_size=8)
    digest.update(_native.fingerprint(coded, table.weights).encode())
    return digest.hexdigest()


def _declared(attribute: Attribute) -> tuple[object, ...]:
    match attribute:
        case Nominal(name, values) | Ordinal(name, values) | Numeric(name, values):
            return kind_of(attribute), name, values
        case Text(name) | Ignored(name):
            return kind_of(attribute), name
        case _:
            assert_never(attribute)


# Where a learned model came from: its learner with every setting, and a fingerprint of the rows.


def origin_of(learner: Any, table: Table) -> Origin:
    """Who learned from what: the settings as plain values, and a fingerprint of the data."""

    made = made_of(learner)
    return Origin(
        made.learner,
        made.settings,
        __version__,
        fingerprint(table),
        len(table),
        weights_are=table.weights_are,
    )


def made_of(learner: Any) -> LearnerAsData:
    """A learner as data."""
    settings = {each.name: _plain(getattr(learner, each.name)) for each in fields(learner)}
    return LearnerAsData(type(learner).__name__, settings)


def _plain(value: Any) -> Plain:
    """Settings as plain values: costs, whose keys are pairs, become a table of tables."""
    if isinstance(value, Mapping):
        if any(isinstance(key, tuple) for key in value):
            nested: dict[str, dict[str, Plain]] = {}
            for (true, called), cost in value.items():
                nested.setdefault(str(true), {})[str(called)] = _plain(cost)
            return nested
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_plain(each) for each in value)
    if is_dataclass(value) and callable(getattr(value, "learn", None)):
        return made_of(value)
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)
