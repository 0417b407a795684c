"""A fingerprint tells tables apart by names, kinds, values, cells and weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.learners.training import fingerprint
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from clearwood.table.table import Column, Table

WIND = Nominal("Wind", ("Weak", "Strong"))


def table(wind: Attribute = WIND, size: Attribute | None = None, **changed: Any) -> Table:
    columns: dict[str, Column] = {
        wind.name: np.array([0, 1, -1], np.int32),
        "size": np.array([1.5, np.nan, 2.0]),
        "said": np.array(["a", None, "b"], object),
        "Play": np.array([0, 1, 1], np.int32),
    }
    weights = changed.pop("weights", None)
    schema = Schema((wind, size or Numeric("size"), Text("said")), Nominal("Play", ("No", "Yes")))
    return Table(schema, columns | changed, weights)


def test_tables_that_differ_in_anything_have_other_fingerprints() -> None:
    tables = [
        table(),
        table(Nominal("wind", ("Weak", "Strong"))),
        table(Nominal("Wind", ("Strong", "Weak"))),
        table(Nominal("Wind", ("Weak", "Strong", "Gale"))),
        table(Ordinal("Wind", ("Weak", "Strong"))),
        table(size=Numeric("size", (1.75,))),
        table(Play=np.array([0, 1, 0], np.int32)),
        table(size=None, said=np.array(["a", "null", "b"], object)),
        table(said=np.array(["a", '", "', "b"], object)),
        table(said=np.array(["a", "", "b"], object)),
        table(said=np.array(["a\ud800", None, "b"], object)),
        table(weights=np.ones(3)),
        table(weights=np.array([1.0, 2.0, 1.0])),
        table().take(np.array([0, 1])),
    ]
    assert len({fingerprint(each) for each in tables}) == len(tables)


def test_the_order_in_which_columns_were_put_in_and_the_width_of_floats_do_not_matter() -> None:
    first = table()
    turned = Table(first.schema, dict(reversed(list(first.columns.items()))))
    narrow = Table(first.schema, {**first.columns, "size": first.columns["size"].astype(np.float32)})
    assert fingerprint(first) == fingerprint(turned) == fingerprint(narrow)


def test_the_order_of_rows_does_not_matter_but_what_stands_in_one_row_does() -> None:
    first = table(weights=np.array([1.0, 2.0, 3.0]))
    assert fingerprint(first) == fingerprint(first.take(np.array([2, 0, 1])))
    other = table(said=np.array(["b", None, "a"], object), weights=np.array([1.0, 2.0, 3.0]))
    assert fingerprint(first) != fingerprint(other)


def test_a_fingerprint_is_the_same_on_every_day() -> None:
    assert fingerprint(table()) == "44c7a98c61e1347b"
