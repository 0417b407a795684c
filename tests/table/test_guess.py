"""Each guess about a column, and the sentence that announces it."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.errors import SchemaError
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.guess import Guess, guess_input, guess_target, remark_on_few_numbers, take_as_it_is
from clearwood.table.raw import RawColumn, RawNumbers, RawStrings


def strings(*cells: str | None, dates: bool = False) -> RawStrings:
    values = tuple(dict.fromkeys(cell for cell in cells if cell is not None))
    codes = [-1 if cell is None else values.index(cell) for cell in cells]
    return RawStrings(np.array(codes, np.int32), values, dates=dates)


def different(count: int, pattern: str = "v{}") -> RawStrings:
    return RawStrings(np.arange(count, dtype=np.int32), tuple(pattern.format(i) for i in range(count)))


def numbers(*cells: float, padded: bool = False) -> RawNumbers:
    values = np.array(cells, dtype=np.float64)
    return RawNumbers(values, whole=bool(np.all((values % 1 == 0) | np.isnan(values))), padded=padded)


NAN = float("nan")


@pytest.mark.parametrize(
    ("name", "column", "expected"),
    [
        ("wind", strings("weak", "strong", None, "weak"), Nominal("wind", ("strong", "weak"))),
        ("size", RawStrings(np.array([1, 0]), ("S", "M"), True, True), Ordinal("size", ("S", "M"))),
        ("kind", RawStrings(np.array([1, 1]), ("a", "b"), True), Nominal("kind", ("a", "b"))),
        ("humidity", numbers(70, 71.5, NAN), Numeric("humidity")),
        ("cylinders", numbers(4, 6, 8, 4, 6, 8, 4, 4, 4), Numeric("cylinders")),
        ("x", numbers(3, 1, 2, 5, 4, 7, 6, 9, 8, 12), Numeric("x")),
        ("x", numbers(1, 2, 3), Numeric("x")),
        ("few", strings("a", "b", "c"), Nominal("few", ("a", "b", "c"))),
        ("one", strings("a", None, "a"), Nominal("one", ("a",))),
        ("age", strings("10-19", "20-29", "2-4", "10-19"), Nominal("age", ("2-4", "10-19", "20-29"))),
    ],
)
def test_usual_columns_are_taken_in_silence(name: str, column: RawColumn, expected: Attribute) -> None:
    guess = guess_input(name, column)
    assert (guess.attribute, guess.note) == (expected, None)


@pytest.mark.parametrize(
    ("name", "column", "because"),
    [
        ("id", numbers(*range(1, 21)), "it numbers the rows"),
        ("x", numbers(*range(20)), "it numbers the rows"),
        (
            "customer_id",
            numbers(*range(900, 0, -7)),
            "every value is different, and it is named like an identifier",
        ),
        (
            "customerId",
            numbers(*range(900, 0, -7)),
            "every value is different, and it is named like an identifier",
        ),
        ("name", different(50), "every value is different, as in a name or identifier"),
        ("c", strings("a", "a", "a"), "every row says 'a'"),
        ("c", numbers(7, 7, 7), "every row says 7"),
        ("c", numbers(NAN, NAN), "every cell is empty"),
        ("c", strings(None, None), "every cell is empty"),
        ("c", numbers(*[7.0] * 5000, 8, *[7.0] * 10), None),
        ("many", RawStrings(np.arange(5000, dtype=np.int32) % 1500, different(1500).values), "it has 1,500"),
        (
            "many",
            RawStrings(np.arange(100, dtype=np.int32) % 60, different(60).values),
            "it has 60 different",
        ),
        ("day", strings("2024-01-31", "2024-02-01", None, "2024-01-31"), "it holds dates"),
        ("day", strings("31.01.2024", "1.2.24"), "it holds dates"),
        ("day", strings("1/31/2024 12:30", "2/1/2024 9:05"), "it holds dates"),
        ("day", strings("31 Jan 2024", "1 February 2024"), "it holds dates"),
        ("day", strings("January 31, 2024"), "it holds dates"),
        ("day", strings("12:30", "9:05:01"), "it holds dates"),
        ("day", strings("x", "y", dates=True), "it holds dates"),
        ("day", numbers(*(20240101 + i % 28 for i in range(60))), "its numbers are dates such as 20240101"),
        ("amount", numbers(*(20240101 + i for i in range(60))), None),
    ],
)
def test_what_no_learner_can_use_is_left_out_aloud(name: str, column: RawColumn, because: str | None) -> None:
    guess = guess_input(name, column)
    if because is None:
        assert guess == Guess(Numeric(name), column)
    else:
        assert isinstance(guess.attribute, Ignored)
        assert because in guess.attribute.because
        assert guess.note is not None
        assert because in guess.note
        assert f"kinds={{'{name}'" in guess.note


def test_codes_with_leading_zeros_become_values() -> None:
    column = numbers(1, 2, 1, padded=True)
    texts = strings("01", "02", "01")
    guess = guess_input("zip", RawNumbers(column.values, True, True, None, lambda: texts))
    assert guess.attribute == Nominal("zip", ("01", "02"))
    assert guess.note is not None
    assert "codes such as '01'" in guess.note


def test_a_name_like_a_code_is_remarked_on_and_stays_numeric() -> None:
    guess = guess_input("zip_code", numbers(94110, 10001, 94110))
    assert guess.attribute == Numeric("zip_code")
    assert guess.note is not None
    assert "kinds={'zip_code': 'nominal'}" in guess.note


def test_few_whole_numbers_share_one_remark() -> None:
    few = RawNumbers(np.array([1.0, 2, 3]), True, distinct=3)
    many = RawNumbers(np.arange(9.0), True, distinct=9)
    notes = remark_on_few_numbers(Guess(Numeric(n), c) for n, c in (("a", few), ("b", many), ("c", few)))
    assert len(notes) == 1
    assert "a (3), c (3)" in notes[0]
    assert remark_on_few_numbers([Guess(Numeric("b"), many)]) == []


def test_many_sentences_are_text_even_where_most_are_repeated() -> None:
    once = different(1001, "message {} says something or other again")
    often = RawStrings(np.tile(once.codes, 5), once.values)
    assert guess_input("message", often).attribute == Text("message")


def test_long_sentences_are_text_and_names_are_not() -> None:
    message = different(50, "please call me about order {} when you can")
    guess = guess_input("message", message)
    assert guess.attribute == Text("message")
    assert guess.note is not None
    assert guess_input("name", different(50, "Braund, Mr. Owen {}")).attribute.kind == "ignored"


@pytest.mark.slow
def test_a_million_different_strings_are_left_out() -> None:
    guess = guess_input("key", different(1_000_000))
    assert isinstance(guess.attribute, Ignored)


def test_a_target_of_strings_has_classes_in_order_of_appearance() -> None:
    assert guess_target("y", strings("no", "yes", "no")).attribute == Nominal("y", ("no", "yes"))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (numbers(*[1, 0] * 4), Nominal("y", ("0", "1"))),
        (numbers(*[3, 10, 2, NAN] * 30), Nominal("y", ("2", "3", "10"))),
        (numbers(*range(100)), Numeric("y")),
        (numbers(1.5, 2.5), Numeric("y")),
        (numbers(1, 2, 3, 1, 2, 3), Numeric("y")),
        (numbers(*[*range(21)] * 100), Numeric("y")),
        (numbers(*[*range(20)] * 100), Nominal("y", tuple(map(str, range(20))))),
    ],
)
def test_a_target_of_few_whole_numbers_is_classes(column: RawNumbers, expected: Attribute) -> None:
    guess = guess_target("y", column)
    assert guess.attribute == expected
    assert (guess.note is None) == isinstance(expected, Numeric)


def test_a_target_of_too_many_values_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"50 different values in 50 rows: too many .* insist with kinds"):
        guess_target("name", different(50))
    with pytest.raises(SchemaError, match="holds dates"):
        guess_target("day", strings("2024-01-31", "2024-02-01"))


def test_a_target_of_very_many_classes_is_remarked_on() -> None:
    column = RawStrings(np.arange(1000, dtype=np.int32) % 150, different(150).values)
    assert (
        guess_target("y", column).note == "Target 'y' has 150 classes; a tree with so many is hard to read."
    )


def test_nothing_is_left_out_when_columns_are_taken_as_they_are() -> None:
    assert take_as_it_is("id", numbers(*range(20))).attribute == Numeric("id")
    assert take_as_it_is("name", different(50)).attribute.kind == "nominal"
    with pytest.raises(SchemaError, match="holds dates"):
        take_as_it_is("day", strings("x", dates=True))


def test_a_word_among_numbers_is_pointed_at() -> None:
    column = strings(*[str(i % 50) for i in range(200)], "unknown", "7")
    guess = guess_input("age", column)
    assert guess.attribute.kind == "nominal"
    assert guess.note is not None
    assert "row 201 says 'unknown'. If that means missing: missing='unknown'" in guess.note
    left_out = guess_input("age", strings(*map(str, range(200)), "unknown", "7"))
    assert isinstance(left_out.attribute, Ignored)
    assert "row 201 says 'unknown'" in left_out.attribute.because
    with pytest.raises(SchemaError, match=r"too many to be classes. Column 'age' holds numbers, but row 201"):
        guess_target("age", strings(*map(str, range(200)), "unknown", "7"))


def test_whole_numbers_too_large_for_a_float_are_remarked_on() -> None:
    column = RawNumbers(np.array([2.0**60, 3.0, 5.0, 7.0, 7.0, 1.0, 8.0, 2.0, 9.0]), whole=True)
    assert "beyond 2^53" in str(guess_input("account", column).note)
