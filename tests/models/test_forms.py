"""A dataclass made here stands in a file as its hints say and comes back, or its wrong place is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import msgspec
import pytest

from clearwood.errors import ModelFileError, SchemaError
from clearwood.models.files.forms import (
    Misplaced,
    Weight,
    form_of,
    placed,
    plain_from_json,
    plain_to_json,
    read_form,
    row_from_json,
    row_to_json,
    shape_of,
    write_form,
)
from clearwood.models.files.mismatch import mismatch
from clearwood.models.lineage import LearnerAsData


@dataclass(frozen=True)
class Part:
    """A part of the whole."""

    name: str
    size: float = 0.0

    def __post_init__(self) -> None:
        if self.size > 9:
            raise SchemaError("A part is at most 9.")


@dataclass(frozen=True)
class Whole:
    """One field of every sort.

    What follows is not in the schema.
    """

    text: str
    yes: bool
    count: int
    number: float
    either: Literal["this", "that"]
    numbers: tuple[float, ...]
    pair: tuple[str, float]
    exact: int | Fraction
    row: tuple[int | Fraction, ...]
    table: tuple[tuple[int | Fraction, ...], ...]
    part: Part
    parts: tuple[Part, ...]
    named: Mapping[str, Part]
    counts: Mapping[str, int]
    maybe: Part | None
    texts: tuple[str, ...] | str
    limit: int | float
    settings: Mapping[str, Any] = field(default_factory=dict)


PART = form_of(Part, rename={"name": "called"}, size=Weight)
WHOLE = form_of(Whole, tag="whole")
THING = Whole(
    "a", True, 3, 2.0, "that", (1.0, 0.5), ("x", 4.0), Fraction(1, 3), (1, Fraction(1, 2)),
    ((1, 2), (Fraction(1, 3), 4)), Part("p", 1.0), (Part("q"), Part("r", 2.5)), {"s": Part("t")}, {"u": 7},
    None, ("v", "w"), 1, {"of": LearnerAsData("C45", {"m": 2})},
)  # fmt: skip
DATA: dict[str, Any] = {
    "kind": "whole", "text": "a", "yes": True, "count": 3, "number": 2, "either": "that", "numbers": [1, 0.5],
    "pair": ["x", 4], "exact": "1/3", "row": [1, 0.5], "table": [[1, 2], ["1/3", 4]],
    "part": {"called": "p", "size": 1},
    "parts": [{"called": "q", "size": 0}, {"called": "r", "size": 2.5}],
    "named": {"s": {"called": "t", "size": 0}}, "counts": {"u": 7}, "maybe": None, "texts": ["v", "w"],
    "limit": 1, "settings": {"of": {"learner": "C45", "settings": {"m": 2}}},
}  # fmt: skip


def read(data: Any) -> Any:
    return read_form(msgspec.convert(data, WHOLE))


def test_a_field_of_every_sort_comes_back() -> None:
    assert msgspec.json.decode(msgspec.json.encode(write_form(THING))) == DATA
    assert read(DATA) == THING
    other = {**DATA, "maybe": DATA["part"], "texts": "alone", "limit": 0.5}
    thing = read(other)
    assert (thing.maybe, thing.texts, thing.limit) == (Part("p", 1.0), "alone", 0.5)
    assert msgspec.json.decode(msgspec.json.encode(write_form(thing))) == other
    assert WHOLE.__doc__ == "One field of every sort."
    assert [write_form(each) for each in (7.0, "a", None, (1.0,))] == [7, "a", None, (1.0,)]


@pytest.mark.parametrize(
    ("path", "to", "place"),
    [
        (("exact",), "1/0", ".exact"),
        (("row", 1), "1/0", ".row[1]"),
        (("table", 1, 0), "2/0", ".table[1][0]"),
        (("part", "size"), 10, ".part: A part is at most 9."),
        (("parts", 1, "size"), 10, ".parts[1]: A part is at most 9."),
        (("named", "s", "size"), 10, ".named.s: A part is at most 9."),
        (("maybe",), {"called": "p", "size": 10}, ".maybe: A part is at most 9."),
    ],
)
def test_what_a_field_may_not_hold_is_refused_with_its_place(
    path: tuple[Any, ...], to: Any, place: str
) -> None:
    data: Any = msgspec.json.decode(msgspec.json.encode(DATA))
    here = data
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = to
    with pytest.raises(Misplaced) as error:
        read(data)
    assert str(placed(error.value, "at")).startswith(f"at{place}")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"text": 3}, "at.text must be text, not 3."),
        ({"yes": 1}, "at.yes must be true or false, not 1."),
        ({"count": 1.5}, "at.count must be a whole number, not 1.5."),
        ({"number": "1"}, "at.number must be a finite number, not '1'."),
        ({"either": "thas"}, "at.either: No either called 'thas'. Did you mean 'this'"),
        ({"numbers": {}}, "at.numbers must be a list, not {}."),
        ({"numbers": [1, "a"]}, "at.numbers[1] must be a finite number, not 'a'."),
        ({"pair": ["x"]}, "at.pair must be a list of 2, not"),
        ({"part": {"called": "p", "size": -1}}, "at.part.size must be a finite number ≥ 0, not -1."),
        ({"part": {"size": 1}}, "at.part: 'called' is missing."),
        ({"part": {"called": "p", "size": 1, "colour": 2}}, "at.part: No field 'colour'"),
        ({"parts": [None]}, "at.parts[0] must be an object, not None."),
        ({"named": {"s": 3}}, "at.named.s must be an object, not 3."),
        ({"counts": {"u": True}}, "at.counts.u must be a whole number, not True."),
        ({"maybe": 3}, "at.maybe must be an object, not 3."),
        ({"texts": 3}, "at.texts must be a list or text, not 3."),
        ({"texts": ["a", 3]}, "at.texts[1] must be text, not 3."),
        ({"limit": None}, "at.limit must be a whole number or a finite number, not None."),
        ({"exact": "a third"}, "must be a finite number or the text of a fraction, not 'a third'."),
    ],
)
def test_data_of_another_form_is_told_by_its_first_place(change: dict[str, Any], sentence: str) -> None:
    found = mismatch({**DATA, **change}, WHOLE, "at")
    assert found is not None
    assert sentence in found
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**DATA, **change}, WHOLE)
    assert mismatch(DATA, WHOLE, "at") is None


def test_hints_that_have_no_form_are_refused() -> None:
    with pytest.raises(TypeError, match="has no form in a file"):
        shape_of(set[str])


def test_settings_are_text_finite_numbers_and_lists() -> None:
    for value in ({"a": (1, "b", None, True, 0.5)}, {"of": LearnerAsData("C45", {"deep": {"er": (1,)}})}):
        assert plain_from_json(msgspec.json.decode(msgspec.json.encode(plain_to_json(value)))) == value
    wrong: list[tuple[Any, str]] = [
        ({"a": {1: 2}}, r"^Origin\.settings\.a has the key 1"),
        ({"a": {"learner": "C45", "settings": {}}}, r"^Origin\.settings\.a reads like a learner"),
        ({"a": {"b": {3}}}, r"^Origin\.settings\.a\.b is \{3\}; a model file holds text"),
        ({"a": float("inf")}, r"^Origin\.settings\.a is inf"),
    ]
    for value, sentence in wrong:
        with pytest.raises(ModelFileError, match=sentence):
            plain_to_json(value)
    assert plain_to_json({"learner": "C45"}) == {"learner": "C45"}
    assert plain_to_json({"learner": 3, "settings": {}}) == {"learner": 3, "settings": {}}
    with pytest.raises(Misplaced, match="must be a finite number"):
        plain_from_json({"a": [float("inf")]})


def test_sums_of_a_row_are_numbers_where_json_holds_them_and_within_reach() -> None:
    large = 1 << 53
    assert row_to_json((1, -large, large)) == (1, -large, large)
    assert row_to_json((1, large + 1)) == [1, str(large + 1)]
    assert row_to_json((1, -large - 1)) == [1, str(-large - 1)]
    assert row_to_json((1, Fraction(1, 2))) == [1, 0.5]
    assert row_to_json(()) == ()
    assert row_from_json((1, 2.0, "1/3")) == (1, 2, Fraction(1, 3))
    for row in ((10**308, 10**308), (1e308, 1e308), ("1" + "0" * 400,)):
        with pytest.raises(Misplaced, match="holds a number that is too large"):
            row_from_json(row)
    with pytest.raises(Misplaced) as error:
        row_from_json((1, "x"))
    assert error.value.path == [1]
