"""Tables for a terminal line up by what is seen, whatever the letters."""

from __future__ import annotations

import clearwood as cw
from clearwood.models.lineage import Balanced, Pruned, Simplified
from clearwood.models.lineage_words import in_words
from clearwood.words.columns import display_width, in_columns
from clearwood.words.numbers import row_count


def test_wide_letters_take_the_room_they_take_on_a_screen() -> None:
    lines = in_columns([["天気", "14"], ["rain", "7"]], "figures")
    assert lines == ["天気  14", "rain   7"]
    assert len({display_width(line) for line in lines}) == 1


def test_a_row_that_lacks_its_last_cells_ends_early() -> None:
    assert in_columns([["a", "b"], ["… (3 more)"]], gap=3) == ["a            b", "… (3 more)"]


def test_an_evaluation_of_chinese_classes_lines_up() -> None:
    table = cw.read_table(
        {"风": list("强弱强弱强弱"), "打球": ["不打", "打", "不打", "打", "打", "打"]}, target="打球"
    )
    model = cw.ID3().learn(table)
    lines = str(cw.evaluate(model, table)).splitlines()[1:]
    ends = {display_width(line) for line in lines if line.startswith(("不打", "打"))}
    assert len(ends) == 1


def test_a_schema_of_chinese_names_lines_up() -> None:
    schema = cw.Schema(
        (cw.Nominal("天气", ("晴", "雨")), cw.Numeric("age")), cw.Nominal("打球", ("是", "否"))
    )
    lines = str(schema).splitlines()
    assert {display_width(line.split("n", 1)[0]) for line in lines[1:] if line[:1] != "a"} == {8}


def test_rules_that_take_many_rows_count_them_in_whole_numbers() -> None:
    assert row_count(48842.0) == "48,842 rows"
    table = cw.read_table({"x": ["a"] * 12345 + ["b"], "y": ["n"] * 12345 + ["p"]}, target="y")
    assert "(12,345 rows, 100 %)" in str(cw.rules_of(cw.ID3().learn(table)))


def test_one_of_something_is_no_plural() -> None:
    table = cw.read_table({"x": [1.5], "y": ["p"]}, target="y")
    leaf = cw.CART().learn(table)
    assert repr(table) == "<Table: 1 row, 1 input, target 'y'>"
    assert str(cw.calibration(leaf, table)).split("\n")[0].endswith("1 row")
    weights = Balanced("weights", (7.0, 3.0), (5.0, 5.0), {"by_class": {"bad": 5.0, "good": 1.0}})
    assert in_words(weights) == "training rows balanced by weights (by_class = bad 5, good 1)"
    assert in_words(Pruned("mdl", {}, 1, 1)) == "pruned by mdl, 1 node → 1"
    assert in_words(Simplified({}, 1, 1, 1, 1)) == "simplified, 1 rule → 1, 1 condition → 1"
