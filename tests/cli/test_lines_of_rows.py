"""The native writer of lines against the Python that defines it."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood._native import lines_of_columns, lines_of_text
from clearwood.cli.answering import LineForm
from clearwood.words.numbers import number

NUMBERS = st.one_of(
    st.floats(),
    st.integers(-(10**17), 10**17).map(float),
    st.builds(lambda whole, tens: whole / 10**tens, st.integers(-(10**16), 10**16), st.integers(0, 12)),
)
TEXTS = st.text(st.sampled_from('ab,;"\n\r\t é-='), max_size=6)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(NUMBERS, min_size=1, max_size=50))
def test_numbers_are_written_as_number_writes_them(numbers: list[float]) -> None:
    lines = lines_of_columns([np.array(numbers)], len(numbers), [], ",", None).tobytes().decode()
    assert lines.split("\n")[:-1] == ["" if math.isnan(each) else number(each) for each in numbers]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.0, "0"),
        (1e15, "1000000000000000.0"),
        (1e16, "1e+16"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (123456.789, "123456.789"),
        (0.1 + 0.2, "0.30000000000000004"),
        (-2.5, "-2.5"),
        (5e-324, "5e-324"),
        (math.inf, "inf"),
    ],
)
def test_numbers_at_the_edges_are_written_so(value: float, text: str) -> None:
    assert lines_of_columns([np.array([value])], 1, [], ",", None).tobytes().decode() == f"{text}\n"


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=20), st.sampled_from(",;\t"))
def test_texts_are_quoted_as_the_form_quotes_them(rows: list[tuple[str, str]], separator: str) -> None:
    form = LineForm(separator, escape=False)
    columns: list[Any] = [
        (np.arange(len(rows), dtype=np.int32), tuple(row[j] for row in rows)) for j in range(2)
    ]
    lines = lines_of_columns(columns[:1], len(rows), columns[1:], separator, None)
    assert lines.tobytes().decode() == "".join(form.line(row) + "\n" for row in rows)


def test_rows_that_are_picked_stand_beside_their_own_answers() -> None:
    text = np.frombuffer(b'a,1\n\n"b,\nc",2\r\nd,3', np.uint8)
    spans = np.array([[0, 3], [5, 13], [15, 18]])
    answers: list[Any] = [(np.array([1, 0], np.int32), ("no", "yes")), np.array([0.5, np.nan])]
    lines = lines_of_text(text, spans, ",", answers, ",", np.array([1, 2]))
    assert lines.tobytes() == b'"b,\nc",2,yes,0.5\nd,3,no,\n'


def test_another_delimiter_writes_every_cell_anew() -> None:
    text = np.frombuffer(b' a ; "b;c";"say ""so"""\nx\ty;;z', np.uint8)
    spans = np.array([[0, 23], [24, 30]])
    lines = lines_of_text(text, spans, ";", [np.array([1.0, 2.0])], "\t", None).tobytes().decode()
    rows = list(csv.reader(io.StringIO(lines), delimiter="\t"))
    assert rows == [["a", "b;c", 'say "so"', "1"], ["x\ty", "", "z", "2"]]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: lines_of_columns([np.array([1.0])], 2, [], ",", None),
        lambda: lines_of_columns([(np.array([1], np.int32), ("a",))], 1, [], ",", None),
        lambda: lines_of_columns([np.array([1.0])], 1, [np.array([1.0])], ",", np.array([1])),
        lambda: lines_of_text(np.zeros(3, np.uint8), np.array([[0, 4]]), ",", [], ",", None),
    ],
)
def test_what_would_reach_outside_its_arrays_is_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"rows|value|row|text"):
        wrong()  # type: ignore[operator]
