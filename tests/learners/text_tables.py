"""Random tables with a text column."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from clearwood.table.attributes import Nominal, Text
from clearwood.table.schema import Schema
from clearwood.table.table import Table

WORDS = ("free", "Free", "win", "the", "don't", "日", "👍", "שלום", "x")


def text_table(
    texts: list[str | None], labels: list[str], weights: list[float] | None = None, **more: list[str]
) -> Table:
    """Texts and labels, classes in the order they come, and nominal columns."""
    classes = tuple(dict.fromkeys(labels))
    columns = {
        "text": np.array([*texts, None], dtype=object)[:-1],
        "y": np.array([classes.index(each) for each in labels], dtype=np.int32),
    }
    nominal = []
    for name, cells in more.items():
        values = tuple(dict.fromkeys(cells))
        nominal.append(Nominal(name, values))
        columns[name] = np.array([values.index(each) for each in cells], dtype=np.int32)
    schema = Schema((Text("text"), *nominal), Nominal("y", classes))
    return Table(schema, columns, None if weights is None else np.array(weights))


@st.composite
def text_tables(draw: st.DrawFn) -> Table:
    texts = st.one_of(st.none(), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))
    rows = draw(st.lists(st.tuples(texts, st.sampled_from("abc")), min_size=1, max_size=25))
    weights = st.lists(st.sampled_from([1.0, 2.0, 0.5, 0.1]), min_size=len(rows), max_size=len(rows))
    return text_table([t for t, _ in rows], [y for _, y in rows], draw(st.one_of(st.none(), weights)))
