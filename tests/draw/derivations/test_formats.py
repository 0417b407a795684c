"""Derivations as Markdown, LaTeX and HTML: well-formed whatever the names, and saying the same."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.draw.derivations import write_derivation
from clearwood.draw.derivations.sheet import circled
from clearwood.draw.escaping import escape_latex, escape_markdown
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Equals
from clearwood.formulas.expressions import Applied, Number, Over, Product, Quotient, Sum, Symbol, value_of
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import Figure, Grid, Rows
from tests.hand_made_derivation import NASTY, everything, tennis
from tests.typed import mistyped

DETAILS = [("short", False), ("full", False), ("worksheet", False), ("worksheet", True)]


def named(name: str) -> Derivation:
    """A derivation in which everything is called so."""
    put_in = Sum((Quotient(Number(9), Number(14)), Number(1)))
    figure = Figure(
        name,
        value_of(put_in),
        Over("Σ", name, Product((Symbol(name, name), Applied(name, (Symbol(name),))))),
        put_in,
        Rows(1.0, (Equals(name, name),), name),
        name,
        name,
        (Grid(name, (name, name), [(name, name), (name, 0.5)], 0),),
        (Figure(f"{name}.", name, because=name),),
    )
    return Derivation(name, [Step(name, name, (figure, figure), name)])


def written_all_ways(derivation: Derivation, format: str) -> list[str]:
    return [
        write_derivation(derivation, format=mistyped(format), detail=mistyped(detail), answers=answers)
        for detail, answers in DETAILS
    ]


@given(st.text(max_size=12))
def test_html_is_well_formed_whatever_the_names(name: str) -> None:
    for text in written_all_ways(named(name), "html"):
        ElementTree.fromstring(text)


@pytest.mark.slow
def test_html_holds_no_element_that_a_name_asked_for() -> None:
    class Tags(HTMLParser):
        names: set[str] = set()  # noqa: RUF012

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert not any(name.startswith("on") for name, _ in attrs)
            if tag == "a" and len(attrs) == 1 and re.fullmatch(r"#cw-chapter-\d+", attrs[0][1] or ""):
                return  # of the contents, which lead to the page's own chapters
            self.names.add(tag)

    tags = Tags()
    for text in written_all_ways(everything(), "html"):
        tags.feed(text)
    assert {"math", "mfrac", "msqrt", "details", "table"} <= tags.names
    assert not {"script", "style", "a", "img", "b"} & tags.names


def test_the_page_stands_alone_without_script_or_network() -> None:
    page = write_derivation(tennis(), format="html", standalone=True)
    assert page.startswith("<!DOCTYPE html>")
    assert "prefers-color-scheme:dark" in page
    assert not re.search(r"<script|https?:|src=|@import|url\(", page)


def test_html_sets_fractions_and_marks_the_chosen_row() -> None:
    text = write_derivation(tennis(), format="html")
    share = "<mfrac><mn>9</mn><mn>14</mn></mfrac>"
    assert share in text
    assert '<tr class="cw-chosen"><th scope="row">Outlook</th><td class="cw-number">0.2467</td></tr>' in text
    assert "<summary>from H(S), H(Sunny), H(Overcast), H(Rainy)</summary>" in text


def unescaped_braces(text: str) -> int:
    depth = 0
    for mark in re.findall(r"(?<!\\)(?:\\\\)*[{}]", text):
        depth += 1 if mark[-1] == "{" else -1
        assert depth >= 0
    return depth


@given(st.text(max_size=12))
def test_latex_brackets_balance_whatever_the_names(name: str) -> None:
    for text in written_all_ways(named(name), "latex"):
        assert unescaped_braces(text) == 0
        begun, ended = re.findall(r"\\begin{(\w+)}", text), re.findall(r"\\end{(\w+)}", text)
        assert sorted(begun) == sorted(ended)
        assert len(re.findall(r"\\left\(", text)) == len(re.findall(r"\\right\)", text))
        assert len(re.findall(r"(?<!\\)\$", text)) % 2 == 0


@pytest.mark.parametrize("name", NASTY)
def test_latex_has_no_bare_special_character_from_a_name(name: str) -> None:
    bare = escape_latex(name)
    for command in (
        "textbackslash",
        "textasciitilde",
        "textasciicircum",
        "textless",
        "textgreater",
        "textbar",
    ):
        bare = bare.replace(rf"\{command}{{}}", "")
    for mark in "_$%&#{}":
        bare = bare.replace(f"\\{mark}", "")
    assert not set(bare) & set("\\_$%&#{}~^<>|\n")


def test_a_latex_document_says_how_letters_without_a_glyph_are_written() -> None:
    text = write_derivation(everything(), format="latex", standalone=True)
    assert r"\DeclareUnicodeCharacter{9AD8}{\texttt{U+9AD8}}" in text
    assert text.startswith(r"\documentclass")
    assert text.rstrip().endswith(r"\end{document}")
    fragment = write_derivation(everything(), format="latex")
    assert r"\documentclass" not in fragment


def test_latex_breaks_long_sums_and_stacks_fractions() -> None:
    text = write_derivation(everything(), format="latex")
    assert text.count(r"&\quad + 1.5") >= 2
    assert r"\frac{9}{14}\cdot \log_{2}\,\frac{9}{14}" in write_derivation(tennis(), format="latex")


@given(st.text(max_size=12))
def test_markdown_tables_keep_their_columns_and_blocks_their_fences(name: str) -> None:
    for text in written_all_ways(named(name), "markdown"):
        lines = text.split("\n")
        assert sum(line.strip() == "```math" for line in lines) == sum(
            line.strip() == "```" for line in lines
        )
        inside = False
        for line in map(str.strip, lines):
            inside = line == "```math" or (inside and line != "```")
            if line.startswith("|") and not inside:
                assert len(re.findall(r"(?<!\\)\|", line)) == 3


@pytest.mark.parametrize("name", NASTY)
def test_markdown_escapes_what_would_be_markup(name: str) -> None:
    assert not re.search(r"(?<!\\)[*_`<>$|#\[\]]", escape_markdown(name))
    assert "\n" not in escape_markdown(name)


def test_mathematics_in_markdown_keeps_names_in_one_piece() -> None:
    text = write_derivation(named("a_b{c}$"), format="markdown")
    assert r"\text{a}\_\text{b}\{\text{c}\}\text{}\$\text{}" in text


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html"])
def test_a_worksheet_hides_what_its_key_tells(format: str) -> None:
    _, full, sheet, key = written_all_ways(tennis(), format)
    texts = [f"{number:.4g}" for number in (0.9402859586706311, 0.24674981977443933, 0.9709505944546686)]
    for value in (*texts, "its gain is the greatest"):
        assert value in full
        assert value in key
        assert value not in sheet


@given(st.lists(st.floats(1e-3, 1e3).filter(lambda x: x != int(x)), min_size=1, max_size=5, unique=True))
def test_no_computed_value_is_left_on_a_worksheet(values: list[float]) -> None:
    figures = tuple(
        Figure(f"figure {'abcde'[k]}", value, put_in=Product((Number(value), Number(1))))
        for k, value in enumerate(values)
    )
    grid = Grid("", ("name", "value"), [("row", value) for value in values])
    table = Figure("all", None, grids=(grid,))
    derivation = Derivation("Sheet", [Step("", "Step", (*figures, table), "Done")])
    _, full, sheet, key = written_all_ways(derivation, "text")
    blanks = re.findall(r"([①-⑩]|\(\d+\)) _+", sheet)
    assert blanks == [circled(k + 1) for k in range(2 * len(values) + 1)]
    for blank in blanks:
        assert re.search(rf"^ +{re.escape(blank)}[ :]", key, re.MULTILINE)
    for line in re.findall(r"[=≈] ([\d,.]+)", full):
        assert line in key
        assert line not in sheet


def test_standalone_is_for_pages() -> None:
    with pytest.raises(SettingError, match="text stands alone as it is"):
        write_derivation(tennis(), standalone=True)


def test_markdown_tables_have_no_empty_column_and_the_chosen_row_an_arrow() -> None:
    grid = Grid("Cuts", ("cut", "gain"), [("x ≤ 1", 0.25), ("x ≤ 2", 0.5)], chosen=1)
    text = write_derivation(
        Derivation("Cuts", [Step("", "One", (Figure("cut", None, grids=(grid,)),), "")]), format="markdown"
    )
    rows = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
    assert rows == ["| cut | gain |", "| :--- | ---: |", "| x ≤ 1 | 0.25 |", "| → x ≤ 2 | 0.5 |"]
