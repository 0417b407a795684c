"""Tables for a terminal line up by what is seen, and texts have the words of the field."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

import clearwood as cw
from clearwood.models.in_words import in_words
from clearwood.models.lineage import Balanced, Pruned, Simplified
from clearwood.words.columns import display_width, in_columns
from clearwood.words.numbers import row_count
from tests.source_code import SOURCE, parsed_sources


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


# Words that readers of the field would not search for, and where they mean something else: a share of rows.
RETIRED: Final = re.compile(
    r"\b(shares?|(un)?answer(s|ed|ing)?|judge[ds]?|letters?|tenths?|anew|yardsticks?|bells?|hills?|"
    r"of theirs)\b|% right|tells? of\b|members?( \S+)? says?\b|asked? (\S+ )?first|fall by chance|"
    r"look harder|made small",
    re.IGNORECASE,
)
MEANT_OTHERWISE: Final = re.compile(
    r"shares? of (the |predicted |the class's )?(rows|variance|inertia|decrease|them)|share of \||"
    r"(by|takes) its share|Share\(|largest share of |shares on the way|shares add up|whole number or a share|"
    r"Class shares need|(ensemble|parts|they|vote) share|observed shares?|^(adjusted )?share of |datum\.\w+|"
    r"answers=True|: answers|answers questions|letter-spacing|LETTERS|--share:|"
    # names of options, settings and keys, and what is shared by two
    r"[:=]SHARE|--(shares|answers|origin-answers|no-judge|yardstick)\b|shares? = \"|^answer = |\nanswer = |"
    r"(Leave|or) shares? (out|with)|shares is the change|Give (one of|either) answer|Share of each class by|"
    r"(models|all|named) share\b|and share $|^share $|by the shares of the|its share of all rows|"
    r"server answers on|(as a|cannot be a) letter",
    re.IGNORECASE,
)
SPEAKING: Final = {path.name for path in SOURCE.iterdir() if path.is_dir()} - {
    "datasets",
    "web",
    "__pycache__",
}


# Parts of exported programs, and of those that run them, have names in them.
CODE: Final = re.compile(r"[{}\[\];=]|\n.*\n|shares\(row\)|\) AS |predict max same place", re.DOTALL)


def test_what_is_printed_has_the_words_of_the_field() -> None:
    said = [
        f"{path.relative_to(SOURCE)}:{line}: {text}"
        for path, tree in parsed_sources()
        if path.relative_to(SOURCE).parts[0] in SPEAKING
        for line, text in _printed(tree)
        if RETIRED.search(MEANT_OTHERWISE.sub("", text))
        if path.relative_to(SOURCE).parts[0] not in ("exporting", "importing") or not CODE.search(text)
    ]
    assert not said, "say probability, predicted, evaluated, characters, deciles, again:\n" + "\n".join(said)


def test_the_script_of_pages_has_the_words_of_the_field() -> None:
    printed = re.compile(r'"\w[^"]* [^"]*"|`[^`]* [^`]*`')
    said = [
        f"{path.name}: {text}"
        for path in sorted((SOURCE / "web").glob("*.js"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if not line.lstrip().startswith(("*", "//", "/*"))
        for text in printed.findall(line)
        if RETIRED.search(MEANT_OTHERWISE.sub("", re.sub(r"\$\{.*?[}`]", "", text)))
    ]
    assert not said, "\n".join(said)


def _printed(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Texts of several words, except for docstrings."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(module)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        if node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(module):
        match node:
            case ast.Constant(value=str(text)) if " " in text and id(node) not in docstrings:
                yield node.lineno, text
